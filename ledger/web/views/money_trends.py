"""Money over gaming days: by day, month, game or table; and the slips of a day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any, Final

from ledger.events import CreditTaken, FillDelivered
from ledger.kernel import UsageError, table_of
from ledger.web.money_chart import Bars, bars_svg
from ledger.web.rendering import Answer
from ledger.web.views.money import day_of_text
from ledger.web.visit import Visit
from ledger.web.win_interval import half_width, spreads_of

GROUPS: Final = {
    "day": "CAST(gaming_day AS VARCHAR)",
    "month": "strftime(gaming_day, '%Y-%m')",
    "game": "coalesce(game, 'not recorded')",
    "table": "table_name",
}
_BOTH: Final = "win_by_count_cents IS NOT NULL AND cash_drop_cents IS NOT NULL"
_FIGURES: Final = f"""
count(*) AS table_days,
sum(cash_drop_cents) AS drop_cents, count(cash_drop_cents) AS drop_known,
sum(win_by_count_cents) AS counted_cents, count(win_by_count_cents) AS counted_known,
sum(win_by_rounds_cents) AS calculated_cents, count(win_by_rounds_cents) AS calculated_known,
sum(theoretical_win_cents) AS theoretical_cents, count(theoretical_win_cents) AS theoretical_known,
sum(win_by_count_cents) FILTER ({_BOTH}) AS held_cents,
sum(cash_drop_cents) FILTER ({_BOTH}) AS held_drop_cents
"""
_COLUMNS: Final = (
    ("drop", "drop"),
    ("counted win", "counted"),
    ("calculated win", "calculated"),
    ("theoretical win", "theoretical"),
)
MOST_SPREAD: Final = 31
"""Gaming days up to which the interval of a sum is worked out."""
_KINDS: Final = (FillDelivered, CreditTaken)


class GroupUnknown(UsageError):
    """Money is not summed so."""

    code = "group_unknown"


def trends(visit: Visit) -> Answer:
    """What the tables won, by ``?by=`` day, month, game or table, with a chart and its figures.

    A sum is of the table days on which the figure is recorded, and says of how many.

    Raises:
        GroupUnknown: it is asked for by something else.
        ReadModelMissing: nothing can be summed yet.
    """
    by = visit.query.get("by", "day")
    group = GROUPS.get(by)
    if group is None:
        raise GroupUnknown("Money is not summed so.", next_step="Choose day, month, game or table.")
    select = f"SELECT {group} AS name, {_FIGURES} FROM table_days GROUP BY 1 ORDER BY 1"
    rows = [_plain(row) for row in visit.record.rows(select, [])]
    widths = _half_widths(visit, group)
    rows = [row | {"theoretical_half_width_cents": widths.get(row["name"])} for row in rows]
    chart = bars_svg(
        [
            Bars(
                name=row["name"],
                counted_cents=row["counted_cents"],
                theoretical_cents=row["theoretical_cents"],
            )
            for row in rows
        ]
    )
    context = {
        "title": "Money over time",
        "section": "Money",
        "by": by,
        "groups": list(GROUPS),
        "rows": rows,
        "columns": _COLUMNS,
        "chart": chart,
        "behind": visit.record.behind,
    }
    return Answer(template="money_trends.html", context=context, document=rows, rows=rows)


def _half_widths(visit: Visit, group: str) -> dict[str, int]:
    """How far by chance alone the win of each group may lie from theory, in cents.

    Given for groups whose tables all have a spread where they have a theoretical win.
    """
    record = visit.record
    days = record.gaming_days()
    if len(days) > MOST_SPREAD:
        return {}
    select = f"SELECT {group} AS name, gaming_day, table_name FROM table_days"
    select += " WHERE theoretical_win IS NOT NULL AND wagered_cents > 0"
    variances: dict[str, float | None] = {}
    for row in record.rows(select, []):
        spread = spreads_of(record, row["gaming_day"]).get(row["table_name"])
        before = variances.get(row["name"], 0.0)
        known = None if spread is None or before is None else before + spread.variance
        variances[row["name"]] = known
    return {name: half_width(sum_) for name, sum_ in variances.items() if sum_ is not None}


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Sums as whole numbers, and the hold in per cent of the drop, to two places."""
    plain = {
        name: cell if cell is None or isinstance(cell, str) else int(cell)
        for name, cell in row.items()
    }
    won, drop = plain.pop("held_cents"), plain.pop("held_drop_cents")
    hold = None if won is None or not drop else Decimal(won * 100) / Decimal(drop)
    return plain | {"hold_percent": None if hold is None else f"{hold:.2f}"}


def slips(visit: Visit) -> Answer:
    """The fills and credits of a gaming day; ``?day=`` chooses it, the last one by default.

    Raises:
        DayUnreadable: the day that was asked for is no date.
    """
    days = visit.record.gaming_days()
    day = day_of_text(visit.query.get("day")) or (days[0] if days else None)
    rows = [] if day is None else sorted(_slips(visit, day), key=lambda row: str(row["at"]))
    totals = {
        kind: sum(int(str(row["chips_cents"])) for row in rows if row["kind"] == kind)
        for kind in ("fill", "credit")
    }
    context = {
        "title": "Slips",
        "section": "Money",
        "day": day,
        "days": days,
        "slips": rows,
        "totals": totals,
    }
    return Answer(template="slips.html", context=context, document=rows, rows=rows)


def _slips(visit: Visit, day: date) -> Iterator[dict[str, object]]:
    replay, clock = visit.record.replay, visit.record.property_clock
    begins, ends = clock.bounds(day)
    for kind in _KINDS:
        for stream in replay.streams_with([kind.__name__]):
            for step in replay.of_kind(stream, kind, since=begins, until=ends):
                fact = step.fact
                assert isinstance(fact, _KINDS)
                yield {
                    "at": clock.local(fact.event_time).isoformat(timespec="seconds"),
                    "table": table_of(stream),
                    "kind": "fill" if kind is FillDelivered else "credit",
                    "slip": fact.slip,
                    "chips_cents": fact.chips_cents,
                    "signed_by": list(fact.signed_by),
                    "fact": f"{fact.stream}:{fact.seq}",
                }
