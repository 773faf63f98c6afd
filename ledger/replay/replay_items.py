"""What a walk and the checks hand out: facts, doubts, and what is odd about a stream, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ledger.events import Fact


class Doubt(StrEnum):
    """Why the order of a stream's facts is not known for certain."""

    GAP = "gap"  # facts are missing
    CONFLICT = "conflict"  # another fact of the same key was quarantined


class FactStep(NamedTuple):
    """One fact of a walk.

    ``at`` is the time it was merged by, in microseconds UTC: its own event time unless the event
    times of its stream go back (see ``clock``). It never falls within a walk, and windows go by it.
    """

    fact: Fact
    position: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtBegins:
    """From here on the stream is in doubt.

    ``at`` is the merge time of the stream's last fact before the doubt, None when there is none;
    ``ends_at`` that of the fact that ends it, None when no later fact is known.
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
    """A fact's whole entry, as it stands in the log."""

    stream: str
    position: int
    entry: bytes


class Gap(NamedTuple):
    """Missing facts of a stream, both ends included."""

    stream: str
    first_seq: int
    last_seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamExtent:
    """How far a stream goes.

    ``late`` counts the facts that arrived after one with a higher ``seq``: no finding. ``sources``
    are in the order in which they were first seen.
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
    """Quarantined bytes that claim the key of an accepted fact and say otherwise."""

    stream: str
    seq: int
    position: int
    accepted_position: int
    record_time: int
    sha256: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """Quarantined bytes that are no fact; ``key`` is what they came under, if anything."""

    position: int
    reason: str
    record_time: int
    sha256: bytes
    length: int
    key: bytes | None


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
    """A source may write a stream from a moment on; the latest one holds."""

    stream: str
    source: str
    since: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceDiffers:
    """Neighbouring facts of a source that is not the registered one (None: none is in force)."""

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
