"""A map from whole numbers to values, kept as runs: a range is one entry until part of it changes.

Runs are kept in blocks, so that changing one costs the same among a million of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, Generic, TypeVar

V = TypeVar("V")
BLOCK: Final = 512
"""How many runs a block holds; a block of more than twice as many is cut in two."""


class IntervalMap(Generic[V]):
    """A value for each whole number; a number that was never given one has none.

    Iterating gives the runs in rising order: first number, last number (included), value. ``len``
    is how many runs there are. A value is always replaced as a whole. Pickles as its runs.

    >>> places = IntervalMap()
    >>> places.put(1, 100, "vault")
    >>> places.put(41, 50, "cage")
    >>> list(places)
    [(1, 40, 'vault'), (41, 50, 'cage'), (51, 100, 'vault')]
    >>> places.get(45), places.get(101)
    ('cage', None)
    >>> places.within(96, 105)
    [(96, 100, 'vault'), (101, 105, None)]
    """

    __slots__ = ("_blocks", "_heads", "_starts")

    def __init__(self) -> None:
        self._heads: list[int] = []
        self._starts: list[list[int]] = []
        self._blocks: list[list[tuple[int, V]]] = []

    def __iter__(self) -> Iterator[tuple[int, int, V]]:
        for starts, block in zip(self._starts, self._blocks, strict=True):
            for first, (last, content) in zip(starts, block, strict=True):
                yield first, last, content

    def __len__(self) -> int:
        return sum(map(len, self._starts))

    def get(self, number: int) -> V | None:
        """Return the value of a number, None if it has none."""
        at = bisect_right(self._heads, number) - 1
        if at < 0:
            return None
        place = bisect_right(self._starts[at], number) - 1
        last, content = self._blocks[at][place]
        return content if number <= last else None

    def within(self, first: int, last: int) -> list[tuple[int, int, V | None]]:
        """Return the runs from ``first`` to ``last`` (included), cut at both ends.

        Numbers without a value form runs of their own, with None.
        """
        at = max(bisect_right(self._heads, first) - 1, 0)
        if at < len(self._heads):  # most are of one run: a coupon by itself, or part of a lot
            place = bisect_right(self._starts[at], first) - 1
            if place >= 0 and last <= self._blocks[at][place][0]:
                return [(first, last, self._blocks[at][place][1])]
        pieces: list[tuple[int, int, V | None]] = []
        reached = first
        while at < len(self._heads) and self._heads[at] <= last:
            starts, block = self._starts[at], self._blocks[at]
            for place in range(max(bisect_right(starts, first) - 1, 0), len(starts)):
                begins, (ends, content) = starts[place], block[place]
                if begins > last:
                    break
                if ends < first:
                    continue
                if begins > reached:
                    pieces.append((reached, begins - 1, None))
                pieces.append((max(begins, first), min(ends, last), content))
                reached = ends + 1
            at += 1
        if reached <= last:
            pieces.append((reached, last, None))
        return pieces

    def put(self, first: int, last: int, content: V) -> None:
        """Give every number from ``first`` to ``last`` (included) this value."""
        at = max(bisect_right(self._heads, first) - 1, 0)
        if not self._heads:
            self._heads, self._starts, self._blocks = [first], [[first]], [[(last, content)]]
            return
        starts, block = self._starts[at], self._blocks[at]
        low = bisect_right(starts, first) - 1
        if low >= 0 and starts[low] == first and block[low][0] == last:
            block[low] = last, content
            return
        if low < 0 or block[low][0] < first:
            low += 1
        new: list[tuple[int, int, V]] = [(first, last, content)]
        if low < len(starts) and starts[low] < first:
            new.insert(0, (starts[low], first - 1, block[low][1]))
        high = bisect_right(starts, last)
        if high > low and block[high - 1][0] > last:
            new.append((last + 1, *block[high - 1]))
        elif high == len(starts):
            new.extend(self._cut(at + 1, last))
        starts[low:high] = [one[0] for one in new]
        block[low:high] = [(one[1], one[2]) for one in new]
        self._heads[at] = starts[0]
        if len(starts) > 2 * BLOCK:
            self._split(at)

    def _cut(self, at: int, last: int) -> list[tuple[int, int, V]]:
        """Remove the runs that begin at or before ``last`` from the blocks from ``at`` on.

        Returns:
            What of the last of them lies beyond ``last``: one run, or none.
        """
        left: list[tuple[int, int, V]] = []
        while at < len(self._heads) and self._heads[at] <= last:
            starts, block = self._starts[at], self._blocks[at]
            high = bisect_right(starts, last)
            ends, content = block[high - 1]
            if ends > last:
                left = [(last + 1, ends, content)]
            if high < len(starts):
                del starts[:high], block[:high]
                self._heads[at] = starts[0]
                break
            del self._heads[at], self._starts[at], self._blocks[at]
        return left

    def _split(self, at: int) -> None:
        starts, block = self._starts[at], self._blocks[at]
        self._starts[at : at + 1] = [starts[:BLOCK], starts[BLOCK:]]
        self._blocks[at : at + 1] = [block[:BLOCK], block[BLOCK:]]
        self._heads[at : at + 1] = [starts[0], starts[BLOCK]]

    @classmethod
    def of(cls, runs: Iterable[tuple[int, int, V]]) -> IntervalMap[V]:
        """The map that has these runs, which are in rising order and apart."""
        intervals, rest = cls(), iter(runs)
        while block := list(islice(rest, BLOCK)):
            intervals._heads.append(block[0][0])
            intervals._starts.append([first for first, _, _ in block])
            intervals._blocks.append([(last, content) for _, last, content in block])
        return intervals

    def __reduce__(self) -> tuple[type[IntervalMap[V]], tuple[()], tuple[object, ...]]:
        return IntervalMap, (), (self._heads, self._starts, self._blocks)

    def __setstate__(self, state: tuple[object, ...]) -> None:
        self._heads, self._starts, self._blocks = state  # type: ignore[assignment]
