"""Numbers for stretches of bytes that lie in large buffers, without an object for each.

Equal numbers stand for equal bytes: where two have one place in the table, the bytes decide. The
numbers count from 0 in the order in which the stretches were first met.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Final, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ledger.kernel.quick_dataclass import dataclass

Numbers = NDArray[np.int64]
Number = TypeVar("Number", np.uint8, np.int64)
EMPTY: Final = -1
"""Marks a place of the table in which no number stands."""
FIRST: Final = 1 << 10
BEYOND: Final = 8
"""So many bytes at least stand behind the last stretch: machine code reads eight at a time."""


@dataclass(slots=True)
class ByteSpans(Sequence[bytes]):
    """The stretches that were numbered, which machine code looks up and adds to.

    Attributes:
        pool: their bytes, one after the other.
        starts: where each begins; the next one's start is where it ends.
        owners: by number, to what each belongs: the same bytes of two owners have two numbers.
        slots: the table: numbers by where their bytes put them.
        size: how many there are, in an array that machine code can set.
    """

    pool: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(FIRST, np.uint8))
    starts: Numbers = field(default_factory=lambda: np.zeros(FIRST + 1, np.int64))
    owners: Numbers = field(default_factory=lambda: np.zeros(FIRST, np.int64))
    slots: Numbers = field(default_factory=lambda: np.full(4 * FIRST, EMPTY, np.int64))
    size: Numbers = field(default_factory=lambda: np.zeros(1, np.int64))

    def __len__(self) -> int:
        return int(self.size[0])

    @overload
    def __getitem__(self, number: int) -> bytes: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[bytes]: ...
    def __getitem__(self, number: int | slice) -> bytes | Sequence[bytes]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        if not 0 <= number < len(self):
            raise IndexError(number)
        return self.pool[self.starts[number] : self.starts[number + 1]].tobytes()

    def reserve(self, spans: int, octets: int) -> bool:
        """Make room for so many more stretches and bytes; return whether the table was emptied.

        An emptied table must be filled anew before anything is looked up in it.
        """
        used, most = int(self.starts[len(self)]), len(self) + spans
        if used + octets + BEYOND > len(self.pool):
            self.pool = _grown(self.pool, used + octets + BEYOND)
        if most > len(self.owners):
            self.owners = _grown(self.owners, most)
            self.starts = _grown(self.starts, len(self.owners) + 1)
        if 2 * most <= len(self.slots):
            return False
        self.slots = np.full(1 << (4 * most - 1).bit_length(), EMPTY, np.int64)
        return True


def _grown(column: NDArray[Number], least: int) -> NDArray[Number]:
    grown = np.zeros(max(least, 2 * len(column)), column.dtype)
    grown[: len(column)] = column
    return grown
