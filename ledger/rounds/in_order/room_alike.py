"""What a room treats alike: facts that say the same to it, and states that are the same to a fact.

A row of the room is asked by those parts of the fact and of the state that its rules were seen to
read. Whatever has the same in these parts has one number here, so machine code asks once for all of
it, at whichever table. The names of a table's things are left out of a state: a row that has to do
with them is asked by the whole of it.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from ledger.events import Fact
from ledger.rounds.in_order.partial_facts import Body, Needed
from ledger.rounds.in_order.room_table import RoomState, RoomTable


class Asked(NamedTuple):
    """By what the facts of a kind are asked about.

    Attributes:
        number: of the kind, another one each time that more is found to matter.
        needed: the parts of the fact that matter.
        looked: the numbers of the fields of the state that matter.
    """

    number: int
    needed: Needed
    looked: tuple[int, ...]


class RoomAlike:
    """Numbers for what one room treats alike.

    A number that was given stays right: what was answered for it was found by reading no more than
    these parts. Where more matters by now, other numbers are given.

    Args:
        room: its rows.
    """

    def __init__(self, room: RoomTable) -> None:
        self._room = room
        self._asked: dict[type[Fact], Asked] = {}
        self._by_number: list[Asked] = []
        self._facts: dict[Hashable, int] = {}
        self._states: dict[Hashable, int] = {}

    def asked(self, kind: type[Fact]) -> Asked:
        """Return by what the facts of a kind are asked about by now."""
        rows = self._room.rows(kind)
        known = self._asked.get(kind)
        if known is None or known[1:] != (rows.needed, rows.looked):
            known = Asked(len(self._by_number), rows.needed, rows.looked)
            self._asked[kind] = known
            self._by_number.append(known)
        return known

    def fact(self, body: Body) -> tuple[int, int]:
        """Return the number of a fact's kind, and one for all facts that say the same."""
        asked = self.asked(body.kind)
        name = asked.number, body.parts(asked.needed)
        return asked.number, self._facts.setdefault(name, len(self._facts))

    def state(self, state: RoomState, kind: int) -> int:
        """Return a number for all states that are alike to the facts of a kind, by its number."""
        named = self._room.named
        parts = [state.parts[one] for one in self._by_number[kind].looked if one not in named]
        return self._states.setdefault((kind, *parts), len(self._states))
