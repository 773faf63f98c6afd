"""A room that is asked with the facts of one round as they are, where no row tells of one.

Which die was disputed, or when dice were first placed, no row knows. Whoever reads a round asks the
rules themselves then; all else about it stays as it is where rows are asked.
"""

from __future__ import annotations

from typing import Any

from ledger.events import Fact
from ledger.games.room import Rules
from ledger.rounds.in_order.room_table import (
    IS_KNOWABLE,
    IS_OPEN,
    RoomState,
    RoomTable,
    Transition,
    pends,
)
from ledger.rounds.in_order.unlooked import LookedInto


class StateAsItIs(RoomState):
    """A state of which no part is numbered.

    Args:
        table: the rows of its room.
        state: it.
    """

    __slots__ = ("_room",)

    def __init__(self, table: RoomTable, state: Any) -> None:
        super().__init__(state, (), IS_OPEN * state.betting_open + IS_KNOWABLE * state.knowable)
        self._room = table.room

    def is_open_to(self, wager: int) -> bool:
        """Whether a wager may be touched whose kind has this number."""
        room = self._room
        name = room.wagers[wager].name
        return room.closed_to is not None and room.closed_to(self.state, name, False) is None


class RoomForReal:
    """The room in one round.

    Args:
        table: its rows.
        before: its state before the round. What is not known of it, the opening writes, whatever
            stood there.

    Attributes:
        opened: that state, as the rules are given it.
    """

    __slots__ = ("_table", "opened")

    def __init__(self, table: RoomTable, before: RoomState) -> None:
        self._table = table
        initial: Any = table.room.initial
        known = [
            part.content if part.is_known else first
            for part, first in zip(before.parts, initial, strict=True)
        ]
        self.opened = self._of(tuple.__new__(table.kind, known))

    @staticmethod
    def serves(table: RoomTable) -> bool:
        """Whether no wager outlives a round there: the state knows all that lie on the layout."""
        return table.closes_apart and not table.room.outlive

    def _of(self, state: Any) -> RoomState:
        return StateAsItIs(self._table, state)

    def step(self, before: RoomState, rules: Rules, fact: Fact) -> Transition | None:
        """Return what a fact leads to; None: it falls back."""
        room, pending = self._table.room, self._pending(before.state)
        rulings = room.decide(rules, before.state, fact)
        after = room.evolve(before.state, fact)
        for ruling in rulings:
            after = room.evolve(after, ruling)
        thrown = self._pending(after)
        try:
            effect = self._table.found(rulings, pending, fact)
            is_thrown = thrown is not pending and pends(thrown, fact)
        except LookedInto:
            return None
        if effect is None:
            return None
        effect = effect._replace(pends=is_thrown)
        return Transition(self._of(after), effect, effect.is_plain)

    def _pending(self, state: Any) -> Any:
        place = self._table.pending_in
        return None if place is None else state[place]

    def ended(self, state: RoomState) -> RoomState | None:
        """Return the state after the round, with its rows; None where there are too many."""
        try:
            return self._table.state(state.state)
        except LookedInto:
            return None
