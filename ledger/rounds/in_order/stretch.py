"""A run of rounds that are in order under every duty, told from tables and not judged one by one.

A round is in order here if each of its facts has a row in the tables of its room and house, one of
them decides it, and each wager was laid while betting was open and settled, once, exactly as it was
owed. Whatever else comes sends the whole round to the readable engine, with the state that this run
carried to it. What facts of one round have to do with each other beyond room and house is said
here, and is stricter than the engine: nothing is settled before the round is decided, losers are
collected before winners are paid, everything is settled once settlements must be complete.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import date

from ledger import events
from ledger.events import Fact
from ledger.games.room import Decided, Rules
from ledger.house import TableHouse
from ledger.kernel import FactRef
from ledger.log.tiles import WIDTH
from ledger.replay import FactStep, TableFacts
from ledger.rounds.copying import copied
from ledger.rounds.in_order.fact_bodies import ERASED_BYTES, Bodies, kinds
from ledger.rounds.in_order.house_table import HouseState, HouseTable
from ledger.rounds.in_order.partial_facts import Body
from ledger.rounds.in_order.room_table import RoomState, RoomTable
from ledger.rounds.in_order.unlooked import LookedInto
from ledger.rounds.in_order.wager_table import Laid, Owed, WagerTable
from ledger.rounds.result import Outcome, RoundResult, Settlement, WagerResult
from ledger.rounds.round_status import RoundStatus

OUTCOMES = {events.SettledAs.WON: Outcome.WON, events.SettledAs.LOST: Outcome.LOST}


@dataclass(slots=True)
class Tables:
    """The tables of one table's stretch of a day.

    Args:
        rules: those in force all the time.
        room: the transitions of the room.
        house: what facts do to the house.
        wagers: how wagers are laid and settled.
    """

    rules: Rules
    room: RoomTable
    house: HouseTable
    wagers: WagerTable
    bodies: Bodies


@dataclass(slots=True)
class Stretch:
    """What came of a run of rounds in order.

    Attributes:
        results: the rounds.
        ends: the row of the fact that opens the next round, which is not in the run.
        facts: how many facts it has.
        taken, paid: stakes taken and winnings paid, in cents, as the house did it.
        noted: the facts that the caller wants to see.
        house: what the house knows after it.
    """

    results: list[RoundResult]
    ends: int
    facts: int
    taken: int
    paid: int
    noted: list[FactStep]
    house: TableHouse


@dataclass(slots=True)
class WagerLying:
    """A wager of the round under way, and how it was settled."""

    laid: Laid
    row: int
    position: bytes | None
    patron: bytes | None
    settled: int | None = None


@dataclass(slots=True)
class RoundRead:
    """What was read of one round.

    Attributes:
        first: the row of the fact that opened it.
        room, house: the states before the next row.
        lying: its wagers by id, as bytes, in the order in which they were laid.
        unsettled: how many of them are not settled.
        decided: what decided it.
        decided_at: by the fact of which row.
        is_closed: betting closed.
        winner_paid: a winner was paid already.
        written: the rows of facts that change who sits at the table.
        noted: the rows that the caller wants to see.
        taken, paid: as in ``Stretch``.
        owed: by wager id, what it came to.
    """

    first: int
    room: RoomState
    house: HouseState
    lying: dict[bytes, WagerLying] = field(default_factory=dict)
    unsettled: int = 0
    decided: Decided | None = None
    decided_at: int = 0
    is_closed: bool = False
    winner_paid: bool = False
    written: list[int] = field(default_factory=list)
    noted: list[int] = field(default_factory=list)
    taken: int = 0
    paid: int = 0
    owed: dict[bytes, Owed] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Reading:
    """Reads rounds of one table from its facts, as long as they are in order.

    Args:
        facts: of the table.
        tables: those that are asked.
        table: its name.
        day: the gaming day.
        reach: facts of two streams that lie nearer than this have no known order, microseconds.
        noted: the kinds of fact that the caller wants to see.
        is_held: whether a person holds a valid credential from a moment to another one.
    """

    facts: TableFacts
    tables: Tables
    table: str
    day: date
    reach: int
    noted: Collection[type[Fact]]
    is_held: Callable[[bytes, int, int], bool]

    def read(self, first: int, room: RoomState, house: HouseState) -> tuple[RoundRead, int] | None:
        """Read one round.

        Args:
            first: the row of the fact that opens it.
            room, house: the states before it.

        Returns:
            The round, and the row of the fact that opens the next one; None where it is not in
            order, or no other follows.
        """
        facts, bodies, known_kinds = self.facts, self.tables.bodies, kinds()
        round_ = RoundRead(first, room, house)
        number, packed = -1, b""
        people: set[bytes] = set()
        for row in range(first, len(facts)):
            kind = known_kinds.get(facts.kind[row])
            if kind is None or not self._is_apart(row):
                return None
            if kind.event is events.BettingOpened and row > first:
                last = facts.at[row - 1]
                if not all(self.is_held(one, facts.at[first], last) for one in people):
                    return None
                return (round_, row) if self._is_settled(round_) else None
            if facts.position[row] // WIDTH != number:
                number = facts.position[row] // WIDTH
                packed = facts.bundle(number)
            read = bodies.read(facts, row, packed, kind)
            if read is None:
                return None
            if read.person is not None:
                people.add(read.person)
            if not self._take(round_, row, read.body, read.identities, minded=kind.minded):
                return None
        return None

    def _is_apart(self, row: int) -> bool:
        """Whether a fact surely follows the one before it."""
        facts = self.facts
        same = not row or facts.rank[row] == facts.rank[row - 1]
        return same or facts.at[row] - facts.at[row - 1] >= self.reach

    def _take(
        self,
        round_: RoundRead,
        row: int,
        body: Body,
        identities: tuple[bytes | None, ...],
        *,
        minded: bool,
    ) -> bool:
        """Take one fact; return whether the round may still be in order."""
        kind, before = body.kind, round_.room
        transition = self.tables.room.step(before, body)
        if transition is None or (transition.requires and self.has_unsettled(round_)):
            return False
        if kind is events.WagerPlaced:
            if not self._lay(round_, row, body, identities):
                return False
        elif kind is events.WagerSettled:
            if not self._settle(round_, row, body, identities):
                return False
        elif minded:
            step = self.tables.house.step(round_.house, body)
            if step is None:
                return False
            round_.house = step.state
            if step.is_written:
                round_.written.append(row)
        if transition.decided is not None:
            if round_.decided is not None:
                return False
            round_.decided, round_.decided_at = transition.decided, row
        round_.room = transition.state
        round_.is_closed |= before.betting_open and not transition.state.betting_open
        if kind in self.noted:
            round_.noted.append(row)
        return True

    def _lay(
        self, round_: RoundRead, row: int, body: Body, identities: tuple[bytes | None, ...]
    ) -> bool:
        wager_id, position, patron = identities
        before = round_.room
        if not before.betting_open or round_.is_closed or patron == ERASED_BYTES:
            return False
        laid = self.tables.wagers.laid(body, round_.house, knowable=before.knowable)
        if laid is None or wager_id is None or wager_id in round_.lying:
            return False
        round_.lying[wager_id] = WagerLying(laid, row, position, patron)
        round_.unsettled += 1
        return True

    def _settle(
        self, round_: RoundRead, row: int, body: Body, identities: tuple[bytes | None, ...]
    ) -> bool:
        wager = round_.lying.get(identities[0] or b"")
        if wager is None or wager.settled is not None or round_.decided is None:
            return False
        owed = self.tables.wagers.owed(wager.laid, round_.decided)
        fact = body.fact
        assert isinstance(fact, events.WagerSettled)
        if owed is None or not is_as_owed(fact, owed):
            return False
        if not is_in_turn(fact, winner_paid=round_.winner_paid):
            return False
        round_.winner_paid |= fact.outcome is events.SettledAs.WON
        wager.settled = row
        round_.unsettled -= 1
        round_.owed[identities[0] or b""] = owed
        round_.taken += fact.stake_taken_cents
        round_.paid += fact.winnings_cents
        return True

    def _is_settled(self, round_: RoundRead) -> bool:
        """Whether a round that the next one ends leaves nothing owed."""
        if round_.decided is None or not round_.is_closed or self.has_unsettled(round_):
            return False
        filed = self.tables.rules.filed
        if filed is not None and filed.payout_limit_cents is not None:
            most = round_.paid + len(round_.lying) * filed.unit_cents
            if most > filed.payout_limit_cents:
                return False
        return self.tables.room.closes(round_.room)

    @staticmethod
    def has_unsettled(round_: RoundRead) -> bool:
        """Whether a wager of the round is not settled yet."""
        return round_.unsettled > 0

    # --- what is reported -----------------------------------------------------------------------

    def ref(self, row: int) -> FactRef:
        """Return the key of a fact."""
        return FactRef(self.facts.streams[self.facts.rank[row]], self.facts.seq[row])

    def result(self, round_: RoundRead, ends: int) -> RoundResult:
        """Return what a round came to that is in order.

        Args:
            round_: the round.
            ends: the row after its last one.
        """
        facts, decided, rules = self.facts, round_.decided, self.tables.rules
        assert decided is not None
        opened, by = self.ref(round_.first), self.ref(round_.decided_at)
        return RoundResult(
            round=str(opened),
            stream=opened.stream,
            table=self.table,
            game=rules.room.game,
            gaming_day=self.day,
            opened_at=facts.at[round_.first],
            status=RoundStatus.SETTLED,
            detail=decided.detail,
            unknown_because=None,
            wagers=tuple(
                [self._wager(key, wager, round_, by) for key, wager in round_.lying.items()]
            ),
            findings=(),
            facts=ends - round_.first,
            closed_at=facts.at[ends - 1],
            outcome=decided.shown,
            paytable=rules.filed.fact if rules.filed is not None else None,
        )

    def _wager(self, key: bytes, wager: WagerLying, round_: RoundRead, by: FactRef) -> WagerResult:
        owed, settled, decided = round_.owed[key], wager.settled, round_.decided
        assert settled is not None and decided is not None
        outcome, winnings, taken = owed.done
        return WagerResult(
            wager_id=key.decode(),
            wager=wager.laid.wager,
            picks=wager.laid.picks,
            stake_cents=wager.laid.stake_cents,
            patron=None if wager.patron is None else wager.patron.decode(),
            position=None if wager.position is None else wager.position.decode(),
            placed=self.ref(wager.row),
            expected=owed.expected,
            observed=Settlement(
                outcome=OUTCOMES[outcome],
                winnings_cents=winnings,
                stake_taken_cents=taken,
                facts=(self.ref(settled),),
            ),
            outcome=decided.shown,
            odds=owed.odds,
            factor=owed.factor,
            decided_by=by,
            difference_cents=0,
        )


def is_in_turn(fact: events.WagerSettled, *, winner_paid: bool) -> bool:
    """Whether a settlement comes in turn: every loser is collected before a winner is paid."""
    return fact.outcome is events.SettledAs.WON or not winner_paid


def is_as_owed(fact: events.WagerSettled, owed: Owed) -> bool:
    """Whether the one act of the house is exactly what was owed."""
    return (fact.outcome, fact.winnings_cents, fact.stake_taken_cents) == owed.done


def rounds_in_order(
    reading: Reading, first: int, room_state: object, house: TableHouse
) -> Stretch | None:
    """Return the run of rounds in order from a row on, without the last of them.

    The last one is judged by the readable engine, which then knows the round before whatever comes.

    Args:
        reading: of the table.
        first: the row of a fact that opens a round.
        room_state, house: what the readable engine knows before it.

    Returns:
        None where fewer than two rounds follow that are in order.
    """
    tables = reading.tables
    try:
        room, known = tables.room.state(room_state), tables.house.state(house)
    except LookedInto:
        return None
    start, rounds = room, []
    row = first
    while (read := reading.read(row, room, known)) is not None:
        rounds.append((read[0], read[1]))
        room, known, row = read[0].room, read[0].house, read[1]
    while len(rounds) > 1:
        rounds.pop()
        last, ends = rounds[-1]
        after = _house_after(reading, rounds, house)
        if after is not None and _goes_on(tables, reading, ends, (start, after), last):
            return Stretch(
                results=[reading.result(round_, stop) for round_, stop in rounds],
                ends=ends,
                facts=ends - first,
                taken=sum(round_.taken for round_, _ in rounds),
                paid=sum(round_.paid for round_, _ in rounds),
                noted=[reading.facts.step(row) for round_, _ in rounds for row in round_.noted],
                house=after,
            )
    return None


def _house_after(
    reading: Reading, rounds: list[tuple[RoundRead, int]], house: TableHouse
) -> TableHouse | None:
    """Do for real what the rounds change of who sits at the table."""
    after = copied(house, house.office)
    for round_, _ in rounds:
        for row in round_.written:
            if [*after.take(reading.tables.rules, reading.facts.fact(row), 0)]:
                return None
    return after


def _goes_on(
    tables: Tables,
    reading: Reading,
    row: int,
    real: tuple[RoomState, TableHouse],
    last: RoundRead,
) -> bool:
    """Whether the next round opens in one state from the real one and from that of the run."""
    facts = reading.facts
    read = tables.bodies.read(
        facts, row, facts.bundle(facts.position[row] // WIDTH), kinds()[facts.kind[row]]
    )
    if read is None:
        return False
    try:
        known = tables.house.state(real[1])
    except LookedInto:
        return False
    room, room_real = tables.room.step(last.room, read.body), tables.room.step(real[0], read.body)
    step, step_real = tables.house.step(last.house, read.body), tables.house.step(known, read.body)
    return (
        room is not None
        and room_real is not None
        and room.state is room_real.state
        and step is not None
        and step_real is not None
        and step.state is step_real.state
    )
