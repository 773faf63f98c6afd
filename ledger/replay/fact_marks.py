"""What is to be said of a fact: that it came late, or that a person added it."""

from __future__ import annotations

from ledger.kernel import FactRef
from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A note on one fact: that it came late, or that a person added it.

    Times are microseconds UTC; persons are credentials.

    Attributes:
        ref: the fact.
        event: the name of its event.
        event_time: when it happened, by the fact.
        arrived_at: when it was recorded in the ledger.
        source: who wrote it.
        recorded_by: the person who recorded it, where the fact names one.
        closed_at: when the closing of its day arrived; None where the fact came before it.
        added_by: who added it by hand or from a sheet; None where a terminal delivered it.
        approved_by: who approved the addition; None where nobody did.
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
