"""Facts of the property: place and time, sources, filings, approvals, control totals.

One frozen dataclass per schema under ``schemas/house``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.enums import Bureau, Role, StaffRank
from ledger.events.fact_declaration import Header, declared
from ledger.events.parts import Breakage, FiledOdds, PayoutLimit, ReadingChosen, StreamEnd


@declared
class PropertyDescribed(Header):
    """The property's own statement of place and time."""

    name: str
    certificate_holder: str | None
    time_zone: str
    gaming_day_starts_minutes: int


@declared
class SourceRegistered(Header):
    """A terminal may write a stream."""

    registered_stream: str
    registered_source: str
    since: int
    clock_uncertainty_micros: int
    order_tolerance_micros: int


@declared
class ClockChecked(Header):
    """A terminal's clock was compared with a reference."""

    checked_source: str
    offset_micros: int
    reference: str | None


@declared
class StalenessRegistered(Header):
    """How long a terminal, a kind of source, a table or all may be silent."""

    table: str | None
    terminal: str | None
    kind: str | None
    seconds: int
    since: int


@declared
class GameApproved(Header):
    """A game may be offered."""

    game: str
    requested_time: int | None
    approved_time: int | None
    approved_by: str | None


@declared
class RulesSubmissionFiled(Header):
    """A Rules Submission, or an amendment of one, was filed."""

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


@declared
class RulesSubmissionApproved(Header):
    """A Rules Submission was approved."""

    submission: str
    approved_time: int
    approved_by: str | None


@declared
class LayoutApproved(Header):
    """A layout, with the places of its boxes, was approved."""

    layout: str
    game: str
    bureau: Bureau
    boxes_approved: bool | None


@declared
class EquipmentApproved(Header):
    """A piece of equipment was approved."""

    equipment: str
    bureau: Bureau
    withdrawn: bool


@declared
class SignApproved(Header):
    """Place, size and language of a sign were decided on."""

    sign: str
    location: bool
    size: bool
    language: bool
    bureau: Bureau | None


@declared
class PersonCredentialled(Header):
    """A person holds a credential."""

    person: str
    department: str
    role: Role | None
    revoked: bool


@declared
class CredentialDescribed(Header):
    """What stands on a credential: rank, printed name, until when it holds, and whose it is."""

    person: str
    rank: StaffRank | None
    printed_name: str | None
    same_person_as: str | None
    expires_time: int | None


@declared
class GamingDayClosed(Header):
    """The gaming day ended: how far every stream got."""

    gaming_day: str
    streams: tuple[StreamEnd, ...]
