"""Facts of a gaming day as rows of Parquet: all that an entry says, and its leaf hash.

The body is JSON in the version that the fact was written in, with its fields in the schema's order,
times as microseconds UTC and bytes as hexadecimal; what every fact has stands in columns instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import pyarrow as pa

from ledger.codec import header_and_body, registry, schema_id_of
from ledger.codec.limits import HEADER_BYTES
from ledger.log import Accepted
from ledger.log.entry import accepted_head, decode
from ledger.log.merkle import leaf_hash
from ledger.replay import RecordedEntry

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
NOWHERE: Final = (None, None, None)


def tables(entries: Iterable[RecordedEntry]) -> Iterator[tuple[str, pa.Table]]:
    """Each stream's rows as Arrow tables, a row group at a time.

    Args:
        entries: the accepted entries, by position.
    """
    row = EntryRows().row
    rows_of: dict[str, list[tuple[object, ...]]] = {}
    for stream, position, entry, signed in entries:
        rows = rows_of.get(stream)
        if rows is None:
            rows = rows_of[stream] = []
        rows.append(row(position, entry, signed))
        if len(rows) == GROUP_ROWS:
            yield stream, table_of_rows(rows)
            rows.clear()
    for stream in sorted(rows_of, key=str.encode):
        if rows_of[stream]:
            yield stream, table_of_rows(rows_of.pop(stream))


def table_of_rows(rows: list[tuple[object, ...]]) -> pa.Table:
    """Rows as one Arrow table."""
    columns = zip(*rows, strict=True)
    arrays = [
        pa.array(values, type=field.type) for values, field in zip(columns, SCHEMA, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


class EntryRows:
    """Entries into rows. Those of one append share their first bytes, so most need no walk."""

    def __init__(self) -> None:
        self._head = b"\xff"
        self._time = 0
        self._events: dict[bytes, tuple[str, int]] = {}

    def row(self, position: int, raw: bytes, signed: bytes) -> tuple[object, ...]:
        """One accepted entry as a row, with the leaf hash of what was signed."""
        key, place, time = None, None, self._time
        if raw.startswith(self._head):
            at = len(self._head)
            length = len(raw) - at
            framed = raw[at + (1 if length < 65 else 2 if length < 8194 else 3) :]
        else:
            entry = decode(raw)
            assert isinstance(entry, Accepted)
            framed, time = entry.framed, entry.record_time
            key, place = entry.odd_key, entry.coordinates
            if key is None and place is None:
                self._head, self._time = accepted_head(time, None, None), time
        seq, event_time, source, recorded_by, body = header_and_body(framed)
        return (
            position,
            time,
            seq,
            event_time,
            *(self._events.get(framed[:HEADER_BYTES]) or self._event(framed)),
            source,
            recorded_by,
            body,
            *(place or NOWHERE),
            key,
            leaf_hash(signed),
        )

    def _event(self, framed: bytes) -> tuple[str, int]:
        schema = registry().by_id(schema_id_of(framed))
        event = self._events[framed[:HEADER_BYTES]] = schema.name, schema.version
        return event
