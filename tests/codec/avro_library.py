"""fastavro as the second opinion: what another library writes and reads with our schemas."""

from __future__ import annotations

import io
import json
from functools import cache
from typing import Any

import fastavro

from ledger.codec import Schema


@cache
def parsed(schema: Schema) -> Any:
    """The schema for fastavro, without logical types, which would make datetimes of times."""
    return fastavro.parse_schema(_bare(json.loads(schema.text)))


def body(schema: Schema, values: Any) -> bytes:
    """The Avro body of plain values."""
    out = io.BytesIO()
    fastavro.schemaless_writer(out, parsed(schema), values)
    return out.getvalue()


def framed(schema: Schema, values: Any) -> bytes:
    """The framed bytes of plain values."""
    return b"\x00" + schema.id.to_bytes(4, "big") + body(schema, values)


def read(schema: Schema, framed_bytes: bytes) -> Any:
    """The plain values of framed bytes, and nothing after them."""
    source = io.BytesIO(framed_bytes[5:])
    values = fastavro.schemaless_reader(source, parsed(schema))
    assert not source.read()
    return values


def _bare(kind: Any) -> Any:
    if isinstance(kind, dict):
        return {key: _bare(value) for key, value in kind.items() if key != "logicalType"}
    return [_bare(one) for one in kind] if isinstance(kind, list) else kind
