"""How streams, facts, rounds and events are named."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple, Protocol

STREAM_BYTES = 200
"""The longest name of a stream, in bytes of UTF-8."""


class FactRef(NamedTuple):
    """The key of a fact: its stream and its sequence number there, from 1."""

    stream: str
    seq: int

    def __str__(self) -> str:
        return f"{self.stream}:{self.seq}"


class Keyed(Protocol):
    """Anything that has the key of a fact."""

    @property
    def stream(self) -> str:
        """The name of its stream."""

    @property
    def seq(self) -> int:
        """Its sequence number in the stream, from 1."""


def ref_of(fact: Keyed) -> FactRef:
    """Return the key by which other facts and findings name a fact.

    It is built directly as a tuple because it is called for every fact.
    """
    return tuple.__new__(FactRef, (fact.stream, fact.seq))


def event_id(stream: str, seq: int) -> bytes:
    """Return the 16-byte id of a fact, as headers and proofs use it.

    It is the first 16 bytes of SHA-256 over the stream in UTF-8, a zero byte, and ``seq`` as eight
    bytes, big-endian.

    Raises:
        OverflowError: ``seq`` is negative or does not fit eight bytes.

    >>> event_id("SB-01", 1).hex()
    '78fd178b7b6383e755e08a863f469c87'
    """
    return sha256(stream.encode() + b"\x00" + seq.to_bytes(8, "big")).digest()[:16]


def table_of(stream: str) -> str:
    """Return the table (or office) to which a stream belongs.

    >>> table_of("SB-01/wheel"), table_of("SB-01")
    ('SB-01', 'SB-01')
    """
    return stream.partition("/")[0]


def round_id(opened: FactRef) -> str:
    """Return the name of a round: the key of the fact that opened its betting, ``SB-01:1234``."""
    return str(opened)


def parse_round_id(text: str) -> FactRef:
    """Read the name of a round as the key of the fact that opened its betting.

    Raises:
        ValueError: the text is not ``stream:seq`` with a number of 1 or more.

    >>> parse_round_id("SB-01:1234")
    FactRef(stream='SB-01', seq=1234)
    """
    stream, _, seq = text.rpartition(":")
    if not stream or not seq.isascii() or not seq.isdigit() or int(seq) < 1:
        raise ValueError(f"not a round (stream:seq): {text!r}")
    return FactRef(stream, int(seq))
