"""Drop, win and hold of a gaming day and of the days before, from the tables' days.

Each day's figures are those of its issue. What no report tells is not recorded, never zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TypedDict

from ledger.audit import TableAccount
from ledger.reports.night.report_data import Takings


class Row(TypedDict):
    """What the takings need of a table's day in ``tables.json``: cents, None if not recorded."""

    cash_drop_cents: int | None
    win_by_count_cents: int | None
    win_by_rounds_cents: int | None


def takings_of(day: date, accounts: Iterable[TableAccount]) -> Takings:
    """The takings of a gaming day from its tables' accounts."""
    return takings_of_rows(
        day,
        [
            {
                "cash_drop_cents": one.drop_cents,
                "win_by_count_cents": one.by_count_cents,
                "win_by_rounds_cents": one.by_rounds_cents,
            }
            for one in accounts
        ],
    )


def takings_of_rows(day: date, rows: Sequence[Row]) -> Takings:
    """The takings of a gaming day from its file ``tables.json``."""
    both = [
        one
        for one in rows
        if one["cash_drop_cents"] is not None and one["win_by_count_cents"] is not None
    ]
    return Takings(
        first=day,
        last=day,
        days=1,
        drop_cents=_sum(one["cash_drop_cents"] for one in rows),
        win_cents=_sum(one["win_by_count_cents"] for one in rows),
        calculated_cents=_sum(one["win_by_rounds_cents"] for one in rows),
        held_cents=_sum(one["win_by_count_cents"] for one in both),
        held_drop_cents=_sum(one["cash_drop_cents"] for one in both),
        table_days=sum(one["cash_drop_cents"] is not None for one in rows),
        calculated_table_days=sum(one["win_by_rounds_cents"] is not None for one in rows),
        of_table_days=len(rows),
    )


def takings_together(first: date, takings: Sequence[Takings]) -> Takings:
    """The takings of several days as those of a period that begins with ``first``."""
    return Takings(
        first=first,
        last=max(one.last for one in takings),
        days=sum(one.days for one in takings),
        drop_cents=_sum(one.drop_cents for one in takings),
        win_cents=_sum(one.win_cents for one in takings),
        calculated_cents=_sum(one.calculated_cents for one in takings),
        held_cents=_sum(one.held_cents for one in takings),
        held_drop_cents=_sum(one.held_drop_cents for one in takings),
        table_days=sum(one.table_days for one in takings),
        calculated_table_days=sum(one.calculated_table_days for one in takings),
        of_table_days=sum(one.of_table_days for one in takings),
    )


def _sum(amounts: Iterable[int | None]) -> int | None:
    """The sum of the amounts that are known; None where none is."""
    known = [one for one in amounts if one is not None]
    return sum(known) if known else None
