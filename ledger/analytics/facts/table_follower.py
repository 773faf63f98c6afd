"""The walk over one table: each fact that matters here, with its moment, gaming day and round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from ledger.analytics.facts import equipment, hands, spins, staff, throws
from ledger.analytics.facts.gaming_day_bounds import Add, TableMoment
from ledger.audit import HouseRecord
from ledger.audit.ledger_contract import FOREVER, Day
from ledger.events import BettingOpened, Fact, TableClosed, TableOpened
from ledger.kernel import ref_of, round_id, table_of
from ledger.replay import DoubtBegins, FactStep, Replay, Step

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

PLAYED: Final = throws.KINDS | spins.KINDS | hands.KINDS
ENDS: Final = (BettingOpened, TableOpened, TableClosed)
LASTING: Final = frozenset(kind.__name__ for kind in (*staff.KINDS, *equipment.KINDS, *ENDS))
"""Names of the events whose effect outlives a round."""


class Taker(Protocol):
    """Whoever follows facts of some kinds."""

    def take(self, fact: Fact, moment: TableMoment) -> None:
        """Follow one fact."""
        ...


@dataclass(slots=True)
class TableFollower:
    """Walks one table from its first fact to its last."""

    replay: Replay
    house: HouseRecord
    table: str
    add: Add
    moment: TableMoment = field(init=False)
    throws: throws.Throws = field(init=False)
    spins: spins.Spins = field(init=False)
    hands: hands.RoundOfHands = field(init=False)
    staff: staff.Staff = field(init=False)
    equipment: equipment.Equipment = field(init=False)
    takers: Mapping[type[object], Taker] = field(init=False)
    reach: int = 0
    """As in ``TableDay``, once ``run_day`` has walked."""

    def __post_init__(self) -> None:
        self.moment = TableMoment(self.table, self.house.clock, self._next_fact)
        self.equipment = equipment.Equipment(self.add)
        self.throws = throws.Throws(self.add, self.equipment)
        self.spins = spins.Spins(self.add, self.equipment)
        self.hands = hands.RoundOfHands(self.add)
        self.staff = staff.Staff(self.add)
        pairs: tuple[tuple[Iterable[type[object]], Taker], ...] = (
            (throws.KINDS, self.throws),
            (spins.KINDS, self.spins),
            (hands.KINDS, self.hands),
            (equipment.KINDS, self.equipment),
            (staff.KINDS, self.staff),
        )
        self.takers = {kind: taker for kinds, taker in pairs for kind in kinds}

    def run(self, stated: Mapping[str, int]) -> None:
        """Walk the whole record; ``stated`` are the ends by control totals."""
        streams, ends = self._streams(stated)
        for step in self.replay.walk(streams, stated=ends, only=FOLLOWED):
            self._follow(step)
        self._finish()

    def run_day(self, stated: Mapping[str, int], day: Day) -> None:
        """Walk so far that all rows of one gaming day are handed out; others are, too.

        What lies before it is only asked for what outlives a round.
        """
        streams, ends = self._streams(stated)
        opened: int | None = None
        for step in self.replay.walk(streams, stated=ends, until=day.begins, only=LASTING):
            self._follow(step)
            if isinstance(step, FactStep) and isinstance(step.fact, BettingOpened):
                opened = step.at
        since = opened if opened is not None and self.moment.round is not None else day.begins
        for step in self.replay.walk(streams, stated=ends, since=since, only=FOLLOWED):
            at = step.at
            self.reach = max(self.reach, at or 0)
            if at is None or at < day.begins:  # known from before, but for the round under way
                if isinstance(step, FactStep) and type(step.fact) in PLAYED:
                    self._follow(step)
                continue
            ends_round = isinstance(step, FactStep) and isinstance(step.fact, ENDS)
            if at >= day.ends and (self.moment.round is None or ends_round):
                self.moment.come_to(at)
                break
            self._follow(step)
        else:
            self.reach = FOREVER
        self._finish()

    def _next_fact(self, since: int) -> int | None:
        streams = self.replay.tables().get(self.table, ())
        times = (self.replay.times_around(stream, since)[1] for stream in streams)
        return min((at for at in times if at is not None), default=None)

    def _streams(self, stated: Mapping[str, int]) -> tuple[set[str], dict[str, int]]:
        ends = {name: last for name, last in stated.items() if table_of(name) == self.table}
        return {*self.replay.tables().get(self.table, ()), *ends}, ends

    def _follow(self, step: Step) -> None:
        if isinstance(step, FactStep):
            self.moment.come_to(step.at)
            self._take(step.fact)
        elif isinstance(step, DoubtBegins):
            self.equipment.doubt()
            self.staff.doubt(step.at, self.moment)

    def _finish(self) -> None:
        self._round_ends(None)
        self.staff.finish(self.moment)
        self.equipment.finish(self.moment)

    def _take(self, fact: Fact) -> None:
        if isinstance(fact, BettingOpened):
            self._round_ends(round_id(ref_of(fact)))
        elif isinstance(fact, TableOpened):
            if self.moment.game not in (None, fact.game):
                self._round_ends(None)
            self.moment.game = fact.game
        taker = self.takers.get(type(fact))
        if taker is not None:
            taker.take(fact, self.moment)
        if isinstance(fact, TableClosed):
            self._round_ends(None)
            self.throws.shaking = None

    def _round_ends(self, following: str | None) -> None:
        self.throws.release()
        self.spins.next_round()
        self.hands.release(self.moment)
        self.moment.next_round(following)
