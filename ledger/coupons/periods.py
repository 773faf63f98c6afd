"""The monthly inventory and the quarterly report: due, missing, and what they must state.

Months and quarters are those of the calendar, by gaming day. The text gives the report no due day:
where the property sets none, a missing report is reported after a whole month.
Law: 58 Pa. Code § 525.21(n), (o).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from ledger.coupons.custody_register import CustodyRegister
from ledger.coupons.records import Flow, Irregular
from ledger.events import Bureau, CouponDuty, QuarterlyReportFiled
from ledger.kernel import LONGEST_PAUSE, MICROSECONDS, Finding, dollars, duration_words, ref_of

MONTHS_OF_A_QUARTER: Final = 3
SECONDS_A_DAY: Final = 86_400


def month_of(day: date) -> str:
    """Return the month of a gaming day, ``2012-08``."""
    return f"{day:%Y-%m}"


def quarter_of(day: date) -> str:
    """Return the quarter of a gaming day, ``2012-Q3``."""
    return f"{day.year}-Q{(day.month - 1) // MONTHS_OF_A_QUARTER + 1}"


def next_month(day: date) -> date:
    """Return the first day of the next month; the calendar's last day where none follows."""
    if (day.year, day.month) == (date.max.year, date.max.month):
        return date.max
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1)


def after_quarter(day: date) -> date:
    """Return the first day after the quarter of a day.

    >>> after_quarter(date(2012, 8, 14))
    datetime.date(2012, 10, 1)
    """
    first = (day.month - 1) // MONTHS_OF_A_QUARTER * MONTHS_OF_A_QUARTER + 1
    start = day.replace(month=first, day=1)
    for _ in range(MONTHS_OF_A_QUARTER):
        start = next_month(start)
    return start


def redeemed_in(book: CustodyRegister, quarter: str) -> dict[int, int]:
    """Return the value redeemed in a quarter, in cents by denomination, whether won or lost."""
    values: dict[int, int] = {}
    for day, record in book.days.items():
        if quarter_of(day) == quarter:
            for (flow, cents), quantity in record.counts.items():
                if flow is Flow.REDEEMED:
                    values[cents] = values.get(cents, 0) + quantity * cents
    return values


def irregular_in(book: CustodyRegister, quarter: str) -> list[Irregular]:
    """Return the redemptions of a quarter that were not in order, in order of time."""
    redemptions = [
        one
        for day, record in book.days.items()
        if quarter_of(day) == quarter
        for one in record.irregular
    ]
    return sorted(redemptions, key=lambda one: (one.at, one.serial))


def _known_days(book: CustodyRegister) -> list[date]:
    return sorted({*book.closed, *(d for d, record in book.days.items() if record.begun)})


def _reported_on(book: CustodyRegister, due: date) -> date | None:
    """The first gaming day of the record on or after a due day."""
    return next((day for day in _known_days(book) if day >= due), None)


def _months(book: CustodyRegister, until: date) -> Iterator[date]:
    """Yield the first day of each month in which there was stock, up to a day.

    Of a pause of the record longer than ``LONGEST_PAUSE`` days only the last whole month is
    yielded: one date years off asks for no inventory of each month in between.
    """
    first = book.documents.first_stock
    month = first.replace(day=1) if first is not None else until
    known = _known_days(book)
    while month < next_month(month) <= until:
        yield month
        ahead = next((day for day in known if day >= next_month(month)), until)
        if (ahead - month).days > LONGEST_PAUSE + 31:
            ahead = ahead.replace(day=1)
            month = max(next_month(month), (ahead - timedelta(days=1)).replace(day=1))
        else:
            month = next_month(month)


def conclude_periods(book: CustodyRegister, day: date, into: list[Finding]) -> None:
    """Report what was due before a gaming day, and judge the reports filed on it."""
    sure = book.sure(-1, book.at)
    taken = {fact.month for _, fact, _, _ in book.documents.inventories}
    for month in _months(book, day):
        due = next_month(month)
        if month_of(month) not in taken and _reported_on(book, due) == day:
            book.say(
                "inventory_missing", "(n)#1", observed=month_of(month), facts=(), day=day,
                sure=sure, into=into,
            )  # fmt: skip
    filed = {fact.quarter: (at, fact) for at, fact in book.documents.reports}
    ends: dict[str, date] = {}
    for month in _months(book, day):
        ends[quarter_of(month)] = after_quarter(month)
    for quarter, ended in sorted(ends.items()):
        setting = book.program.deadlines.get(CouponDuty.QUARTERLY_REPORT)
        due = (
            next_month(ended)
            if setting is None
            else ended + timedelta(days=-(-setting.within_seconds // SECONDS_A_DAY))
        )
        if quarter not in filed and ended <= day and _reported_on(book, due) == day:
            book.say(
                "quarterly_report_missing", "(o)#1", observed=quarter, facts=(), day=day,
                sure=sure, into=into,
            )  # fmt: skip
    for at, report in filed.values():
        if book.clock.day_of(at) == day:
            _report(book, at, report, day, into)


def _report(
    book: CustodyRegister, at: int, fact: QuarterlyReportFiled, day: date, into: list[Finding]
) -> None:
    """Judge to whom a report went, and its value by denomination."""
    ref = (ref_of(fact),)
    if fact.bureau is not Bureau.CASINO_COMPLIANCE:
        book.say(
            "quarterly_report_missing", "(o)#2", observed=fact.quarter, facts=ref, day=day,
            sure=fact.bureau is not None, into=into,
        )  # fmt: skip
    setting = book.program.deadlines.get(CouponDuty.QUARTERLY_REPORT)
    started = [d for d in book.days if quarter_of(d) == fact.quarter]
    if setting is not None and started:
        ends = book.clock.start_of(after_quarter(started[0]))
        over = at - ends - setting.within_seconds * MICROSECONDS
        if over > 0:
            book.say(
                "coupon_deadline_missed", "(m)#1", facts=ref, day=day, into=into,
                observed=f"The report for {fact.quarter} was filed {duration_words(over)} late",
                expected=setting.source_line,
            )  # fmt: skip
    reported = {one.denomination_cents: one.value_cents or 0 for one in fact.lines}
    known = redeemed_in(book, fact.quarter)
    sure = book.sure(-1, at, *book.tables_in_doubt())
    for cents in sorted(known):
        if cents not in reported:
            book.say(
                "quarterly_report_wrong", "(o)#3", observed=dollars(cents),
                expected=fact.quarter, facts=ref, day=day, sure=sure, into=into,
            )  # fmt: skip
    wrong = {
        cents: value
        for cents, value in reported.items()
        if cents is not None and value != known.get(cents, 0)
    }
    if wrong:
        right = {cents: known.get(cents, 0) for cents in wrong}
        book.say(
            "quarterly_report_wrong", "(o)#4", observed=_values(wrong), expected=_values(right),
            facts=ref, day=day, sure=sure, into=into,
        )  # fmt: skip


def _values(cents: dict[int, int]) -> str:
    return ", ".join(
        f"{dollars(value)} of {dollars(of)} coupons" for of, value in sorted(cents.items())
    )
