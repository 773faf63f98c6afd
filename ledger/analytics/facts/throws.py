"""Dice at rest: each die of each throw, how it was shaken, and what was said of it."""

from __future__ import annotations

from dataclasses import field
from typing import Final, cast

from ledger import events
from ledger.analytics.facts.equipment import Equipment
from ledger.analytics.facts.gaming_day_bounds import Add, TableMoment
from ledger.kernel.quick_dataclass import dataclass

KINDS: Final = frozenset(
    {
        events.DiceShaken,
        events.PlayerShook,
        events.DiceThrown,
        events.DiceThrownByHand,
        events.RollCalled,
        events.NoRollCalled,
        events.ThrowVoided,
    }
)


@dataclass(slots=True)
class Shaking:
    """The shaking since the last throw: the last shaker and person, all shakes together."""

    shaker: str | None = None
    kind: str | None = None
    shakes: int | None = 0
    person: str | None = None
    role: str | None = None


@dataclass(slots=True)
class Throws:
    """Holds a throw back until the next one, so that what was called stands with it."""

    add: Add
    equipment: Equipment
    shaking: Shaking | None = None
    waiting: list[tuple[object, ...]] = field(default_factory=list)
    called: list[int] | None = None
    no_roll: bool = False
    voided: bool = False

    def take(self, fact: events.Fact, moment: TableMoment) -> None:
        """Follow one fact."""
        match fact:
            case events.DiceThrown():
                self._thrown(fact, moment)
            case events.DiceThrownByHand():
                self._by_hand(fact, moment)
            case events.DiceShaken():
                kind = fact.kind.value if fact.kind is not None else None
                role = fact.role.value if fact.role is not None else None
                self._shaken(fact.shaker, kind, fact.shakes, fact.shaken_by, role)
            case events.PlayerShook():
                who = fact.patron or fact.position
                self._shaken(fact.shaker, None, fact.shakes, who, events.Role.PATRON.value)
            case events.RollCalled():
                self.called = list(fact.faces)
            case events.NoRollCalled():
                self.no_roll = True
            case events.ThrowVoided():
                self.voided = True

    def release(self) -> None:
        """The throw is over: what was called of it has been called."""
        for row in self.waiting:
            self.add("throws", (*row, self.called, self.no_roll, self.voided))
        self.waiting.clear()
        self.called, self.no_roll, self.voided = None, False, False

    def _shaken(
        self,
        shaker: str | None,
        kind: str | None,
        shakes: int | None,
        who: str | None,
        role: str | None,
    ) -> None:
        before = self.shaking or Shaking()
        total = None if shakes is None or before.shakes is None else before.shakes + shakes
        self.shaking = Shaking(shaker or before.shaker, kind or before.kind, total, who, role)

    def _thrown(self, fact: events.DiceThrown, moment: TableMoment) -> None:
        self.release()
        how = self.shaking
        shaker = (how.shaker if how else None) or self.equipment.only("shaker")
        kind = (how.kind if how else None) or self.equipment.kinds.get(shaker or "")
        serials = [die.serial for die in fact.dice]
        row = (
            *self._where(fact, len(fact.dice), moment, False, None, serials, shaker),
            shaker,
            kind,
            how.shakes if how else None,
            how.person if how else None,
            how.role if how else None,
            fact.thrown_by,
            list(moment.dealers),
        )
        for number, die in enumerate(fact.dice, 1):
            die_columns = (die.serial, die.colour, die.face, die.rest.value, None, None)
            self.waiting.append((*row, number, *die_columns))
        self.shaking = None

    def _by_hand(self, fact: events.DiceThrownByHand, moment: TableMoment) -> None:
        self.release()
        serials = [die.serial for die in fact.dice]
        purpose = fact.purpose.value if fact.purpose is not None else None
        row = (
            *self._where(fact, len(fact.dice), moment, True, purpose, serials, None),
            *(None, None, None, None, None),
            fact.thrown_by or fact.position,
            list(moment.dealers),
        )
        for number, die in enumerate(fact.dice, 1):
            touched = None if die.touched is None else [one.value for one in die.touched]
            die_columns = (
                die.serial,
                die.colour,
                die.face,
                die.rest.value,
                die.resting_side,
                touched,
            )
            self.waiting.append((*row, number, *die_columns))
        self.shaking = None

    def _where(
        self,
        fact: events.DiceThrown | events.DiceThrownByHand,
        dice: int,
        moment: TableMoment,
        by_hand: bool,
        purpose: str | None,
        serials: list[str | None],
        shaker: str | None,
    ) -> tuple[object, ...]:
        named = cast(list[str], serials) if all(serials) else []
        return (
            fact.stream, fact.seq, dice,
            moment.day, moment.table, moment.game, moment.round, moment.at,
            moment.local(moment.at), by_hand, purpose, self.equipment.set_of(named, shaker),
        )  # fmt: skip
