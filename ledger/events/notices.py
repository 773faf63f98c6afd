"""Facts of signs with rules, and of what a camera is.

One frozen dataclass per schema, under ``schemas/tables``: same name, same fields, same order; units
and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.declared import dataclass
from ledger.events.parts import FiledOdds


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesSignPosted:
    """A sign with rules in effect was put up at the table."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    sign: str
    odds: tuple[FiledOdds, ...] | None
    payout_limit_cents: int | None
    text: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesSignRemoved:
    """A sign with rules was taken away."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    sign: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraDescribed:
    """What kind of camera covers the table, and what it shows."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    camera: str
    stationary: bool | None
    covers: str | None
