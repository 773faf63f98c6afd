"""Every coupon that is not at its end at a day's end: where it was last, with whom, since when.

What is in finance's stock or cancelled is accounted for and not here. What nobody can say where it
is stands first: redeemed and not in the box, invoiced and not delivered, lost to marketing.
Law: 58 Pa. Code § 525.21(m)(3), (m)(4); reading coupon-expiry.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from typing import Final

from ledger.coupons.answers import age_of
from ledger.coupons.book import Book
from ledger.coupons.custody import WITH_MARKETING, WITH_PATRONS, Place
from ledger.coupons.figures import denominations
from ledger.coupons.forms.at_day import DayEnd, Held
from ledger.coupons.forms.daily import less, remarks
from ledger.coupons.forms.fields import OPEN, TITLES, fields_of, signers_of
from ledger.coupons.forms.model import Computed, Form, Table, Value
from ledger.coupons.forms.words import moment
from ledger.coupons.serial import Serial, SerialRange
from ledger.kernel import FactRef

ENDED: Final = frozenset({Place.CANCELLED, Place.NOWHERE, Place.STOCK})
LOST: Final = ("NOT FOUND in its drop box", "MISSING from the delivery", "MISSING from marketing")
"""What nobody can say where it is."""
PLAIN: Final = {
    Place.DELIVERED: "not examined",
    Place.EXAMINED: "not entered in the ledger",
    Place.LISTED: "not mailed yet",
    Place.COUNTED: "counted, not cancelled",
    Place.VOIDED: "voided, not cancelled",
    Place.EXPIRED_BACK: "expired, not cancelled",
    Place.UNDELIVERED: "undeliverable, not cancelled",
}
AGES: Final = {"0-2": "age_0", "3-7": "age_3", "8-30": "age_8", "> 30": "age_31"}


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRange:
    """Coupons that are out at a day's end; ``days`` is their age, ``status`` says how they stand."""

    range: SerialRange
    denomination_cents: int
    place: Place
    holder: str | None
    since: int
    days: int
    age: str
    expires: date | None
    status: str
    fact: FactRef

    @property
    def is_lost(self) -> bool:
        """Whether nobody can say where they are."""
        return self.status in LOST


def open_ranges(book: Book, day: date, end: DayEnd | None = None) -> Iterator[OpenRange]:
    """All that was out at the end of a gaming day, in order of serial number."""
    end = end or DayEnd(book, day)
    missing = _not_in_boxes(book, day)
    adrift = _adrift(book, day)
    day_of = cache(book.clock.day_of)
    for one in end.held():
        if one.place in ENDED or one.last is None:
            continue
        for part, status in _statuses(book, day, one, missing, adrift):
            days = (day - day_of(one.last.at)).days
            yield OpenRange(
                range=part,
                denomination_cents=one.cents,
                place=one.place,
                holder=_holder(one),
                since=one.last.at,
                days=days,
                age=age_of(days),
                expires=book.good_until(one.series),
                status=status,
                fact=one.last.ref,
            )


def _holder(one: Held) -> str | None:
    """Who had it last: the table of a redemption, else a credential; never a patron."""
    assert one.last is not None
    return one.last.detail if one.place in (Place.REDEEMED, Place.COUNTED) else one.last.who


def _not_in_boxes(book: Book, day: date) -> set[Serial]:
    """Serial numbers that were put into a box up to a day, and its count does not have them."""
    found: set[Serial] = set()
    for box in book.boxes:
        if box.day <= day and box.is_counted and box.dropped:
            dropped = [SerialRange.between(one, one) for one in box.dropped]
            for left in less(dropped, box.counted()):
                found.update(left.serials())
    return found


def _adrift(book: Book, day: date) -> list[SerialRange]:
    """What marketing had at a day's end and neither returned nor kept, though it had to."""
    record = book.days.get(day)
    if record is None or not book.is_over(day) or book.program.runs_on(day):
        return []
    return [run.range for run in record.left if run.place is Place.MARKETING]


def _statuses(
    book: Book, day: date, one: Held, missing: set[Serial], adrift: list[SerialRange]
) -> Iterator[tuple[SerialRange, str]]:
    """The parts of a range with how each stands."""
    expired = book.expired(one.series, day)
    if one.place is Place.REDEEMED:
        for serial in one.range.serials():
            lost = serial in missing
            yield SerialRange.between(serial, serial), LOST[0] if lost else "awaiting count"
    elif one.place is Place.ABSENT:
        yield one.range, LOST[1]
    elif one.place in WITH_PATRONS:
        yield one.range, "expired unredeemed" if expired else "outstanding"
    elif one.place in WITH_MARKETING:
        loose = any(one.range.shared_with(other) for other in adrift)
        kept = "kept for the next day" if one.place is Place.KEPT else "with marketing"
        yield one.range, LOST[2] if loose else f"{kept}, EXPIRED" if expired else kept
    else:
        yield one.range, PLAIN[one.place]


def unaccounted_form(book: Book, day: date, end: DayEnd | None = None) -> Form:
    """Coupons that are out at the end of a gaming day, aged to it; what is lost stands first."""
    found = sorted(open_ranges(book, day, end), key=lambda one: (not one.is_lost, one.range))
    rows: list[tuple[Value, ...]] = []
    told = cache(partial(moment, book.clock))
    by_age: dict[int, dict[str, int]] = {
        cents: dict.fromkeys(AGES, 0) for cents in denominations(book)
    }
    for one in found:
        first, last = (
            str(Serial(one.range.prefix, one.range.digits, number))
            for number in (one.range.first, one.range.last)
        )
        cents, quantity = one.denomination_cents, one.range.quantity
        by_age[cents][one.age] += quantity
        rows.append(
            (
                *(cents, first, last, quantity),
                Computed(quantity * cents, "{quantity}*{denomination}"),
                *(one.place.value, one.holder, told(one.since)),
                f"{one.days} ({one.age})",
                one.expires.isoformat() if one.expires else None,
                one.status,
            )
        )
    keys = (
        *("denomination", "first", "last", "quantity", "value", "place", "holder", "since"),
        *("age", "expiry", "status"),
    )
    return Form(
        form=OPEN,
        form_id=f"MPC-OPEN-{day}",
        title=TITLES[OPEN],
        day=day,
        period=None,
        heads=(),
        tables=(
            Table(
                title="Quantity by age at the end of the day",
                fields=fields_of(OPEN, "denomination", *AGES.values(), "quantity", "value"),
                rows=tuple(
                    (
                        *(cents, *ages.values()),
                        Computed(
                            sum(ages.values()), "+".join(f"{{{key}}}" for key in AGES.values())
                        ),
                        Computed(sum(ages.values()) * cents, "{quantity}*{denomination}"),
                    )
                    for cents, ages in by_age.items()
                ),
            ),
            Table(
                title="Each range, what cannot be found first",
                fields=fields_of(OPEN, *keys),
                rows=tuple(rows),
                keys=3,
                none="No coupon is out.",
            ),
        ),
        signers=signers_of(OPEN),
        remarks=remarks(book, day),
    )
