"""Facts of a table: opening, limits, staff, cameras, inspections, chips and boxes.

One frozen dataclass per schema under ``schemas/tables``: same name, same fields, same order; units
and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.declared import dataclass
from ledger.events.enums import Capture, Device, Role, Subject
from ledger.events.parts import DenominationCount, Seen


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened:
    """A table opened for gaming activity."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    game: str
    layout: str
    paytable: str | None
    capture: Capture


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed:
    """A table closed for gaming activity."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemInspected:
    """One item of a layout, a sign or equipment was looked at."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    subject: Subject
    subject_id: str | None
    item: str
    found: bool | None
    seen: tuple[Seen, ...]
    inspected_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceInspected:
    """Equipment was operated before opening to see that it works."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    device: Device
    device_id: str | None
    inspected_by: str
    trial_entries: int | None
    values_per_entry: int | None
    operations: int | None
    lit_properly: bool | None
    tossed_properly: bool | None
    working: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsSet:
    """From this moment the table works with these limits."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    wager: str | None
    minimum_cents: int | None
    maximum_cents: int | None
    increment_cents: int | None
    patrons_playing: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsSignPosted:
    """A sign with limits was put up at the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    sign: str
    wager: str | None
    minimum_cents: int | None
    maximum_cents: int | None
    states_change: bool | None
    effective_time: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsSignRemoved:
    """A sign with limits was taken away."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    sign: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsChangeAnnounced:
    """A coming change of limits was announced to the patrons at the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    wager: str | None
    minimum_cents: int | None
    maximum_cents: int | None
    effective_time: int | None
    announced_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PatronsCounted:
    """The patrons playing at the table were counted."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffAssigned:
    """A person took up a role at the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    role: Role
    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffRelieved:
    """A person left a role at the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    role: Role
    person: str
    relieved_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SupervisorPresent:
    """A supervisor stood at the table and watched."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    role: Role
    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionTaken:
    """A patron took a position."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    position: str
    patron: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionLeft:
    """A patron left a position."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    position: str
    patron: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraAssigned:
    """A camera covers the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    camera: str
    covers: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraLost:
    """A camera's picture was lost."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    camera: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraRestored:
    """A camera's picture came back."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    camera: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CashChanged:
    """Cash was exchanged for chips at the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    position: str | None
    patron: str | None
    cash_cents: int
    chips_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenerCounted:
    """The table inventory was counted at opening."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    chips_cents: int
    counted_by: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CloserCounted:
    """The table inventory was counted at closing."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    chips_cents: int
    counted_by: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FillDelivered:
    """Chips were brought to the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    slip: str
    chips_cents: int
    signed_by: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditTaken:
    """Chips were taken from the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    slip: str
    chips_cents: int
    signed_by: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DropBoxHung:
    """A drop box was attached to the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    box: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DropBoxRemoved:
    """A drop box was taken from the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    box: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DropBoxCounted:
    """A drop box was counted."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    box: str
    for_gaming_day: str
    cash: tuple[DenominationCount, ...]
    chips_cents: int
    coupons: tuple[str, ...]
    counted_by: tuple[str, ...]
