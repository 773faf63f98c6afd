"""What the first page of a night leads with: money lost, the largest variance, what is open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from ledger.casework import Action
from ledger.kernel import Severity, dollars, percent
from ledger.reports.night import words
from ledger.reports.night.data import NightData, Takings
from ledger.reports.night.takings import takings_of

NOT_RECORDED = "not recorded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """One figure of the first page: what it is, the figure, and what bears on it."""

    title: str
    figure: str
    remark: str
    grave: bool = False


def conclusions(data: NightData) -> tuple[Conclusion, ...]:
    """The figures in their order."""
    unjudged = sum(one.rounds - one.judged for one in data.capture)
    return (
        _lost("House lost", [(one, one.overpaid_cents) for one in data.actions], unjudged),
        _lost("Patrons lost", [(one, one.underpaid_cents) for one in data.actions], unjudged),
        _variance(data),
        _open(data),
        _overdue(data),
    )


def _lost(title: str, sums: Sequence[tuple[Action, int | None]], unjudged: int) -> Conclusion:
    """What was paid wrongly one way; what is in doubt is told and not added."""
    sure = [cents for action, cents in sums if action.certain and cents]
    doubtful = sum(cents or 0 for action, cents in sums if not action.certain)
    remarks = [f"in {_counted(len(sure), 'action')}"] if sure else []
    if doubtful:
        remarks.append(f"{dollars(doubtful)} more in doubt")
    if unjudged:
        remarks.append(f"{_counted(unjudged, 'round')} not judged")
    return Conclusion(
        title=title, figure=dollars(sum(sure)), remark="; ".join(remarks), grave=bool(sure)
    )


def _variance(data: NightData) -> Conclusion:
    title = "Largest variance"
    known = [
        (one.account.difference_cents, one.account.table)
        for one in data.tables
        if one.account.difference_cents is not None
    ]
    without = len(data.tables) - len(known)
    more = f"; {_counted(without, 'table')} without both wins" if without else ""
    if not known:
        return Conclusion(
            title=title, figure=NOT_RECORDED, remark="no table has a counted and a calculated win"
        )
    cents, table = max(known, key=lambda one: (abs(one[0]), one[1]))
    if not cents:
        same = f"counted and calculated win agree at {_counted(len(known), 'table')}{more}"
        return Conclusion(title=title, figure=dollars(0), remark=same)
    side = "more" if cents > 0 else "less"
    remark = f"{table}: {side} counted than calculated{more}"
    return Conclusion(title=title, figure=dollars(abs(cents)), remark=remark, grave=True)


def _open(data: NightData) -> Conclusion:
    waiting = [one for one in data.actions if words.place_of(one) == 0]
    critical = sum(one.severity is Severity.CRITICAL for one in waiting)
    remarks = [f"{critical:,} critical"] if critical else []
    if data.open_before is None:
        remarks.append(f"earlier nights {NOT_RECORDED}")
    else:
        before = sum(count for _, count in data.open_before.by_day)
        remarks.append(f"{before:,} more of earlier nights")
    return Conclusion(
        title="Open actions", figure=f"{len(waiting):,}", remark="; ".join(remarks),
        grave=bool(critical),
    )  # fmt: skip


def _overdue(data: NightData) -> Conclusion:
    """Actions that are open for more days than the property allows."""
    title, limit = "Overdue", data.action_days
    ages = [*_ages(data)]
    if limit is None:
        oldest = f"the oldest is open for {_counted(max(ages), 'day')}" if ages else ""
        return Conclusion(title=title, figure="no limit set", remark=oldest)
    late = sum(age > limit for age in ages)
    remark = f"open for more than {_counted(limit, 'day')}"
    return Conclusion(title=title, figure=f"{late:,}", remark=remark, grave=bool(late))


def _ages(data: NightData) -> Iterator[int]:
    """For how many days each open action is open, those of earlier nights too."""
    yield from (one.age_days for one in data.actions if words.place_of(one) == 0)
    for day, count in () if data.open_before is None else data.open_before.by_day:
        yield from [(data.gaming_day - day).days] * count


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalsLine:
    """A line of the totals: its name, and a cell for each period."""

    title: str
    cells: tuple[str, ...]


def totals_heads(data: NightData) -> tuple[str, ...]:
    """The periods: the day, the day before, month and year to date."""
    day = data.gaming_day
    return (_short(day), "prior day", f"{day:%B} to date", f"{day.year} to date")


def totals(data: NightData) -> tuple[TotalsLine, ...]:
    """Drop, win and hold of the day and of the periods before."""
    own = takings_of(data.gaming_day, [one.account for one in data.tables])
    periods = (own, data.prior, data.month, data.year)
    lines = (
        ("cash drop", [_cents(one, "drop_cents") for one in periods]),
        ("counted win", [_cents(one, "win_cents") for one in periods]),
        ("calculated win", [_cents(one, "calculated_cents") for one in periods]),
        ("hold on drop", [_hold(one) for one in periods]),
    )
    return tuple(TotalsLine(title=title, cells=tuple(cells)) for title, cells in lines)


def totals_remarks(data: NightData) -> tuple[str, ...]:
    """What the totals leave out: tables that were not counted, days without a report."""
    own = takings_of(data.gaming_day, [one.account for one in data.tables])
    heads = totals_heads(data)
    periods = (own, data.prior, data.month, data.year)
    return tuple(_left_out(zip(heads, periods, strict=True)))


def _left_out(periods: Iterable[tuple[str, Takings | None]]) -> Iterator[str]:
    for name, one in periods:
        if one is None:
            continue
        all_days = (one.last - one.first).days + 1
        parts = []
        if one.days < all_days:
            parts.append(f"{one.days:,} of {all_days:,} days have a report")
        for count, lacks in (
            (one.table_days, "not counted"),
            (one.calculated_table_days, "without a calculated win"),
        ):
            if count < one.of_table_days:
                of = _counted(one.of_table_days, "table day")
                parts.append(f"{one.of_table_days - count:,} of {of} {lacks}")
        if parts:
            yield f"{name}: {'; '.join(parts)}"


def _cents(takings: Takings | None, name: str) -> str:
    cents: int | None = None if takings is None else getattr(takings, name)
    return NOT_RECORDED if cents is None else words.amount(cents)


def _hold(takings: Takings | None) -> str:
    hold = None if takings is None else takings.hold
    return NOT_RECORDED if hold is None else percent(hold)


def _short(day: date) -> str:
    return f"{day.day} {day:%b}"
