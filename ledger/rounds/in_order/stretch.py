"""A run of rounds that are in order under every duty, told from tables and not judged one by one.

A round is in order here if each of its facts has a row in the tables of its room and house, one of
them decides it, and each wager was laid while betting was open and settled, once, exactly as it was
owed. Whatever else comes sends the whole round to the readable engine, with the state that this run
carried to it. What facts of one round have to do with each other beyond room and house is said
here, and is stricter than the engine: nothing is settled before the round is decided, losers are
collected before winners are paid, everything is settled once settlements must be complete.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from datetime import date
from itertools import accumulate

from ledger import events
from ledger.events import Fact
from ledger.games.room import Decided, Rules
from ledger.house import TableHouse
from ledger.kernel import FactRef
from ledger.replay import FactStep, TableFacts
from ledger.replay.fact_columns import NULL, UNREAD, Cut, FactColumns
from ledger.rounds.copying import copied
from ledger.rounds.in_order.fact_bodies import ERASED_BYTES, Bodies, Does, kinds, numbers_of
from ledger.rounds.in_order.house_table import HouseState, HouseStep, HouseTable
from ledger.rounds.in_order.room_table import RoomState, RoomTable, Transition
from ledger.rounds.in_order.unlooked import LookedInto
from ledger.rounds.in_order.wager_table import Laid, Owed, WagerTable
from ledger.rounds.placed import COUPON_FACTS, WAGER_FACTS, is_of_coupon, is_of_wager

OF_LAID = COUPON_FACTS | WAGER_FACTS - {events.WagerPlaced}
"""The facts that can belong to a wager of the round before."""


@dataclass(slots=True)
class Tables:
    """The tables of one table's stretch of a day.

    Args:
        rules: those in force all the time.
        room: the transitions of the room.
        house: what facts do to the house.
        wagers: how wagers are laid and settled.
        bodies: what facts say, by number.
    """

    rules: Rules
    room: RoomTable
    house: HouseTable
    wagers: WagerTable
    bodies: Bodies

    def of_room(self, before: RoomState, number: int) -> Transition | None:
        """Return what a fact with the body of this number leads to; None: it falls back."""
        step = before.by_body.get(number)
        if step is None:
            step = self.room.step(before, self.bodies.bodies[number]) or False
            before.by_body[number] = step
        return step or None

    def of_house(self, before: HouseState, number: int) -> HouseStep | None:
        """Return what such a fact does to the house; None: it falls back."""
        step = before.by_body.get(number)
        if step is None:
            step = self.house.step(before, self.bodies.bodies[number]) or False
            before.by_body[number] = step
        return step or None

    def laid(self, house: HouseState, number: int, *, knowable: bool) -> Laid | None:
        """Return the wager that such a fact lays while betting is open; None: it falls back."""
        known = house.laid[knowable]
        if number not in known:
            body = self.bodies.bodies[number]
            known[number] = self.wagers.laid(body, house, knowable=knowable)
        laid: Laid | None = known[number]
        return laid


@dataclass(slots=True)
class WagerLying:
    """A wager of the round under way: the row that placed it, how it was settled, by which row."""

    laid: Laid
    row: int
    settled: int = NULL
    owed: Owed | None = None


@dataclass(slots=True)
class RoundRead:
    """What was read of one round.

    Attributes:
        first: the row of the fact that opened it.
        ends: the row of the fact that opens the next one.
        room, house: the states before the next row.
        lying: its wagers by the number of their id, in the order in which they were laid.
        unsettled: how many of them are not settled.
        decided: what decided it.
        decided_at: by the fact of which row.
        is_closed: betting closed.
        winner_paid: a winner was paid already.
        written: the rows of facts that change who sits at the table.
        taken, paid: as in ``Stretch``.
    """

    first: int
    ends: int
    room: RoomState
    house: HouseState
    lying: dict[int, WagerLying] = field(default_factory=dict)
    unsettled: int = 0
    decided: Decided | None = None
    decided_at: int = 0
    is_closed: bool = False
    winner_paid: bool = False
    written: list[int] = field(default_factory=list)
    taken: int = 0
    paid: int = 0


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
    columns: FactColumns = field(init=False)
    opens: list[int] = field(init=False)
    """The rows of the facts that open rounds."""
    strange: list[int] = field(init=False)
    """By row, how many facts before it fall back by themselves."""
    unsure: list[int] = field(init=False)
    """By row, how many facts before it were recorded by people who do not hold a credential all
    day."""
    seen: list[int] = field(init=False)
    """The rows that the caller wants to see."""
    of_laid: list[int] = field(init=False)
    """The rows of facts that can belong to a wager of the round before."""

    def __post_init__(self) -> None:
        facts = self.facts
        self.columns = columns = Cut(facts, kinds(), self.tables.bodies).columns()
        texts, patrons = columns.texts, columns.identities[2]
        erased = texts.index(ERASED_BYTES) if ERASED_BYTES in texts else UNREAD - 1
        rows = zip(facts.apart(self.reach), columns.body, patrons, strict=True)
        strange = [not apart or body == UNREAD or who == erased for apart, body, who in rows]
        self.strange = [0, *accumulate(strange)]
        first, last = facts.at[0], facts.at[-1]
        unsure = {
            person
            for person in {*self.columns.person} - {NULL}
            if not self.is_held(self.columns.texts[person], first, last)
        }
        self.unsure = [0, *accumulate([person in unsure for person in self.columns.person])]
        self.opens = self._of({events.BettingOpened})
        self.seen = self._of(self.noted)
        self.of_laid = self._of(OF_LAID)

    def _of(self, events_: Collection[type[Fact]]) -> list[int]:
        """The rows of some kinds of fact."""
        return self.facts.rows_of(numbers_of(events_))

    @staticmethod
    def between(rows: list[int], first: int, ends: int) -> list[int]:
        """Those of some rows that lie from a row on and before another one."""
        return rows[bisect_left(rows, first) : bisect_left(rows, ends)]

    def ends_of(self, first: int) -> int | None:
        """Return the row that opens the round after the one that this row opens, if any does."""
        following = bisect_left(self.opens, first + 1)
        return self.opens[following] if following < len(self.opens) else None

    def read(self, first: int, room: RoomState, house: HouseState) -> RoundRead | None:
        """Read one round.

        Args:
            first: the row of the fact that opens it.
            room, house: the states before it.

        Returns:
            None where it is not in order, or no other follows.
        """
        ends = self.ends_of(first)
        if ends is None or self.strange[ends + 1] > self.strange[first]:
            return None
        if self.unsure[ends] > self.unsure[first] and not self._are_held(first, ends):
            return None
        round_ = RoundRead(first, ends, room, house)
        return round_ if self._follow(round_) and self._is_settled(round_) else None

    def _are_held(self, first: int, ends: int) -> bool:
        """Whether all who recorded these facts hold a credential from the first to the last."""
        began, last, texts = self.facts.at[first], self.facts.at[ends - 1], self.columns.texts
        people = {*self.columns.person[first:ends]} - {NULL}
        return all(self.is_held(texts[person], began, last) for person in people)

    def _follow(self, round_: RoundRead) -> bool:
        """Take the facts of a round; return whether each of them may be in order."""
        tables, columns, room = self.tables, self.columns, round_.room
        does, wagers = tables.bodies.does, columns.identities[0]
        first = round_.first
        for row, number in enumerate(columns.body[first : round_.ends], first):
            transition = room.by_body.get(number) or tables.of_room(room, number)
            if transition is None or (transition.requires and self.has_unsettled(round_)):
                return False
            part = does[number]
            if part == SETTLES:
                if not self._settle(round_, row, number, wagers[row]):
                    return False
            elif part == LAYS:
                if not self._lay(round_, row, number, wagers[row]):
                    return False
            elif part == TELLS_THE_HOUSE:
                step = round_.house.by_body.get(number) or tables.of_house(round_.house, number)
                if step is None:
                    return False
                round_.house = step.state
                if step.is_written:
                    round_.written.append(row)
            if transition.decided is not None:
                if round_.decided is not None:
                    return False
                round_.decided, round_.decided_at = transition.decided, row
            after = transition.state
            if after is not room:
                round_.is_closed |= room.betting_open and not after.betting_open
                round_.room = room = after
        return True

    def _lay(self, round_: RoundRead, row: int, number: int, wager_id: int) -> bool:
        room = round_.room
        if not room.betting_open or round_.is_closed:
            return False
        laid = self.tables.laid(round_.house, number, knowable=room.knowable)
        if laid is None or wager_id in round_.lying:
            return False
        round_.lying[wager_id] = WagerLying(laid, row)
        round_.unsettled += 1
        return True

    def _settle(self, round_: RoundRead, row: int, number: int, wager_id: int) -> bool:
        wager = round_.lying.get(wager_id)
        if wager is None or wager.owed is not None or round_.decided is None:
            return False
        owed = self.tables.wagers.owed(wager.laid, round_.decided)
        fact = self.tables.bodies.bodies[number].fact
        assert isinstance(fact, events.WagerSettled)
        if owed is None or not is_as_owed(fact, owed):
            return False
        if not is_in_turn(fact, winner_paid=round_.winner_paid):
            return False
        round_.winner_paid |= fact.outcome is events.SettledAs.WON
        wager.settled, wager.owed = row, owed
        round_.unsettled -= 1
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

    def ref(self, row: int) -> FactRef:
        """Return the key of a fact."""
        facts = self.facts
        return tuple.__new__(FactRef, (facts.streams[facts.rank[row]], facts.seq[row]))

    def text(self, row: int, identity: int) -> str | None:
        """Return a text that tells a fact from others alike; None where it is null."""
        number = self.columns.identities[identity][row]
        return None if number == NULL else self.columns.texts[number].decode()


LAYS, SETTLES, TELLS_THE_HOUSE = Does.LAYS, Does.SETTLES, Does.TELLS_THE_HOUSE


@dataclass(slots=True)
class Stretch:
    """What came of a run of rounds in order.

    Attributes:
        reading: of the table.
        rounds: those in order.
        ends: the row of the fact that opens the next round, which is not in the run.
        house: what the house knows after it.
    """

    reading: Reading
    rounds: list[RoundRead]
    ends: int
    house: TableHouse

    @property
    def facts(self) -> int:
        """How many facts it has."""
        return self.ends - self.rounds[0].first

    @property
    def taken(self) -> int:
        """Stakes taken, in cents, as the house did it."""
        return sum(round_.taken for round_ in self.rounds)

    @property
    def paid(self) -> int:
        """Winnings paid, in cents, as the house did it."""
        return sum(round_.paid for round_ in self.rounds)

    def noted(self) -> Iterator[FactStep]:
        """Yield the facts that the caller wants to see."""
        reading = self.reading
        for row in reading.between(reading.seen, self.rounds[0].first, self.ends):
            yield reading.facts.step(row)


def is_in_turn(fact: events.WagerSettled, *, winner_paid: bool) -> bool:
    """Whether a settlement comes in turn: every loser is collected before a winner is paid."""
    return fact.outcome is events.SettledAs.WON or not winner_paid


def is_as_owed(fact: events.WagerSettled, owed: Owed) -> bool:
    """Whether the one act of the house is exactly what was owed."""
    return (fact.outcome, fact.winnings_cents, fact.stake_taken_cents) == owed.done


def rounds_in_order(
    reading: Reading, first: int, room_state: object, house: TableHouse
) -> Stretch | None:
    """Return the run of rounds in order from a row on.

    Where a fact of the round after it may belong to its last round, or nothing is known of that
    round's end, its last round is not in the run: the readable engine then knows both.

    Args:
        reading: of the table.
        first: the row of a fact that opens a round.
        room_state, house: what the readable engine knows before it.

    Returns:
        None where none is in order.
    """
    tables = reading.tables
    try:
        room, known = tables.room.state(room_state), tables.house.state(house)
    except LookedInto:
        return None
    begins, rounds = (room, known), []
    row = first
    while (round_ := reading.read(row, room, known)) is not None:
        rounds.append(round_)
        room, known, row = round_.room, round_.house, round_.ends
    if rounds and not is_left_behind(reading, rounds[-1]):
        rounds.pop()
    while rounds:
        if _goes_on(reading, rounds, begins):
            after = _house_after(reading, rounds, house)
            return None if after is None else Stretch(reading, rounds, rounds[-1].ends, after)
        rounds.pop()
    return None


def is_left_behind(reading: Reading, last: RoundRead) -> bool:
    """Whether no fact of the next round can belong to a wager of the one before it.

    Args:
        reading: of the table.
        last: the round before.
    """
    ends = reading.ends_of(last.ends)
    if ends is None:
        return False
    lying = {reading.columns.texts[number].decode() for number in last.lying}
    for row in reading.between(reading.of_laid, last.ends, ends):
        fact = reading.facts.fact(row)
        assert is_of_wager(fact) or is_of_coupon(fact)
        if fact.wager_id in lying:
            return False
    return True


def _house_after(reading: Reading, rounds: list[RoundRead], house: TableHouse) -> TableHouse | None:
    """Do for real what the rounds change of who sits at the table."""
    written = [row for round_ in rounds for row in round_.written]
    if not written:
        return house
    after = copied(house, house.office)
    for row in written:
        if [*after.take(reading.tables.rules, reading.facts.fact(row), 0)]:
            return None
    return after


def _goes_on(
    reading: Reading, rounds: list[RoundRead], begins: tuple[RoomState, HouseState]
) -> bool:
    """Whether the next round opens in one state from the real one and from that of the run.

    The real one is what was known before the run, and who sits at the table since then.
    """
    tables, last = reading.tables, rounds[-1]
    room_real, house_real = begins
    body = reading.columns.body
    for row in [row for round_ in rounds for row in round_.written]:
        written = tables.of_house(house_real, body[row])
        if written is None or not written.state.is_known:
            return False
        house_real = written.state
    number = body[last.ends]
    room, real = tables.of_room(last.room, number), tables.of_room(room_real, number)
    step, step_real = tables.of_house(last.house, number), tables.of_house(house_real, number)
    return (
        room is not None
        and real is not None
        and room.state is real.state
        and step is not None
        and step_real is not None
        and step.state is step_real.state
    )
