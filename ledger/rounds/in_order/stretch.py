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
from collections.abc import Callable, Collection, Mapping
from copy import copy
from dataclasses import field
from datetime import date
from typing import Any, NamedTuple

import numpy as np

from ledger import events
from ledger.events import Fact, WagerSettled
from ledger.games.room import Decided, Rules
from ledger.kernel import FactRef
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import TableFacts
from ledger.replay.byte_spans import Numbers
from ledger.replay.errors import EntryWrong
from ledger.replay.fact_columns import NULL, UNREAD, Cut, FactColumns
from ledger.rounds.floorperson_posts import POSTED
from ledger.rounds.in_order.apart_rows import ApartRows
from ledger.rounds.in_order.coupon_wagers import Counter, CouponWagers
from ledger.rounds.in_order.fact_bodies import (
    BEGAN,
    ERASED_BYTES,
    Bodies,
    Does,
    kinds,
    numbers_of,
    places_of,
)
from ledger.rounds.in_order.house_table import HouseState, HouseStep, HouseTable
from ledger.rounds.in_order.partial_facts import WholeFact
from ledger.rounds.in_order.room_for_real import RoomForReal
from ledger.rounds.in_order.room_rows import Decision, Effect
from ledger.rounds.in_order.room_table import RoomState, RoomTable, Transition
from ledger.rounds.in_order.rounds_read import RoundsRead
from ledger.rounds.in_order.row_numbers import NONE, NOTHING_NOTED, HouseNumbers, RowNumbers
from ledger.rounds.in_order.stakes_seen import NO_SIGNS, PLAIN_SIGNS, Signs, sign_part
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
        apart: whether the room's rules that stand apart let a fact pass.
    """

    rules: Rules
    room: RoomTable
    house: HouseTable
    wagers: WagerTable
    bodies: Bodies
    rows: RowNumbers
    houses: HouseNumbers
    apart: ApartRows

    @property
    def collects_first(self) -> bool:
        """Whether every loser must be collected before a winner is paid."""
        return self.rules.has("paid_before_collecting")

    def room_numbered(self, numbers: Numbers) -> RoomState:
        """Return the state of the room whose parts have these numbers."""
        return self.room.joined(self.rows.parts_of_room(numbers))

    def of_room(self, before: RoomState, number: int, signs: Signs = NO_SIGNS) -> Transition | None:
        """Return what a fact with the body of this number leads to; None: it falls back.

        Args:
            before: the state before it.
            number: of its body.
            signs: those of the wagers on the layout (``stakes_seen``).
        """
        key = number if signs is NO_SIGNS else (number, signs)
        step = before.by_body.get(key)
        if step is None:
            step = self.room.step(before, self.bodies.bodies[number], signs) or False
            before.by_body[key] = step
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
        known, number = house.laid[knowable], self.bodies.base[number]
        if number not in known:
            body = self.bodies.bodies[number]
            known[number] = self.wagers.laid(body, house.stakes, knowable=knowable)
        laid: Laid | None = known[number]
        return laid


class Standing(NamedTuple):
    """A wager of an earlier round that stands: how it lies, and the row that placed it."""

    laid: Laid
    row: int


class Place(NamedTuple):
    """Where a round opens.

    Attributes:
        room, house: the states before it.
        row: that of the fact that opens it.
        standing: the wagers of earlier rounds that stand, by the number of their name.
    """

    room: RoomState
    house: HouseState
    row: int
    standing: Mapping[int, Standing]


@dataclass(slots=True)
class WagerLying:
    """A wager of the round under way: the row that placed it, how it was settled, by which row.

    That row is the one by which it went where it was taken down or handed back before.

    Of one with coupons it is known only at the end of the round how it lay. Where wagers close
    apart from one another: what decided it, by the fact of which row, what the room noted with it.
    """

    laid: Laid | None
    row: int
    settled: int = NULL
    owed: Owed | None = None
    by: Decision | None = None
    by_row: int = NULL
    noted: tuple[int, ...] = ()


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
        lasting: how many of those not settled are ones of which the room asks whether any lies
            there; where wagers outlive rounds, these do if the decision leaves them.
        decided_of: how many of those not settled are decided, where wagers close apart.
        thrown: the row of the last throw that counts once a later fact shows it.
        written: the rows of facts that change who sits or works at the table.
        was_real: what a fact does to the house was done for real, since no table has it.
        taken, paid: as in ``Stretch``.
        coupons: its wagers with coupons; None where there are none.
        results: what these came to, by the number of their id.
        for_real: the room that is asked with the facts as they are; None: rows are.
        asks_more: no row tells what a fact does to the room.
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
    lasting: int = 0
    decided_of: int = 0
    thrown: int = NULL
    written: list[int] = field(default_factory=list)
    was_real: bool = False
    taken: int = 0
    paid: int = 0
    coupons: CouponWagers | None = None
    results: dict[int, WagerResult] = field(default_factory=dict)
    for_real: RoomForReal | None = None
    asks_more: bool = False


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
    names: Numbers = field(init=False)
    """By row, the name of the wager that the fact is of; ``NULL`` where it is of none."""
    positions: Numbers = field(init=False)
    """By row, the position that the fact names, where wagers that lie there matter; ``NULL``."""
    bodies: Numbers = field(init=False)
    """The numbers of the bodies that facts of the day have, each once."""
    walked: tuple[Numbers, ...] = field(init=False)
    """By row: bodies and names of wagers; the rows that open rounds; ``strange`` and ``unsure``;
    positions."""
    decoded: dict[int, Fact] = field(default_factory=dict)
    """The facts that were decoded, by row."""
    lying: Numbers = field(init=False)
    """Room for machine code: by name, the last wager that had it."""

    def __post_init__(self) -> None:
        facts = self.facts
        cut = Cut(facts, kinds(), self.tables.bodies, (ERASED_BYTES,))
        self.columns = columns = cut.columns()
        self.names = self._named("wager_id")
        self.positions = np.full(len(facts), NULL, np.int64)
        if self.tables.room.asks_of_layout:
            self.positions = self._named("position")
            columns.body = self.tables.bodies.at_positions(
                columns.body, self.positions, columns.texts
            )
            self._place_by_bodies()
        known = columns.body[columns.body != UNREAD]
        self.bodies = np.flatnonzero(np.bincount(known))
        patrons, persons = columns.identities[2], columns.person
        strange = ~facts.apart(self.reach) | (columns.body == UNREAD) | (patrons == ERASED_TEXT)
        strange[self._began_out_of_turn()] = True
        self.strange = np.concatenate([[0], np.cumsum(strange)])
        first, last = facts.at[0], facts.at[-1]
        recorded = np.flatnonzero(np.bincount(persons[persons != NULL]))
        doubtful = [
            person
            for person in recorded.tolist()
            if not self.is_held(columns.texts[person], first, last)
        ]
        self.unsure = np.concatenate([[0], np.cumsum(np.isin(persons, doubtful))])
        self.opens = self._of({events.BettingOpened})
        self.ending = self._of(ENDS)
        self.seen = self._of(self.noted)
        self.posts = self._of(POSTED)
        self.of_laid = self._of(OF_LAID)
        with_coupons = [*self.tables.bodies.with_coupons]
        self.of_coupons = np.flatnonzero(np.isin(columns.body, with_coupons)).tolist()
        self.rounds = RoundsRead(len(self.opens), len(facts), self.tables.room.width)
        self.usable = len(self.opens)
        opens = np.array(self.opens, np.int64)
        unsure = self.strange, self.unsure
        self.walked = (columns.body, self.names, opens, *unsure, self.positions)
        self.lying = np.full(len(columns.texts), NONE, np.int64)

    def by(self, tables: Tables) -> Reading:
        """Return what reads the same facts by further tables, whose bodies are the same."""
        reading = copy(self)
        reading.tables, reading.results = tables, {}
        reading.rounds = RoundsRead(len(self.opens), len(self.facts), tables.room.width)
        return reading

    def _named(self, name: str) -> Numbers:
        """By row, the number of the text that a fact names so; ``NULL`` where it names none."""
        out = np.full(len(self.facts), NULL, np.int64)
        kind = self.facts.columns["kind"]
        for number, place in places_of(name).items():
            rows = kind == number
            out[rows] = self.columns.identities[place][rows]
        return out

    def _place_by_bodies(self) -> None:
        """Fill in the positions that stand behind what facts say, and not before it."""
        bodies, texts = self.tables.bodies, self.columns.texts
        named = np.unique(self.positions[self.positions != NULL]).tolist()
        known = {texts[number].decode(): number for number in named}
        numbers = [  # at one that no other fact names no wager lies
            known.get(position, len(texts) + at) for at, position in enumerate(bodies.positions)
        ]
        rows = np.flatnonzero(self.columns.body != UNREAD)
        within = np.array(bodies.within, np.int64)[self.columns.body[rows]]
        is_within = within != NULL
        self.positions[rows[is_within]] = np.array(numbers, np.int64)[within[is_within]]

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

    def read(self, place: Place, really: Really) -> RoundRead | None:
        """Read one round.

        Args:
            place: where it opens.
            really: does for real what some rows since then tell the house, and returns what it then
                knows; None where that breaks a duty, or has no name.

        Returns:
            None where it is not in order, or no other follows.
        """
        first = place.row
        ends = self.ends_of(first)
        if ends is None or self.strange[ends + 1] > self.strange[first]:
            return None
        if self.unsure[ends] > self.unsure[first] and not self._are_held(first, ends):
            return None
        round_ = self._begun(place, ends)
        in_order = self._is_in_order(round_, really)
        if not in_order and round_.asks_more and RoomForReal.serves(self.tables.room):
            round_ = self._begun(place, ends, RoomForReal(self.tables.room, place.room))
            in_order = self._is_in_order(round_, really)
        return round_ if in_order else None

    def _begun(self, place: Place, ends: int, for_real: RoomForReal | None = None) -> RoundRead:
        """A round of which nothing was read yet."""
        room = place.room if for_real is None else for_real.opened
        round_ = RoundRead(place.row, ends, room, place.house, for_real=for_real)
        for name, stands in place.standing.items():
            round_.lying[name] = WagerLying(stands.laid, stands.row)
        round_.unsettled = round_.lasting = len(round_.lying)
        return round_

    def _is_in_order(self, round_: RoundRead, really: Really) -> bool:
        """Read a round; return whether it is in order."""
        if self.between(self.of_coupons, round_.first, round_.ends):
            round_.coupons = self._with_coupons(round_.first, round_.ends)
            if round_.coupons is None:
                return False
        if not self._follow(round_, really):
            return False
        if round_.for_real is not None:
            ended = round_.for_real.ended(round_.room)
            if ended is None:
                return False
            round_.room = ended
        return self._is_settled(round_) and self._ends_with_coupons(round_)

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
        bodies, wagers = columns.body[first:ends].tolist(), self.names[first:ends].tolist()
        asks_more = tables.room.asks_of_layout or round_.for_real or tables.room.room.apart
        for row, number, wager in zip(range(first, ends), bodies, wagers, strict=True):
            known = None if asks_more else room.by_body.get(number)
            transition = known or self._of_room(round_, row, number, wager)
            if transition is None:
                round_.asks_more = True
                return False
            part, effect, is_plain = does[number], transition.effect, transition.is_plain
            if not is_plain and effect.requires and self.has_unsettled(round_):
                return False
            if round_.coupons is not None and self._has_coupons(round_, part, wager):
                if not self._take_with_coupons(round_, row, part, wager, effect):
                    return False
            elif part == SETTLES:
                if not self._settle(round_, row, number, wager):
                    return False
            elif part == LAYS:
                if not self._lay(round_, row, number, wager, effect):
                    return False
            elif part in (CHANGES, LIFTS):
                if not self._change(round_, row, number, wager, effect):
                    return False
            elif part in TELLS_THE_HOUSE:
                step = self.of_house(round_.house, row)
                if step is not None:
                    round_.house = step.state
                elif not self._tell_really(round_, row, really):
                    return False
                if step is not None and step.is_written:
                    round_.written.append(row)
            if not is_plain and not self._decide(round_, effect, row):
                return False
            after = transition.state
            if after is not room:
                if room.betting_open and not after.betting_open:
                    round_.is_closed = True
                    if has_outside(round_) or not self._closes_with_coupons(round_, row):
                        return False
                round_.room = room = after
        return True

    def _of_room(self, round_: RoundRead, row: int, number: int, wager: int) -> Transition | None:
        """What the fact of a row leads to in the room; None: it falls back."""
        tables, room = self.tables, round_.room
        if round_.for_real is not None:
            fact = self._fact(row)
            return None if fact is None else round_.for_real.step(room, tables.rules, fact)
        asks = tables.room.asks_of_layout
        signs = self._signs(round_, row, number, wager) if asks else NO_SIGNS
        known = room.by_body.get(number if signs is NO_SIGNS else (number, signs))
        transition = known or tables.of_room(room, number, signs)
        if transition is not None and tables.room.room.apart:
            body = tables.bodies.bodies[number]
            return transition if tables.apart.lets_pass(room.parts, body) else None
        return transition

    def _decide(self, round_: RoundRead, effect: Effect, row: int) -> bool:
        """Note what a fact decides; return whether that is possible and no second decision."""
        at = round_.thrown if effect.is_by_throw else row
        if at == NULL:
            return False  # that throw is not of this round
        for names, by in effect.some:
            self._decide_wagers(round_, by, at, names)
        if effect.decided is not None:
            if round_.decided is not None:
                return False
            round_.decided, round_.decided_at = effect.decided, at
            if self.tables.room.closes_apart:
                self._decide_wagers(round_, effect.decided, at)
        if effect.pends:
            round_.thrown = row
        return True

    def _decide_wagers(
        self, round_: RoundRead, by: Decision, row: int, names: Collection[str] | None = None
    ) -> None:
        """Decide the wagers of some names, or all, that nothing has decided yet."""
        for name, wager in round_.lying.items():
            is_named = names is None or self._name_of(round_, name, wager) in names
            if wager.by is None and is_named and not self._is_settled_or_gone(round_, name, wager):
                wager.by, wager.by_row = by, row
                round_.decided_of += 1
        if round_.coupons is not None:
            round_.coupons.decide(by, self.ref(row), names)

    def _name_of(self, round_: RoundRead, name: int, wager: WagerLying) -> str:
        """The name of a wager as it lies."""
        return wager.laid.wager if wager.laid is not None else self._placed(round_, name).wager

    def _placed(self, round_: RoundRead, name: int) -> PlacedWager:
        """A wager with coupons as it lies."""
        assert round_.coupons is not None
        return round_.coupons.wager(self.columns.texts[name].decode())

    def _is_settled_or_gone(self, round_: RoundRead, name: int, wager: WagerLying) -> bool:
        if wager.laid is not None:
            return wager.owed is not None
        return wager.settled != NULL or not lies_there(self._placed(round_, name))

    def _signs(self, round_: RoundRead, row: int, number: int, wager_id: int) -> Signs:
        """Return the signs of the layout before the fact of a row (``stakes_seen``)."""
        leaves = round_.decided is None or is_left(round_.decided)
        lasting = round_.lasting if leaves else 0
        wager, own, goes = round_.lying.get(wager_id), False, False
        named, noted = None, NO_SIGNS.noted
        if wager is not None and wager.laid is not None and wager.owed is None:
            own = lasting > 0 and wager.laid.wager in self.tables.room.asked_of
            if self.tables.bodies.does[number] in (CHANGES, LIFTS):
                laid = self._after_change(round_, number, wager.laid)
                goes = laid is not None and laid.gone
        if (
            self.tables.room.closes_apart
            and wager is not None
            and not self._is_settled_or_gone(round_, wager_id, wager)
        ):
            named, noted = self._name_of(round_, wager_id, wager), wager.noted
        position, bound = int(self.positions[row]), False
        if position != NULL:
            bound = any(
                one.row >= round_.first
                and self.positions[one.row] == position
                and not self._is_gone(round_, name, one)
                for name, one in round_.lying.items()
            )
        plain = PLAIN_SIGNS[own, lasting > own, bound, goes]
        return plain if named is None else plain._replace(named=named, noted=noted)

    def _is_gone(self, round_: RoundRead, name: int, wager: WagerLying) -> bool:
        """Whether a wager was taken down or handed back before the round was decided."""
        if wager.laid is not None:
            is_late = round_.decided is not None and wager.settled > round_.decided_at
            return wager.laid.gone and not is_late
        return not lies_there(self._placed(round_, name))

    def _after_change(self, round_: RoundRead, number: int, laid: Laid) -> Laid | None:
        """Return a wager as a fact leaves it; None where that is not in order."""
        bodies = self.tables.bodies
        return self.tables.wagers.changed(
            laid,
            bodies.bodies[bodies.base[number]],
            round_.house.stakes,
            knowable=round_.room.knowable,
        )

    def _has_coupons(self, round_: RoundRead, part: Does, wager_id: int) -> bool:
        """Whether a fact is of a coupon, or of a wager with coupons."""
        if part == OF_COUPON:
            return True
        assert round_.coupons is not None
        of_wager = part in OF_A_WAGER and wager_id >= 0
        return of_wager and self.columns.texts[wager_id].decode() in round_.coupons.wagers

    def _take_with_coupons(
        self, round_: RoundRead, row: int, part: Does, wager_id: int, effect: Effect
    ) -> bool:
        """Take a fact of a coupon, or of a wager with coupons."""
        fact, wager, coupons = self._fact(row), round_.lying.get(wager_id), round_.coupons
        assert coupons is not None
        if fact is None or getattr(fact, "wager", None) in self.tables.room.asked_of:
            return False
        if part in TOUCHES:
            names = {fact.wager} if isinstance(fact, LAID_OR_MOVED) else set[str]()
            if wager is not None:
                names.add(self._name_of(round_, wager_id, wager))
            if not self._may_be_touched(round_, *names, wager=wager):
                return False
        if part in OF_A_WAGER and (wager is None) != (part == LAYS):
            return False
        name = self.columns.texts[wager_id].decode() if part in OF_A_WAGER else ""
        if wager is not None and not lies_there(coupons.wager(name)):
            return False
        if part == LAYS:
            round_.lying[wager_id] = WagerLying(None, row, noted=noted_by(effect))
            round_.unsettled += 1
        if wager is not None and isinstance(fact, events.WagerMoved):
            wager.noted = noted_by(effect)
        if wager is not None and isinstance(fact, events.WagerSettled):
            if wager.settled != NULL or self._decision_of(round_, wager) is None:
                return False
            if not self._is_in_turn(round_, fact):
                return False
            self._is_paid(round_, wager, fact, row)
        house, before = round_.house.stakes.house, round_.room.state
        if not coupons.take(fact, house, before, self.facts.at[row]):
            return False
        if wager is not None and part in (CHANGES, LIFTS):
            round_.unsettled -= coupons.wager(name).gone is not None
        return True

    def _decision_of(self, round_: RoundRead, wager: WagerLying) -> Decision | None:
        """What decided a wager."""
        return wager.by if self.tables.room.closes_apart else round_.decided

    def _is_in_turn(self, round_: RoundRead, fact: WagerSettled) -> bool:
        """Whether a settlement comes in turn: losers are collected before a winner is paid."""
        is_won = fact.outcome is events.SettledAs.WON
        return is_won or not round_.winner_paid or not self.tables.collects_first

    @staticmethod
    def _is_paid(round_: RoundRead, wager: WagerLying, fact: WagerSettled, row: int) -> None:
        """Note that the house settled a wager."""
        round_.winner_paid |= fact.outcome is events.SettledAs.WON
        wager.settled = row
        round_.unsettled -= 1
        round_.decided_of -= wager.by is not None
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

    def _lay(self, round_: RoundRead, row: int, number: int, wager_id: int, effect: Effect) -> bool:
        laid = self.tables.laid(round_.house, number, knowable=round_.room.knowable)
        if laid is None or wager_id in round_.lying:
            return False
        if not self._may_be_touched(round_, laid.wager):
            return False
        round_.lying[wager_id] = WagerLying(laid, row, noted=noted_by(effect))
        round_.unsettled += 1
        round_.outside += laid.outside
        round_.lasting += self._is_asked_of(laid)
        return True

    def _may_be_touched(
        self, round_: RoundRead, *names: str, wager: WagerLying | None = None
    ) -> bool:
        """Whether a wager may be laid, changed and lifted now.

        Args:
            round_: its round.
            names: its name, and the one to which it is moved.
            wager: it, if it lies there.
        """
        numbers, room = self.tables.room.wager_numbers, round_.room
        if not numbers:  # all close together
            return may_be_touched(round_)
        is_free = wager is None or wager.by is None
        return is_free and all(name in numbers and room.is_open_to(numbers[name]) for name in names)

    def _is_asked_of(self, laid: Laid) -> bool:
        """Whether a wager lies there of which the room asks whether any does."""
        return not laid.gone and laid.wager in self.tables.room.asked_of

    def _change(
        self, round_: RoundRead, row: int, number: int, wager_id: int, effect: Effect
    ) -> bool:
        wager = round_.lying.get(wager_id)
        if wager is None or wager.owed is not None:
            return False
        assert wager.laid is not None
        laid = self._after_change(round_, number, wager.laid)
        if laid is None:
            return False
        is_open = self._may_be_touched(round_, wager.laid.wager, laid.wager, wager=wager)
        if not (is_open or self._may_be_lifted(round_, number, wager.laid)):
            return False
        was_accepted = not is_open or round_.is_closed or wager.row < round_.first
        if laid.outside and was_accepted:
            return False
        if effect.noted is not None:
            wager.noted = noted_by(effect)
        round_.outside += laid.outside - wager.laid.outside
        round_.lasting += self._is_asked_of(laid) - self._is_asked_of(wager.laid)
        wager.laid = laid
        if laid.gone:
            wager.owed, wager.settled = self.tables.wagers.left(laid), row
            round_.unsettled -= 1
        return not laid.gone or wager.owed is not None

    def _may_be_lifted(self, round_: RoundRead, number: int, laid: Laid) -> bool:
        """Whether a fact lifts a wager that may be removed until it is decided."""
        is_free = round_.decided is None or is_left(round_.decided)
        lifts = self.tables.bodies.does[number] == LIFTS
        return lifts and is_free and laid.wager in self.tables.rules.room.removable

    def _settle(self, round_: RoundRead, row: int, number: int, wager_id: int) -> bool:
        wager = round_.lying.get(wager_id)
        decided = None if wager is None else self._decision_of(round_, wager)
        if wager is None or wager.owed is not None or decided is None:
            return False
        assert wager.laid is not None
        owed = self.tables.wagers.owed(wager.laid, decided)
        fact = self.tables.bodies.bodies[number].fact
        assert isinstance(fact, events.WagerSettled)
        if owed is None or not is_as_owed(fact, owed):
            return False
        if not self._is_in_turn(round_, fact):
            return False
        wager.owed = owed
        round_.lasting -= self._is_asked_of(wager.laid)
        self._is_paid(round_, wager, fact, row)
        return True

    def _is_settled(self, round_: RoundRead) -> bool:
        """Whether a round that the next one ends leaves nothing owed."""
        if round_.decided is None or not round_.is_closed or self.has_unsettled(round_):
            return False
        if round_.unsettled and not self._are_left(round_, round_.decided):
            return False
        filed = self.tables.rules.filed
        if filed is not None and filed.payout_limit_cents is not None:
            most = round_.paid + len(round_.lying) * filed.unit_cents
            if most > filed.payout_limit_cents:
                return False
        return self.tables.room.closes(round_.room)

    def _are_left(self, round_: RoundRead, decided: Decision) -> bool:
        """Leave the wagers standing that the decision leaves; return whether these are all."""
        for wager in round_.lying.values():
            if wager.owed is None and wager.laid is not None:  # one with coupons outlives no round
                owed = self.tables.wagers.owed(wager.laid, decided)
                if owed is None or not owed.stands:
                    return False
                wager.owed = owed
        return True

    def has_unsettled(self, round_: RoundRead) -> bool:
        """Whether a wager of the round is decided, not settled yet, and not left standing."""
        if self.tables.room.closes_apart:
            return round_.decided_of > 0
        left = round_.decided is not None and is_left(round_.decided)
        return round_.unsettled > (round_.lasting if left else 0)

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
                rows.part(sign_part(wager.noted)) if wager.noted else NOTHING_NOTED,
                NONE if wager.by is None else rows.decision(wager.by),
                wager.by_row,
            )
            for name, wager in round_.lying.items()
            if wager.laid is not None
        ]
        of_round = (
            round_.first,
            round_.ends,
            houses.number(round_.house),
            NONE if real is None else houses.number(real),
            rows.decision(round_.decided),
            round_.decided_at,
            round_.taken,
            round_.paid,
        )
        self.rounds.add(of_round, rows.room(round_.room), wagers, round_.written)

    def standing_after(self, number: int) -> dict[int, Standing]:
        """Return the wagers that a round leaves standing, by the number of their name."""
        if not self.tables.room.asks_of_layout:
            return {}
        rows = self.tables.rows
        return {
            name: Standing(rows.laid.objects[laid], row)
            for name, laid, row, _, owed, *_ in self.rounds.wagers_of(number).T.tolist()
            if owed != NONE and rows.owed.objects[owed].stands
        }

    def row_of(self, ref: FactRef) -> int | None:
        """Return the row of a fact of the day; None where it is not of it."""
        facts, columns = self.facts, self.facts.columns
        if ref.stream not in facts.streams:
            return None
        rank = facts.streams.index(ref.stream)
        rows = np.flatnonzero((columns["rank"] == rank) & (columns["seq"] == ref.seq))
        return int(rows[0]) if len(rows) else None

    def ref(self, row: int) -> FactRef:
        """Return the key of a fact."""
        facts = self.facts
        return tuple.__new__(FactRef, (facts.streams[facts.rank[row]], facts.seq[row]))

    def text(self, row: int, identity: int) -> str | None:
        """Return a text that tells a fact from others alike; None where it is null."""
        number = int(self.columns.identities[identity][row])
        return None if number == NULL else self.columns.texts[number].decode()


LAYS, SETTLES, CHANGES = Does.LAYS, Does.SETTLES, Does.CHANGES
LIFTS, OF_COUPON = Does.LIFTS, Does.OF_COUPON
LAID_OR_MOVED = (events.WagerPlaced, events.WagerMoved)
TELLS_THE_HOUSE = frozenset({Does.TELLS_THE_HOUSE, Does.IS_REMEMBERED, Does.IS_OF_STAFF})
TOUCHES = frozenset({LAYS, CHANGES, LIFTS})
OF_A_WAGER = TOUCHES | {SETTLES}


def may_be_touched(round_: RoundRead) -> bool:
    """Whether betting is open, and was not closed before: wagers may be laid and changed."""
    return round_.room.betting_open and not round_.is_closed


def is_left(decided: Decision) -> bool:
    """Whether a decision leaves wagers that outlive rounds."""
    return isinstance(decided, Decided) and bool(decided.leaves)


def lies_there(wager: PlacedWager) -> bool:
    """Whether a wager with coupons still lies there: one that went is settled, and counted so."""
    return wager.gone is None


def noted_by(effect: Effect) -> tuple[int, ...]:
    """What the room notes with a wager that a fact makes."""
    noted: tuple[int, ...] = NO_SIGNS.noted if effect.noted is None else effect.noted.content
    return noted


def has_outside(round_: RoundRead) -> bool:
    """Whether a wager that lies there as betting closes keeps not to the limits."""
    return round_.outside > 0


def is_as_owed(fact: events.WagerSettled, owed: Owed) -> bool:
    """Whether the one act of the house is exactly what was owed."""
    return (fact.outcome, fact.winnings_cents, fact.stake_taken_cents) == owed.done
