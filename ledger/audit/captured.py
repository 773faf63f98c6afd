"""What a table claims to record, and what is therefore not judged.

Law: the Ledger contract, L.4.
"""

from __future__ import annotations

from datetime import date
from typing import Final

from ledger.kernel.quick_dataclass import dataclass

NOT_COVERED: Final = {
    "outcome": ("wagers", "settlements", "limits on wagers"),
    "counts": ("wagers", "settlements", "limits on wagers", "outcomes", "announcements"),
}
"""By capture level, what is not recorded, for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """What one table claimed to record on one gaming day.

    Args:
        gaming_day: the day.
        table: the table.
        level: "full", "outcome" or "counts"; None if no opening up to the day's end says.
    """

    gaming_day: date
    table: str
    level: str | None

    @property
    def not_covered(self) -> tuple[str, ...]:
        """What is not recorded and therefore not judged, for people."""
        return not_covered_at(self.level)


def not_covered_at(level: str | None) -> tuple[str, ...]:
    """Return what a capture level does not cover, for people; nothing where the level is None."""
    return () if level is None else NOT_COVERED.get(level, ())
