"""New entries as they will lie in bundles, in one piece: each after its length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class LaidEntries:
    """Entries in order, each after its length as 16 bits big-endian.

    Args:
        raw: all of them.
        ends: where each ends in it.
    """

    __slots__ = ("ends", "raw")

    def __init__(self, raw: bytes, ends: NDArray[np.int64]) -> None:
        self.raw = raw
        self.ends = ends

    def __len__(self) -> int:
        return len(self.ends)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.entries(0))

    def between(self, first: int, stop: int) -> bytes:
        """Return entries with their lengths, as a bundle of them alone would hold them.

        Args:
            first: the number of the first.
            stop: the number after the last.
        """
        return self.raw[self._begin(first) : self._begin(stop)]

    def entries(self, first: int) -> list[bytes]:
        """Return the bytes of each entry from a number on."""
        begins, out = self._begin(first), []
        for end in self.ends[first:].tolist():
            out.append(self.raw[begins + 2 : end])
            begins = end
        return out

    def _begin(self, number: int) -> int:
        return int(self.ends[number - 1]) if number else 0
