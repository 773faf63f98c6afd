"""The Match Play Coupon ledger and the requisitions of a gaming day, as the facts have them.

Quantities and serial numbers are those that were entered; where one does not agree with another
the findings of the day say so.
Law: 58 Pa. Code § 525.21(e) to (h), (l).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from ledger.coupons.book import Book
from ledger.coupons.custody import Place
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
from ledger.events import CouponForm, CouponRange, DeviationReceiver

Row = tuple[Value, ...]
WORTH = "{quantity}*{denomination}"


def _form(book: Book, day: date, form: CouponForm, name: str, tables: tuple[Table, ...]) -> Form:
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


def receipt_form(book: Book, day: date) -> Form:
    """The entries of receipt made on a gaming day, and the examinations that belong to them."""
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


def _ranged(one: CouponRange) -> Row:
    return (
        *(one.denomination_cents, one.quantity, _worth(one.quantity, one.denomination_cents)),
        *(one.first, one.last),
    )


def _examinations(book: Book, day: date) -> Table:
    rows: list[Row] = []
    for name, one in sorted(book.documents.deliveries.items()):
        if one.day != day:
            continue
        rows.append((name, *_examined(one)))
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


def _examined(one: Delivery) -> Row:
    known = one.delivered
    last = one.examined[-1][1] if one.examined else None
    origin = known.origin.value.lower().replace("_", " ") if known else None
    told = {fact.receiver: fact.person or "yes" for _, fact in one.reports}
    owed = None if one.deviation else ""
    return (
        known.invoice if known else None,
        f"{origin}{f' {known.provider}' if known.provider else ''}" if known else None,
        _sum(known.invoiced) if known else None,
        _sum(last.counted) if last else None,
        listed(last.examined_by) if last else "NOT EXAMINED on the record",
        one.deviation or "none",
        told.get(DeviationReceiver.FINANCE_SUPERVISOR, owed),
        told.get(DeviationReceiver.BUREAU_OF_CASINO_COMPLIANCE, owed),
    )


def _sum(ranges: tuple[CouponRange, ...]) -> int | None:
    """The coupons of all ranges; None where one does not say."""
    known = [one.quantity for one in ranges if one.quantity is not None]
    return sum(known) if len(known) == len(ranges) else None


# --- requisitions ---------------------------------------------------------------------------------


def requisition_form(book: Book, day: date) -> Form:
    """The requisitions that were completed on a gaming day, with their authorization."""
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


def _requisition(name: str, one: Requisition) -> Iterator[Row]:
    known = one.completed
    assert known is not None
    granted = one.authorized[-1][1].authorized_by if one.authorized else None
    needed = ", ".join(
        part for part in (known.needed_for, known.promotion and f"promotion {known.promotion}") if part
    )  # fmt: skip
    for line in known.lines:
        cents, count = line.denomination_cents, line.quantity
        yield (
            *(name, cents, known.prepared_on, needed or None, count, _worth(count, cents)),
            one.quantities.get(cents or 0, 0),
            *signature(known.prepared_by),
            *signature(granted),
        )


# --- issues ---------------------------------------------------------------------------------------


def issue_form(book: Book, day: date) -> Form:
    """The entries of issue made on a gaming day."""
    found = [
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
    for at, name, fact in sorted(found, key=lambda entry: (entry[0], entry[2].entry)):
        takers = dict.fromkeys(handed.get(name, ()))
        serials, reasons = voids(fact.voided)
        rows.extend(
            (
                *(fact.entry, name, moment(book.clock, at), line.first, line.last),
                *(line.denomination_cents, line.quantity),
                _worth(line.quantity, line.denomination_cents),
                *signature(fact.issued_by),
                listed(takers),
                *(serials or "none", reasons),
            )
            for line in fact.lines
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


def return_form(book: Book, day: date) -> Form:
    """The entries of return made on a gaming day; a return without one is told in the findings."""
    rows: list[Row] = []
    for _, one in sorted(book.documents.returns.items()):
        for fact in one.entered:
            if book.clock.day_of(fact.event_time) != day:
                continue
            kind = one.returned.kind.value.lower() if one.returned else None
            serials, reasons = voids(fact.voided)
            rows.extend(
                (
                    *(fact.entry, kind, fact.returned_on, line.first, line.last),
                    *(line.denomination_cents, line.quantity),
                    _worth(line.quantity, line.denomination_cents),
                    *(serials or "none", reasons),
                    *signature(fact.returned_by),
                    *signature(fact.received_by),
                    fact.entered_by,
                )
                for line in fact.ranges
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
