"""The kept rows of a stream in blocks, of which only those are read that somebody asks for.

A question is about a day or a round; the rows of all the years before it stay unread.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate
from struct import Struct
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
Column = Literal["seq", "time", "position"]


class Block(NamedTuple):
    """Rows one after the other.

    Attributes:
        rows: how many.
        seq, time, position: of the first row.
        read: returns the rows.
    """

    rows: int
    seq: int
    time: int
    position: int
    read: Callable[[], Rows]

    @classmethod
    def of(cls, rows: Rows) -> Block:
        """Return a block of rows that are there; at least one."""
        seq, time, position = (int(rows[name][0]) for name in ("seq", "time", "position"))
        return cls(len(rows), seq, time, position, lambda: rows)


class RowBlocks:
    """The rows of a stream whose numbers, times and positions only rise.

    Args:
        blocks: in order.
    """

    __slots__ = ("_blocks", "_firsts", "_is_read", "_rows", "_starts")

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._blocks = tuple(blocks)
        self._starts = [0, *accumulate(block.rows for block in self._blocks)]
        self._rows = np.empty(self._starts[-1], ROW)  # takes memory where a block is read
        self._is_read = [False] * len(self._blocks)
        self._firsts: dict[Column, list[int]] = {
            "seq": [block.seq for block in self._blocks],
            "time": [block.time for block in self._blocks],
            "position": [block.position for block in self._blocks],
        }

    def __len__(self) -> int:
        return self._starts[-1]

    def between(self, low: int, high: int) -> Rows:
        """Return the rows [low, high), as a slice does."""
        low, high, _ = slice(low, high).indices(len(self))
        if low >= high:
            return self._rows[:0]
        first = bisect_right(self._starts, low) - 1
        for number in range(first, bisect_left(self._starts, high)):
            if not self._is_read[number]:
                start, stop = self._starts[number : number + 2]
                self._rows[start:stop] = self._blocks[number].read()
                self._is_read[number] = True
        return self._rows[low:high]

    def row_at(self, column: Column, least: int) -> int:
        """Return the first row in which a column is not less than this; their number if none is."""
        after = bisect_left(self._firsts[column], least)
        if not after:
            return 0
        start, stop = self._starts[after - 1 : after + 1]
        return start + int(np.searchsorted(self.between(start, stop)[column], least))
