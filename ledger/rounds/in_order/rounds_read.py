"""What was read of a table's rounds, as columns of numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ledger.rounds.in_order.row_numbers import NONE

Numbers = NDArray[np.int64]
FIRST, ENDS, HOUSE_AFTER, REAL_AFTER = range(4)
DECIDED, DECIDED_AT, TAKEN, PAID, LAST_WAGER, LAST_WRITTEN = range(4, 10)
NAME, LAID, PLACED, SETTLED, OWED, NOTED, BY, BY_AT = range(8)


class RoundsRead:
    """The rounds of a table that were read, one after the other, with their wagers.

    Args:
        rounds: how many there may be.
        facts: how many facts they may have.
        width: how many numbers a state of the room has.

    Attributes:
        rounds: by column and number of the round: the rows of its first fact and of the fact that
            opens the next one; the state of the house after it, and as it is known for real
            (``NONE``: it has no number); what decided it, and the row of that fact; stakes taken
            and winnings paid, in cents; how many wagers, and how many written rows, there are up to
            its end.
        rooms: by number of the round, the numbers of the parts of the room's state after it.
        wagers: by column and number of the wager: its name, how it lies, the row that placed it,
            the row that settled it, what it came to (``NONE``: it has none); where wagers close
            apart, what the room noted with it, what decided it, and the row of that fact.
        written: the rows of facts that change who sits or works at the table.
        count: how many rounds there are.
    """

    __slots__ = ("count", "rooms", "rounds", "wagers", "written")

    def __init__(self, rounds: int, facts: int, width: int) -> None:
        self.rounds: Numbers = np.zeros((10, rounds + 1), np.int64)
        self.rooms: Numbers = np.zeros((rounds + 1, width), np.int64)
        self.wagers: Numbers = np.zeros((8, facts + 1), np.int64)
        self.written: Numbers = np.zeros(facts + 1, np.int64)
        self.count = 0

    def before(self, number: int, column: int) -> int:
        """Return how many wagers, or written rows, come before a round: ``column`` says which."""
        return int(self.rounds[column, number - 1]) if number else 0

    def get(self, number: int, column: int) -> int:
        """Return a number of a round."""
        return int(self.rounds[column, number])

    def wagers_of(self, number: int) -> Numbers:
        """Return the wagers of a round, by column."""
        return self.wagers_between(number, number + 1)

    def wagers_between(self, first: int, ends: int) -> Numbers:
        """Return the wagers of some rounds, by column."""
        return self.wagers[:, self.before(first, LAST_WAGER) : self.before(ends, LAST_WAGER)]

    def written_between(self, first: int, ends: int) -> list[int]:
        """Return the written rows of some rounds."""
        rows: list[int] = self.written[
            self.before(first, LAST_WRITTEN) : self.before(ends, LAST_WRITTEN)
        ].tolist()
        return rows

    def add(
        self,
        of_round: tuple[int, ...],
        room: Numbers,
        wagers: Sequence[tuple[int, ...]],
        written: list[int],
    ) -> None:
        """Add a round that the readable reader read.

        Args:
            of_round: its columns, without the last two.
            room: the numbers of the room's state after it.
            wagers: the columns of its wagers.
            written: its written rows.
        """
        place = self.count
        last, writes = self.before(place, LAST_WAGER), self.before(place, LAST_WRITTEN)
        while last + len(wagers) > self.wagers.shape[1]:  # some stand in many rounds
            self.wagers = np.concatenate([self.wagers, np.zeros_like(self.wagers)], axis=1)
        if wagers:
            self.wagers[:, last : last + len(wagers)] = np.array(wagers, np.int64).T
        self.written[writes : writes + len(written)] = written
        self.rooms[place] = room
        self.rounds[:, place] = (*of_round, last + len(wagers), writes + len(written))
        self.count += 1


__all__ = ["NONE", "RoundsRead"]
