"""Coupons: one by its serial number, the equation of a gaming day, what is out, and the forms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Final

from ledger.audit import DayUnknown, FormDesk, findings_of_coupon
from ledger.audit.coupon_forms import form_findings
from ledger.coupons import Serial, reconcile, where
from ledger.coupons.forms import (
    MAKERS,
    NAMES,
    FigureRange,
    Issue,
    box_of,
    open_ranges,
    ranges_behind,
)
from ledger.events import CouponsCancelled
from ledger.kernel import FactRef, UsageError, event_words
from ledger.reports.coupon_location import step_data, where_data, where_line
from ledger.reports.coupon_reconciliation import (
    FIGURES,
    OutstandingRow,
    balance_line,
    outstanding_row,
    reconcile_data,
)
from ledger.reports.forms import forms_text, issue_data
from ledger.web.patrons import patrons_in
from ledger.web.rendering import Answer, Download, printed_page
from ledger.web.views.money import day_of_text
from ledger.web.visit import Visit

MOST_DAYS: Final = 62
FIGURE_WORDS: Final = {
    "carried_in": "carried in from the day before",
    "returned_expired": "returned after expiry",
    "kept": "kept for the next day",
    "dropped": "found in drop boxes",
    "cancelled_redeemed": "cancelled as redeemed",
    "finance_stock_close": "in finance stock at close",
    "with_patrons_close": "with patrons at close",
}
"""What figures of the equation are called where their own name does not say it."""
"""Gaming days that the page of coupons offers to go to."""
KINDS: Final[Mapping[str, str]] = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
EXPIRY: Final = (7, 30, 90)
"""Days until which liability by expiry is summed; what expires later stands last."""
MOST_RANGES: Final = 500
"""Ranges that a page lists; the CSV has all."""
NO_EXPIRY: Final = "no expiry on record"


class FigureUnknown(UsageError):
    """The equation has no such figure."""

    code = "figure_unknown"


class FormNameUnknown(UsageError):
    """There is no such form, or it is not given out so."""

    code = "form_name_unknown"


def coupons_page(visit: Visit) -> Answer:
    """The equation of a gaming day (``?day=``), and the coupons that are out at its end.

    Raises:
        NoCoupons, DayUnknown, DayUnreadable: there is nothing to show of that day.
    """
    desk, _ = visit.record.coupons()
    day = _day(visit, desk)
    reconciliation = reconcile(desk.book, day)
    findings = [*reconciliation.findings, *form_findings(desk.replay, desk.book, day)]
    document = reconcile_data(reconciliation, findings)
    clock = desk.house.clock
    ranges = sorted(open_ranges(desk.book, day), key=lambda lot: (not lot.is_lost, lot.range))
    out = [outstanding_row(lot, clock) for lot in ranges]
    days = sorted(desk.book.days, reverse=True)
    context = {
        "title": "Coupons",
        "day": day,
        "days": [other for other in days[:MOST_DAYS] if other != day],
        "balance": balance_line(reconciliation, findings),
        "balanced": document["balanced"],
        "figures": [(name, figure_words(name)) for name in FIGURES],
        "document": document,
        "findings": findings,
        "out": out,
        "lost": sum(lot.is_lost for lot in ranges),
        "liability": _liability(out, day),
        "forms": list(MAKERS),
    }
    return Answer(template="coupons.html", context=context, document=document, rows=out)


def figure_page(visit: Visit) -> Answer:
    """The serial numbers behind a figure of a day's equation; ``?day=&cents=`` say which one.

    Raises:
        NoCoupons, DayUnknown, FigureUnknown: there is none.
    """
    desk, _ = visit.record.coupons()
    day, name = _day(visit, desk), visit.path["figure"]
    blocks = {block.figures.denomination_cents: block for block in reconcile(desk.book, day).blocks}
    asked = visit.query.get("cents", "")
    block = blocks.get(int(asked)) if re.fullmatch(r"[0-9]{1,9}", asked, re.ASCII) else None
    if name not in FIGURES or block is None:
        raise FigureUnknown("There is no such figure.", next_step="Choose one of the equation.")
    cents = block.figures.denomination_cents

    def is_of_day(ref: FactRef) -> bool:
        fact = desk.replay.fact(*ref)
        return isinstance(fact, CouponsCancelled) and fact.for_gaming_day == day.isoformat()

    ranges = ranges_behind(desk.book, day, name, cents, is_of_day)
    rows = [_range_row(each) for each in ranges]
    context = {
        "title": f"Coupons: {figure_words(name)}",
        "section": "Coupons",
        "figure": name,
        "words": figure_words(name),
        "day": day,
        "cents": cents,
        "count": getattr(block.figures, name),
        "listed": sum(each.range.quantity for each in ranges),
        "rows": rows[:MOST_RANGES],
        "more": max(len(rows) - MOST_RANGES, 0),
    }
    return Answer(template="coupon_figure.html", context=context, document=rows, rows=rows)


def figure_words(name: str) -> str:
    """Return what a figure of the equation is called on pages."""
    return FIGURE_WORDS.get(name, name.replace("_", " "))


def _range_row(counted: FigureRange) -> dict[str, object]:
    ends = (counted.range.first, counted.range.last)
    first, last = (
        str(Serial(counted.range.prefix, counted.range.digits, number)) for number in ends
    )
    quantity = counted.range.quantity
    return {"from": first, "to": last, "quantity": quantity, "where": counted.where}


def serial_page(visit: Visit) -> Answer:
    """Where a coupon is, each step of its way, and every finding that names it.

    Raises:
        NoCoupons, SerialUnreadable, SerialAmbiguous: there is none that is named so.
    """
    record = visit.record
    desk, _ = record.coupons()
    location = where(desk.book, visit.path["serial"])
    carried = record.folder / "cache" / "carried"
    named = findings_of_coupon(
        record.replay, desk.house, desk.book, location.serial, carried, record.judged
    )
    codes = tuple(dict.fromkeys([*location.remarks, *(finding.code for finding in named)]))
    clock = desk.house.clock
    facts = [record.replay.fact(*step.move.ref) for step in location.steps]
    labels = patrons_in(fact for fact in facts if fact is not None)
    line = where_line(location, clock, codes, box_of(desk.book, location.serial))
    document = where_data(line, location, clock, named, codes, record.position_of)
    steps = [
        {**step_data(step, clock), "event": event_words(step.move.event)} for step in location.steps
    ]
    context = {
        "title": f"Coupon {location.serial}",
        "serial": str(location.serial),
        "line": labels.masked(line),
        "is_clean": not codes and bool(steps),
        "steps": labels.masked(steps),
        "findings": named,
        "tables": frozenset(record.replay.tables()),
    }
    rows = labels.masked(steps)
    return Answer(
        template="coupon.html", context=context, document=labels.masked(document), rows=rows
    )


def form_page(visit: Visit) -> Answer:
    """One form of a gaming day as it stands, with its signatures.

    Raises:
        NoCoupons, DayUnknown, FormUnknown: there is none.
    """
    desk, stamp = visit.record.coupons()
    day = _day(visit, desk)
    issues = _issues(desk, visit.path["form"], day)
    document = [issue_data(issue, stamp) for issue in issues]
    context = {
        "title": NAMES[issues[0].form.form],
        "form": visit.path["form"],
        "day": day,
        "sheets": forms_text(issues, stamp).split("\f"),
        "issue": issues[0],
        "signed": len(issues[0].signed),
        "signers": list(
            dict.fromkeys(
                (each.signed_as.value.lower(), each.who)
                for issue in issues[:1]
                for each in issue.form.signers
            )
        ),
    }
    return Answer(template="coupon_form.html", context=context, document=document, rows=document)


def form_print(visit: Visit) -> Download:
    """The form as a page that prints.

    Raises:
        NoCoupons, DayUnknown, FormUnknown: there is none.
    """
    return printed_page(_rendered(visit, "html").decode())


def form_file(visit: Visit) -> Download:
    """The form as a table or a workbook.

    Raises:
        NoCoupons, DayUnknown, FormUnknown, FormNameUnknown: there is none of that kind.
    """
    kind = visit.path["kind"]
    if kind not in KINDS:
        raise FormNameUnknown("A form is no such file.", next_step="Go back to the form.")
    desk, _ = visit.record.coupons()
    name = f"{visit.path['form']}-{_day(visit, desk)}.{kind}"
    return Download(content=_rendered(visit, kind), kind=KINDS[kind], name=name)


def _rendered(visit: Visit, kind: str) -> bytes:
    desk, stamp = visit.record.coupons()
    issues = _issues(desk, visit.path["form"], _day(visit, desk))
    return visit.record.services.printed_forms(issues, stamp, kind)


def _issues(desk: FormDesk, name: str, day: date) -> tuple[Issue, ...]:
    if name not in MAKERS:
        raise FormNameUnknown("There is no such form.", next_step="Choose one of the list.")
    return desk.issues(day, ("daily", "finance") if name == "daily" else (name,))


def _day(visit: Visit, desk: FormDesk) -> date:
    """The gaming day that is asked for, the last with coupons by default."""
    day = day_of_text(visit.query.get("day"))
    known = sorted(desk.book.days)
    if not known or (day is not None and not known[0] <= day <= known[-1]):
        raise DayUnknown(
            f"The ledger has no coupon of the gaming day {day}.",
            next_step=f"Its gaming days with coupons: {known[0]} to {known[-1]}."
            if known
            else "Choose another day.",
        )
    return day if day is not None else desk.last_day()


def _liability(out: list[OutstandingRow], day: date) -> list[tuple[str, int, int]]:
    """What is out by when it expires: words, coupons, face value in cents."""
    sums: dict[str, tuple[int, int]] = {}
    for row in out:
        words = _expiry_words(row["expires"], day)
        quantity, worth = sums.get(words, (0, 0))
        sums[words] = (quantity + row["quantity"], worth + row["face_cents"])
    within = (f"expires within {days} days" for days in EXPIRY)
    order = ["expired", *within, "expires later", NO_EXPIRY]
    return [(words, *sums[words]) for words in order if words in sums]


def _expiry_words(expires: str | None, day: date) -> str:
    if expires is None:
        return NO_EXPIRY
    left = (date.fromisoformat(expires) - day).days
    if left < 0:
        return "expired"
    return next((f"expires within {days} days" for days in EXPIRY if left <= days), "expires later")
