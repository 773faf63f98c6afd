"""Facts of dice, shakers and the electrical device.

One frozen dataclass per schema under ``schemas/dice``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.enums import Device, Role, ShakerKind
from ledger.events.fact_declaration import Header, declared
from ledger.events.parts import Die, DieIdentity


@declared
class DiceSetPlaced(Header):
    """Dice were put into play at the table."""

    shaker: str | None
    dice: tuple[DieIdentity, ...]


@declared
class DiceSetRemoved(Header):
    """Dice were taken out of play."""

    dice: tuple[str, ...]


@declared
class ShakerPlaced(Header):
    """A shaker was put on the table."""

    shaker: str
    kind: ShakerKind


@declared
class ShakerRemoved(Header):
    """A shaker was taken from the table."""

    shaker: str


@declared
class ShakerCovered(Header):
    """The cover was put on the shaker."""

    shaker: str | None


@declared
class ShakerUncovered(Header):
    """The cover was taken off the shaker."""

    shaker: str | None


@declared
class DiceShaken(Header):
    """The dice were shaken, or the automated shaker activated."""

    shaker: str | None
    kind: ShakerKind | None
    shakes: int | None
    shaken_by: str | None
    role: Role | None


@declared
class DiceThrown(Header):
    """The dice came to rest and can be seen."""

    dice: tuple[Die, ...]
    thrown_by: str | None


@declared
class RollCalled(Header):
    """The values of the dice were announced."""

    faces: tuple[int, ...]
    called_by: str | None


@declared
class ValuesEntered(Header):
    """The values of the dice were entered into the electrical device."""

    faces: tuple[int, ...]
    entered_by: str | None


@declared
class AreasLit(Header):
    """The electrical device lit areas of the layout."""

    areas: tuple[str, ...] | None


@declared
class LightsCleared(Header):
    """The lit areas were cleared."""


@declared
class DeviceFailed(Header):
    """A device failed or worked wrongly."""

    device: Device
    device_id: str | None
    fault: str | None


@declared
class DeviceFixed(Header):
    """A device works again."""

    device: Device
    device_id: str | None


@declared
class NoRollCalled(Header):
    """A no roll was called."""

    reason: str | None
    called_by: str | None


@declared
class RoundVoided(Header):
    """The house declared the round void."""

    reason: str | None
    called_by: str | None
