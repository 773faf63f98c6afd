"""What tables captured, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
    return _line([table], [day], level)


def capture_lines(captured: Iterable[tuple[str, date, str | None]]) -> Iterator[str]:
    """What tables recorded on days, tables and days that are alike in one line.

    Args:
        captured: tables with their gaming days and levels, as for ``capture_line``.

    >>> first, second = date(2021, 6, 12), date(2021, 6, 13)
    >>> alike = [(table, day, "full") for day in (first, second) for table in ("AP-01", "AP-02")]
    >>> list(capture_lines(alike))
    ['AP-01 and AP-02, gaming days 2021-06-12 to 2021-06-13: capture level full.']
    """
    days: dict[tuple[str, str | None], list[date]] = {}
    for table, day, level in captured:
        days.setdefault((table, level), []).append(day)
    tables: dict[tuple[str | None, tuple[date, ...]], list[str]] = {}
    for (table, level), on_these in days.items():
        tables.setdefault((level, tuple(on_these)), []).append(table)
    for (level, alike), names in tables.items():
        yield _line(names, alike, level)


def _line(tables: Sequence[str], days: Sequence[date], level: str | None) -> str:
    missing = listed(list(not_covered_at(level)))
    words = f"{listed([*tables])}, {_days(days)}: capture level {level or 'not stated'}"
    return f"{words}; not recorded: {missing}." if missing else f"{words}."


def _days(days: Sequence[date]) -> str:
    first, last = min(days), max(days)
    if first == last:
        return f"gaming day {first}"
    if (last - first).days + 1 == len(days):
        return f"gaming days {first} to {last}"
    return f"{len(days)} gaming days from {first} to {last}"
