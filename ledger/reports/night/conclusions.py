"""The figures that lead the first page of a night: money lost, largest variance, open actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from ledger.casework import Action
from ledger.kernel import Severity, dollars, percent, plural
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.night import words
from ledger.reports.night.report_data import NightData, Takings
from ledger.reports.night.takings import takings_of

NOT_RECORDED = "not recorded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """One figure of the first page: what it is, the figure, and what bears on it."""

    title: str
    figure: str
    remark: str
    grave: bool = False


def conclusions(night: NightData) -> tuple[Conclusion, ...]:
    """The figures in their order."""
    unjudged = sum(one.rounds - one.judged for one in night.capture)
    return (
        _lost("House lost", [(one, one.overpaid_cents) for one in night.actions], unjudged),
        _lost("Patrons lost", [(one, one.underpaid_cents) for one in night.actions], unjudged),
        _variance(night),
        _open(night),
        _overdue(night),
    )


def _lost(title: str, sums: Sequence[tuple[Action, int | None]], unjudged: int) -> Conclusion:
    """The money paid wrongly one way; an amount in doubt is stated and not added."""
    sure = [cents for action, cents in sums if action.certain and cents]
    doubtful = sum(cents or 0 for action, cents in sums if not action.certain)
    remarks = [f"in {plural(len(sure), 'action')}"] if sure else []
    if doubtful:
        remarks.append(f"{dollars(doubtful)} more in doubt")
    if unjudged:
        remarks.append(f"{plural(unjudged, 'round')} not judged")
    return Conclusion(
        title=title, figure=dollars(sum(sure)), remark="; ".join(remarks), grave=bool(sure)
    )


def _variance(night: NightData) -> Conclusion:
    title = "Largest variance"
    known = [
        (one.account.difference_cents, one.account.table)
        for one in night.tables
        if one.account.difference_cents is not None
    ]
    without = len(night.tables) - len(known)
    more = f"; {plural(without, 'table')} not compared" if without else ""
    if not known:
        return Conclusion(
            title=title, figure=NOT_RECORDED, remark="no table has a counted and a calculated win"
        )
    cents, table = max(known, key=lambda one: (abs(one[0]), one[1]))
    if not cents:
        same = f"counted and calculated win agree at {plural(len(known), 'table')}{more}"
        return Conclusion(title=title, figure=dollars(0), remark=same)
    side = "more" if cents > 0 else "less"
    remark = f"{table}: {side} counted than calculated{more}"
    return Conclusion(title=title, figure=dollars(abs(cents)), remark=remark, grave=True)


def _open(night: NightData) -> Conclusion:
    waiting = [one for one in night.actions if words.place_of(one) == 0]
    critical = sum(one.severity is Severity.CRITICAL for one in waiting)
    remarks = [f"{critical:,} critical"] if critical else []
    if night.open_before is None:
        remarks.append(f"earlier nights {NOT_RECORDED}")
    else:
        before = sum(count for _, count in night.open_before.by_day)
        remarks.append(f"{before:,} more from earlier nights")
    return Conclusion(
        title="Open actions", figure=f"{len(waiting):,}", remark="; ".join(remarks),
        grave=bool(critical),
    )  # fmt: skip


def _overdue(night: NightData) -> Conclusion:
    """Actions that are open for more days than the property allows."""
    title, limit = "Overdue", night.action_days
    ages = [*_ages(night)]
    if limit is None:
        oldest = f"the oldest has been open {plural(max(ages), 'day')}" if any(ages) else ""
        return Conclusion(title=title, figure="no limit set", remark=oldest)
    late = sum(age > limit for age in ages)
    remark = f"open for more than {plural(limit, 'day')}"
    return Conclusion(title=title, figure=f"{late:,}", remark=remark, grave=bool(late))


def _ages(night: NightData) -> Iterator[int]:
    """For how many days each open action is open, those of earlier nights too."""
    yield from (one.age_days for one in night.actions if words.place_of(one) == 0)
    for day, count in () if night.open_before is None else night.open_before.by_day:
        yield from [(night.gaming_day - day).days] * count


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalsLine:
    """A line of the totals: its name, and a cell for each period."""

    title: str
    cells: tuple[str, ...]


def totals_heads(night: NightData) -> tuple[str, ...]:
    """The periods: the day, the day before, month and year to date."""
    day = night.gaming_day
    return (_short(day), "prior day", f"{day:%B} to date", f"{day.year} to date")


def totals(night: NightData) -> tuple[TotalsLine, ...]:
    """Drop, win and hold of the day and of the periods before."""
    own = takings_of(night.gaming_day, [one.account for one in night.tables])
    periods = (own, night.prior, night.month, night.year)
    lines = (
        ("cash drop", [_cents(one, "drop_cents") for one in periods]),
        ("counted win", [_cents(one, "win_cents") for one in periods]),
        ("calculated win", [_cents(one, "calculated_cents") for one in periods]),
        ("hold on drop", [_hold(one) for one in periods]),
    )
    return tuple(TotalsLine(title=title, cells=tuple(cells)) for title, cells in lines)


def totals_remarks(night: NightData) -> tuple[str, ...]:
    """Remarks on the totals: tables that were not plural, days without a report."""
    own = takings_of(night.gaming_day, [one.account for one in night.tables])
    heads = totals_heads(night)
    periods = (own, night.prior, night.month, night.year)
    return tuple(_left_out(zip(heads, periods, strict=True)))


def _left_out(periods: Iterable[tuple[str, Takings | None]]) -> Iterator[str]:
    for name, takings in periods:
        if takings is None:
            continue
        all_days = (takings.last - takings.first).days + 1
        parts = []
        if takings.days < all_days:
            parts.append(f"{takings.days:,} of {all_days:,} days have a report")
        for count, lacks in (
            (takings.table_days, "not counted"),
            (takings.calculated_table_days, "without a calculated win"),
        ):
            if count < takings.of_table_days:
                of = plural(takings.of_table_days, "table day")
                parts.append(f"{takings.of_table_days - count:,} of {of} {lacks}")
        if parts:
            yield f"{name}: {'; '.join(parts)}"


def _cents(takings: Takings | None, name: str) -> str:
    cents: int | None = None if takings is None else getattr(takings, name)
    return NOT_RECORDED if cents is None else words.amount(cents)


def _hold(takings: Takings | None) -> str:
    hold = None if takings is None else takings.hold
    return NOT_RECORDED if hold is None else percent(hold)


def _short(day: date) -> str:
    return f"{day:%b} {day.day}"
