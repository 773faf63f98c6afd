"""Spins of a wheel: where it came to rest, how it turned, who spun it, and what was said of it."""

from __future__ import annotations

from typing import Final

from ledger.analytics.facts.equipment import Equipment
from ledger.analytics.facts.gaming_day_bounds import Add, TableMoment
from ledger.events import Fact, SpinCalled, SpinVoided, WheelSpun
from ledger.kernel.quick_dataclass import dataclass

KINDS: Final = frozenset({WheelSpun, SpinVoided, SpinCalled})


@dataclass(slots=True)
class Spins:
    """Holds a spin back until the next one, so that what was called stands with it."""

    add: Add
    equipment: Equipment
    number: int = 0
    waiting: tuple[object, ...] | None = None
    called: str | None = None
    voided: bool = False

    def take(self, fact: Fact, moment: TableMoment) -> None:
        """Follow one fact."""
        match fact:
            case WheelSpun():
                self.release()
                self.number += 1
                self.waiting = self._row(fact, moment)
            case SpinVoided():
                self.voided = True
            case SpinCalled():
                self.called = fact.result

    def release(self) -> None:
        """The spin is over: what was called of it has been called."""
        if self.waiting is not None:
            self.add("spins", (*self.waiting, self.called, self.voided))
        self.waiting, self.called, self.voided = None, None, False

    def next_round(self) -> None:
        """Spins are counted from one in each round."""
        self.release()
        self.number = 0

    def _row(self, fact: WheelSpun, moment: TableMoment) -> tuple[object, ...]:
        wheel = self.equipment.only("wheel")
        sections = self.equipment.parts("wheel", wheel) if wheel is not None else ()
        at = fact.section
        label = sections[at] if at is not None and 0 <= at < len(sections) else None
        return (
            fact.stream,
            fact.seq,
            self.number,
            moment.day,
            moment.table,
            moment.game,
            moment.round,
            moment.at,
            moment.local(moment.at),
            fact.started_time,
            wheel,
            len(sections) or None,
            at,
            label,
            None if fact.between is None else list(fact.between),
            None if fact.symbols is None else list(fact.symbols),
            fact.direction.value if fact.direction is not None else None,
            fact.revolutions_thousandths,
            fact.clapper.value if fact.clapper is not None else None,
            fact.spun_by,
            fact.role.value if fact.role is not None else None,
            list(moment.dealers),
        )
