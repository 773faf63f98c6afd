"""The kept rows of a stream in blocks, of which only those are read that somebody asks for.

A question is about a day or a round; the rows of all the years before it stay unread. Blocks end
where a stream pauses, so that asking which days it has facts on reads none.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, pairwise
from struct import Struct
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ledger.kernel import MICROSECONDS

PACKED_ROW: Final = Struct("<qqIIHHH")
ROW: Final = np.dtype(
    [
        ("seq", "<i8"),
        ("time", "<i8"),
        ("position", "<u4"),
        ("offset", "<u4"),  # of the framed event in its bundle
        ("length", "<u2"),
        ("source", "<u2"),
        ("kind", "<u2"),  # of its event: see kind_numbers
    ]
)
Rows = NDArray[np.void]
"""Rows with the columns of ``ROW``."""
BLOCK_ROWS: Final = 16_384
"""Rows of a block at most: a table's day is one or two of them."""
PAUSE_MICROS: Final = 2 * 3_600 * MICROSECONDS
"""How long a stream pauses where a block ends, as it does between two gaming days."""
PAUSE_ROWS: Final = 512
"""Rows of a block at least that ends at a pause."""
COLUMNS: Final = ("seq", "time", "position")
Column = Literal["seq", "time", "position"]


class Block(NamedTuple):
    """Rows one after the other.

    Attributes:
        rows: how many.
        first, last: the columns ``COLUMNS`` of the first row and of the last one.
        read: returns the rows.
    """

    rows: int
    first: list[int]
    last: list[int]
    read: Callable[[], Rows]

    @classmethod
    def of(cls, rows: Rows) -> Block:
        """Return a block of rows that are there; at least one."""
        first, last = ([int(rows[name][at]) for name in COLUMNS] for at in (0, -1))
        return cls(len(rows), first, last, lambda: rows)


def blocks_of(rows: Rows, most: int = BLOCK_ROWS) -> Iterator[Block]:
    """Cut rows into blocks of so many at most."""
    times = rows["time"]
    pauses = np.flatnonzero(np.diff(times) > PAUSE_MICROS) + 1
    cuts = [0]
    for cut in [*pauses.tolist(), len(rows)]:
        if cut - cuts[-1] >= PAUSE_ROWS or cut == len(rows):
            cuts += [*range(cuts[-1] + most, cut, most), cut]
    for start, stop in pairwise(cuts):
        if start < stop:
            yield Block.of(rows[start:stop])


class RowBlocks:
    """The rows of a stream whose numbers, times and positions only rise.

    Args:
        blocks: in order.
    """

    __slots__ = ("_blocks", "_firsts", "_is_read", "_lasts", "_rows", "_starts")

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._blocks = tuple(blocks)
        self._starts = [0, *accumulate(block.rows for block in self._blocks)]
        self._rows = np.empty(self._starts[-1], ROW)  # takes memory where a block is read
        self._is_read = [False] * len(self._blocks)
        self._firsts = {
            name: [block.first[at] for block in self._blocks] for at, name in enumerate(COLUMNS)
        }
        self._lasts = {
            name: [block.last[at] for block in self._blocks] for at, name in enumerate(COLUMNS)
        }

    def __len__(self) -> int:
        return self._starts[-1]

    def between(self, low: int, high: int) -> Rows:
        """Return the rows [low, high), as a slice does."""
        low, high, _ = slice(low, high).indices(len(self))
        if low >= high:
            return self._rows[:0]
        for number in range(self._block_of(low), bisect_left(self._starts, high)):
            if not self._is_read[number]:
                start, stop = self._starts[number : number + 2]
                self._rows[start:stop] = self._blocks[number].read()
                self._is_read[number] = True
        return self._rows[low:high]

    def entry(self, column: Column, row: int) -> int:
        """Return what stands in a column of a row; the ends of a block are known unread."""
        number = self._block_of(row)
        if row == self._starts[number]:
            return self._firsts[column][number]
        if row == self._starts[number + 1] - 1:
            return self._lasts[column][number]
        return int(self.between(row, row + 1)[column][0])

    def row_at(self, column: Column, least: int) -> int:
        """Return the first row in which a column is not less than this; their number if none is."""
        number = bisect_left(self._lasts[column], least) if self._blocks else 0
        if number == len(self._blocks):
            return len(self)
        start, stop = self._starts[number : number + 2]
        if self._firsts[column][number] >= least:
            return start
        return start + int(np.searchsorted(self.between(start, stop)[column], least))

    def _block_of(self, row: int) -> int:
        return bisect_right(self._starts, row) - 1
