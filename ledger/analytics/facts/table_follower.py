"""The walk over one table: each fact that matters here, with its moment, gaming day and round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import field
from typing import Final, Protocol
from weakref import WeakKeyDictionary

from ledger.analytics.facts import equipment, hands, spins, staff, throws
from ledger.analytics.facts.gaming_day_bounds import Add, TableMoment
from ledger.audit import HouseRecord
from ledger.audit.ledger_contract import FOREVER, Day
from ledger.events import BettingOpened, Fact, TableClosed, TableOpened
from ledger.kernel import ref_of, round_id, table_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import Doubt, DoubtBegins, FactStep, Replay, Step

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
FOLLOWS: Final = ("moment", "throws", "spins", "hands", "staff", "equipment", "takers")
"""What a follower has followed; the rest of it says where."""
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
        self.equipment = equipment.Equipment(self._add_row)
        self.throws = throws.Throws(self._add_row, self.equipment)
        self.spins = spins.Spins(self._add_row, self.equipment)
        self.hands = hands.RoundOfHands(self._add_row)
        self.staff = staff.Staff(self._add_row)
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

        What lies before it is only asked for what outlives a round, and from where an earlier day
        of this table began in this process.
        """
        streams, ends = self._streams(stated)
        known, opened = self._take_up(day.begins)
        for step in self.replay.walk(
            streams, stated=ends, since=known, until=day.begins, only=LASTING
        ):
            if known is not None and _is_of_before(step, known):
                continue
            self._follow(step)
            if isinstance(step, FactStep) and isinstance(step.fact, BettingOpened):
                opened = step.at
        self._note(day.begins, opened)
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

    def _take_up(self, begins: int) -> tuple[int | None, int | None]:
        """Stand where this table stood at the start of a day that was walked before.

        Returns:
            Since when to walk, microseconds UTC, and when betting opened last; None: from nothing.
        """
        before = _STARTS.get(self.replay, {}).get(self.table)
        if before is None or before.root != self.replay.root or before.begins > begins:
            return None, None
        self._copy(before.follower, self)
        return before.begins, before.opened

    def _note(self, begins: int, opened: int | None) -> None:
        """Note how this table stands at the start of a day."""
        follower = object.__new__(TableFollower)
        self._copy(self, follower)
        start = _Start(begins=begins, root=self.replay.root, opened=opened, follower=follower)
        _STARTS.setdefault(self.replay, {})[self.table] = start

    def _copy(self, source: TableFollower, target: TableFollower) -> None:
        """Give one follower what another has followed, but no replay: it would never be freed."""
        memo = {id(source): target, id(self.house.clock): self.house.clock}
        for name, state in deepcopy(
            {name: getattr(source, name) for name in FOLLOWS}, memo
        ).items():
            setattr(target, name, state)

    def _add_row(self, name: str, row: tuple[object, ...]) -> None:
        """Hand a row out, wherever this follower hands them."""
        self.add(name, row)

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Start:
    """How a table stood at the start of a day.

    Attributes:
        begins: that start, microseconds UTC.
        root: the ledger's root.
        opened: when betting opened last before it; None if it had not.
        follower: what had been followed.
    """

    begins: int
    root: bytes
    opened: int | None
    follower: TableFollower


_STARTS: Final[WeakKeyDictionary[Replay, dict[str, _Start]]] = WeakKeyDictionary()
"""By replay and table, the last day's start that this process walked to: a year of days would
otherwise walk the whole record once for each of them."""


def _is_of_before(step: Step, since: int) -> bool:
    """Whether a step is a gap that began before a walk did, which begins with it once more."""
    is_gap = isinstance(step, DoubtBegins) and step.kind is Doubt.GAP
    return is_gap and (step.at is None or step.at < since)
