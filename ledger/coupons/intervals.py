"""Values of whole numbers, kept as runs: a range stays one run until a part of it is touched.

Runs lie in blocks, so that touching one costs the same in a million of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, Generic, TypeAlias, TypeVar

V = TypeVar("V")
Parts: TypeAlias = tuple[list[int], list[list[int]], list[list[tuple[int, V]]]]
BLOCK: Final = 512
"""Runs of a block; a block of twice as many is cut in two."""


class IntervalMap(Generic[V]):
    """What each number is; numbers that were never touched are nothing.

    Pickles as its runs. Times and places are the caller's: a value is replaced whole.
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
        """The value of a number, None if it has none."""
        at = bisect_right(self._heads, number) - 1
        if at < 0:
            return None
        place = bisect_right(self._starts[at], number) - 1
        last, content = self._blocks[at][place]
        return content if number <= last else None

    def within(self, first: int, last: int) -> list[tuple[int, int, V | None]]:
        """The runs between two numbers, both included, cut to them; what has none with None."""
        pieces: list[tuple[int, int, V | None]] = []
        at = max(bisect_right(self._heads, first) - 1, 0)
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
        """Give every number from first to last this value."""
        at = max(bisect_right(self._heads, first) - 1, 0)
        if not self._heads:
            self._heads, self._starts, self._blocks = [first], [[first]], [[(last, content)]]
            return
        starts, block = self._starts[at], self._blocks[at]
        low = bisect_right(starts, first) - 1
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
        """Take out of the blocks from ``at`` on what begins up to a number; what outlasts it."""
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

    def parts(self) -> Parts[V]:
        """All that it holds, as plain lists that are still its own."""
        return self._heads, self._starts, self._blocks

    @classmethod
    def of(cls, parts: Parts[V]) -> IntervalMap[V]:
        """The map that has these ``parts``."""
        intervals = cls()
        intervals._heads, intervals._starts, intervals._blocks = parts
        return intervals

    def __reduce__(self) -> tuple[type[IntervalMap[V]], tuple[()], tuple[object, ...]]:
        return IntervalMap, (), (self._heads, self._starts, self._blocks)

    def __setstate__(self, state: tuple[object, ...]) -> None:
        self._heads, self._starts, self._blocks = state  # type: ignore[assignment]
