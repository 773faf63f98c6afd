"""What a table captured, in words."""

from __future__ import annotations

from datetime import date

from ledger.audit.captured import not_covered_at
from ledger.reports.phrases import listed


def capture_line(table: str, day: date, level: str | None) -> str:
    """What a table recorded on a day, and what is therefore not covered, in one line.

    Args:
        table: the table.
        day: the gaming day.
        level: the capture level in lower case; None: the table stated none.
    """
    missing = listed(list(not_covered_at(level)))
    words = f"{table}, gaming day {day}: capture level {level or 'not stated'}"
    return f"{words}; not recorded: {missing}." if missing else f"{words}."
