"""Facts of the property: place and time, sources, filings, approvals, control totals.

One frozen dataclass per schema under ``schemas/house``: same name, same fields, same order; units
and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.declared import dataclass
from ledger.events.enums import Bureau, Role, StaffRank
from ledger.events.parts import Breakage, FiledOdds, PayoutLimit, ReadingChosen, StreamEnd


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyDescribed:
    """The property's own statement of place and time."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    name: str
    certificate_holder: str | None
    time_zone: str
    gaming_day_starts_minutes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRegistered:
    """A terminal may write a stream."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    registered_stream: str
    registered_source: str
    since: int
    clock_uncertainty_micros: int
    order_tolerance_micros: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockChecked:
    """A terminal's clock was compared with a reference."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    checked_source: str
    offset_micros: int
    reference: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameApproved:
    """A game may be offered."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    game: str
    requested_time: int | None
    approved_time: int | None
    approved_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesSubmissionFiled:
    """A Rules Submission, or an amendment of one, was filed."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    submission: str
    game: str
    tables: tuple[str, ...] | None
    paytable: tuple[FiledOdds, ...]
    breakage: Breakage | None
    payout_limit: PayoutLimit | None
    increment_cents: int | None
    layout: str | None
    readings: tuple[ReadingChosen, ...]
    supersedes: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesSubmissionApproved:
    """A Rules Submission was approved."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    submission: str
    approved_time: int
    approved_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutApproved:
    """A layout, with the places of its boxes, was approved."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    layout: str
    game: str
    bureau: Bureau
    boxes_approved: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EquipmentApproved:
    """A piece of equipment was approved."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    equipment: str
    bureau: Bureau
    withdrawn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SignApproved:
    """Place, size and language of a sign were decided on."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    sign: str
    location: bool
    size: bool
    language: bool
    bureau: Bureau | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonCredentialled:
    """A person holds a credential."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    person: str
    department: str
    role: Role | None
    revoked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CredentialDescribed:
    """What stands on a credential: rank, printed name, until when it holds, and whose it is."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    person: str
    rank: StaffRank | None
    printed_name: str | None
    same_person_as: str | None
    expires_time: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GamingDayClosed:
    """The gaming day ended: how far every stream got."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    gaming_day: str
    streams: tuple[StreamEnd, ...]
