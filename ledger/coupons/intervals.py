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

    __slots__ = ("_contents", "_heads", "_lasts", "_starts")

    def __init__(self) -> None:
        self._heads: list[int] = []
        self._starts: list[list[int]] = []
        self._lasts: list[list[int]] = []
        self._contents: list[list[V]] = []

    def __iter__(self) -> Iterator[tuple[int, int, V]]:
        for block in zip(self._starts, self._lasts, self._contents, strict=True):
            yield from zip(*block, strict=True)

    def __len__(self) -> int:
        return sum(map(len, self._starts))

    def get(self, number: int) -> V | None:
        """Return the value of a number, None if it has none."""
        at = bisect_right(self._heads, number) - 1
        if at < 0:
            return None
        place = bisect_right(self._starts[at], number) - 1
        return self._contents[at][place] if number <= self._lasts[at][place] else None

    def get_each(self, numbers: Iterable[int]) -> list[V | None]:
        """Return the value of each of many numbers, as ``get`` does; quickest in rising order."""
        values: list[V | None] = []
        begins, ends = 0, 0  # of the block that the number before lies in
        starts, lasts, contents = [], [], []
        for number in numbers:
            if not begins <= number < ends:
                at = bisect_right(self._heads, number) - 1
                if at < 0:
                    values.append(None)
                    continue
                begins, ends = self._reach(at)
                starts, lasts, contents = self._starts[at], self._lasts[at], self._contents[at]
            place = bisect_right(starts, number) - 1
            values.append(contents[place] if number <= lasts[place] else None)
        return values

    def _reach(self, at: int) -> tuple[int, int]:
        """Return the first number of a block, and the first that is beyond it."""
        if at + 1 < len(self._heads):
            return self._heads[at], self._heads[at + 1]
        return self._heads[at], self._lasts[at][-1] + 1

    def within(self, first: int, last: int) -> list[tuple[int, int, V | None]]:
        """Return the runs from ``first`` to ``last`` (included), cut at both ends.

        Numbers without a value form runs of their own, with None.
        """
        at = max(bisect_right(self._heads, first) - 1, 0)
        if at < len(self._heads):  # most are of one run: a coupon by itself, or part of a lot
            place = bisect_right(self._starts[at], first) - 1
            if place >= 0 and last <= self._lasts[at][place]:
                return [(first, last, self._contents[at][place])]
        pieces: list[tuple[int, int, V | None]] = []
        reached = first
        while at < len(self._heads) and self._heads[at] <= last:
            starts, lasts = self._starts[at], self._lasts[at]
            for place in range(max(bisect_right(starts, first) - 1, 0), len(starts)):
                begins, ends = starts[place], lasts[place]
                if begins > last:
                    break
                if ends < first:
                    continue
                if begins > reached:
                    pieces.append((reached, begins - 1, None))
                pieces.append((max(begins, first), min(ends, last), self._contents[at][place]))
                reached = ends + 1
            at += 1
        if reached <= last:
            pieces.append((reached, last, None))
        return pieces

    def put(self, first: int, last: int, content: V) -> None:
        """Give every number from ``first`` to ``last`` (included) this value."""
        at = bisect_right(self._heads, first) - 1
        if at < 0:
            if not self._heads:
                self._heads, self._starts = [first], [[first]]
                self._lasts, self._contents = [[last]], [[content]]
                return
            at = 0
        starts = self._starts[at]
        place = bisect_right(starts, first) - 1
        if place >= 0 and last <= self._lasts[at][place]:
            self._put_within(at, place, first, last, content)
        else:
            self._put_across(at, first, last, content)
        if len(starts) > 2 * BLOCK:
            self._split(at)

    def put_each(self, values: Iterable[tuple[int, V]]) -> None:
        """Give each of many numbers its value, as ``put`` does; quickest in rising order."""
        begins, ends = 0, 0  # of the block that the number before lies in
        starts, lasts, known = [], [], []
        for number, content in values:
            if not begins <= number < ends:
                at = bisect_right(self._heads, number) - 1
                if at >= 0:
                    begins, ends = self._reach(at)
                    starts, lasts, known = self._starts[at], self._lasts[at], self._contents[at]
            place = bisect_right(starts, number) - 1
            if place >= 0 and starts[place] == number == lasts[place]:
                known[place] = content
            else:  # a run is cut, and perhaps its block
                self.put(number, number, content)
                begins, ends = 0, 0

    def _put_within(self, at: int, place: int, first: int, last: int, content: V) -> None:
        """Put numbers that lie in one run: nearly always a coupon by itself, or part of a lot."""
        starts, lasts, contents = self._starts[at], self._lasts[at], self._contents[at]
        begins, ends = starts[place], lasts[place]
        if begins < first:
            starts.insert(place + 1, first)
            lasts.insert(place, first - 1)
            contents.insert(place, contents[place])
            place += 1
        if last < ends:
            starts.insert(place + 1, last + 1)
            lasts.insert(place, last)
            contents.insert(place, content)
        else:
            contents[place] = content

    def _put_across(self, at: int, first: int, last: int, content: V) -> None:
        """Put numbers of several runs, or of none."""
        starts, lasts, contents = self._starts[at], self._lasts[at], self._contents[at]
        low = bisect_right(starts, first) - 1
        if low < 0 or lasts[low] < first:
            low += 1
        new: list[tuple[int, int, V]] = [(first, last, content)]
        if low < len(starts) and starts[low] < first:
            new.insert(0, (starts[low], first - 1, contents[low]))
        high = bisect_right(starts, last)
        if high > low and lasts[high - 1] > last:
            new.append((last + 1, lasts[high - 1], contents[high - 1]))
        elif high == len(starts):
            new.extend(self._cut(at + 1, last))
        starts[low:high] = [run[0] for run in new]
        lasts[low:high] = [run[1] for run in new]
        contents[low:high] = [run[2] for run in new]
        self._heads[at] = starts[0]

    def _cut(self, at: int, last: int) -> list[tuple[int, int, V]]:
        """Remove the runs that begin at or before ``last`` from the blocks from ``at`` on.

        Returns:
            What of the last of them lies beyond ``last``: one run, or none.
        """
        left: list[tuple[int, int, V]] = []
        while at < len(self._heads) and self._heads[at] <= last:
            starts, lasts, contents = self._starts[at], self._lasts[at], self._contents[at]
            high = bisect_right(starts, last)
            if lasts[high - 1] > last:
                left = [(last + 1, lasts[high - 1], contents[high - 1])]
            if high < len(starts):
                del starts[:high], lasts[:high], contents[:high]
                self._heads[at] = starts[0]
                break
            del self._heads[at], self._starts[at], self._lasts[at], self._contents[at]
        return left

    def _split(self, at: int) -> None:
        starts, lasts, contents = self._starts[at], self._lasts[at], self._contents[at]
        self._starts[at : at + 1] = [starts[:BLOCK], starts[BLOCK:]]
        self._lasts[at : at + 1] = [lasts[:BLOCK], lasts[BLOCK:]]
        self._contents[at : at + 1] = [contents[:BLOCK], contents[BLOCK:]]
        self._heads[at : at + 1] = [starts[0], starts[BLOCK]]

    @classmethod
    def of(cls, runs: Iterable[tuple[int, int, V]]) -> IntervalMap[V]:
        """The map that has these runs, which are in rising order and apart."""
        intervals, rest = cls(), iter(runs)
        while block := list(islice(rest, BLOCK)):
            intervals._heads.append(block[0][0])
            intervals._starts.append([first for first, _, _ in block])
            intervals._lasts.append([last for _, last, _ in block])
            intervals._contents.append([content for _, _, content in block])
        return intervals

    def __reduce__(self) -> tuple[type[IntervalMap[V]], tuple[()], tuple[object, ...]]:
        return IntervalMap, (), (self._heads, self._starts, self._lasts, self._contents)

    def __setstate__(self, state: tuple[object, ...]) -> None:
        self._heads, self._starts, self._lasts, self._contents = state  # type: ignore[assignment]
