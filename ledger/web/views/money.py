"""Money: what each table won on a gaming day, counted beside calculated."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from ledger.kernel import UsageError
from ledger.web.rendering import Answer
from ledger.web.visit import Visit
from ledger.web.win_interval import WinSpread, half_width, spreads_of

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
    spreads = {} if day is None else spreads_of(record, day)
    holds = [_hold(row, spreads[row["table_name"]]) for row in rows if row["table_name"] in spreads]
    context = {
        "holds": holds,
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
    document = {
        "gaming_day": str(day) if day else None,
        "tables": [_plain(row) for row in rows],
        "holds": holds,
    }
    return Answer(template="money.html", context=context, document=document, rows=rows)


def _hold(row: Mapping[str, Any], spread: WinSpread) -> dict[str, object]:
    """A table's hold on its wagers beside theory, and where chance alone leaves it, in per cent."""
    wagered, won = int(row["wagered_cents"]), row["win_by_rounds_cents"]
    theory, half = round(spread.theoretical), half_width(spread.variance)
    hold = None if won is None else f"{100 * int(won) / wagered:.2f}"
    return {
        "table": row["table_name"],
        "wagered_cents": wagered,
        "hold_percent": hold,
        "theoretical_percent": f"{100 * theory / wagered:.2f}",
        "low_percent": f"{100 * (theory - half) / wagered:.2f}",
        "high_percent": f"{100 * (theory + half) / wagered:.2f}",
        "is_within": None if won is None else abs(int(won) - theory) <= half,
    }


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
