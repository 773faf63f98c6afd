"""Facts of a table: opening, limits, staff, cameras, inspections, chips and boxes.

One frozen dataclass per schema under ``schemas/tables``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.enums import Capture, Device, Role, Subject
from ledger.events.fact_declaration import Header, declared
from ledger.events.parts import DenominationCount, Seen


@declared
class TableOpened(Header):
    """A table opened for gaming activity."""

    game: str
    layout: str
    paytable: str | None
    capture: Capture


@declared
class TableClosed(Header):
    """A table closed for gaming activity."""

    reason: str | None


@declared
class ItemInspected(Header):
    """One item of a layout, a sign or equipment was looked at."""

    subject: Subject
    subject_id: str | None
    item: str
    found: bool | None
    seen: tuple[Seen, ...]
    inspected_by: str


@declared
class DeviceInspected(Header):
    """Equipment was operated before opening to see that it works."""

    device: Device
    device_id: str | None
    inspected_by: str
    trial_entries: int | None
    values_per_entry: int | None
    operations: int | None
    lit_properly: bool | None
    tossed_properly: bool | None
    working: bool | None


@declared
class LimitsSet(Header):
    """From this moment the table works with these limits."""

    wager: str | None
    minimum_cents: int | None
    maximum_cents: int | None
    increment_cents: int | None
    patrons_playing: bool | None


@declared
class LimitsSignPosted(Header):
    """A sign with limits was put up at the table."""

    sign: str
    wager: str | None
    minimum_cents: int | None
    maximum_cents: int | None
    states_change: bool | None
    effective_time: int | None


@declared
class LimitsSignRemoved(Header):
    """A sign with limits was taken away."""

    sign: str


@declared
class LimitsChangeAnnounced(Header):
    """A coming change of limits was announced to the patrons at the table."""

    wager: str | None
    minimum_cents: int | None
    maximum_cents: int | None
    effective_time: int | None
    announced_by: str | None


@declared
class PatronsCounted(Header):
    """The patrons playing at the table were counted."""

    count: int


@declared
class StaffAssigned(Header):
    """A person took up a role at the table."""

    role: Role
    person: str


@declared
class StaffRelieved(Header):
    """A person left a role at the table."""

    role: Role
    person: str
    relieved_by: str | None


@declared
class SupervisorPresent(Header):
    """A supervisor stood at the table and watched."""

    role: Role
    person: str


@declared
class PositionTaken(Header):
    """A patron took a position."""

    position: str
    patron: str | None


@declared
class PositionLeft(Header):
    """A patron left a position."""

    position: str
    patron: str | None


@declared
class CameraAssigned(Header):
    """A camera covers the table."""

    camera: str
    covers: str | None


@declared
class CameraLost(Header):
    """A camera's picture was lost."""

    camera: str


@declared
class CameraRestored(Header):
    """A camera's picture came back."""

    camera: str


@declared
class CashChanged(Header):
    """Cash was exchanged for chips at the table."""

    position: str | None
    patron: str | None
    cash_cents: int
    chips_cents: int


@declared
class OpenerCounted(Header):
    """The table inventory was counted at opening."""

    chips_cents: int
    counted_by: tuple[str, ...]


@declared
class CloserCounted(Header):
    """The table inventory was counted at closing."""

    chips_cents: int
    counted_by: tuple[str, ...]


@declared
class FillDelivered(Header):
    """Chips were brought to the table."""

    slip: str
    chips_cents: int
    signed_by: tuple[str, ...]


@declared
class CreditTaken(Header):
    """Chips were taken from the table."""

    slip: str
    chips_cents: int
    signed_by: tuple[str, ...]


@declared
class DropBoxHung(Header):
    """A drop box was attached to the table."""

    box: str


@declared
class DropBoxRemoved(Header):
    """A drop box was taken from the table."""

    box: str


@declared
class DropBoxCounted(Header):
    """A drop box was counted."""

    box: str
    for_gaming_day: str
    cash: tuple[DenominationCount, ...]
    chips_cents: int
    coupons: tuple[str, ...]
    counted_by: tuple[str, ...]
