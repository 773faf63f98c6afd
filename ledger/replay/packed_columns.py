"""Rows as few bytes: each column by the differences from row to row, as narrow as they are."""

from __future__ import annotations

import zlib
from struct import Struct
from typing import Final

import numpy as np
from numpy.typing import NDArray

_HEAD: Final = Struct("<qB")
"""Before each column: its first number, and how many bytes each difference has."""
_COUNT: Final = Struct("<q")


def pack_columns(rows: NDArray[np.void]) -> bytes:
    """Return rows whose columns are whole numbers as bytes; no rows are no bytes."""
    if not len(rows):
        return b""
    out = [_COUNT.pack(len(rows))]
    for name in rows.dtype.names or ():
        column = rows[name].astype(np.int64)
        steps = np.diff(column)
        width = _width(steps)
        out += [_HEAD.pack(int(column[0]), width), steps.astype(f"<i{width}").tobytes()]
    return zlib.compress(b"".join(out), level=1)


def unpack_columns(packed: bytes, kind: np.dtype[np.void]) -> NDArray[np.void]:
    """Return the rows of bytes that ``pack_columns`` gave for rows of this kind."""
    if not packed:
        return np.empty(0, kind)
    plain = zlib.decompress(packed)
    (count,) = _COUNT.unpack_from(plain)
    rows, at = np.empty(count, kind), _COUNT.size
    for name in kind.names or ():
        first, width = _HEAD.unpack_from(plain, at)
        column = np.empty(count, np.int64)
        column[0] = first
        column[1:] = np.frombuffer(plain, f"<i{width}", count - 1, at + _HEAD.size)
        rows[name] = np.cumsum(column)
        at += _HEAD.size + width * (count - 1)
    return rows


def _width(steps: NDArray[np.int64]) -> int:
    """How many bytes hold each of these numbers."""
    low, high = (int(steps.min()), int(steps.max())) if len(steps) else (0, 0)
    bits = max(low.bit_length(), high.bit_length()) + 1
    return next(width for width in (1, 2, 4, 8) if bits <= 8 * width)
