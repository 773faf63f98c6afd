"""Every limit of the codec, named in one place.

A fact is refused here only where it could not be said at all: bytes longer than an entry of the
ledger can hold, a number that is no 64-bit integer, a moment that no calendar of the property can
show. What is merely improbable is a fact, and the rules engine's business.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from ledger.kernel import to_micros

FRAME_BYTES: Final = 64_000
"""The longest framed event: magic byte, schema id and Avro body together."""

HEADER_BYTES: Final = 5
"""Magic byte 0x00 and the schema id, 4 bytes big-endian (Confluent's wire format)."""

LONG_MIN: Final = -(2**63)
LONG_MAX: Final = 2**63 - 1
"""An Avro ``long``."""

TIME_MIN: Final = to_micros(datetime(2, 1, 1, tzinfo=UTC))
TIME_MAX: Final = to_micros(datetime(9999, 1, 1, tzinfo=UTC)) - 1
"""A moment, in microseconds UTC: RFC 3339 has four digits for the year, and a time zone or the
gaming day's neighbours must not push a moment out of the calendar."""

SYMBOLS: Final = 64
"""The most symbols of one enum: its index is one byte on the wire."""

JSON_BYTES: Final = 2 * 1024 * 1024
"""The longest JSON text of one event. The costliest shape (a die of four bytes written as some
70 characters) stays under 1.2 MB at ``FRAME_BYTES``."""
