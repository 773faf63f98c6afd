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
from collections.abc import Callable, Collection
from copy import copy
from dataclasses import field
from datetime import date
from typing import Any

import numpy as np

from ledger import events
from ledger.events import Fact, WagerSettled
from ledger.games.room import Rules
from ledger.kernel import FactRef
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import TableFacts
from ledger.replay.byte_spans import Numbers
from ledger.replay.errors import EntryWrong
from ledger.replay.fact_columns import NULL, UNREAD, Cut, FactColumns
from ledger.rounds.floorperson_posts import POSTED
from ledger.rounds.in_order.coupon_wagers import Counter, CouponWagers
from ledger.rounds.in_order.fact_bodies import (
    BEGAN,
    ERASED_BYTES,
    Bodies,
    Does,
    kinds,
    numbers_of,
)
from ledger.rounds.in_order.house_table import HouseState, HouseStep, HouseTable
from ledger.rounds.in_order.partial_facts import WholeFact
from ledger.rounds.in_order.room_table import Decision, RoomState, RoomTable, Transition
from ledger.rounds.in_order.rounds_read import RoundsRead
from ledger.rounds.in_order.row_numbers import NONE, HouseNumbers, RowNumbers
from ledger.rounds.in_order.wager_table import Laid, Owed, WagerTable, laid_as
from ledger.rounds.placed import COUPON_FACTS, WAGER_FACTS, PlacedWager
from ledger.rounds.result import WagerResult

Really = Callable[[list[int]], HouseState | None]
ERASED_TEXT = 0
"""The number of a patron of whom nobody knows who it was: it is numbered first."""
ENDS = frozenset({events.BettingOpened, events.TableClosed})
"""The facts that end the round before them."""
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
        rows: what the tables of the game are made of, by number.
        houses: the states of the house, by number.
    """

    rules: Rules
    room: RoomTable
    house: HouseTable
    wagers: WagerTable
    bodies: Bodies
    rows: RowNumbers
    houses: HouseNumbers

    def room_numbered(self, number: int) -> RoomState:
        """Return the state of the room that has a number."""
        return self.room.joined(*self.rows.parts_of_room(number))

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
            known[number] = self.wagers.laid(body, house.stakes, knowable=knowable)
        laid: Laid | None = known[number]
        return laid


@dataclass(slots=True)
class WagerLying:
    """A wager of the round under way: the row that placed it, how it was settled, by which row.

    Of one with coupons it is known only at the end of the round how it lay.
    """

    laid: Laid | None
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
        outside: how many of them keep not to the limits as they lie.
        written: the rows of facts that change who sits or works at the table.
        was_real: what a fact does to the house was done for real, since no table has it.
        taken, paid: as in ``Stretch``.
        coupons: its wagers with coupons; None where there are none.
        results: what these came to, by the number of their id.
    """

    first: int
    ends: int
    room: RoomState
    house: HouseState
    lying: dict[int, WagerLying] = field(default_factory=dict)
    unsettled: int = 0
    decided: Decision | None = None
    decided_at: int = 0
    is_closed: bool = False
    winner_paid: bool = False
    outside: int = 0
    written: list[int] = field(default_factory=list)
    was_real: bool = False
    taken: int = 0
    paid: int = 0
    coupons: CouponWagers | None = None
    results: dict[int, WagerResult] = field(default_factory=dict)


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
    counter: Counter | None = None
    """Where the coupons stood before the run; None: rounds with coupons fall back."""
    columns: FactColumns = field(init=False)
    opens: list[int] = field(init=False)
    """The rows of the facts that open rounds."""
    usable: int = field(init=False)
    """How many of these may be looked at; the last of them ends the last round."""
    ending: list[int] = field(init=False)
    """The rows of the facts that end rounds."""
    strange: Numbers = field(init=False)
    """By row, how many facts before it fall back by themselves."""
    unsure: Numbers = field(init=False)
    """By row, how many facts before it were recorded by people who do not hold a credential all
    day."""
    seen: list[int] = field(init=False)
    """The rows that the caller wants to see."""
    posts: list[int] = field(init=False)
    """The rows of facts that change who works at the table."""
    of_laid: list[int] = field(init=False)
    """The rows of facts that can belong to a wager of the round before."""
    of_coupons: list[int] = field(init=False)
    """The rows of facts that lay coupons, or say what became of one."""
    rounds: RoundsRead = field(init=False)
    """The rounds that were read."""
    results: dict[int, dict[int, WagerResult]] = field(default_factory=dict)
    """What wagers with coupons came to, by the first row of their round and the number of their
    id."""
    walked: tuple[Numbers, ...] = field(init=False)
    """By row: bodies and names of wagers; the rows that open rounds; ``strange`` and ``unsure``."""
    decoded: dict[int, Fact] = field(default_factory=dict)
    """The facts that were decoded, by row."""
    lying: Numbers = field(init=False)
    """Room for machine code: by name, the last wager that had it."""

    def __post_init__(self) -> None:
        facts = self.facts
        cut = Cut(facts, kinds(), self.tables.bodies, (ERASED_BYTES,))
        self.columns = columns = cut.columns()
        patrons, persons = columns.identities[2], columns.person
        strange = ~facts.apart(self.reach) | (columns.body == UNREAD) | (patrons == ERASED_TEXT)
        strange[self._began_out_of_turn()] = True
        self.strange = np.concatenate([[0], np.cumsum(strange)])
        first, last = facts.at[0], facts.at[-1]
        recorded = np.flatnonzero(np.bincount(persons[persons != NULL]))
        unsure = [
            person
            for person in recorded.tolist()
            if not self.is_held(columns.texts[person], first, last)
        ]
        self.unsure = np.concatenate([[0], np.cumsum(np.isin(persons, unsure))])
        self.opens = self._of({events.BettingOpened})
        self.ending = self._of(ENDS)
        self.seen = self._of(self.noted)
        self.posts = self._of(POSTED)
        self.of_laid = self._of(OF_LAID)
        with_coupons = [*self.tables.bodies.with_coupons]
        self.of_coupons = np.flatnonzero(np.isin(columns.body, with_coupons)).tolist()
        self.rounds = RoundsRead(len(self.opens), len(facts))
        self.usable = len(self.opens)
        opens = np.array(self.opens, np.int64)
        self.walked = (columns.body, columns.identities[0], opens, self.strange, self.unsure)
        self.lying = np.full(len(columns.texts), NONE, np.int64)

    def by(self, tables: Tables) -> Reading:
        """Return what reads the same facts by further tables, whose bodies are the same."""
        reading = copy(self)
        reading.tables, reading.results = tables, {}
        reading.rounds = RoundsRead(len(self.opens), len(self.facts))
        return reading

    def _began_out_of_turn(self) -> list[int]:
        """The rows of facts of which it is not sure that what they record began after all before.

        Rows of the room rest on that (``unlooked.Began``).
        """
        at, body, apart = self.facts.at, self.columns.body, max(self.reach, 1)
        rows = []
        for row in self._of(BEGAN):
            began = self.tables.bodies.began.get(int(body[row]))
            if began is not None and not (row and at[row - 1] + apart <= began <= at[row]):
                rows.append(row)
        return rows

    def _of(self, events_: Collection[type[Fact]]) -> list[int]:
        """The rows of some kinds of fact."""
        return self.facts.rows_of(numbers_of(frozenset(events_)))

    @staticmethod
    def between(rows: list[int], first: int, ends: int) -> list[int]:
        """Those of some rows that lie from a row on and before another one."""
        return rows[bisect_left(rows, first) : bisect_left(rows, ends)]

    def ends_of(self, first: int) -> int | None:
        """Return the row that opens the round after the one that this row opens, if any does."""
        following = bisect_left(self.opens, first + 1)
        return self.opens[following] if following < self.usable else None

    def closed_by(self, first: int) -> int | None:
        """Return the row that ends the round that this row opens, if any of the day does."""
        following = bisect_left(self.ending, first + 1)
        return self.ending[following] if following < len(self.ending) else None

    def read(
        self, first: int, room: RoomState, house: HouseState, really: Really
    ) -> RoundRead | None:
        """Read one round.

        Args:
            first: the row of the fact that opens it.
            room, house: the states before it.
            really: does for real what some rows since then tell the house, and returns what it then
                knows; None where that breaks a duty, or has no name.

        Returns:
            None where it is not in order, or no other follows.
        """
        ends = self.ends_of(first)
        if ends is None or self.strange[ends + 1] > self.strange[first]:
            return None
        if self.unsure[ends] > self.unsure[first] and not self._are_held(first, ends):
            return None
        round_ = RoundRead(first, ends, room, house)
        if self.between(self.of_coupons, first, ends):
            round_.coupons = self._with_coupons(first, ends)
            if round_.coupons is None:
                return None
        in_order = self._follow(round_, really) and self._is_settled(round_)
        return round_ if in_order and self._ends_with_coupons(round_) else None

    def _with_coupons(self, first: int, ends: int) -> CouponWagers | None:
        """The wagers with coupons of a round, to be followed; None where it falls back."""
        rows = self.between(self.of_coupons, first, ends)
        names = set()
        for row in rows:
            fact: Any = self._fact(row)
            if fact is None or fact.wager_id is None:
                return None
            names.add(fact.wager_id)
        opened = self._fact(first)
        if self.counter is None or opened is None:
            return None
        return CouponWagers(self.counter, self.tables.rules, self.day, opened, frozenset(names))

    def _fact(self, row: int) -> Fact | None:
        """A fact; None where it cannot be decoded: the readable path words it, in its turn."""
        try:
            return self.fact(row)
        except EntryWrong:
            return None

    def fact(self, row: int) -> Fact:
        """Decode a fact, once; errors as those of ``TableFacts.fact``."""
        fact = self.decoded.get(row)
        if fact is None:
            fact = self.decoded[row] = self.facts.fact(row)
        return fact

    def _are_held(self, first: int, ends: int) -> bool:
        """Whether all who recorded these facts hold a credential from the first to the last."""
        began, last, texts = self.facts.at[first], self.facts.at[ends - 1], self.columns.texts
        people = {*self.columns.person[first:ends].tolist()} - {NULL}
        return all(self.is_held(texts[person], began, last) for person in people)

    def _follow(self, round_: RoundRead, really: Really) -> bool:
        """Take the facts of a round; return whether each of them may be in order."""
        tables, columns, room = self.tables, self.columns, round_.room
        does, first, ends = tables.bodies.does, round_.first, round_.ends
        bodies, wagers = (
            columns.body[first:ends].tolist(),
            columns.identities[0][first:ends].tolist(),
        )
        for row, number, wager in zip(range(first, ends), bodies, wagers, strict=True):
            transition = room.by_body.get(number) or tables.of_room(room, number)
            if transition is None or (transition.requires and self.has_unsettled(round_)):
                return False
            part = does[number]
            if round_.coupons is not None and self._has_coupons(round_, part, wager):
                if not self._take_with_coupons(round_, row, part, wager):
                    return False
            elif part == SETTLES:
                if not self._settle(round_, row, number, wager):
                    return False
            elif part == LAYS:
                if not self._lay(round_, row, number, wager):
                    return False
            elif part == CHANGES:
                if not self._change(round_, number, wager):
                    return False
            elif part in TELLS_THE_HOUSE:
                step = self.of_house(round_.house, row)
                if step is not None:
                    round_.house = step.state
                elif not self._tell_really(round_, row, really):
                    return False
                if step is not None and step.is_written:
                    round_.written.append(row)
            if transition.decided is not None:
                if round_.decided is not None:
                    return False
                round_.decided, round_.decided_at = transition.decided, row
            after = transition.state
            if after is not room:
                if room.betting_open and not after.betting_open:
                    round_.is_closed = True
                    if has_outside(round_) or not self._closes_with_coupons(round_, row):
                        return False
                round_.room = room = after
        return True

    def _has_coupons(self, round_: RoundRead, part: Does, wager_id: int) -> bool:
        """Whether a fact is of a coupon, or of a wager with coupons."""
        if part == OF_COUPON:
            return True
        assert round_.coupons is not None
        of_wager = part in OF_A_WAGER and wager_id >= 0
        return of_wager and self.columns.texts[wager_id].decode() in round_.coupons.wagers

    def _take_with_coupons(self, round_: RoundRead, row: int, part: Does, wager_id: int) -> bool:
        """Take a fact of a coupon, or of a wager with coupons."""
        fact, wager, coupons = self._fact(row), round_.lying.get(wager_id), round_.coupons
        assert coupons is not None
        if fact is None or (part in TOUCHES and not may_be_touched(round_)):
            return False
        if part in OF_A_WAGER and (wager is None) != (part == LAYS):
            return False
        name = self.columns.texts[wager_id].decode() if part in OF_A_WAGER else ""
        if wager is not None and not lies_there(coupons.wager(name)):
            return False
        if part == LAYS:
            round_.lying[wager_id] = WagerLying(None, row)
            round_.unsettled += 1
        if wager is not None and isinstance(fact, events.WagerSettled):
            if wager.settled != NULL or round_.decided is None:
                return False
            if not is_in_turn(fact, winner_paid=round_.winner_paid):
                return False
            self._is_paid(round_, wager, fact, row)
        house, before = round_.house.stakes.house, round_.room.state
        if not coupons.take(fact, house, before, self.facts.at[row]):
            return False
        if wager is not None and part == CHANGES:
            round_.unsettled -= coupons.wager(name).gone is not None
        return True

    @staticmethod
    def _is_paid(round_: RoundRead, wager: WagerLying, fact: WagerSettled, row: int) -> None:
        """Note that the house settled a wager."""
        round_.winner_paid |= fact.outcome is events.SettledAs.WON
        wager.settled = row
        round_.unsettled -= 1
        round_.taken += fact.stake_taken_cents
        round_.paid += fact.winnings_cents

    def _closes_with_coupons(self, round_: RoundRead, row: int) -> bool:
        """Whether coupons lie in order as the fact of a row closes betting."""
        if round_.coupons is None:
            return True
        fact = self._fact(row)
        return fact is not None and round_.coupons.closes(fact)

    def _ends_with_coupons(self, round_: RoundRead) -> bool:
        """Whether wagers with coupons came to what was owed, and coupons went where they must."""
        if round_.coupons is None:
            return True
        assert round_.decided is not None
        results = round_.coupons.ends(round_.decided, self.ref(round_.decided_at))
        if results is None:
            return False
        by_id = {result.wager_id: result for result in results}
        for number, wager in round_.lying.items():
            result = by_id.get(self.columns.texts[number].decode())
            if result is not None:
                placed = round_.coupons.wager(result.wager_id)
                wager.laid = laid_as(placed)
                wager.owed = self.tables.wagers.as_came(result)
                if wager.owed is None:
                    return False
                round_.results[number] = result
        return len(round_.results) == len(by_id)

    def _tell_really(self, round_: RoundRead, row: int, really: Really) -> bool:
        """Do for real what the facts of a round up to a row tell the house, the last one, too."""
        state = really(self.telling(round_.first, row + 1))
        if state is None:
            return False
        round_.house, round_.was_real = state, True
        return True

    def telling(self, first: int, ends: int) -> list[int]:
        """The rows from one on and before another that tell the house something."""
        does, body = self.tables.bodies.does, self.columns.body
        rows = zip(range(first, ends), body[first:ends].tolist(), strict=True)
        return [row for row, number in rows if does[number] in TELLS_THE_HOUSE]

    def of_house(self, before: HouseState, row: int) -> HouseStep | None:
        """Return what a fact that tells the house something does to it; None: it falls back."""
        number = int(self.columns.body[row])
        does = self.tables.bodies.does[number]
        if does == Does.IS_OF_STAFF:
            return HouseStep(before, is_written=True)
        if does != Does.IS_REMEMBERED:
            return before.by_body.get(number) or self.tables.of_house(before, number)
        fact = self._fact(row)
        return None if fact is None else self.tables.house.step(before, WholeFact(fact))

    def _lay(self, round_: RoundRead, row: int, number: int, wager_id: int) -> bool:
        if not may_be_touched(round_):
            return False
        laid = self.tables.laid(round_.house, number, knowable=round_.room.knowable)
        if laid is None or wager_id in round_.lying:
            return False
        round_.lying[wager_id] = WagerLying(laid, row)
        round_.unsettled += 1
        round_.outside += laid.outside
        return True

    def _change(self, round_: RoundRead, number: int, wager_id: int) -> bool:
        room, wager = round_.room, round_.lying.get(wager_id)
        if wager is None or not may_be_touched(round_):
            return False
        wagers, body = self.tables.wagers, self.tables.bodies.bodies[number]
        assert wager.laid is not None
        laid = wagers.changed(wager.laid, body, round_.house.stakes, knowable=room.knowable)
        if laid is None:
            return False
        round_.outside += laid.outside - wager.laid.outside
        wager.laid = laid
        if laid.gone:
            wager.owed = wagers.left(laid)
            round_.unsettled -= 1
        return not laid.gone or wager.owed is not None

    def _settle(self, round_: RoundRead, row: int, number: int, wager_id: int) -> bool:
        wager = round_.lying.get(wager_id)
        if wager is None or wager.owed is not None or round_.decided is None:
            return False
        assert wager.laid is not None
        owed = self.tables.wagers.owed(wager.laid, round_.decided)
        fact = self.tables.bodies.bodies[number].fact
        assert isinstance(fact, events.WagerSettled)
        if owed is None or not is_as_owed(fact, owed):
            return False
        if not is_in_turn(fact, winner_paid=round_.winner_paid):
            return False
        wager.owed = owed
        self._is_paid(round_, wager, fact, row)
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

    def keep(self, round_: RoundRead, real: HouseState | None) -> None:
        """Keep a round that was read; ``real``: what the house knows after it, as far as known."""
        rows, houses = self.tables.rows, self.tables.houses
        if round_.results:
            self.results[round_.first] = round_.results
        wagers = [
            (
                name,
                rows.wager(wager.laid),
                wager.row,
                wager.settled,
                NONE if wager.owed is None else rows.due(wager.owed),
            )
            for name, wager in round_.lying.items()
            if wager.laid is not None
        ]
        of_round = (
            round_.first,
            round_.ends,
            rows.room(round_.room),
            houses.number(round_.house),
            NONE if real is None else houses.number(real),
            rows.decision(round_.decided),
            round_.decided_at,
            round_.taken,
            round_.paid,
        )
        self.rounds.add(of_round, wagers, round_.written)

    def ref(self, row: int) -> FactRef:
        """Return the key of a fact."""
        facts = self.facts
        return tuple.__new__(FactRef, (facts.streams[facts.rank[row]], facts.seq[row]))

    def text(self, row: int, identity: int) -> str | None:
        """Return a text that tells a fact from others alike; None where it is null."""
        number = int(self.columns.identities[identity][row])
        return None if number == NULL else self.columns.texts[number].decode()


LAYS, SETTLES, CHANGES = Does.LAYS, Does.SETTLES, Does.CHANGES
OF_COUPON = Does.OF_COUPON
TELLS_THE_HOUSE = frozenset({Does.TELLS_THE_HOUSE, Does.IS_REMEMBERED, Does.IS_OF_STAFF})
TOUCHES = frozenset({LAYS, CHANGES})
OF_A_WAGER = TOUCHES | {SETTLES}


def may_be_touched(round_: RoundRead) -> bool:
    """Whether betting is open, and was not closed before: wagers may be laid and changed."""
    return round_.room.betting_open and not round_.is_closed


def lies_there(wager: PlacedWager) -> bool:
    """Whether a wager with coupons still lies there: one that went is settled, and counted so."""
    return wager.gone is None


def has_outside(round_: RoundRead) -> bool:
    """Whether a wager that lies there as betting closes keeps not to the limits."""
    return round_.outside > 0


def is_in_turn(fact: events.WagerSettled, *, winner_paid: bool) -> bool:
    """Whether a settlement comes in turn: every loser is collected before a winner is paid."""
    return fact.outcome is events.SettledAs.WON or not winner_paid


def is_as_owed(fact: events.WagerSettled, owed: Owed) -> bool:
    """Whether the one act of the house is exactly what was owed."""
    return (fact.outcome, fact.winnings_cents, fact.stake_taken_cents) == owed.done
