"""What every log offers: arrivals go in, entries come out, in one order that never changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import repeat
from typing import Final, NamedTuple, Protocol

from ledger.kernel.quick_dataclass import dataclass

FORMAT_VERSION: Final = 1
SEALED_FORMAT: Final = 2
"""Of a ledger that was begun to seal personal strings; older versions refuse it at entry 0."""
ENTRY_BYTES: Final = 65_535
"""The longest entry: a bundle writes its length in 16 bits."""
FRAMED_BYTES: Final = 64_000
"""The longest framed event that is accepted; a longer one is quarantined as ``oversize``."""
HEAD_BYTES: Final = 4_096
"""How much of quarantined bytes the entry itself shows."""
KEY_BYTES: Final = 1_024
"""How much of a key is kept; a stream's name is never that long."""
TOPIC_BYTES: Final = 249
"""Kafka's own limit on the name of a topic."""
GROUP_ENTRIES: Final = 65_536
"""How many arrivals of a long append become durable together, under one checkpoint."""
TROUBLES: Final = 1_000
"""How many arrivals that were not accepted an append names one by one; all are counted."""

OVERSIZE: Final = "oversize"
CONFLICT: Final = "conflict"


class Coordinates(NamedTuple):
    """Where in Kafka bytes were read."""

    topic: str
    partition: int
    offset: int


class Arrival(NamedTuple):
    """Bytes that claim to be a framed fact, with the key and place they came under.

    A ``reason`` says that they are none, and why, whatever they look like.
    """

    framed: bytes
    key: bytes | None = None
    topic: str | None = None
    partition: int | None = None
    offset: int | None = None
    reason: str | None = None


def arrivals_of(framed: Iterable[bytes]) -> Iterator[Arrival]:
    """Yield an ``Arrival`` for each framed fact, without key or place; faster than one by one."""
    none = repeat(None)
    return map(_ARRIVAL, zip(framed, none, none, none, none, none, strict=False))


_ARRIVAL: Final = partial(tuple.__new__, Arrival)


class EarlierFact(NamedTuple):
    """The accepted fact that a conflicting one met."""

    stream: str
    seq: int
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Began:
    """Entry 0, and only that: whose ledger this is.

    Args:
        record_time: when it was recorded, microseconds UTC; so in every entry.
        format_version: of the union of entries when the ledger began.
        origin: the name in all checkpoints.
        property: whose floor it is.
    """

    record_time: int
    format_version: int
    origin: str
    property: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaUsed:
    """The text of a schema, before the first fact written with it.

    Args:
        record_time: microseconds UTC.
        id: the published id, as it stands in the framing of facts.
        name: the full name of the record.
        version: of the record.
        text: the schema as published.
    """

    record_time: int
    id: int
    name: str
    version: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A fact, framed as it arrived.

    ``odd_key`` is None where the key was the stream or nothing carried a key; else what came,
    empty where a Kafka record came without one.
    """

    record_time: int
    coordinates: Coordinates | None
    odd_key: bytes | None
    framed: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """A fact of which the personal strings stand as commitments; they are opened elsewhere.

    Args:
        record_time, coordinates, odd_key: as of ``Accepted``.
        likeness: by what the fact is known again once its texts were erased: HMAC-SHA-256 of them
            under a secret of the ledger, 32 bytes.
        sealed: the framed event with 0xFF and a SHA-256 in place of each personal string.
    """

    record_time: int
    coordinates: Coordinates | None
    odd_key: bytes | None
    likeness: bytes
    sealed: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantined:
    """Bytes that are no fact, or that contradict one; ``quarantine/<sha256>`` holds them whole."""

    record_time: int
    reason: str
    sha256: bytes
    length: int
    head: bytes
    key: bytes | None
    coordinates: Coordinates | None
    conflicts_with: EarlierFact | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRotated:
    """From here on another key signs the ledger; the old one says so, and the new one.

    Args:
        record_time: microseconds UTC.
        old: the public key that signed up to here, ``name+hash+base64``.
        new: the public key that signs from here on.
        size: entries before this one.
        root: their tree hash.
        signed_by_old: Ed25519 signature by the old key, 64 bytes; None where it was lost.
        signed_by_new: the same by the new key.
    """

    record_time: int
    old: str
    new: str
    size: int
    root: bytes
    signed_by_old: bytes | None
    signed_by_new: bytes


Entry = Began | SchemaUsed | Accepted | Quarantined | KeyRotated | Sealed


class Trouble(NamedTuple):
    """One arrival that was not accepted.

    Attributes:
        arrival: which one of the append, counted from 0.
        reason: why, as its entry says it.
        position: of its entry.
    """

    arrival: int
    reason: str
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """What became of the arrivals; ``quarantined`` does not count the conflicts again."""

    accepted: int
    repeated: int
    conflicts: int
    quarantined: int
    troubles: tuple[Trouble, ...]
    size: int
    root: bytes


class ReadableLog(Protocol):
    """A log as it stood at one size."""

    @property
    def origin(self) -> str:
        """The name in its checkpoints."""

    @property
    def size(self) -> int:
        """How many entries it holds."""

    @property
    def root(self) -> bytes:
        """The RFC 6962 tree hash of its entries."""

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, Entry]]:
        """Read entries in order: each one's position, and the entry decoded."""

    def bundles(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, list[bytes]]]:
        """Read raw entries bundle by bundle: the position of the first, then the bytes of each."""

    def read(self, position: int) -> Entry:
        """One entry."""

    def quarantined(self, sha256: bytes) -> bytes:
        """The whole bytes of a quarantined arrival."""

    def last_offsets(self) -> dict[tuple[str, int], tuple[int, int]]:
        """Per (topic, partition) the highest recorded offset and the position of its entry."""


class Log(ReadableLog, Protocol):
    """A log that can be appended to."""

    def append(self, arrivals: Iterable[Arrival], record_time: int) -> Appended:
        """Record arrivals; what this returns is durable.

        Args:
            arrivals: in the order in which they came.
            record_time: when the ledger takes them, in microseconds UTC.
        """

    def close(self) -> None:
        """Let go of the log."""
