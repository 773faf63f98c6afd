"""Facts of the property: devices of persons, the patrons' access to the rules, the gaming guide.

One frozen dataclass per schema, under ``schemas/house``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.enums import Bureau
from ledger.events.fact_declaration import Header, declared


@declared
class ElectronicDeviceSeen(Header):
    """A person was seen with a device that can assist at a table game."""

    table: str | None
    person: str | None
    device: str
    used: bool | None
    intended: bool | None
    purpose: str | None
    in_concert_with: tuple[str, ...] | None
    seen_by: str | None


@declared
class ElectronicDevicePermitted(Header):
    """The Board permitted a device at table games, or withdrew that."""

    device: str
    person: str | None
    bureau: Bureau | None
    withdrawn: bool


@declared
class RulesTextKept(Header):
    """The complete text of the rules was looked for where it is kept."""

    place: str
    present: bool
    printed: bool | None
    complete: bool | None
    games: tuple[str, ...] | None
    checked_by: str | None


@declared
class RulesTextPlaceApproved(Header):
    """A place for keeping the text of the rules was approved, or no longer is."""

    place: str
    bureau: Bureau | None
    withdrawn: bool


@declared
class RulesTextRequested(Header):
    """Somebody asked to inspect the text of the rules."""

    requested_by: str | None
    shown: bool | None
    place: str | None


@declared
class GuidePrepared(Header):
    """A gaming guide, or a revision of one, was prepared."""

    guide: str
    revision_of: str | None
    materially_different: bool | None
    games: tuple[str, ...] | None


@declared
class GuideSampleSubmitted(Header):
    """A sample of a gaming guide was submitted for approval."""

    guide: str
    bureau: Bureau | None


@declared
class GuideSampleDecided(Header):
    """A sample of a gaming guide was approved or not."""

    guide: str
    approved: bool
    bureau: Bureau | None


@declared
class GuideIssued(Header):
    """A gaming guide was issued or distributed."""

    guide: str
    place: str | None


@declared
class GuideDisplayed(Header):
    """A gaming guide was put on display."""

    guide: str
    place: str | None


@declared
class GuideRemoved(Header):
    """A gaming guide was taken from display."""

    guide: str
    place: str | None


@declared
class GuideRequested(Header):
    """Somebody asked for a gaming guide."""

    requested_by: str | None
    given: bool | None
    guide: str | None
    place: str | None


@declared
class WebSiteChecked(Header):
    """The property's web site was looked at for the gaming guide."""

    guide_present: bool | None
    guide: str | None
    checked_by: str | None
