"""Arrivals that are all new facts, judged and laid out in columns instead of one after the other.

This says "all of them enter, each after the one before it in its stream", or nothing. On nothing
``Admission`` judges the same arrivals one by one, which alone quarantines, compares and refuses; so
there is one authority for what becomes of an arrival. Entries and rows are those that it writes.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from operator import countOf, itemgetter
from types import ModuleType
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ledger.codec import Undecodable
from ledger.codec.bulk_validation import KeyColumns, key_columns
from ledger.log.entry import LENGTHS, accepted_head
from ledger.log.known_keys_and_offsets import AppendState, Spans
from ledger.log.laid_entries import LaidEntries
from ledger.log.port import Arrival
from ledger.log.stream_writers import registration_ids
from ledger.log.tiles import length_bytes

WORTH: Final = 256
"""From how many arrivals on columns are worth making."""
_FRAMED, *_NOT_FRAMED = map(itemgetter, range(len(Arrival._fields)))
_schema_id: Final = itemgetter(slice(1, 5))
_Runs = list[tuple[int, int]]


class FactColumns(NamedTuple):
    """Arrivals that are all facts which go on from what the log holds.

    Attributes:
        framed: the facts, in the order of arrival.
        schemas: the id of each, four bytes.
        keys: the key of each.
        by_stream: their numbers, stream by stream.
        counts: how many of them each stream has.
        runs: by stream, the first and the last of each run of sequence numbers.
    """

    framed: Sequence[bytes]
    schemas: list[bytes]
    keys: KeyColumns
    by_stream: NDArray[np.int64]
    counts: NDArray[np.int64]
    runs: dict[str, _Runs]


def columns_of(
    functions: ModuleType, arrivals: Sequence[Arrival], known: AppendState
) -> FactColumns | None:
    """Return arrivals as columns; None, and nothing noted, where one has to be judged alone.

    Args:
        functions: the compiled ones of ``bulk_validation``.
        arrivals: at least one.
        known: what the log holds.
    """
    if any(countOf(map(field, arrivals), None) < len(arrivals) for field in _NOT_FRAMED):
        return None
    framed = list(map(_FRAMED, arrivals))
    schemas = list(map(_schema_id, framed))
    if not registration_ids().isdisjoint(schemas):
        return None
    try:
        keys = key_columns(functions, framed)
    except (Undecodable, UnicodeDecodeError):
        return None
    by_stream = np.argsort(keys.streams, kind="stable")
    counts = np.bincount(keys.streams, minlength=len(keys.names))
    runs: dict[str, _Runs] = {}
    stops = np.cumsum(counts)[:-1]
    for stream, seqs in zip(keys.names, np.split(keys.seqs[by_stream], stops), strict=True):
        spans, steps = known.keys.get(stream), np.diff(seqs)
        if (spans is not None and seqs[0] <= spans.top) or (steps <= 0).any():
            return None  # a late fact, or a number that is known
        breaks = np.flatnonzero(steps != 1)
        firsts = [int(seqs[0]), *seqs[breaks + 1].tolist()]
        runs[stream] = list(zip(firsts, [*seqs[breaks].tolist(), int(seqs[-1])], strict=True))
    return FactColumns(framed, schemas, keys, by_stream, counts, runs)


def note_keys(columns: FactColumns, known: AppendState) -> None:
    """Note the keys of these facts as known."""
    for stream, runs in columns.runs.items():
        spans = known.keys.setdefault(stream, Spans())
        for first, last in runs:
            spans.add_run(first, last)


def laid_out(
    columns: FactColumns,
    record_time: int,
    known: AppendState,
    schema_entry: Callable[[bytes, int], bytes],
) -> tuple[LaidEntries, dict[str, array[int]]]:
    """Return the entries of these facts, and by stream their rows: seq, position, event time.

    Args:
        columns: the facts; their keys were noted.
        record_time: microseconds UTC.
        known: what the log holds; new schemas are noted.
        schema_entry: makes the entry that stands before the first fact of a schema.
    """
    heads = list(map(_EntryHeads(record_time).__getitem__, map(len, columns.framed)))
    bodies = list(columns.framed)
    fresh = [one for one in dict.fromkeys(columns.schemas) if one not in known.schemas]
    before = [columns.schemas.index(schema) + place for place, schema in enumerate(fresh)]
    for schema, place in zip(fresh, before, strict=True):
        bodies.insert(place, schema_entry(schema, record_time))
        heads.insert(place, length_bytes(bodies[place]))
    known.schemas.update(fresh)
    parts = heads + bodies
    parts[::2], parts[1::2] = heads, bodies
    sizes = _lengths(heads) + _lengths(bodies)
    positions = known.size + np.delete(np.arange(len(bodies)), before)
    return LaidEntries(b"".join(parts), np.cumsum(sizes)), _rows(columns, positions)


def _rows(columns: FactColumns, positions: NDArray[np.int64]) -> dict[str, array[int]]:
    keys = columns.keys
    rows = np.stack([keys.seqs, positions, keys.times], axis=1)[columns.by_stream]
    parts = np.split(rows, np.cumsum(columns.counts)[:-1])
    return {
        stream: array("q", part.tobytes())
        for stream, part in zip(keys.names, parts, strict=True)
    }  # fmt: skip


class _EntryHeads(dict[int, bytes]):
    """By the length of a framed event all that stands before it in its bundle, each made once."""

    def __init__(self, record_time: int) -> None:
        self._head = accepted_head(record_time, None, None)

    def __missing__(self, length: int) -> bytes:
        head = self._head + LENGTHS[length]
        self[length] = (len(head) + length).to_bytes(2, "big") + head
        return self[length]


def _lengths(parts: Iterable[bytes]) -> NDArray[np.int64]:
    return np.fromiter(map(len, parts), np.int64)
