"""Names of things: streams, facts, rounds, events."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple, Protocol

STREAM_BYTES = 200
"""The longest name of a stream, in bytes of UTF-8."""


class FactRef(NamedTuple):
    """The key of a fact: its stream and its number there, from 1."""

    stream: str
    seq: int

    def __str__(self) -> str:
        return f"{self.stream}:{self.seq}"


class Keyed(Protocol):
    """What has the key of a fact."""

    @property
    def stream(self) -> str:
        """Its stream."""

    @property
    def seq(self) -> int:
        """Its number there, from 1."""


def ref_of(fact: Keyed) -> FactRef:
    """How other facts and findings name a fact, made as quickly as a tuple can be."""
    return tuple.__new__(FactRef, (fact.stream, fact.seq))


def event_id(stream: str, seq: int) -> bytes:
    """The 16-byte id used in headers and proofs: SHA-256(stream, 0x00, seq as 8 bytes), cut."""
    return sha256(stream.encode() + b"\x00" + seq.to_bytes(8, "big")).digest()[:16]


def table_of(stream: str) -> str:
    """The table (or office) a stream belongs to: ``SB-01/wheel`` is of ``SB-01``."""
    return stream.partition("/")[0]


def round_id(opened: FactRef) -> str:
    """A round is named by its betting-opened fact: ``SB-01:1234``."""
    return str(opened)


def parse_round_id(text: str) -> FactRef:
    """Read ``SB-01:1234``.

    Raises:
        ValueError: the text is not ``stream:seq``.
    """
    stream, _, seq = text.rpartition(":")
    if not stream or not seq.isascii() or not seq.isdigit() or int(seq) < 1:
        raise ValueError(f"not a round (stream:seq): {text!r}")
    return FactRef(stream, int(seq))
