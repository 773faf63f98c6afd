"""The kept rows of a stream in blocks, of which only those are read that somebody asks for.

A question is about a day or a round; the rows of all the years before it stay unread. Blocks end
where a stream pauses, so that asking which days it has facts on reads none.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from struct import Struct
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ledger.kernel import MICROSECONDS
from ledger.replay.merge_time import Times, merge_times
from ledger.replay.scratch_file import ScratchFile, can_be_shared

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
SMALL_BLOCKS: Final = 12
"""So many blocks of what came last stay as small as they came."""
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


class MergedRows(NamedTuple):
    """The facts of a stream in order.

    Attributes:
        rows: its facts by sequence number, after amendments; the length of a withdrawn one is 0.
        times: the merge time of each row, in microseconds UTC.
        is_rising: whether the merge times are the event times.
        has_strays: whether a merge time may depend on facts that come after it.
    """

    rows: Rows
    times: Times
    is_rising: bool
    has_strays: bool

    @classmethod
    def of(cls, rows: Rows) -> MergedRows:
        """Merge rows that are in order."""
        times, has_strays = merge_times(rows["time"])
        is_rising = not has_strays and bool((times == rows["time"]).all())
        return cls(rows, times, is_rising, has_strays)


def _unread() -> Rows:
    """Stands for the reader of a block that is never read by itself."""
    raise AssertionError("a block of rows that are mapped was read by itself")


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


def joined_blocks(blocks: list[Block], most: int = BLOCK_ROWS) -> list[Block]:
    """Join older ones of many small blocks, so that a stream has few, however often rows came.

    The newest stay small: they are the ones that are asked for.

    Args:
        blocks: in order.
        most: rows of a joined block at most, unless the first has more.
    """
    small = next((at for at, block in enumerate(blocks) if block.rows < most // 2), len(blocks))
    if len(blocks) - small < 2 * SMALL_BLOCKS:
        return blocks
    parts, rows = [blocks[small]], blocks[small].rows
    for block in blocks[small + 1 : -SMALL_BLOCKS]:
        if rows + block.rows > most:
            break
        parts.append(block)
        rows += block.rows

    def read() -> Rows:
        return np.concatenate([part.read() for part in parts])

    whole = Block(rows, parts[0].first, parts[-1].last, read)
    return [*blocks[:small], whole, *blocks[small + len(parts) :]]


class ScratchRows(NamedTuple):
    """Rows that lie in a scratch file.

    Attributes:
        scratch: the file.
        at: where they begin, in bytes.
        rows: how many.
    """

    scratch: ScratchFile
    at: int
    rows: int

    def read(self) -> Rows:
        """Return the rows, in memory."""
        return np.frombuffer(self.scratch.read(self.at, self.rows * ROW.itemsize), ROW)

    def mapped(self) -> Rows:
        """Return the rows as they lie in the file, which begin at a page there."""
        return np.frombuffer(self.scratch.mapped(self.at, self.rows * ROW.itemsize), ROW)

    @classmethod
    def joined(cls, parts: Sequence[ScratchRows], more: Rows) -> ScratchRows | None:
        """Write rows of one file, and more, one after the other; None where there is no room.

        Args:
            parts: at least one.
            more: rows in memory.
        """
        scratch = parts[0].scratch
        scratch.align()
        places = [scratch.append(part.read().data) for part in parts]
        if len(more):
            places.append(scratch.append(more.data))
        if places[0] is None or places[-1] is None:
            return None
        return cls(scratch, places[0], sum(part.rows for part in parts) + len(more))


class RowBlocks:
    """The rows of a stream whose numbers, times and positions only rise.

    Args:
        blocks: in order.
    """

    __slots__ = (
        "_blocks",
        "_columns",
        "_firsts",
        "_is_read",
        "_lasts",
        "_mapped",
        "_rows",
        "_starts",
    )

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._blocks = tuple(blocks)
        self._starts = [0, *accumulate(block.rows for block in self._blocks)]
        self._rows = np.empty(self._starts[-1], ROW)  # takes memory where a block is read
        self._columns: dict[Column, NDArray[np.int64]] = {}
        self._is_read = [False] * len(self._blocks)
        self._mapped: ScratchRows | None = None
        self._firsts = {
            name: [block.first[at] for block in self._blocks] for at, name in enumerate(COLUMNS)
        }
        self._lasts = {
            name: [block.last[at] for block in self._blocks] for at, name in enumerate(COLUMNS)
        }

    @classmethod
    def over(cls, mapped: ScratchRows) -> RowBlocks:
        """Return the blocks of rows that lie in a scratch file; they are read from there."""
        rows = mapped.mapped()
        out = cls(block._replace(read=_unread) for block in blocks_of(rows))
        mapped.scratch.looked_at(rows.nbytes)
        out._map(mapped, rows)
        return out

    def _map(self, mapped: ScratchRows, rows: Rows) -> None:
        self._mapped, self._rows, self._columns = mapped, rows, {}
        self._is_read = [True] * len(self._blocks)

    def is_shared(self) -> bool:
        """Whether a process that is being started just now reads these rows from where they lie."""
        return self._mapped is not None and can_be_shared()

    def merged(self) -> MergedRows:
        """Return all rows, which are in order as they are."""
        rows = self.between(0, len(self))
        return MergedRows(rows, np.ascontiguousarray(rows["time"]), True, False)

    def __getstate__(self) -> tuple[tuple[Block, ...], ScratchRows]:
        """Only what lies in a scratch file is copied to another process."""
        assert self._mapped is not None
        return self._blocks, self._mapped

    def __setstate__(self, state: tuple[tuple[Block, ...], ScratchRows]) -> None:
        blocks, mapped = state
        RowBlocks.__init__(self, blocks)
        self._map(mapped, mapped.mapped())

    def __len__(self) -> int:
        return self._starts[-1]

    def between(self, low: int, high: int) -> Rows:
        """Return the rows [low, high), as a slice does."""
        low, high, _ = slice(low, high).indices(len(self))
        if low >= high:
            return self._rows[:0]
        for number in range(self._block_of(low), bisect_left(self._starts, high)):
            if not self._is_read[number]:
                self._read(number)
        if self._mapped is not None:
            self._mapped.scratch.looked_at((high - low) * ROW.itemsize)
        return self._rows[low:high]

    def entry(self, column: Column, row: int) -> int:
        """Return what stands in a column of a row; the ends of a block are known unread."""
        number = self._block_of(row)
        if row == self._starts[number]:
            return self._firsts[column][number]
        if row == self._starts[number + 1] - 1:
            return self._lasts[column][number]
        if not self._is_read[number]:
            self._read(number)
        if self._mapped is not None:
            self._mapped.scratch.looked_at(ROW.itemsize)
        if column not in self._columns:
            self._columns[column] = self._rows[column]
        return int(self._columns[column].item(row))

    def _read(self, number: int) -> None:
        """Read a block that was not read yet."""
        start, stop = self._starts[number : number + 2]
        self._rows[start:stop] = self._blocks[number].read()
        self._is_read[number] = True

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


class GrowingRows:
    """Rows of a stream that grows: those that were put away, and in memory those that came since.

    Args:
        before: those that were put away.
        fresh: those after them; they may lie in an array that goes on.
    """

    __slots__ = ("_before", "_columns", "_fresh", "_start")

    def __init__(self, before: RowBlocks, fresh: Rows) -> None:
        self._before, self._fresh, self._start = before, fresh, len(before)
        self._columns: dict[Column, NDArray[np.int64]] = {}

    def __len__(self) -> int:
        return self._start + len(self._fresh)

    def is_shared(self) -> bool:
        """Another process reads none of these."""
        return False

    def merged(self) -> MergedRows:
        """Return all rows, which are in order as they are."""
        rows = self.between(0, len(self))
        return MergedRows(rows, np.ascontiguousarray(rows["time"]), True, False)

    def between(self, low: int, high: int) -> Rows:
        """Return the rows [low, high), as a slice does."""
        start = self._start
        low, high, _ = slice(low, high).indices(len(self))
        if low >= start:
            return self._fresh[low - start : max(high - start, 0)]
        before = self._before.between(low, min(high, start))
        return before if high <= start else np.concatenate([before, self._fresh[: high - start]])

    def entry(self, column: Column, row: int) -> int:
        """Return what stands in a column of a row."""
        if row < self._start:
            return self._before.entry(column, row)
        return int(self._column(column).item(row - self._start))

    def row_at(self, column: Column, least: int) -> int:
        """Return the first row in which a column is not less than this; their number if none is."""
        before = self._before.row_at(column, least)
        if before < self._start:
            return before
        return before + bisect_left(self._column(column), least)  # few are looked at

    def _column(self, column: Column) -> NDArray[np.int64]:
        if column not in self._columns:
            self._columns[column] = self._fresh[column]
        return self._columns[column]
