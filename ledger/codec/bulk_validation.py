"""Many framed events checked at once, in machine code, where numba is installed.

Each schema is written out as a short program of what stands one after the other in its bytes
(``programs``), and one compiled loop goes through all events by these (``validation_fast.py``). It
says of an event "as it should be", with its key, or nothing: on nothing ``validate`` reads it,
which alone refuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import repeat
from operator import getitem
from types import ModuleType
from typing import Final, NamedTuple, assert_never

import numpy as np
from numpy.typing import NDArray

from ledger.codec.errors import Undecodable
from ledger.codec.limits import LONG_MAX
from ledger.codec.registry import registry
from ledger.codec.shapes import Blob, Choice, Many, Maybe, Part, Shape, Text, Truth, Whole
from ledger.codec.validation_steps import Step
from ledger.codec.varint import stream_name
from ledger.codec.wire import Key, validate
from ledger.kernel.machine_code import is_available, is_loaded

WORTH: Final = 200_000
"""From how many events on it is worth a second to load the compiler."""
FEW: Final = 4_096
"""With fewer events it is not worth reading all schemas, though the compiler is there."""
SCHEMAS: Final = 1 << 12
"""Ids of schemas from here on are not looked at: published ones are counted from 1."""
DEPTH: Final = 8
"""How many arrays may lie in one another."""
STREAM_AT: Final = 6
"""Where the name of the stream begins, after a length of one byte."""


_Row = tuple[int, int, int]


class Programs(NamedTuple):
    """The programs of all schemas.

    Attributes:
        rows: step, low and high of each, one after the other.
        begins: by schema id the number of its first row; -1 where there is none.
    """

    rows: NDArray[np.int64]
    begins: NDArray[np.int64]


def machine(events: int) -> ModuleType | None:
    """Return the compiled function; None where there is none, or too little work for it.

    Args:
        events: how many there will be to check.
    """
    return _machine() if events >= WORTH or (is_loaded() and events >= FEW) else None


@cache
def _machine() -> ModuleType | None:
    if not is_available():
        return None
    try:
        from ledger.codec import validation_fast
    except ImportError:  # no numba that loads
        return None
    return validation_fast


class KeyColumns(NamedTuple):
    """The keys of events, in columns.

    Attributes:
        names: of the streams, in the order in which they first come.
        streams: of each event, the place of its stream among them.
        seqs: of each event, its number.
        times: of each event, microseconds UTC.
    """

    names: list[str]
    streams: NDArray[np.int64]
    seqs: NDArray[np.int64]
    times: NDArray[np.int64]


def keys_of(functions: ModuleType, framed: Sequence[bytes]) -> list[Key | None]:
    """Return of each event what ``validate`` returns; None where that is left to it.

    Args:
        functions: the compiled one.
        framed: the events.
    """
    widths, seqs, times = _checked(functions, framed)
    stops = (widths + STREAM_AT).tolist()
    columns = zip(framed, stops, seqs.tolist(), times.tolist(), strict=True)
    return [
        None if stop < STREAM_AT else _key(event[STREAM_AT:stop], seq, time)
        for event, stop, seq, time in columns
    ]


def key_columns(functions: ModuleType, framed: Sequence[bytes]) -> KeyColumns:
    """Return what ``validate`` returns of each event, in columns.

    Args:
        functions: the compiled one.
        framed: the events.

    Raises:
        Undecodable, UnicodeDecodeError: one of them is refused; ``validate`` says why.
    """
    widths, seqs, times = _checked(functions, framed)
    parts = map(slice, repeat(STREAM_AT), (widths + STREAM_AT).tolist())
    names = list(map(getitem, framed, parts))
    for number in np.flatnonzero(widths < 0).tolist():
        stream, seqs[number], times[number] = validate(framed[number])
        names[number] = stream.encode()
    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    streams = np.fromiter(map(places.__getitem__, names), np.int64, len(names))
    return KeyColumns([stream_name(name) for name in places], streams, seqs, times)


def _checked(functions: ModuleType, framed: Sequence[bytes]) -> NDArray[np.int64]:
    """Three rows: of each event the width of its stream's name (-1: unsure), number and time."""
    known = programs()
    ends = np.cumsum(np.fromiter(map(len, framed), np.int64))
    widths, seqs, times = columns = np.empty((3, len(framed)), np.int64)
    raw = np.frombuffer(b"".join(framed), np.uint8)
    counts = np.empty(DEPTH, np.int64)
    functions.check(raw, ends, known.begins, known.rows.ravel(), counts, widths, seqs, times)
    return columns


def _key(name: bytes, seq: int, time: int) -> Key | None:
    try:
        return stream_name(name), seq, time
    except (Undecodable, UnicodeDecodeError):  # no name of a stream
        return None


@cache
def programs() -> Programs:
    """Return the programs of all published schemas."""
    rows: list[_Row] = []
    begins = np.full(SCHEMAS, -1, np.int64)
    for schema in registry():
        if schema.id < SCHEMAS:
            begins[schema.id] = len(rows)
            rows += [(Step.SEQ, 1, LONG_MAX), (Step.TIME, 0, 0)]
            for field in schema.shape.fields[3:]:
                _write(rows, field.shape, 0)
            rows.append((Step.END, 0, 0))
    return Programs(np.array(rows, np.int64), begins)


def _write(rows: list[_Row], shape: Shape, depth: int) -> None:
    """Add what stands in the bytes for a value; ``depth``: in so many arrays."""
    match shape:
        case Text(is_date=True):
            rows.append((Step.UNSURE, 0, 0))
        case Text() | Blob():
            rows.append((Step.BYTES, isinstance(shape, Text), 0))
        case Whole():
            rows.append((Step.WHOLE, shape.low, shape.high))
        case Truth():
            rows.append((Step.BYTE, 0, 1))
        case Choice():
            rows.append((Step.BYTE, 1, 2 * (len(shape.symbols) - 1)))
        case Maybe():
            branch = len(rows)
            rows.append((Step.MAYBE, 0, 0))
            _write(rows, shape.inner, depth)
            rows[branch] = (Step.MAYBE, len(rows), 0)
        case Many() if depth == DEPTH:
            rows.append((Step.UNSURE, 0, 0))
        case Many():
            head = len(rows)
            rows.append((Step.MANY, 0, 0))
            _write(rows, shape.element, depth + 1)
            rows.append((Step.NEXT, head + 1, 0))
            rows[head] = (Step.MANY, len(rows), 0)
        case Part():
            for field in shape.fields:
                _write(rows, field.shape, depth)
        case _:
            assert_never(shape)
