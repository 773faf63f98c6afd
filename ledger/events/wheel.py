"""Facts of a wheel.

One frozen dataclass per schema under ``schemas/wheel``: same name, same fields, same order; units
and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.declared import dataclass
from ledger.events.enums import Clapper, Direction, Role
from ledger.events.parts import SectionOdds


@dataclass(frozen=True, slots=True, kw_only=True)
class WheelPlaced:
    """A wheel was put into use at the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    wheel: str
    sections: tuple[str, ...]
    read_clockwise: bool | None
    diameter_thousandths: int | None
    clapper: bool | None
    equally_spaced: bool | None
    odds_shown: tuple[SectionOdds, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WheelRemoved:
    """A wheel was taken out of use."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    wheel: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WheelSpun:
    """A spin ended: the clapper came to rest."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    started_time: int | None
    direction: Direction | None
    revolutions_thousandths: int | None
    clapper: Clapper | None
    section: int | None
    between: tuple[int, ...] | None
    symbols: tuple[str, ...] | None
    spun_by: str | None
    role: Role | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpinVoided:
    """The dealer declared the last spin void."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    reason: str | None
    called_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpinCalled:
    """The result of a spin was announced."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    result: str
    called_by: str | None
