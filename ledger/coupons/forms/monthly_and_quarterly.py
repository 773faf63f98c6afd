"""The monthly inventory and the quarterly report, for the month and the quarter of a gaming day.

Law: 58 Pa. Code § 525.21(n), (o); reading quarterly-irregular.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from ledger.coupons.custody import WITH_MARKETING, Place
from ledger.coupons.custody_register import CustodyRegister
from ledger.coupons.figures import denominations
from ledger.coupons.forms.at_day import DayEnd, HeldRange
from ledger.coupons.forms.daily import remarks
from ledger.coupons.forms.fields import INVENTORY, QUARTER, TITLES, fields_of, signers_of
from ledger.coupons.forms.model import Computed, Entry, Form, Table, Value
from ledger.coupons.forms.words import listed, moment, yes_no
from ledger.coupons.periods import (
    after_quarter,
    irregular_in,
    month_of,
    next_month,
    quarter_of,
    redeemed_in,
)
from ledger.coupons.records import ON_HAND, Irregular
from ledger.events import CouponsInventoried
from ledger.kernel import dollars

Row = tuple[Value, ...]
CAME_BACK = (Place.EXPIRED_BACK, Place.UNDELIVERED)
BOOKS = (
    *("denomination", "books_finance", "books_marketing", "books", "came_back", "counted"),
    *("difference", "value"),
)


def inventory_form(book: CustodyRegister, day: date) -> Form:
    """Return the inventory of the month of a gaming day: the last one taken of that month.

    If none was taken, the books are those at the end of the month, or at the end of the record if
    that is earlier, and the counted column is left to be filled in.
    """
    month = month_of(day)
    last = min(next_month(day) - timedelta(days=1), max(book.today, day.replace(day=1)))
    taken = [(at, fact) for at, fact, _, _ in book.documents.inventories if fact.month == month]
    at, fact = taken[-1] if taken else (book.clock.bounds(last)[1], None)
    table, lines = _books(book, last if fact is None else book.clock.day_of(at), at, fact)
    heads: tuple[Value, ...] = (
        (fact.inventory, month, moment(book.clock, at), ", ".join(h.value.lower() for h in fact.covers),
         yes_no(fact.in_ledger), listed(fact.inventoried_by))
        if fact is not None
        else ("NONE TAKEN", month, "none on the record", "", "", "")
    )  # fmt: skip
    keys = ("inventory", "month", "taken", "covers", "in_ledger", "inventoried_by")
    return Form(
        form=INVENTORY,
        form_id=f"MPC-INVENTORY-{month}",
        title=TITLES[INVENTORY],
        day=day,
        period=month,
        heads=tuple(
            Entry(field=field, content=value)
            for field, value in zip(fields_of(INVENTORY, *keys), heads, strict=True)
        ),
        tables=(table, lines),
        signers=signers_of(INVENTORY),
        remarks=tuple(
            one for one in remarks(book, last) if fact is None or not one.startswith("PROVISIONAL")
        ),
    )


def _books(
    book: CustodyRegister, day: date, at: int, fact: CouponsInventoried | None
) -> tuple[Table, Table]:
    """Return two tables: the books beside the count by denomination, and the ranges as counted."""
    parts = list(DayEnd(book, day, until=at).ranges())
    counted: dict[int, int] = {}
    for line in fact.lines if fact else ():
        read = book.stated(line)
        count = line.quantity if line.quantity is not None else read.quantity if read else 0
        cents = line.denomination_cents or 0
        counted[cents] = counted.get(cents, 0) + count
    rows: list[Row] = []
    for cents in sorted({*denominations(book), *counted}):
        finance = _in(parts, cents, *ON_HAND)
        marketing = _in(parts, cents, *WITH_MARKETING)
        back = _in(parts, cents, *CAME_BACK)
        books = finance + marketing
        seen = counted.get(cents, 0)
        differs = seen - books - (back if back and seen == books + back else 0)
        rows.append(
            (
                *(cents, finance, marketing),
                Computed(books, "{books_finance}+{books_marketing}"),
                back,
                seen if fact else "",
                Computed(differs, "{counted}-{books}" + (f"-{seen - books - differs}" if seen - books != differs else ""))
                if fact
                else "",
                Computed(books * cents, "{books}*{denomination}"),
            )
        )  # fmt: skip
    lines = tuple(
        (line.denomination_cents, line.first, line.last, line.quantity)
        for line in (fact.lines if fact else ())
    )
    return (
        Table(
            title="Coupons not distributed: the books and the count",
            fields=fields_of(INVENTORY, *BOOKS),
            rows=tuple(rows),
        ),
        Table(
            title="Ranges as counted",
            fields=fields_of(INVENTORY, "denomination", "first", "last", "counted"),
            rows=lines,
            keys=3,
            none="No count is on the record.",
        ),
    )


def _in(parts: list[HeldRange], cents: int, *places: Place) -> int:
    return sum(one.range.quantity for one in parts if one.cents == cents and one.place in places)


def quarterly_form(book: CustodyRegister, day: date) -> Form:
    """Return the report of the quarter of a gaming day: value redeemed, per denomination.

    A redemption that was not in order is counted and named (reading quarterly-irregular). A coupon
    of no series has no denomination under which to count it; it is named with what was paid on it.
    """
    quarter = quarter_of(day)
    filed = [(at, fact) for at, fact in book.documents.reports if fact.quarter == quarter]
    fact = filed[-1][1] if filed else None
    reported = {one.denomination_cents: one.value_cents for one in fact.lines} if fact else {}
    known = redeemed_in(book, quarter)
    irregular = irregular_in(book, quarter)
    rows: list[Row] = []
    for cents in sorted({*denominations(book), *known, *(c for c in reported if c is not None)}):
        worth = known.get(cents, 0)
        wrong = len({(one.serial, one.at) for one in irregular
                     if one.counted and one.denomination_cents == cents})  # fmt: skip
        rows.append(
            (
                *(cents, worth // cents if cents else 0),
                Computed(worth, "{quantity}*{denomination}"),
                *(wrong, Computed(wrong * cents, "{irregular}*{denomination}")),
                reported.get(cents) if fact else "",
                Computed((reported.get(cents) or 0) - worth, "{reported}-{value}") if fact else "",
            )
        )
    heads: tuple[Value, ...] = (
        quarter,
        fact.filed_on if fact else "not filed on the record",
        fact.bureau.value.lower().replace("_", " ") if fact and fact.bureau else None if fact else "",
        fact.filed_by if fact else "",
    )  # fmt: skip
    ended = after_quarter(day) - timedelta(days=1)
    over = book.is_over(ended)
    return Form(
        form=QUARTER,
        form_id=f"MPC-QUARTER-{quarter}",
        title=TITLES[QUARTER],
        day=day,
        period=quarter,
        heads=tuple(
            Entry(field=field, content=value)
            for field, value in zip(
                fields_of(QUARTER, "quarter", "filed_on", "bureau", "filed_by"), heads, strict=True
            )
        ),
        tables=(
            Table(
                title="Match Play Coupons redeemed by patrons, won or lost, by gaming day",
                fields=fields_of(
                    *(QUARTER, "denomination", "quantity", "value", "irregular"),
                    *("irregular_value", "reported", "difference"),
                ),
                rows=tuple(rows),
            ),
            _not_in_order(book, irregular),
        ),
        signers=signers_of(QUARTER),
        remarks=(
            *(() if over else (f"PROVISIONAL: the quarter is not over on the record ({ended}).",)),
            *(one for one in remarks(book, ended) if not one.startswith("PROVISIONAL")),
            *_notes(irregular),
        ),
    )


def _not_in_order(book: CustodyRegister, irregular: list[Irregular]) -> Table:
    """Each redemption that was not in order, with what was paid on it."""
    keys = ("serial", "redeemed_at", "table", "why", "face", "paid", "in_total")
    return Table(
        title="Redemptions that were not in order",
        fields=fields_of(QUARTER, *keys),
        rows=tuple(
            (
                *(one.serial, moment(book.clock, one.at), one.table, one.why),
                *(one.denomination_cents, one.paid_cents, "yes" if one.counted else "no"),
            )
            for one in irregular
        ),
        keys=4,
        none="None.",
    )


def _notes(irregular: list[Irregular]) -> Iterator[str]:
    """What a reader of the totals must know of redemptions that were not in order."""
    counted = {(one.serial, one.at): one for one in irregular if one.counted}
    if counted:
        worth = sum(one.denomination_cents or 0 for one in counted.values())
        yield (
            f"Redemptions counted though not in order: {len(counted)}, of {dollars(worth)};"
            " each is listed below with the reason."
        )
    strange = [one for one in irregular if not one.counted]
    if strange:
        paid = sum(one.paid_cents or 0 for one in strange)
        unknown = sum(one.paid_cents is None for one in strange)
        more = f"; of {unknown} the amount is not recorded" if unknown else ""
        yield (
            f"Redemptions of coupons of no series, in no total: {len(strange)};"
            f" paid on them: {dollars(paid)}{more}."
        )
