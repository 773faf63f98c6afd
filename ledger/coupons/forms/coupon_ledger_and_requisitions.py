"""The Match Play Coupon ledger and the requisitions of a gaming day, as recorded.

Quantities and serial numbers are those that were entered; the findings of the day report where one
does not agree with another.
Law: 58 Pa. Code § 525.21(e) to (h), (l).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from ledger.coupons.custody import Place
from ledger.coupons.custody_register import CustodyRegister
from ledger.coupons.forms.daily import remarks
from ledger.coupons.forms.fields import (
    ISSUE,
    RECEIPT,
    REQUISITION,
    RETURN,
    TITLES,
    fields_of,
    signers_of,
)
from ledger.coupons.forms.model import NOT_RECORDED, Computed, Form, Table, Value
from ledger.coupons.forms.words import listed, moment, signature, signatures, voids
from ledger.coupons.records import Delivery, Requisition
from ledger.coupons.requisition_to_return import read_void
from ledger.events import CouponForm, CouponRange, CouponVoid, DeviationReceiver

Row = tuple[Value, ...]
WORTH = "{quantity}*{denomination}"


def _form(
    book: CustodyRegister, day: date, form: CouponForm, name: str, tables: tuple[Table, ...]
) -> Form:
    return Form(
        form=form,
        form_id=f"MPC-{name}-{day}",
        title=TITLES[form],
        day=day,
        period=None,
        heads=(),
        tables=tables,
        signers=signers_of(form),
        remarks=remarks(book, day),
    )


def _worth(quantity: int | None, cents: int | None) -> Value:
    return None if quantity is None or cents is None else Computed(quantity * cents, WORTH)


# --- receipts -------------------------------------------------------------------------------------


def receipt_form(book: CustodyRegister, day: date) -> Form:
    """Return the entries of receipt made on a gaming day, and the deliveries examined."""
    entered = [
        (at, fact)
        for one in book.documents.deliveries.values()
        for at, fact in one.entered
        if book.clock.day_of(at) == day
    ]
    rows: list[Row] = []
    for _, fact in sorted(entered, key=lambda pair: pair[0]):
        names, marks, credentials = signatures(fact.checked_by)
        rows.extend(
            (
                fact.entry,
                fact.received_on,
                *_ranged(lot),
                *(names, marks, credentials, fact.entered_by),
            )
            for lot in fact.lots
        )
    keys = (
        *("entry", "received_on", "denomination", "quantity", "value", "first", "last"),
        *("checked_names", "checked_signatures", "checked_credentials", "entered_by"),
    )
    ledger = Table(
        title="Entries of receipt",
        fields=fields_of(RECEIPT, *keys),
        rows=tuple(rows),
        keys=7,
        none="No entry of receipt was made on this gaming day.",
    )
    return _form(book, day, RECEIPT, "RECEIPT", (ledger, _examinations(book, day)))


def _ranged(stated: CouponRange) -> Row:
    return (
        *(
            stated.denomination_cents,
            stated.quantity,
            _worth(stated.quantity, stated.denomination_cents),
        ),
        *(stated.first, stated.last),
    )


def _examinations(book: CustodyRegister, day: date) -> Table:
    rows: list[Row] = []
    for name, delivery in sorted(book.documents.deliveries.items()):
        if delivery.day != day:
            continue
        rows.append((name, *_examined(delivery)))
    keys = (
        *("delivery", "invoice", "from", "invoiced", "counted", "examined_by", "deviation"),
        *("told_supervisor", "told_bureau"),
    )
    return Table(
        title="Deliveries opened and examined",
        fields=fields_of(RECEIPT, *keys),
        rows=tuple(rows),
        none="No delivery came on this gaming day.",
    )


def _examined(delivery: Delivery) -> Row:
    known = delivery.delivered
    last = delivery.examined[-1][1] if delivery.examined else None
    origin = known.origin.value.lower().replace("_", " ") if known else None
    reported = {fact.receiver: fact.person or "yes" for _, fact in delivery.reports}
    owed = None if delivery.deviation else ""
    return (
        known.invoice if known else None,
        f"{origin}{f' {known.provider}' if known.provider else ''}" if known else None,
        _sum(known.invoiced) if known else None,
        _sum(last.counted) if last else None,
        listed(last.examined_by) if last else "NOT EXAMINED on the record",
        delivery.deviation or "none",
        reported.get(DeviationReceiver.FINANCE_SUPERVISOR, owed),
        reported.get(DeviationReceiver.BUREAU_OF_CASINO_COMPLIANCE, owed),
    )


def _sum(ranges: tuple[CouponRange, ...]) -> int | None:
    """Return how many coupons all ranges hold; None if one has no quantity."""
    known = [one.quantity for one in ranges if one.quantity is not None]
    return sum(known) if len(known) == len(ranges) else None


# --- requisitions ---------------------------------------------------------------------------------


def requisition_form(book: CustodyRegister, day: date) -> Form:
    """Return the requisitions completed on a gaming day, with their authorization."""
    rows = tuple(
        row
        for name, one in sorted(book.documents.requisitions.items())
        if one.completed is not None and book.clock.day_of(one.completed_at) == day
        for row in _requisition(name, one)
    )
    keys = (
        *("requisition", "denomination", "prepared_on", "needed_for", "quantity", "value"),
        *("issued", "prepared_name", "prepared_signature", "prepared_credential"),
        *("authorized_name", "authorized_signature", "authorized_credential"),
    )
    table = Table(
        title="Requisitions",
        fields=fields_of(REQUISITION, *keys),
        rows=rows,
        keys=2,
        none="No requisition was completed on this gaming day.",
    )
    return _form(book, day, REQUISITION, "REQUISITION", (table,))


def _requisition(name: str, requisition: Requisition) -> Iterator[Row]:
    known = requisition.completed
    assert known is not None
    granted = requisition.authorized[-1][1].authorized_by if requisition.authorized else None
    needed = ", ".join(
        part for part in (known.needed_for, known.promotion and f"promotion {known.promotion}") if part
    )  # fmt: skip
    for line in known.lines:
        cents, count = line.denomination_cents, line.quantity
        yield (
            *(name, cents, known.prepared_on, needed or None, count, _worth(count, cents)),
            requisition.quantities.get(cents or 0, 0),
            *signature(known.prepared_by),
            *signature(granted),
        )


def _lines(
    book: CustodyRegister, lines: tuple[CouponRange, ...], voided: tuple[CouponVoid, ...]
) -> Iterator[tuple[Row, Row]]:
    """Yield the lines of an entry, each with its own voided coupons.

    A voided coupon is put on the line that has its serial number, else on the first of its
    denomination, else on a line of its own.
    """
    own: dict[int, list[CouponVoid]] = {}
    strays: list[CouponVoid] = []
    for void in voided:
        place = _line_of(book, lines, void)
        (strays if place is None else own.setdefault(place, [])).append(void)
    for place, line in enumerate(lines):
        cents, count = line.denomination_cents, line.quantity
        serials, reasons = voids(own.get(place, ()))
        yield (
            (line.first, line.last, cents, count, _worth(count, cents)),
            (serials or "none", reasons),
        )
    for void in strays:
        yield ("", "", void.denomination_cents, "", ""), voids([void])


def _line_of(book: CustodyRegister, lines: tuple[CouponRange, ...], void: CouponVoid) -> int | None:
    read = read_void(book, void)
    for place, line in enumerate(lines):
        stated = book.stated(line)
        if read is not None and stated is not None and stated.shared_with(read) is not None:
            return place
    cents = void.denomination_cents
    if read is not None:  # what the serial number stands for, whatever the paper says
        series = book.custody.forms.series_in(read)
        cents = series[0].denomination_cents if series else cents
    alike = (place for place, line in enumerate(lines) if line.denomination_cents == cents)
    return next(alike, None) if cents is not None else None


# --- issues ---------------------------------------------------------------------------------------


def issue_form(book: CustodyRegister, day: date) -> Form:
    """Return the entries of issue made on a gaming day."""
    issues = [
        (at, name, fact)
        for name, one in book.documents.requisitions.items()
        for at, fact, _ in one.entries
        if book.clock.day_of(at) == day
    ]
    handed: dict[str, list[str]] = {}
    for move in book.custody.moves:
        if move.to is Place.MARKETING and move.detail is not None:
            handed.setdefault(move.detail, []).append(move.who or NOT_RECORDED)
    rows: list[Row] = []
    for at, name, fact in sorted(issues, key=lambda entry: (entry[0], entry[2].entry)):
        takers = dict.fromkeys(handed.get(name, ()))
        rows.extend(
            (
                *(fact.entry, name or NOT_RECORDED, moment(book.clock, at)),
                *line,
                *signature(fact.issued_by),
                listed(takers),
                *void,
            )
            for line, void in _lines(book, fact.lines, fact.voided)
        )
    keys = (
        *("entry", "requisition", "entered_at", "first", "last", "denomination", "quantity"),
        *("value", "issued_name", "issued_signature", "issued_credential", "handed_to"),
        *("voided", "void_reason"),
    )
    table = Table(
        title="Entries of issue",
        fields=fields_of(ISSUE, *keys),
        rows=tuple(rows),
        keys=4,
        none="No entry of issue was made on this gaming day.",
    )
    return _form(book, day, ISSUE, "ISSUE", (table,))


# --- returns --------------------------------------------------------------------------------------


def return_form(book: CustodyRegister, day: date) -> Form:
    """Return the entries of return made on a gaming day.

    A return without an entry is reported in the findings.
    """
    rows: list[Row] = []
    for _, entry in sorted(book.documents.returns.items()):
        for fact in entry.entered:
            if book.clock.day_of(fact.event_time) != day:
                continue
            kind = entry.returned.kind.value.lower() if entry.returned else None
            rows.extend(
                (
                    *(fact.entry, kind, fact.returned_on),
                    *line,
                    *void,
                    *signature(fact.returned_by),
                    *signature(fact.received_by),
                    fact.entered_by,
                )
                for line, void in _lines(book, fact.ranges, fact.voided)
            )
    keys = (
        *("entry", "kind", "returned_on", "first", "last", "denomination", "quantity", "value"),
        *("voided", "void_reason", "returned_name", "returned_signature", "returned_credential"),
        *("received_name", "received_signature", "received_credential", "entered_by"),
    )
    table = Table(
        title="Entries of return",
        fields=fields_of(RETURN, *keys),
        rows=tuple(rows),
        keys=4,
        none="No entry of return was made on this gaming day.",
    )
    return _form(book, day, RETURN, "RETURN", (table,))
