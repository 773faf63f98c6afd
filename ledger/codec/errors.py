"""What the codec refuses, and why: closed lists of stable reasons.

Two refusals are about facts (``Undecodable`` for bytes, ``NotAFact`` for values and JSON), three
about the schemas themselves. The reasons are printed, counted and stored in the quarantine, so a
reason is never renamed or used for something else; new ones are only added.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from ledger.kernel import IntegrityBroken, LedgerError


class Reason(StrEnum):
    """Why bytes are not a fact."""

    OVERSIZE = "oversize"  # longer than FRAME_BYTES
    BAD_MAGIC = "bad_magic"  # the first byte is not 0x00
    UNKNOWN_SCHEMA = "unknown_schema"  # no published schema has this id
    TRUNCATED = "truncated"  # the bytes end before the record does
    TRAILING_BYTES = "trailing_bytes"  # the record ends before the bytes do
    NOT_AVRO = "not_avro"  # a length, index, block or number that no Avro writer writes
    OUT_OF_RANGE = (
        "out_of_range"  # a number outside the schema's bounds, or no moment of a calendar
    )
    BAD_TEXT = "bad_text"  # not UTF-8, not a name of a stream, or not a date where one must stand


class Fault(StrEnum):
    """Why values, or a JSON text, are not a fact."""

    OVERSIZE = "oversize"  # framed, or as JSON, longer than the limit
    BAD_UTF8 = "bad_utf8"  # the text is not UTF-8
    BAD_JSON = "bad_json"  # the text is not JSON (NaN and Infinity are not either)
    TOO_DEEP = "too_deep"  # nested beyond reason
    NOT_AN_OBJECT = "not_an_object"  # JSON, but not an object
    DUPLICATE_KEY = "duplicate_key"  # a key stands twice in one object
    UNKNOWN_EVENT = "unknown_event"  # no schema has this name
    UNKNOWN_VERSION = "unknown_version"  # the event has no such version
    MISSING_FIELD = "missing_field"  # a field is absent; a null must be written out
    UNKNOWN_FIELD = "unknown_field"  # the schema has no such field
    WRONG_TYPE = "wrong_type"  # a value of another kind; true is no number, 1.0 no integer
    OUT_OF_RANGE = "out_of_range"  # outside the schema's bounds, 64 bits or the calendar
    UNKNOWN_SYMBOL = "unknown_symbol"  # not a word of the closed list
    BAD_TIME = "bad_time"  # not RFC 3339 UTC with microseconds and Z, or no such moment
    BAD_TEXT = "bad_text"  # no UTF-8 (a lone surrogate), no name of a stream, no ISO date
    BAD_HEX = "bad_hex"  # bytes are lower-case hexadecimal digits, two for each


class Undecodable(LedgerError):
    """Bytes that cannot be a fact: they belong in the quarantine.

    Args:
        reason: why, from the closed list.
        detail: one sentence for people; not stable.
        offset: where in the framed bytes it was seen, 0 for the bytes as a whole.
    """

    code: ClassVar[str] = "undecodable"
    exit_code: ClassVar[int] = 1

    def __init__(self, reason: Reason, detail: str, offset: int = 0) -> None:
        super().__init__(
            f"These bytes are not a fact: {reason}: {detail}",
            where=f"byte {offset}" if offset else None,
        )
        self.reason = reason
        self.detail = detail
        self.offset = offset


class NotAFact(LedgerError):
    """Values or a JSON text that are not a fact.

    Args:
        reason: why, from the closed list.
        detail: one sentence for people; not stable.
        path: the field, ``dice[1].face``; empty for the event as a whole.
    """

    code: ClassVar[str] = "not_a_fact"
    exit_code: ClassVar[int] = 1

    def __init__(self, reason: Fault, detail: str, path: str = "") -> None:
        super().__init__(f"Not a fact: {reason}{f' at {path}' if path else ''}: {detail}")
        self.reason = reason
        self.detail = detail
        self.path = path

    def under(self, step: str) -> NotAFact:
        """The same refusal, seen from the value that holds this one."""
        joint = "" if not self.path or self.path.startswith("[") else "."
        return NotAFact(self.reason, self.detail, f"{step}{joint}{self.path}")


class SchemaUnknown(LedgerError):
    """No published schema has this id, name, version or fingerprint."""

    code: ClassVar[str] = "schema_unknown"
    exit_code: ClassVar[int] = 3


class SchemaUnusable(LedgerError):
    """The schemas are not there, or one uses a part of Avro that facts do not use."""

    code: ClassVar[str] = "schema_unusable"
    exit_code: ClassVar[int] = 3


class PublishedSchemaChanged(IntegrityBroken):
    """A published schema file is not what the lock says: what was written with it is in doubt."""

    code: ClassVar[str] = "published_schema_changed"
