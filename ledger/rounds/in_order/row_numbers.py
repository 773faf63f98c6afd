"""Numbers for what rows are made of, and rows by numbers, for machine code that walks them.

Rows are made by the readable tables; what they say is copied here as it is asked for. A number
stands for one object of theirs as long as these tables are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from enum import IntEnum
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ledger import events
from ledger.games.room import Decided
from ledger.rounds.in_order.house_table import HouseState, Stakes
from ledger.rounds.in_order.partial_facts import Body
from ledger.rounds.in_order.room_alike import RoomAlike
from ledger.rounds.in_order.room_rows import MOST_DECIDED, Decision, Effect, Looked
from ledger.rounds.in_order.room_table import AS_RECORDED as RECORDED
from ledger.rounds.in_order.room_table import RoomState, RoomTable
from ledger.rounds.in_order.rows_of_kind import Mattered, Part
from ledger.rounds.in_order.stakes_seen import NO_SIGNS, Signs, parts_of_signs, sign_part
from ledger.rounds.in_order.wager_table import Laid, Owed

Numbers = NDArray[np.int64]
FIRST: Final = 1 << 10
NONE: Final = -1
"""Stands for no decision, and for no act of the house."""
FALLS: Final = -2
"""Stands for a row that there is not: the round falls back."""
UNANSWERED: Final = -3
"""Stands for what was not asked yet."""
ASKED_BY: Final = 22
"""By how many fields of a state a row of the room may be asked; by more, it falls back."""
BITS: Final = 62
"""How many fields fit into one number as bits. No room may stand otherwise by others; what
overwrites others is not known."""
MOST_CENTS: Final = 1 << 53
"""A fact with more cents in it falls back: sums of them stay in 64 bits."""


class Ask(IntEnum):
    """What is asked of a table; the first number of a question has it and whom it asks.

    What is asked of the room is asked by the parts of its state (``Steps``).
    """

    ROOM = 0
    HOUSE = 1
    LAID = 2
    CHANGED = 3
    LEFT = 4
    OWED = 5
    CLOSES = 6
    ALIKE = 7
    REMEMBERED = 8
    STANDS = 9
    APART = 10
    RECORDED = 11
    COMPARED = 12


OF_WHOM: Final = 40
"""How many bits of the first number are left for whom it is asked."""


class Column:
    """A column of numbers that grows."""

    __slots__ = ("numbers", "size")

    def __init__(self) -> None:
        self.numbers: Numbers = np.zeros(FIRST, np.int64)
        self.size = 0

    def append(self, number: int) -> None:
        """Add a number at the end."""
        if self.size == len(self.numbers):
            self.numbers = np.concatenate([self.numbers, np.zeros_like(self.numbers)])
        self.numbers[self.size] = number
        self.size += 1


class Beside:
    """Numbers in columns that grow together; those of one row lie side by side in memory.

    Args:
        columns: how many there are.
    """

    __slots__ = ("numbers", "size")

    def __init__(self, columns: int) -> None:
        self.numbers: Numbers = np.zeros((FIRST, columns), np.int64)
        self.size = 0

    def append(self, row: tuple[int, ...]) -> None:
        """Add a row at the end."""
        if self.size == len(self.numbers):
            self.numbers = np.concatenate([self.numbers, np.zeros_like(self.numbers)])
        self.numbers[self.size] = row
        self.size += 1


class Objects:
    """Numbers objects, and keeps them.

    Args:
        columns: how many numbers stand beside each.
        name: gives what two objects share that have one number.

    Attributes:
        beside: these numbers.
    """

    __slots__ = ("_numbers", "beside", "name", "objects")

    def __init__(self, columns: int, name: Callable[[Any], Hashable] = id) -> None:
        self.objects: list[Any] = []
        self.beside = Beside(columns)
        self.name = name
        self._numbers: dict[Hashable, int] = {}

    def number(self, part: Any, beside: Callable[[Any], tuple[int, ...]]) -> int:
        """Return the number of an object; ``beside`` gives the columns of a new one."""
        name = self.name(part)
        number = self._numbers.get(name)
        if number is None:
            self.beside.append(beside(part))
            number = self._numbers[name] = len(self.objects)
            self.objects.append(part)
        return number


def _alone(part: Hashable) -> Hashable:
    return part


class Answers:
    """What was asked by two numbers, and the answers, in an array that machine code reads.

    Attributes:
        rows: by place, the two numbers and the answer; the first is ``NONE`` where none stands. The
            fourth number lets each row lie in one line of memory.
        count: how many there are.
    """

    __slots__ = ("count", "rows")

    def __init__(self) -> None:
        self.count = 0
        self._clear(4 * FIRST)

    def _clear(self, slots: int) -> None:
        self.rows: Numbers = np.full((slots, 4), NONE, np.int64)

    def put(self, first: int, second: int, answer: int, put: Callable[..., int]) -> None:
        """Add an answer, if there is none yet; ``put`` is the compiled function that does."""
        if 2 * (self.count + 1) > len(self.rows):
            before = self.rows[self.rows[:, 0] != NONE]
            self._clear(2 * len(self.rows))
            for row in before.tolist():
                put(*row[:3], self.rows)
        self.count += put(first, second, answer, self.rows)


class Steps:
    """What was asked of the room by the parts of its state, and the answers.

    Attributes:
        rows: by place, the number of what the fact says, the answer, and the numbers of the parts
            by which it is asked; the first is ``NONE`` where none stands.
        starts, fields: by number of ``RoomAlike.looked``, where these fields stand in ``fields``,
            and where those of the next one begin.
    """

    __slots__ = ("_count", "fields", "rows", "starts")

    def __init__(self) -> None:
        self._count = 0
        self.starts, self.fields = Column(), Column()
        self.starts.append(0)
        self._clear(FIRST)

    def _clear(self, slots: int) -> None:
        self.rows: Numbers = np.full((slots, ASKED_BY + 2), NONE, np.int64)

    def follow(self, looked: Sequence[Looked]) -> None:
        """Take over by which fields is asked, where that is new."""
        for fields in looked[self.starts.size - 1 :]:
            for number in fields:
                self.fields.append(number)
            self.starts.append(self.fields.size)

    def put(self, says: int, parts: Numbers, answer: int, put: Callable[..., int]) -> None:
        """Add an answer, if there is none yet; ``put`` is the compiled function that does."""
        if 2 * (self._count + 1) > len(self.rows):
            before = self.rows[self.rows[:, 0] != NONE]
            self._clear(2 * len(self.rows))
            for row in before:
                put(row, self.rows)
        row = np.full(ASKED_BY + 2, NONE, np.int64)
        row[0], row[1], row[2 : 2 + len(parts)] = says, answer, parts
        self._count += put(row, self.rows)


ALIKE, ASKED_BY_FIELDS, SAYS = range(4, 7)
APART_BY, APART, AS_RECORDED, COMPARED_BY, COMPARED, WAY, OTHER_WAYS, ASKS = range(8)


class BodyColumns:
    """What facts say, by number of the body.

    Attributes:
        beside: what it does, as ``Bodies`` has it (``FALLS`` where a number is too large to be
            added up); outcome, winnings and stake taken of a settlement; ``alike``, ``asked_by``
            and ``says``, ``UNANSWERED`` until they are asked for; the number of what it says
            whatever position it names.
        apart: by which fields the rules that stand apart are asked, a number for all that say the
            same to them (``NONE``: there are none), and the number of what a room keeps of it; the
            first two again for how it compares with the last throw; the number of the ways in which
            the room is asked, where the others of these stand after the first (``NONE``: there are
            none), and whether signs of the layout are asked for.
        ways: after the first way, by which fields and as what is asked, and where the next stands.
    """

    __slots__ = ("_known", "apart", "beside", "ways")

    def __init__(self) -> None:
        self.beside, self.apart, self.ways = Beside(8), Beside(8), Beside(3)
        self._known: dict[int, tuple[int, int, int, int]] = {}

    @property
    def alike(self) -> Numbers:
        """A number for all that the house treats alike."""
        return self.beside.numbers[:, ALIKE]

    @property
    def asked_by(self) -> Numbers:
        """By which fields the room is asked, a number of ``RoomAlike.looked``."""
        return self.beside.numbers[:, ASKED_BY_FIELDS]

    @property
    def says(self) -> Numbers:
        """A number of ``RoomAlike.fact`` for all that say the same to the room."""
        return self.beside.numbers[:, SAYS]

    def follow(self, bodies: Any) -> None:
        """Take over the bodies that are new."""
        for number in range(self.beside.size, len(bodies)):
            fact, does = bodies.bodies[number].fact, int(bodies.does[number])
            outcome = won = taken = 0
            if isinstance(fact, events.WagerSettled):
                outcome, won, taken = act_of(
                    fact.outcome, fact.winnings_cents, fact.stake_taken_cents
                )
                if max(abs(won), abs(taken)) > MOST_CENTS:
                    does, won, taken = FALLS, 0, 0
            unasked = (UNANSWERED,) * 3
            self.beside.append((does, outcome, won, taken, *unasked, bodies.base[number]))
            self.apart.append((UNANSWERED,) * 8)

    @staticmethod
    def unanswered(column: Numbers, some: Numbers) -> list[int]:
        """Return those of some bodies of which a number in a column was not asked for yet."""
        numbers: list[int] = some[column[some] == UNANSWERED].tolist()
        return numbers

    def is_asked_otherwise(self, number: int, way: int) -> bool:
        """Whether a body was numbered when it was asked otherwise; so are all that say the same.

        Args:
            number: its own.
            way: the number of the ways in which it is asked by now.
        """
        ways = self.apart.numbers[:, WAY]
        before = ways[number]
        if before == way:
            return False
        self.says[ways[: len(self.says)] == before] = UNANSWERED
        return True

    def ask(
        self, numbers: Sequence[int], ways: Sequence[int], alike: RoomAlike, signs: range
    ) -> None:
        """Say how bodies are asked.

        Args:
            numbers: their own.
            ways: the numbers of the ways in which each of them is asked.
            alike: has these ways.
            signs: the fields of a state that are signs of the layout.
        """
        if not numbers:
            return
        asked = np.array([self._asked_as(way, alike, signs) for way in ways], np.int64)
        self.asked_by[numbers], self.says[numbers] = asked[:, 0], asked[:, 1]
        self.apart.numbers[numbers, WAY] = ways
        self.apart.numbers[numbers, OTHER_WAYS : ASKS + 1] = asked[:, 2:]

    def _asked_as(self, way: int, alike: RoomAlike, signs: range) -> tuple[int, int, int, int]:
        """The first of some ways, where the others stand, and whether any asks for signs."""
        known = self._known.get(way)
        if known is None:
            (by, says), *others = alike.ways[way]
            place = NONE
            for other_by, other_says in reversed(others):
                self.ways.append((other_by, other_says, place))
                place = self.ways.size - 1
            fields = [by, *[other_by for other_by, _ in others]]
            asks = any(field in signs for each in fields for field in alike.looked[each])
            known = self._known[way] = by, says, place, int(asks)
        return known


WON, LOST, OTHER, RETURNED = 1, 0, 2, 3
ACTS: Final = {
    events.SettledAs.WON: WON,
    events.SettledAs.LOST: LOST,
    events.SettledAs.RETURNED: RETURNED,
}


def act_of(outcome: events.SettledAs, won: int, taken: int) -> tuple[int, int, int]:
    """Return an act of the house in numbers."""
    return ACTS.get(outcome, OTHER), won, taken


class RowNumbers:
    """What the tables of one game are made of, by number, with the answers of its tables.

    Attributes:
        parts: what stands in a field of a state of the room; beside: whether all of it is known,
            and what it shows where it is a last throw.
        alike: what the room treats alike.
        effects: what facts do to it; beside: what is decided, settlements required, where what it
            writes ends in ``written``, and as bits the fields that it writes, and of these those
            that it writes whatever stood there; whether anything is decided or pends, or the last
            throw is another one; what is noted with a wager.
        more_decided: beside effects, too: whether a throw that was pending decides, whether it is
            one; twice, of which wagers alone something is decided, as bits, and what.
        written: the numbers of the fields that effects write, and of the parts that they write.
        decisions: what decides rounds; beside: whether wagers that outlive rounds are left.
        stakes: what judges a stake.
        laid: wagers as they lie; beside: gone, outside the limits, one of which the room asks
            whether any lies there, may be removed until it is decided; the part that is its name,
            and a bit for its name where wagers close apart.
        owed: what wagers come to; beside: outcome, winnings and stake taken of the act owed, and
            whether they stand.
        steps: what was asked of the room.
        answers: to all else that is not asked of the house.
        bodies: what bodies say.
        mattered: what the house's side of the tables looked at.
        examples: one body of all that the house treats alike.
    """

    def __init__(self, room: RoomTable) -> None:
        self._room = room
        self._fields = len(room.kind._fields)
        self.signs = range(self._fields, room.shown_at)
        self.parts = Objects(1 if room.throws is None else 1 + len(room.throws.shown))
        self.steps = Steps()
        for first in FIRST_PARTS:  # machine code knows these numbers
            self.part(first)
        self.alike = RoomAlike(room)
        self.effects, self.decisions, self.more_decided = Objects(7), Objects(1), Beside(6)
        self.written = Column(), Column()
        self.stakes, self.laid, self.owed = Objects(0), Objects(6, _alone), Objects(4)
        self.answers = Answers()
        self.bodies = BodyColumns()
        self.mattered, self._mattered_times = Mattered(), 0
        self._to_house: dict[Hashable, int] = {}
        self.examples: list[int] = []

    def forget_alike(self) -> int:
        """Ask anew which bodies the house treats alike, if more matters by now than before.

        Returns:
            How often that was asked anew: answers that were given before hold no longer.
        """
        if self._mattered_times != self.mattered.times:
            self._mattered_times = self.mattered.times
            self._to_house.clear()
            self.examples.clear()
            self.bodies.alike[:] = UNANSWERED
        return self._mattered_times

    def to_house(self, number: int, body: Body) -> int:
        """Return a number for all bodies that the house treats like this one."""
        name = body.kind, body.parts(self.mattered.needed(body.kind))
        known = self._to_house.get(name)
        if known is None:
            known = self._to_house[name] = len(self.examples)
            self.examples.append(number)
        return known

    def room(self, state: RoomState) -> Numbers:
        """Return the numbers of the parts of a state of the room; nothing shows of the layout."""
        if state.numbers is None:
            state.numbers = np.zeros(self._room.width, np.int64)
            for place, part in enumerate(state.parts):
                state.numbers[place] = self.part(part)
            if self._room.asks_of_layout:
                signs = slice(self.signs.start, self.signs.stop)
                state.numbers[signs] = [*map(self.part, parts_of_signs(NO_SIGNS))]
            if self._room.last_in is not None:
                shown = self._room.shown_by(state.parts[self._room.last_in])
                at = self._room.shown_at
                state.numbers[at : at + len(shown)] = [*map(self.part, shown)]
        numbers: Numbers = state.numbers
        return numbers

    def part(self, part: Part) -> int:
        """Return the number of what stands in a field, or of what a sign shows."""
        return self.parts.number(part, self._beside_part)

    def _beside_part(self, part: Part) -> tuple[int, ...]:
        shown = [*map(self.part, self._room.shown_by(part))]
        width = len(self.parts.beside.numbers[0]) - 1
        return int(part.is_known), *shown, *[NONE] * (width - len(shown))

    def parts_of_room(self, numbers: Numbers) -> tuple[Part, ...]:
        """Return the parts of a state of the room by their numbers."""
        parts = self.parts.objects
        return tuple([parts[number] for number in numbers[: self._fields].tolist()])

    def signs_in(self, numbers: Numbers) -> Signs:
        """Return the signs of the layout that stand behind a state."""
        shown = numbers[self.signs.start : self.signs.stop].tolist()
        return Signs(*[self.parts.objects[number].content for number in shown])

    def decision(self, decided: Decision | None) -> int:
        """Return the number of what decided a round; ``NONE`` for none."""
        return NONE if decided is None else self.decisions.number(decided, _leaves)

    def effect(self, effect: Effect) -> int:
        """Return the number of what a fact does to a room."""
        return self.effects.number(effect, self._beside_effect)

    def _beside_effect(self, effect: Effect) -> tuple[int, ...]:
        for number, part in effect.written:
            self.written[0].append(number)
            self.written[1].append(self.part(part))
        writes = as_bits(number for number, _ in effect.written)
        beside = self.written[0].size, writes, as_bits(effect.overwritten)
        note = NONE if effect.noted is None else self.part(effect.noted)
        writes_last = any(number == self._room.last_in for number, _ in effect.written)
        also = not effect.is_plain or writes_last, note
        of_throw = int(effect.is_by_throw), int(effect.pends)
        some = [(self._kinds(names), self.decision(by)) for names, by in effect.some]
        some += [(0, NONE)] * (MOST_DECIDED - len(some))
        decides = self.decision(effect.decided), int(effect.requires)
        self.more_decided.append((*of_throw, *chain(*some)))
        return *decides, *beside, *map(int, also)

    def _kinds(self, names: Collection[str]) -> int:
        """Wagers of some names as bits."""
        return sum(1 << self._room.wager_numbers[name] for name in names)

    def stake(self, stakes: Stakes) -> int:
        """Return the number of what judges a stake."""
        return self.stakes.number(stakes, lambda _: ())

    def wager(self, laid: Laid) -> int:
        """Return the number of a wager as it lies."""
        return self.laid.number(laid, self._beside_laid)

    def _beside_laid(self, laid: Laid) -> tuple[int, ...]:
        room, name = self._room.room, laid.wager
        asked_of, removable = name in self._room.asked_of, name in room.removable
        kind = self._kinds({name} & self._room.wager_numbers.keys())
        signs = laid.gone, laid.outside, asked_of, removable
        return *map(int, signs), self.part(sign_part(name)), kind

    def due(self, owed: Owed) -> int:
        """Return the number of what a wager comes to."""
        return self.owed.number(
            owed,
            lambda one: (
                *((NONE, 0, 0) if one.done is None else act_of(*one.done)),
                int(one.stands),
            ),
        )


FIRST_PARTS: Final = (*map(sign_part, (False, True, None, ())), RECORDED)
NOTHING_NOTED: Final = 3
"""The number of the part of these that is no note."""


def as_bits(fields: Iterable[int]) -> int:
    """Return fields as bits of one number; those from ``BITS`` on are left out."""
    return sum(1 << field for field in fields if field < BITS)


def _leaves(decided: Decision) -> tuple[int]:
    """Whether a decision leaves the wagers that outlive rounds."""
    return (int(isinstance(decided, Decided) and bool(decided.leaves)),)


class HouseNumbers:
    """The states of the house of one table, by number; beside: what judges a stake, is it known.

    ``apart``: whether the room's rules that stand apart let a fact pass there.

    Args:
        rows: of the game.
        usual: returns the one that stands for all that judge a stake alike.
    """

    def __init__(self, rows: RowNumbers, usual: Callable[[Stakes], Stakes]) -> None:
        self._rows, self._usual = rows, usual
        self.houses = Objects(2)
        self.answers, self._since = Answers(), rows.forget_alike()
        self.apart = Steps()

    def forget(self) -> bool:
        """Forget answers that hold no longer, since more is known to matter; return whether so."""
        since = self._rows.forget_alike()
        if since == self._since:
            return False
        self.answers, self._since = Answers(), since
        return True

    def number(self, state: HouseState) -> int:
        """Return the number of a state."""
        return self.houses.number(state, self._beside)

    def _beside(self, state: HouseState) -> tuple[int, ...]:
        return self._rows.stake(self._usual(state.stakes)), int(state.is_known)
