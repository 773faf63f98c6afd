"""The records of a decompressed Kafka batch, told apart in machine code: the twin of the library.

It finds key and value of each record in a batch that is well formed throughout, and gives up on
any other: the library then reads that batch record by record, and says what is wrong with which.
No byte is read beyond the end of its record, whatever a length says.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numba
import numba.types

from ledger.kernel.machine_code import compiled

LEAST_BYTES: Final = 7
"""A record is no shorter: its length, and six numbers of one byte each."""
SHORT: Final = 4
"""Bytes of a number up to 2**27; a longer length is left to the library."""
LONG: Final = 9
"""Bytes of a time since the batch's first one."""


@numba.njit
def _after(raw, at, stop, most):  # type: ignore[no-untyped-def]
    """Where a number ends that starts here; -1 where it does not end in time."""
    for last in range(at, min(stop, at + most)):
        if raw[last] < 128:
            return last + 1
    return -1


@numba.njit
def _number(raw, at, after):  # type: ignore[no-untyped-def]
    """A number with its sign, of up to ``SHORT`` bytes."""
    number = 0
    for place in range(after - at):
        number |= (int(raw[at + place]) & 127) << (7 * place)
    return (number >> 1) ^ -(number & 1)


@numba.njit
def _after_headers(raw, at, stop):  # type: ignore[no-untyped-def]
    """Where the headers end that start here; -1 where they are not plain."""
    after = _after(raw, at, stop, SHORT)
    if after < 0:
        return -1
    headers, at = _number(raw, at, after), after
    if headers < 0:
        return -1
    for _ in range(headers):
        after = _after(raw, at, stop, SHORT)
        size = -1 if after < 0 else _number(raw, at, after)
        if size < 0 or after + size > stop:
            return -1
        for place in range(after, after + size):
            if raw[place] >= 128:  # the library asks for UTF-8
                return -1
        at = after + size
        after = _after(raw, at, stop, SHORT)
        if after < 0:
            return -1
        at = after + max(0, _number(raw, at, after))
        if at > stop:
            return -1
    return at


def _find_records(raw, deltas, starts, ends):  # type: ignore[no-untyped-def]
    at, end = 0, len(raw)
    for record in range(len(deltas)):
        after = _after(raw, at, end, SHORT)
        length = -1 if after < 0 else _number(raw, at, after)
        stop = after + length
        if length < 0 or stop > end:
            return False
        at = _after(raw, after, stop, SHORT)  # attributes
        if at >= 0:
            at = _after(raw, at, stop, LONG)  # the time
        after = _after(raw, at, stop, SHORT) if at >= 0 else -1
        if after < 0:
            return False
        deltas[record] = _number(raw, at, after)
        at = after
        for part in range(2):  # key and value
            after = _after(raw, at, stop, SHORT)
            if after < 0:
                return False
            size = _number(raw, at, after)
            at = after + max(0, size)  # beyond the record nothing more is found
            starts[record, part], ends[record, part] = after, after + size if size >= 0 else -1
        at = _after_headers(raw, at, stop)
        if at != stop:
            return False
    return at == end


types: Any = numba.types
find_records = compiled(
    _find_records,
    types.boolean(
        types.Array(types.uint8, 1, "C", readonly=True),
        types.int64[::1],
        types.int64[:, ::1],
        types.int64[:, ::1],
    ),
    Path(__file__),
)
