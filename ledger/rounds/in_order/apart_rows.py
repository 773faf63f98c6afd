"""Whether the rules of a room that stand apart let a fact pass, asked by themselves.

They read of a fact what nothing else reads, such as which dice were thrown; if they were asked with
all else, each throw would be a row of its own. Moments matter to them, so their rows hold between
two moments.
"""

from __future__ import annotations

from typing import Any

from ledger.events import Fact
from ledger.games.room import Apart
from ledger.rounds.in_order.partial_facts import (
    NOTHING,
    Asking,
    Body,
    Needed,
    partial_fact,
    with_needed,
)
from ledger.rounds.in_order.room_parts import watched
from ledger.rounds.in_order.room_rows import Looked
from ledger.rounds.in_order.room_table import ROWS, RoomTable
from ledger.rounds.in_order.rows_of_kind import Part
from ledger.rounds.in_order.unlooked import LookedInto, Within


class ApartMattered:
    """What such rules asked so far of facts, at all tables of a game, and what they may ask.

    Args:
        room: of it.

    Attributes:
        needed: the parts of a fact, by rule.
        looked: the numbers of the fields that they may read, rising, by the kind of fact.
        of_rules: the rules, each with its own of these fields, by the kind of fact.
    """

    __slots__ = ("looked", "needed", "of_rules", "room")

    def __init__(self, room: RoomTable) -> None:
        self.room = room
        self.needed: dict[Apart, Needed] = {
            each: NOTHING for rules in room.room.apart.values() for each in rules
        }
        names = room.kind._fields
        self.of_rules: dict[type[Fact], list[tuple[Apart, Looked]]] = {
            kind: [(each, tuple(sorted(map(names.index, each.reads)))) for each in rules]
            for kind, rules in room.room.apart.items()
        }
        self.looked = {
            kind: tuple(sorted({number for _, looked in rules for number in looked}))
            for kind, rules in self.of_rules.items()
        }

    def asked_by(self, body: Body) -> tuple[Needed, Looked]:
        """Return by which parts of a fact, and by which fields, it is asked by now."""
        needed = [self.needed[each] for each, _ in self.of_rules[body.kind]]
        return NOTHING.union(*needed), self.looked[body.kind]


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
        rules = self.mattered.of_rules.get(body.kind, ())
        return all(self._passes(each, looked, parts, body) for each, looked in rules)

    def _passes(self, each: Apart, looked: Looked, parts: tuple[Part, ...], body: Body) -> bool:
        needed, there = self.mattered.needed, tuple([parts[place] for place in looked])
        known = self._rows.get((each, body.parts(needed[each]), there))
        if known is None and len(self._rows) < ROWS:
            more, answer = with_needed(
                lambda asking: self._run(each, parts, body, asking),
                needed[each],
                body.fact,
                body.shown,
            )
            needed[each] |= more
            known = self._rows[each, body.parts(needed[each]), there] = bool(answer)
        return bool(known)

    def _run(self, each: Apart, parts: tuple[Part, ...], body: Body, asking: Asking) -> bool:
        """Whether a rule rules nothing on a fact."""
        room, looked = self.mattered.room, set[int]()
        fact = partial_fact(body, asking, self._moment, body.shown)
        state = watched(room.room, parts, looked)
        if [*each.rule(room.undated, state, fact)]:
            return False
        if not {room.kind._fields[number] for number in looked} <= each.reads:
            raise LookedInto
        return True
