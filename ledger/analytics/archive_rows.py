"""Facts of a gaming day as rows of Parquet: all that an entry says, and its leaf hash.

The body is JSON in the version that the fact was written in, with its fields in the schema's order,
times as microseconds UTC and bytes as hexadecimal; what every fact has stands in columns instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

import pyarrow as pa

from ledger.codec import plain_of, registry, schema_id_of
from ledger.log import Accepted, Entry
from ledger.log.entry import decode
from ledger.log.merkle import leaf_hash
from ledger.replay import Recorded

MOMENT: Final = pa.timestamp("us", tz="UTC")
_FIELDS: Final[list[pa.Field[Any]]] = [
    pa.field("position", pa.int64(), nullable=False),
    pa.field("record_time", MOMENT, nullable=False),
    pa.field("seq", pa.int64(), nullable=False),
    pa.field("event_time", MOMENT, nullable=False),
    pa.field("event", pa.string(), nullable=False),
    pa.field("version", pa.int32(), nullable=False),
    pa.field("source", pa.string(), nullable=False),
    pa.field("recorded_by", pa.string()),
    pa.field("body", pa.string(), nullable=False),
    pa.field("topic", pa.string()),
    pa.field("partition", pa.int32()),
    pa.field("offset", pa.int64()),
    pa.field("odd_key", pa.binary()),
    pa.field("leaf_hash", pa.binary(32), nullable=False),
]
SCHEMA: Final = pa.schema(_FIELDS)
"""A stream's file; the stream itself is in the path."""
GROUP_ROWS: Final = 8_192
"""Rows of a row group: fixed, so that the same facts give the same bytes."""
_TEXT: Final = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), default=bytes.hex, check_circular=False
).encode


def tables(entries: Iterable[Recorded]) -> Iterator[tuple[str, pa.Table]]:
    """Each stream's rows, a row group at a time; entries come by position."""
    names: dict[int, tuple[str, int]] = {}
    held: dict[str, list[tuple[Any, ...]]] = {}
    for stream, position, entry in entries:
        rows = held.get(stream)
        if rows is None:
            rows = held[stream] = []
        rows.append(_row(position, entry, names))
        if len(rows) == GROUP_ROWS:
            yield stream, table_of_rows(rows)
            rows.clear()
    for stream in sorted(held, key=str.encode):
        if held[stream]:
            yield stream, table_of_rows(held.pop(stream))


def table_of_rows(rows: list[tuple[Any, ...]]) -> pa.Table:
    """Rows as one Arrow table."""
    columns = zip(*rows, strict=True)
    arrays = [
        pa.array(values, type=field.type) for values, field in zip(columns, SCHEMA, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


def _row(position: int, raw: bytes, names: dict[int, tuple[str, int]]) -> tuple[Any, ...]:
    entry: Entry = decode(raw)
    assert isinstance(entry, Accepted)
    framed = entry.framed
    said = plain_of(framed)
    number = schema_id_of(framed)
    name = names.get(number)
    if name is None:
        schema = registry().by_id(number)
        name = names[number] = (schema.name, schema.version)
    del said["stream"]
    head = [said.pop(field) for field in ("seq", "event_time", "source", "recorded_by")]
    place = entry.coordinates
    return (
        position,
        entry.record_time,
        *head[:2],
        *name,
        *head[2:],
        _TEXT(said),
        *(place if place is not None else (None, None, None)),
        entry.odd_key,
        leaf_hash(raw),
    )
