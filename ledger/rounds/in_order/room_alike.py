"""Facts that say the same to a room, at whichever table, and by which fields it asks of its state.

A row of the room is asked by those parts of the fact and of the state that its rules were seen to
read. Whatever has the same in these parts is asked once, by numbers.
"""

from __future__ import annotations

from collections.abc import Hashable

from ledger.rounds.in_order.apart_rows import ApartMattered
from ledger.rounds.in_order.partial_facts import Body
from ledger.rounds.in_order.room_rows import Looked
from ledger.rounds.in_order.room_table import RoomTable


class RoomAlike:
    """Numbers for what one room treats alike.

    A number that was given stays right: what was answered for it was found by reading no more than
    these parts. Where more matters by now, another number is given.

    Args:
        room: its rows.

    Attributes:
        looked: by which fields of a state is asked, by number.
        ways: how facts are asked that say the same, by number: one after the other, by which fields
            and as what.
    """

    def __init__(self, room: RoomTable) -> None:
        self._room = room
        self._by_fields: dict[Looked, int] = {}
        self._numbers: dict[Hashable, int] = {}
        self._alone: dict[str, Looked] = {}
        self._ways: dict[int, int] = {}
        self.looked: list[Looked] = []
        self.ways: list[list[tuple[int, int]]] = []

    def fact(self, body: Body) -> int:
        """Return the number of the ways in which all facts are asked that say the same."""
        rows = self._room.rows(body.kind)
        says, ways = body.parts(rows.needed), rows.looked(body)
        number = self._numbers.setdefault(
            ("ways", body.kind, rows.needed, says, ways), len(self._numbers)
        )
        known = self._ways.get(number)
        if known is None:
            known = self._ways[number] = len(self.ways)
            pairs = [self.way(body, looked) for looked in ways or ((),)]
            self.ways.append(pairs)
        return known

    def way(self, body: Body, looked: Looked) -> tuple[int, int]:
        """Return by which fields a fact is asked in one way, and as what."""
        needed = self._room.rows(body.kind).needed
        return self._number(looked, (body.kind, needed, body.parts(needed), looked))

    def apart(self, body: Body, mattered: ApartMattered) -> tuple[int, int]:
        """Return the same for the rules that stand apart."""
        needed, looked = mattered.asked_by(body)
        return self._number(looked, ("apart", body.kind, needed, body.parts(needed)))

    def compared(self, body: Body) -> tuple[int, int]:
        """Return the same for how a fact compares with the last throw."""
        rows = self._room.compared_rows(body.kind)
        says = body.parts(rows.needed)
        looked = next(iter(rows.looked(body)), ())
        return self._number(looked, ("compared", body.kind, rows.needed, says, looked))

    def alone(self, question: str, looked: frozenset[int] = frozenset()) -> tuple[int, int]:
        """Return by which fields a question about a state alone is asked, and its number.

        Args:
            question: its name.
            looked: the fields that were found to matter to it; they matter from now on.
        """
        more = tuple(sorted(looked.union(self._alone.get(question, ()))))
        self._alone[question] = more
        return self._number(more, (question, more))

    def _number(self, looked: Looked, name: Hashable) -> tuple[int, int]:
        fields = self._by_fields.get(looked)
        if fields is None:
            fields = self._by_fields[looked] = len(self.looked)
            self.looked.append(looked)
        return fields, self._numbers.setdefault(name, len(self._numbers))
