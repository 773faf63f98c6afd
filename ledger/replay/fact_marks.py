"""What is to be said of a fact: that it came late, or that a person added it."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.kernel import FactRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What is to be said of one fact beside what it says; times in microseconds UTC.

    ``closed_at`` is when the closing of its day arrived, None where the fact came before it.
    ``added_by`` is who added it by hand or from a sheet, None where a terminal delivered it.
    """

    ref: FactRef
    event: str
    event_time: int
    arrived_at: int
    source: str
    recorded_by: str | None
    closed_at: int | None
    added_by: str | None
    approved_by: str | None
