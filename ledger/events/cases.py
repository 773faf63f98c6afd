"""Facts of what people decided about facts.

One frozen dataclass per schema under ``schemas/cases``: same name, same fields, same order; units
and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.declared import dataclass
from ledger.events.parts import ActionAbout


@dataclass(frozen=True, slots=True, kw_only=True)
class FactAmended:
    """A fact was wrong: what it should have said, or that it should not have been said."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    amended_stream: str
    amended_seq: int
    replacement: bytes | None
    reason: str
    amended_by: str
    approved_by: str | None
    approved_time: int | None
    file_sha256: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsAdded:
    """A person added facts that a terminal had not delivered: which, why, and who approved it."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    added_stream: str
    first_seq: int
    last_seq: int
    reason: str
    added_by: str
    approved_by: str | None
    approved_time: int | None
    file_sha256: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionTaken:
    """A person took up an action of the nightly audit."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    about: ActionAbout
    taken_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionNoted:
    """A person wrote something down about an action."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    about: ActionAbout
    note: str
    noted_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionClosed:
    """A person closed an action, for as long as its evidence stays as it is."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    about: ActionAbout
    reason: str
    closed_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseSuppressed:
    """A person put off one cause, or one kind of alert, until a gaming day; it still counts."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    about: str
    for_gaming_day: str
    code: str
    table: str
    subject: str
    until: str
    reason: str
    suppressed_by: str
