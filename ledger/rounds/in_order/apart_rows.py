"""Whether the rules of a room that stand apart let a fact pass, asked by themselves.

They read of a fact what nothing else reads, such as which dice were thrown; if they were asked with
all else, each throw would be a row of its own. Moments matter to them, so their rows hold between
two moments.
"""

from __future__ import annotations

from typing import Any

from ledger.events import Fact
from ledger.rounds.in_order.partial_facts import (
    NOTHING,
    Asking,
    Body,
    Needed,
    partial_fact,
    with_needed,
)
from ledger.rounds.in_order.room_parts import watched
from ledger.rounds.in_order.room_table import ROWS, RoomTable
from ledger.rounds.in_order.rows_of_kind import Part
from ledger.rounds.in_order.unlooked import LookedInto, Within


class ApartMattered:
    """What such rules asked so far of facts and of the state, at all tables of a game.

    Args:
        room: of it.

    Attributes:
        needed: the parts of a fact, by its kind.
        looked: the numbers of the fields that they may read, rising, by the kind of fact.
    """

    __slots__ = ("looked", "needed", "room")

    def __init__(self, room: RoomTable) -> None:
        self.room = room
        self.needed: dict[type[Fact], Needed] = dict.fromkeys(room.room.apart, NOTHING)
        names = room.kind._fields
        self.looked = {
            kind: tuple(sorted({names.index(name) for each in rules for name in each.reads}))
            for kind, rules in room.room.apart.items()
        }

    def asked_by(self, body: Body) -> tuple[Needed, tuple[int, ...]]:
        """Return by which parts of a fact, and by which fields, it is asked by now."""
        return self.needed[body.kind], self.looked[body.kind]


class ApartRows:
    """The rows of one stretch of a day.

    Args:
        mattered: at all tables of the game.
        first, last: the moments between which all facts lie, microseconds UTC.
    """

    __slots__ = ("_moment", "_rows", "mattered")

    def __init__(self, mattered: ApartMattered, first: int, last: int) -> None:
        self.mattered = mattered
        self._moment = Within(first, last)
        self._rows: dict[Any, bool] = {}

    def lets_pass(self, parts: tuple[Part, ...], body: Body) -> bool:
        """Whether a fact keeps every duty of these rules; False also where that is not known.

        Args:
            parts: of the state of the room before the fact.
            body: what the fact says.
        """
        if body.kind not in self.mattered.needed:
            return True
        key = self._key(parts, body)
        known = self._rows.get(key)
        if known is None:
            known = self._lets_pass(parts, body)
            if len(self._rows) >= ROWS:
                return False
            self._rows[self._key(parts, body)] = known
        return known

    def _key(self, parts: tuple[Part, ...], body: Body) -> Any:
        needed, looked = self.mattered.asked_by(body)
        return body.kind, needed, body.parts(needed), *[parts[place] for place in looked]

    def _lets_pass(self, parts: tuple[Part, ...], body: Body) -> bool:
        needed = self.mattered.needed
        more, known = with_needed(
            lambda asking: self._run(parts, body, asking), needed[body.kind], body.fact, body.shown
        )
        needed[body.kind] |= more
        return bool(known)

    def _run(self, parts: tuple[Part, ...], body: Body, asking: Asking) -> bool:
        room = self.mattered.room
        fact = partial_fact(body, asking, self._moment, body.shown)
        for each in room.room.apart[body.kind]:
            looked: set[int] = set()
            state = watched(room.room, parts, looked)
            if [*each.rule(room.undated, state, fact)]:
                return False
            if not {room.kind._fields[number] for number in looked} <= each.reads:
                raise LookedInto
        return True
