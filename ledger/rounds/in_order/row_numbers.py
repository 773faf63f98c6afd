"""Numbers for what rows are made of, and rows by numbers, for machine code that walks them.

Rows are made by the readable tables; what they say is copied here as it is asked for. A number
stands for one object of theirs as long as these tables are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from enum import IntEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ledger import events
from ledger.rounds.in_order.house_table import HouseState, Stakes
from ledger.rounds.in_order.partial_facts import Body
from ledger.rounds.in_order.room_alike import RoomAlike
from ledger.rounds.in_order.room_table import Decision, Effect, RoomState, RoomTable
from ledger.rounds.in_order.rows_of_kind import Mattered, Part
from ledger.rounds.in_order.wager_table import Laid, Owed

Numbers = NDArray[np.int64]
FIRST: Final = 1 << 10
NONE: Final = -1
"""Stands for no decision, and for no act of the house."""
FALLS: Final = -2
"""Stands for a row that there is not: the round falls back."""
UNANSWERED: Final = -3
"""Stands for what was not asked yet."""
BY_NAME: Final = -4
"""Stands for a row of the room that has to do with names: it is asked at each table."""
LATELY: Final = 1 << 15
"""How many answers about the room are kept by state and body; another one takes its place."""
MOST_CENTS: Final = 1 << 53
"""A fact with more cents in it falls back: sums of them stay in 64 bits."""


class Ask(IntEnum):
    """What is asked of a table; the first number of a question has it and whom it asks."""

    ROOM = 0
    HOUSE = 1
    LAID = 2
    CHANGED = 3
    LEFT = 4
    OWED = 5
    CLOSES = 6
    ALIKE = 7
    REMEMBERED = 8
    LOOKS = 9
    BY_NAME = 10
    AFTER = 11


OF_WHOM: Final = 40
"""How many bits of the first number are left for whom it is asked."""
SHARED: Final = 20
"""How many bits of the number of a room's state say what it has beside names; those above them
number the names, from 1 on, and are 0 where these are left open."""
ONLY_SHARED: Final = (1 << SHARED) - 1
"""Those bits, of the number of a state."""


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


class Objects:
    """Numbers objects, and keeps them.

    Args:
        columns: how many columns of numbers there are beside.
        name: gives what two objects share that have one number.
    """

    __slots__ = ("_numbers", "columns", "name", "objects")

    def __init__(self, columns: int, name: Callable[[Any], Hashable] = id) -> None:
        self.objects: list[Any] = []
        self.columns = [Column() for _ in range(columns)]
        self.name = name
        self._numbers: dict[Hashable, int] = {}

    def number(self, part: Any, beside: Callable[[Any], tuple[int, ...]]) -> int:
        """Return the number of an object; ``beside`` gives the columns of a new one."""
        name = self.name(part)
        number = self._numbers.get(name)
        if number is None:
            for column, beside_it in zip(self.columns, beside(part), strict=True):
                column.append(beside_it)
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


class BodyColumns:
    """What settlements say, by number of the body: outcome, winnings, stake taken; what others do.

    Attributes:
        does: as ``Bodies`` has it; ``FALLS`` where a number is too large to be added up.
        alike: a number for all that the house treats alike; ``UNANSWERED`` until it is asked for.
        kind, says: the numbers of ``RoomAlike.fact``; ``UNANSWERED`` as well.
    """

    __slots__ = ("alike", "does", "kind", "outcome", "says", "taken", "won")

    def __init__(self) -> None:
        self.does, self.outcome, self.won, self.taken, self.alike = (Column() for _ in range(5))
        self.kind, self.says = Column(), Column()

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns."""
        of_room = self.kind, self.says
        return self.does, self.outcome, self.won, self.taken, self.alike, *of_room

    def follow(self, bodies: Any) -> None:
        """Take over the bodies that are new."""
        for number in range(self.does.size, len(bodies)):
            fact, does = bodies.bodies[number].fact, int(bodies.does[number])
            outcome = won = taken = 0
            if isinstance(fact, events.WagerSettled):
                outcome, won, taken = act_of(
                    fact.outcome, fact.winnings_cents, fact.stake_taken_cents
                )
                if max(abs(won), abs(taken)) > MOST_CENTS:
                    does, won, taken = FALLS, 0, 0
            self.does.append(does)
            self.outcome.append(outcome)
            self.won.append(won)
            self.taken.append(taken)
            for column in (self.alike, self.kind, self.says):
                column.append(UNANSWERED)

    def is_asked_by_more(self, number: int, kind: int) -> bool:
        """Whether a body was numbered when less mattered; those of its kind are asked anew then.

        Args:
            number: its own.
            kind: the number of its kind by now.
        """
        before = self.kind.numbers[number]
        if before == kind:
            return False
        self.says.numbers[self.kind.numbers == before] = UNANSWERED
        return True


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
        rooms: states of the room beside the names in them; beside: betting open, knowable.
        names: the names in them.
        alike: what the room treats alike.
        effects: what facts do to it; beside: what of it changes (``_writes``), what is decided,
            settlements required.
        decisions: what decides rounds.
        stakes: what judges a stake.
        laid: wagers as they lie; beside: gone, outside the limits.
        owed: what wagers come to; beside: outcome, winnings and stake taken of the act owed.
        answers: to all that is not asked of the house.
        lately: for machine code, what was asked of the room lately: the numbers of a state and of a
            body, those of the effect and of the state after it.
        bodies: what bodies say.
        mattered: what the house's side of the tables looked at.
        examples: one body of all that the house treats alike.
    """

    def __init__(self, room: RoomTable) -> None:
        self.rooms, self.names = Objects(2, _alone), Objects(0, _alone)
        self.alike = RoomAlike(room)
        self.effects, self.decisions = Objects(3), Objects(0)
        self.stakes, self.laid, self.owed = Objects(0), Objects(2, _alone), Objects(3)
        self.answers = Answers()
        self.lately: Numbers = np.full((LATELY, 4), NONE, np.int64)
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
            self.bodies.alike.numbers[:] = UNANSWERED
        return self._mattered_times

    def to_house(self, number: int, body: Body) -> int:
        """Return a number for all bodies that the house treats like this one."""
        name = body.kind, body.parts(self.mattered.needed(body.kind))
        known = self._to_house.get(name)
        if known is None:
            known = self._to_house[name] = len(self.examples)
            self.examples.append(number)
        return known

    def room(self, state: RoomState) -> int:
        """Return the number of a state of the room."""
        if state.number is None:
            beside = int(state.betting_open), int(state.knowable)
            shared = self.rooms.number(state.shared, lambda _: beside)
            names = self.names.number(state.names, lambda _: ())
            state.number = names + 1 << SHARED | shared
        return state.number

    def parts_of_room(self, number: int) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
        """Return the parts of a state of the room, beside names and these, by its number."""
        names, shared = number >> SHARED, number & ONLY_SHARED
        return self.rooms.objects[shared], self.names.objects[names - 1]

    def decision(self, decided: Decision | None) -> int:
        """Return the number of what decided a round; ``NONE`` for none."""
        return NONE if decided is None else self.decisions.number(decided, lambda _: ())

    def effect(self, effect: Effect) -> int:
        """Return the number of what a fact does to a room."""
        return self.effects.number(
            effect,
            lambda one: (_writes(one), self.decision(one.decided), int(one.requires)),
        )

    def stake(self, stakes: Stakes) -> int:
        """Return the number of what judges a stake."""
        return self.stakes.number(stakes, lambda _: ())

    def wager(self, laid: Laid) -> int:
        """Return the number of a wager as it lies."""
        return self.laid.number(laid, lambda one: (int(one.gone), int(one.outside)))

    def due(self, owed: Owed) -> int:
        """Return the number of what a wager comes to."""
        return self.owed.number(
            owed, lambda one: (NONE, 0, 0) if one.done is None else act_of(*one.done)
        )


def _writes(effect: Effect) -> int:
    """Whether an effect changes nothing, what is the same at every table, or anything (0, 1, 2)."""
    if not effect.written:
        return 0
    return 1 if effect.is_shared else 2


class HouseNumbers:
    """The states of the house of one table, by number; beside: what judges a stake, is it known.

    Args:
        rows: of the game.
        usual: returns the one that stands for all that judge a stake alike.
    """

    def __init__(self, rows: RowNumbers, usual: Callable[[Stakes], Stakes]) -> None:
        self._rows, self._usual = rows, usual
        self.houses = Objects(2)
        self.answers, self._since = Answers(), rows.forget_alike()

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
