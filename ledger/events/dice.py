"""Facts of dice, shakers and the electrical device.

One frozen dataclass per schema under ``schemas/dice``: same name, same fields, same order; units
and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.declared import dataclass
from ledger.events.enums import Device, Role, ShakerKind
from ledger.events.parts import Die, DieIdentity


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceSetPlaced:
    """Dice were put into play at the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    shaker: str | None
    dice: tuple[DieIdentity, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceSetRemoved:
    """Dice were taken out of play."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    dice: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShakerPlaced:
    """A shaker was put on the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    shaker: str
    kind: ShakerKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ShakerRemoved:
    """A shaker was taken from the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    shaker: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShakerCovered:
    """The cover was put on the shaker."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    shaker: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShakerUncovered:
    """The cover was taken off the shaker."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    shaker: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceShaken:
    """The dice were shaken, or the automated shaker activated."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    shaker: str | None
    kind: ShakerKind | None
    shakes: int | None
    shaken_by: str | None
    role: Role | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceThrown:
    """The dice came to rest and can be seen."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    dice: tuple[Die, ...]
    thrown_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RollCalled:
    """The values of the dice were announced."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    faces: tuple[int, ...]
    called_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuesEntered:
    """The values of the dice were entered into the electrical device."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    faces: tuple[int, ...]
    entered_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AreasLit:
    """The electrical device lit areas of the layout."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    areas: tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LightsCleared:
    """The lit areas were cleared."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFailed:
    """A device failed or worked wrongly."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    device: Device
    device_id: str | None
    fault: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFixed:
    """A device works again."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    device: Device
    device_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoRollCalled:
    """A no roll was called."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    reason: str | None
    called_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundVoided:
    """The house declared the round void."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    reason: str | None
    called_by: str | None
