"""Money: what each table won on a gaming day, counted beside calculated."""

from __future__ import annotations

from datetime import date
from typing import Final

from ledger.kernel import UsageError
from ledger.web.rendering import Answer
from ledger.web.visit import Visit

_COLUMNS: Final = (
    *("table_name", "game", "opener_cents", "fills_cents", "credits_cents", "closer_cents"),
    *("cash_drop_cents", "coupons_cents", "win_by_count_cents", "win_by_rounds_cents"),
    *("difference_cents", "wagered_cents", "theoretical_win_cents", "missing"),
)


class DayUnreadable(UsageError):
    """A text is no gaming day."""

    code = "day_unreadable"


def money_page(visit: Visit) -> Answer:
    """The tables of one gaming day; ``?day=`` chooses it, the last one by default.

    Raises:
        ReadModelMissing: nothing can be listed yet.
        DayUnreadable: the day that was asked for is no date.
    """
    record = visit.record
    days = record.gaming_days()
    day = day_of_text(visit.query.get("day")) or (days[0] if days else None)
    select = f"SELECT {', '.join(_COLUMNS)} FROM table_days WHERE gaming_day = ? ORDER BY 1"
    rows = [] if day is None else record.rows(select, [day], [day])
    context = {
        "title": "Money",
        "day": day,
        "days": days,
        "tables": rows,
        "columns": (
            *(("opener", "opener_cents"), ("fills", "fills_cents"), ("credits", "credits_cents")),
            *(("closer", "closer_cents"), ("cash drop", "cash_drop_cents")),
            *(("coupons", "coupons_cents"), ("counted win", "win_by_count_cents")),
            *(("calculated win", "win_by_rounds_cents"), ("difference", "difference_cents")),
            *(("wagered", "wagered_cents"), ("theoretical win", "theoretical_win_cents")),
        ),
        "behind": record.behind,
    }
    document = {"gaming_day": str(day) if day else None, "tables": [_plain(row) for row in rows]}
    return Answer(template="money.html", context=context, document=document, rows=rows)


def day_of_text(text: str | None) -> date | None:
    """Return the day of a text such as 2021-06-12; None where nothing is asked for.

    Raises:
        DayUnreadable: it is no date.
    """
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise DayUnreadable(
            "This is no gaming day.", next_step="Write it as in 2021-06-12."
        ) from error


def _plain(row: dict[str, object]) -> dict[str, object]:
    """Whole numbers as such, all else as text."""
    return {
        name: cell if cell is None or isinstance(cell, int | str) else str(cell)
        for name, cell in row.items()
    }
