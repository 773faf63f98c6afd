"""The walk over one table: each fact that matters here, with its moment, gaming day and round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from ledger.analytics.facts import equipment, hands, spins, staff, throws
from ledger.analytics.facts.spans import Add, Now
from ledger.audit import HouseRecord
from ledger.events import BettingOpened, Fact, TableClosed, TableOpened
from ledger.kernel import FactRef, round_id, table_of
from ledger.replay import DoubtBegins, FactStep, Replay

FOLLOWED: Final = frozenset(
    kind.__name__
    for kinds in (
        throws.KINDS,
        spins.KINDS,
        hands.KINDS,
        staff.KINDS,
        equipment.KINDS,
        {BettingOpened, TableClosed, TableOpened},
    )
    for kind in kinds
)
"""Names of the events that are decoded; the others are passed over."""


class Taker(Protocol):
    """Whoever follows facts of some kinds."""

    def take(self, fact: Fact, now: Now) -> None:
        """Follow one fact."""
        ...


def stated_ends(house: HouseRecord) -> dict[str, int]:
    """The highest last number that any closing of a gaming day states, by stream."""
    found: dict[str, int] = {}
    for closings in house.office.closings.values():
        for closing in closings:
            for end in closing.streams:
                found[end.stream] = max(found.get(end.stream, 0), end.last_seq)
    return found


@dataclass(slots=True)
class TableFollower:
    """Walks one table from its first fact to its last."""

    replay: Replay
    house: HouseRecord
    table: str
    add: Add
    now: Now = field(init=False)
    throws: throws.Throws = field(init=False)
    spins: spins.Spins = field(init=False)
    hands: hands.RoundOfHands = field(init=False)
    staff: staff.Staff = field(init=False)
    equipment: equipment.Equipment = field(init=False)
    takers: Mapping[type[Any], Taker] = field(init=False)

    def __post_init__(self) -> None:
        self.now = Now(self.table, self.house.clock)
        self.equipment = equipment.Equipment(self.add)
        self.throws = throws.Throws(self.add, self.equipment)
        self.spins = spins.Spins(self.add, self.equipment)
        self.hands = hands.RoundOfHands(self.add)
        self.staff = staff.Staff(self.add)
        pairs: tuple[tuple[Iterable[type[Any]], Taker], ...] = (
            (throws.KINDS, self.throws),
            (spins.KINDS, self.spins),
            (hands.KINDS, self.hands),
            (equipment.KINDS, self.equipment),
            (staff.KINDS, self.staff),
        )
        self.takers = {kind: taker for kinds, taker in pairs for kind in kinds}

    def run(self, stated: Mapping[str, int]) -> None:
        """Walk the whole record; ``stated`` are the ends by control totals."""
        now = self.now
        ends = {name: last for name, last in stated.items() if table_of(name) == self.table}
        streams = {*self.replay.tables().get(self.table, ()), *ends}
        for step in self.replay.walk(streams, stated=ends, only=FOLLOWED):
            if isinstance(step, FactStep):
                now.come_to(step.at)
                self._take(step.fact)
            elif isinstance(step, DoubtBegins):
                self.equipment.doubt()
                self.staff.doubt(step.at, now)
        self._round_ends(None)
        self.staff.finish(now)
        self.equipment.finish(now)

    def _take(self, fact: Fact) -> None:
        if isinstance(fact, BettingOpened):
            self._round_ends(round_id(FactRef(fact.stream, fact.seq)))
        elif isinstance(fact, TableOpened):
            if fact.game != self.now.game:
                self._round_ends(None)
            self.now.game = fact.game
        taker = self.takers.get(type(fact))
        if taker is not None:
            taker.take(fact, self.now)
        if isinstance(fact, TableClosed):
            self._round_ends(None)

    def _round_ends(self, following: str | None) -> None:
        self.throws.release()
        self.spins.next_round()
        self.hands.release(self.now)
        self.now.round = following
