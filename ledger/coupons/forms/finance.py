"""Finance's reconciliation of a gaming day: balances each by itself, and the boxes one by one.

(a) finance's stock, (b) marketing, (c) the patrons' hands, all per denomination; (d) redeemed,
dropped, counted, cancelled per drop box and denomination; (e) what came back. The balances of
stock and patrons run from the first coupon to the day's end. No difference makes up for another:
what breaks a balance is named by its serial numbers.
Law: 58 Pa. Code § 525.21(m); readings redeemed-in-equation, kept-by-marketing.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from ledger.coupons.boxes import boxes_of
from ledger.coupons.custody import WITH_MARKETING, WITH_PATRONS, Place
from ledger.coupons.custody_register import CustodyRegister
from ledger.coupons.day_conclusion import conclude
from ledger.coupons.figures import Figures, denominations, figures
from ledger.coupons.forms.at_day import BEFORE_STOCK, DayEnd, Gone, HeldRange, Passages
from ledger.coupons.forms.daily import remarks
from ledger.coupons.forms.fields import RECONCILED, TITLES, fields_of, signers_of
from ledger.coupons.forms.model import Computed, Form, Table, Value
from ledger.coupons.forms.words import listed, spans, yes_no
from ledger.coupons.records import Box, DayRecord, Flow
from ledger.coupons.serial import SerialRange, less
from ledger.events import ForwardedItem
from ledger.kernel import table_of

Row = tuple[Value, ...]
CAME_BACK_AT: Final = (Place.EXPIRED_BACK, Place.UNDELIVERED)
BACK: Final = frozenset({Place.VOIDED, Place.UNDELIVERED, Place.CANCELLED, Place.EXPIRED_BACK})
ITEMS: Final = {
    ForwardedItem.DOCUMENTATION: "documentation",
    ForwardedItem.VOIDED: "voided coupons",
    ForwardedItem.REDEEMED: "redeemed coupons",
    ForwardedItem.UNDISTRIBUTED: "coupons not distributed",
}
STOCK: Final = (
    *("denomination", "stocked", "reissue", "on_hand", "issued", "mailed_from_stock"),
    *("stock_voided", "stock_expired", "difference", "breaking"),
)
CUSTODY: Final = (
    *("denomination", "carried_in", "given", "distributed", "returned", "returned_expired"),
    *("voided", "kept", "difference", "breaking"),
)
CAME_BACK: Final = (
    *("denomination", "came_back_expired", "came_back_undelivered", "back_cancelled"),
    *("back_voided", "back_on_hand", "difference"),
)
DOLLARS: Final = (
    *("denomination", "on_hand_value", "back_value", "given_value", "distributed_value"),
    *("returned_value", "returned_expired_value", "voided_value", "redeemed_value"),
    "outstanding_value",
)
PATRONS: Final = (
    *("denomination", "distributed", "mailed", "redeemed", "expired_unredeemed"),
    *("patron_voided", "outstanding", "difference", "breaking"),
)
BOXES: Final = (
    *("box", "denomination", "box_redeemed", "box_counted", "box_cancelled"),
    *("missing", "unexpected", "status"),
)


def finance_form(book: CustodyRegister, day: date, end: DayEnd | None = None) -> Form:
    """Return the reconciliation of a gaming day; the record must have been read to its end.

    Args:
        book: the coupon record.
        day: the gaming day.
        end: the custody at the end of that day, if the caller has it already.
    """
    end = end or DayEnd(book, day)
    parts = list(end.ranges())
    passed = end.passages(parts)
    record = book.days.get(day) or DayRecord(day)
    return Form(
        form=RECONCILED,
        form_id=f"MPC-REC-{day}",
        title=TITLES[RECONCILED],
        day=day,
        period=None,
        heads=(),
        tables=(
            _stock(book, parts, passed),
            _custody(record, figures(book, day)),
            _patrons(book, day, parts, passed),
            _boxes(book, day),
            _came_back(book, parts, passed),
            _dollars(book, day, parts),
            _forwarded(record),
            _findings(book, day),
        ),
        signers=signers_of(RECONCILED),
        remarks=remarks(book, day),
    )


def _total(gone: Gone, cents: int, frm: Iterable[Place], to: Iterable[Place]) -> int:
    """Count the coupons of a denomination that ever moved from some places to others."""
    froms, tos = frozenset(frm), frozenset(to)
    return sum(
        count
        for (of, came_from, came_to, moved), count in gone.items()
        if moved and of == cents and came_from in froms and came_to in tos
    )


def _stock(book: CustodyRegister, parts: list[HeldRange], passed: Passages) -> Table:
    """Table (a): what came into finance's stock is on hand, or went where it may go."""
    everywhere, gone = frozenset(Place), passed.gone
    rows: list[Row] = []
    for cents in denominations(book):
        came = _total(gone, cents, BEFORE_STOCK, [Place.STOCK])
        back = _total(gone, cents, WITH_MARKETING, [Place.STOCK])
        here = sum(
            one.range.quantity for one in parts if one.cents == cents and one.place is Place.STOCK
        )
        issued = _total(gone, cents, everywhere - WITH_MARKETING, [Place.MARKETING])
        mailed = _total(gone, cents, [Place.STOCK], [Place.LISTED, Place.MAILED])
        void = _total(gone, cents, [Place.STOCK], [Place.VOIDED])
        old = _total(gone, cents, [Place.STOCK], [Place.CANCELLED])
        breaking = passed.unstocked.get(cents, [])
        difference = came + back - here - issued - mailed - void - old
        rows.append(
            (
                *(cents, came, back, here, issued, mailed, void, old),
                Computed(
                    difference,
                    "{stocked}+{reissue}-{on_hand}-{issued}-{mailed_from_stock}-{stock_voided}"
                    "-{stock_expired}",
                ),
                spans(breaking, "none"),
            )
        )
    return Table(
        title="(a) Finance stock, to the end of the day: received + returned for reissue"
        " = on hand + issued + mailed + voided + expired",
        fields=fields_of(RECONCILED, *STOCK),
        rows=tuple(rows),
    )


def _custody(record: DayRecord, known: Iterable[Figures]) -> Table:
    """Table (b): what marketing had is with patrons, back, voided or kept."""
    rows: list[Row] = []
    for part in known:
        cents = part.denomination_cents
        had = [*record.ranges(Flow.CARRIED_IN, cents), *record.ranges(Flow.RECEIVED, cents)]
        out = [
            own
            for flow in (
                *(Flow.DISTRIBUTED, Flow.VOIDED, Flow.RETURNED, Flow.RETURNED_EXPIRED, Flow.KEPT),
            )
            for own in record.ranges(flow, cents)
        ]
        stray = [own for own, of in record.odd.get(Flow.DISTRIBUTED, ()) if of == cents]
        rows.append(
            (
                *(cents, part.carried_in, part.received, part.distributed),
                *(part.returned, part.returned_expired, part.voided, part.kept),
                Computed(
                    part.variation,
                    "{carried_in}+{given}-{distributed}-{returned}-{returned_expired}-{voided}"
                    "-{kept}",
                ),
                spans([*less(had, out), *stray], "none"),
            )
        )
    return Table(
        title="(b) Marketing, this day: carried in + received"
        " = distributed + returned + returned expired + voided + kept",
        fields=fields_of(RECONCILED, *CUSTODY),
        rows=tuple(rows),
    )


def _patrons(book: CustodyRegister, day: date, parts: list[HeldRange], passed: Passages) -> Table:
    """Table (c): what patrons were given was used, is with them, expired, or came back."""
    everywhere, gone = frozenset(Place), passed.gone
    rows: list[Row] = []
    for cents in denominations(book):
        said_only = {
            to: sum(n for (of, _, came, moved), n in gone.items()
                    if of == cents and came is to and not moved)
            for to in (Place.PATRON, Place.MAILED, Place.REDEEMED)
        }  # fmt: skip
        handed_out = _total(gone, cents, everywhere, [Place.PATRON]) + said_only[Place.PATRON]
        mailed = _total(gone, cents, everywhere, [Place.MAILED]) + said_only[Place.MAILED]
        used = _total(gone, cents, everywhere, [Place.REDEEMED]) + said_only[Place.REDEEMED]
        back = _total(gone, cents, WITH_PATRONS, BACK)
        with_them = [one for one in parts if one.cents == cents and one.place in WITH_PATRONS]
        old = sum(one.range.quantity for one in with_them if book.expired(one.series, day))
        out = sum(one.range.quantity for one in with_them) - old
        breaking = passed.only_stated.get(cents, [])
        rows.append(
            (
                *(cents, handed_out, mailed, used, old, back, out),
                Computed(
                    handed_out + mailed - used - old - back - out,
                    "{distributed}+{mailed}-{redeemed}-{expired_unredeemed}-{patron_voided}"
                    "-{outstanding}",
                ),
                spans(breaking, "none"),
            )
        )
    return Table(
        title="(c) Patrons, to the end of the day: distributed + mailed"
        " = redeemed + expired unredeemed + voided or come back + outstanding",
        fields=fields_of(RECONCILED, *PATRONS),
        rows=tuple(rows),
    )


def _boxes(book: CustodyRegister, day: date) -> Table:
    """Table (d): redeemed = dropped = counted = cancelled, for each box and denomination."""
    rows: list[Row] = []
    boxed: set[SerialRange] = set()
    for box in boxes_of(book, day):
        dropped = [SerialRange.between(one, one) for one in box.dropped]
        boxed.update(dropped)
        if dropped or box.counts or box.cash_ranges:
            rows.extend(_box(book, box, dropped))
    record = book.days.get(day) or DayRecord(day)
    nowhere: dict[str, list[SerialRange]] = {}
    for serial, ref in zip(record.redeemed, record.redemptions, strict=True):
        single = SerialRange.between(serial, serial)
        if single not in boxed and not any(serial in box.dropped for box in book.boxes):
            nowhere.setdefault(table_of(ref.stream), []).append(single)
    for table, ranges in sorted(nowhere.items()):
        for cents, own in sorted(_by_value(book, ranges).items()):
            rows.append(
                (f"{table}, no box on record", cents, len(own), 0, _cancelled(book, own),
                 spans(own), "none", "NOT DROPPED on the record")
            )  # fmt: skip
    return Table(
        title="(d) Drop boxes of the day: redeemed = dropped = counted = cancelled",
        fields=fields_of(RECONCILED, *BOXES),
        rows=tuple(rows),
        keys=2,
        none="No coupon was redeemed into a drop box of this day, and none was counted from one.",
    )


def _box(book: CustodyRegister, box: Box, dropped: list[SerialRange]) -> list[Row]:
    """One box: a row for each denomination in it."""
    counted = box.counted() if box.is_counted else []
    should, present = _by_value(book, dropped), _by_value(book, counted)
    rows: list[Row] = []
    name = f"{box.table or 'table not recorded'}, box {box.box or 'not recorded'}"
    for cents in sorted({*should, *present}):
        due, here = should.get(cents, []), present.get(cents, [])
        missing, strange = less(due, here), less(here, due)
        if not box.is_counted:
            status = "AWAITING COUNT" if box.awaits_count else "STILL AT THE TABLE"
            rows.append((name, cents, len(due), None, _cancelled(book, due), "", "", status))
            continue
        quantity, cancelled = sum(serials.quantity for serials in here), _cancelled(book, here)
        if missing or strange:
            status = "DIFFERS"
        elif cancelled < quantity:
            status = "NOT ALL CANCELLED"
        else:
            status = "agrees"
        rows.append(
            (
                *(name, cents, len(due), quantity, cancelled),
                *(spans(missing, "none"), spans(strange, "none"), status),
            )
        )
    return rows


def _came_back(book: CustodyRegister, parts: list[HeldRange], passed: Passages) -> Table:
    """Table (e): what came back unusable is cancelled, voided or still on hand."""
    gone, everywhere = passed.gone, frozenset(Place)
    rows: list[Row] = []
    for cents in denominations(book):
        expired = _total(gone, cents, everywhere, [Place.EXPIRED_BACK])
        undelivered = _total(gone, cents, everywhere, [Place.UNDELIVERED])
        cancelled = _total(gone, cents, CAME_BACK_AT, [Place.CANCELLED])
        void = _total(gone, cents, CAME_BACK_AT, [Place.VOIDED])
        here = _at(parts, cents, *CAME_BACK_AT)
        rows.append(
            (
                *(cents, expired, undelivered, cancelled, void, here),
                Computed(
                    expired + undelivered - cancelled - void - here,
                    "{came_back_expired}+{came_back_undelivered}-{back_cancelled}-{back_voided}"
                    "-{back_on_hand}",
                ),
            )
        )
    return Table(
        title="(e) Come back expired or undeliverable, to the end of the day"
        " = cancelled + voided + still on hand",
        fields=fields_of(RECONCILED, *CAME_BACK),
        rows=tuple(rows),
    )


def _dollars(book: CustodyRegister, day: date, parts: list[HeldRange]) -> Table:
    """Face values: stock and patrons at the day's end, the movements of the day."""
    rows: list[Row] = []
    for line in figures(book, day):
        cents = line.denomination_cents
        owed = sum(
            own.range.quantity
            for own in parts
            if own.cents == cents
            and own.place in WITH_PATRONS
            and not book.expired(own.series, day)
        )
        counts = (
            *(_at(parts, cents, Place.STOCK), _at(parts, cents, *CAME_BACK_AT), line.received),
            *(
                line.distributed,
                line.returned,
                line.returned_expired,
                line.voided,
                line.redeemed,
                owed,
            ),
        )
        values = (Computed(count * cents, f"{count}*{{denomination}}") for count in counts)
        rows.append((cents, *values))
    return Table(
        title="Face values in dollars: at the end of the day and, for what moved, of this day",
        fields=fields_of(RECONCILED, *DOLLARS),
        rows=tuple(rows),
    )


def _at(parts: list[HeldRange], cents: int, *places: Place) -> int:
    """Count the coupons of a denomination that were in some places at the day's end."""
    return sum(one.range.quantity for one in parts if one.cents == cents and one.place in places)


def _by_value(book: CustodyRegister, ranges: Iterable[SerialRange]) -> dict[int, list[SerialRange]]:
    """Return ranges by denomination in cents; those of no series are under 0."""
    by_value: dict[int, list[SerialRange]] = {}
    for range_ in ranges:
        for series, part in book.custody.forms.parts_of(range_):
            by_value.setdefault(series.denomination_cents if series else 0, []).append(part)
    return by_value


def _cancelled(book: CustodyRegister, ranges: Iterable[SerialRange]) -> int:
    """Count how many of them are cancelled by now."""
    return sum(
        run.range.quantity
        for one in ranges
        for run in book.custody.runs(one)
        if run.place is Place.CANCELLED
    )


def _forwarded(record: DayRecord) -> Table:
    """What came to finance, and its examination and review."""
    takers = {item: fact.received_by for fact in record.forwarded for item in fact.items}
    review = record.reviewed[-1] if record.reviewed else None
    wrong = [
        f"{one.serial or 'no serial number'}: {one.fault.value.lower().replace('_', ' ')}"
        for one in (review.faults if review else ())
    ]
    rows: list[Row] = [
        (
            words,
            "yes" if item in takers else "no",
            takers.get(item, ""),
            yes_no(review.calculation_checked) if review else "no",
            yes_no(review.signatures_checked) if review else "no",
            review.reviewed_by if review else "",
            listed(wrong) or "none",
        )
        for item, words in ITEMS.items()
    ]
    keys = (
        *("item", "forwarded", "received_by", "calculation_checked", "signatures_checked"),
        *("reviewed_by", "faults"),
    )
    return Table(
        title="Forwarded to finance, examined and reviewed",
        fields=fields_of(RECONCILED, *keys),
        rows=tuple(rows),
    )


def _findings(book: CustodyRegister, day: date) -> Table:
    """What does not balance or was not done, as the audit of the day finds it."""
    rows = tuple(
        (one.code, one.sentence, one.citations[0].pin)
        for one in sorted(conclude(book, day), key=lambda one: (one.code, one.sentence))
    )
    return Table(
        title="Findings on coupons of this day",
        fields=fields_of(RECONCILED, "finding", "says", "section"),
        rows=rows,
        keys=2,
        none="None: every serial number of the day balances.",
    )
