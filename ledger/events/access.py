"""Facts of the property: devices of persons, the patrons' access to the rules, the gaming guide.

One frozen dataclass per schema, under ``schemas/house``: same name, same fields, same order; units
and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.declared import dataclass
from ledger.events.enums import Bureau


@dataclass(frozen=True, slots=True, kw_only=True)
class ElectronicDeviceSeen:
    """A person was seen with a device that can assist at a table game."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    table: str | None
    person: str | None
    device: str
    used: bool | None
    intended: bool | None
    purpose: str | None
    in_concert_with: tuple[str, ...] | None
    seen_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ElectronicDevicePermitted:
    """The Board permitted a device at table games, or withdrew that."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    device: str
    person: str | None
    bureau: Bureau | None
    withdrawn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesTextKept:
    """The complete text of the rules was looked for where it is kept."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    place: str
    present: bool
    printed: bool | None
    complete: bool | None
    games: tuple[str, ...] | None
    checked_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesTextPlaceApproved:
    """A place for keeping the text of the rules was approved, or no longer is."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    place: str
    bureau: Bureau | None
    withdrawn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesTextRequested:
    """Somebody asked to inspect the text of the rules."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    requested_by: str | None
    shown: bool | None
    place: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidePrepared:
    """A gaming guide, or a revision of one, was prepared."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    guide: str
    revision_of: str | None
    materially_different: bool | None
    games: tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideSampleSubmitted:
    """A sample of a gaming guide was submitted for approval."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    guide: str
    bureau: Bureau | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideSampleDecided:
    """A sample of a gaming guide was approved or not."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    guide: str
    approved: bool
    bureau: Bureau | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideIssued:
    """A gaming guide was issued or distributed."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    guide: str
    place: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideDisplayed:
    """A gaming guide was put on display."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    guide: str
    place: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideRemoved:
    """A gaming guide was taken from display."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    guide: str
    place: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideRequested:
    """Somebody asked for a gaming guide."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    requested_by: str | None
    given: bool | None
    guide: str | None
    place: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSiteChecked:
    """The property's web site was looked at for the gaming guide."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    guide_present: bool | None
    guide: str | None
    checked_by: str | None
