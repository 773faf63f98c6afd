"""What a walk and the checks hand out: facts, doubts, and what is odd about a stream, as values."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from ledger.events import Fact
from ledger.kernel.quick_dataclass import dataclass


class Doubt(StrEnum):
    """Why the order of a stream's facts is not known for certain."""

    GAP = "gap"  # facts are missing
    CONFLICT = "conflict"  # another fact of the same key was quarantined


class FactStep(NamedTuple):
    """One fact of a walk.

    Attributes:
        fact: as it stands after amendments.
        position: of the entry that holds its bytes; the amendment's own where it was amended.
        at: its merge time, in microseconds UTC: its event time unless the event times of its
            stream go back (see ``merge_time.py``). It never falls within a walk, and the windows of
            a walk go by it.
    """

    fact: Fact
    position: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtBegins:
    """From here on the stream is in doubt.

    Attributes:
        kind: what makes the doubt.
        stream: of the facts in doubt.
        first_seq: the first missing or disputed number.
        last_seq: the last one; the same as the first for a conflict.
        at: merge time of the stream's last fact before the doubt, in microseconds UTC; None when
            there is none.
        ends_at: merge time of the fact that ends it; None when no later fact is known.
    """

    kind: Doubt
    stream: str
    first_seq: int
    last_seq: int
    at: int | None
    ends_at: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtEnds:
    """The stream is whole again; the same values as in its ``DoubtBegins``."""

    kind: Doubt
    stream: str
    first_seq: int
    last_seq: int
    at: int | None
    ends_at: int | None


Step = FactStep | DoubtBegins | DoubtEnds


class RecordedEntry(NamedTuple):
    """A fact's whole entry: as it reads, and as it was signed, whose hash is a leaf of the tree.

    They differ where its personal strings are sealed.
    """

    stream: str
    position: int
    entry: bytes
    signed: bytes


class Gap(NamedTuple):
    """A run of sequence numbers that a stream lacks, both ends included."""

    stream: str
    first_seq: int
    last_seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamExtent:
    """How far a stream goes.

    Attributes:
        stream: its name.
        table: the table or office to which it belongs.
        is_office: whether that is an office.
        facts: how many it has, withdrawn ones too.
        first_seq: its lowest sequence number; 1 where nothing is missing at the beginning.
        last_seq: its highest sequence number.
        missing: how many numbers below the highest it lacks.
        late: how many facts arrived after one with a higher number; that is no finding.
        conflicts: how many quarantined rivals its facts have.
        first_time: merge time of its first fact, in microseconds UTC.
        last_time: merge time of its last fact.
        sources: who wrote it, in the order in which they were first seen.
    """

    stream: str
    table: str
    is_office: bool
    facts: int
    first_seq: int
    last_seq: int
    missing: int
    late: int
    conflicts: int
    first_time: int
    last_time: int
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Quarantined bytes that claim the key of an accepted fact and say otherwise.

    Attributes:
        position: of the quarantine entry.
        accepted_position: of the accepted fact's entry.
        record_time: when the rival was put aside, in microseconds UTC.
        sha256: of the rival's bytes, 32 bytes.
    """

    stream: str
    seq: int
    position: int
    accepted_position: int
    record_time: int
    sha256: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """Quarantined bytes that are no fact.

    Attributes:
        position: of the quarantine entry.
        reason: why they are no fact, as a word.
        record_time: when they were put aside, in microseconds UTC.
        sha256: of the bytes, 32 bytes.
        length: how many bytes there are.
        key: the key of the record that brought them; None where it had none.
        topic: by which they came; None where they did not come from Kafka.
        framed: the first of the bytes, as many as the entry shows.
    """

    position: int
    reason: str
    record_time: int
    sha256: bytes
    length: int
    key: bytes | None
    topic: str | None = None
    framed: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfOrder:
    """A fact whose event time runs against its ``seq`` by more than the tolerance.

    ``off_micros`` is negative for a fact that lies behind the facts before it, positive for one
    that lies ahead of the facts after it.
    """

    stream: str
    seq: int
    position: int
    event_time: int
    off_micros: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """A source may write a stream from a moment on; the latest registration holds.

    Attributes:
        since: the moment, in microseconds UTC.
    """

    stream: str
    source: str
    since: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceDiffers:
    """Neighbouring facts of a source that is not the registered one.

    Attributes:
        facts: how many they are; fewer than the numbers span where some are missing.
        at: merge time of the first one, in microseconds UTC.
        source: who wrote them.
        registered: who may write the stream then; None: nobody is registered.
    """

    stream: str
    first_seq: int
    last_seq: int
    facts: int
    at: int
    source: str
    registered: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OddKey:
    """An accepted fact that came under a key that is not its stream; empty: it had no key."""

    stream: str
    seq: int
    position: int
    key: bytes
