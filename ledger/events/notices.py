"""Facts of signs with rules, and of what a camera is.

One frozen dataclass per schema, under ``schemas/tables``: same name, same fields, same order; the
schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.fact_declaration import Header, declared
from ledger.events.parts import FiledOdds


@declared
class RulesSignPosted(Header):
    """A sign with rules in effect was put up at the table."""

    sign: str
    odds: tuple[FiledOdds, ...] | None
    payout_limit_cents: int | None
    text: str | None


@declared
class RulesSignRemoved(Header):
    """A sign with rules was taken away."""

    sign: str


@declared
class CameraDescribed(Header):
    """What kind of camera covers the table, and what it shows."""

    camera: str
    stationary: bool | None
    covers: str | None
