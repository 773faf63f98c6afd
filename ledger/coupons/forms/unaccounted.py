"""Coupons that nobody can account for at a day's end and, apart from them, all that is out.

What is missing comes first and alone: redeemed and not in its box, invoiced and not delivered,
lost to marketing. What is with patrons, with marketing, on its way to the count or back at finance
for good is accounted for and listed under its own status, with quantities, dollars and, for
patrons, what the house may still owe by the day of expiry. What is in finance's stock or cancelled
is not listed.
Law: 58 Pa. Code § 525.21(m)(3), (m)(4); reading coupon-expiry.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cache, cached_property, partial
from typing import Final

from ledger.coupons.coupon_lookup import age_of
from ledger.coupons.custody import WITH_MARKETING, WITH_PATRONS, Place
from ledger.coupons.custody_register import CustodyRegister
from ledger.coupons.daily_form import not_remaining
from ledger.coupons.day_conclusion import left_over
from ledger.coupons.figures import denominations
from ledger.coupons.forms.at_day import DayEnd, HeldRange
from ledger.coupons.forms.daily import remarks
from ledger.coupons.forms.fields import OPEN, TITLES, fields_of, signers_of
from ledger.coupons.forms.model import Computed, Form, Table, Value
from ledger.coupons.forms.words import moment
from ledger.coupons.serial import Serial, SerialRange, less
from ledger.kernel import FactRef
from ledger.kernel.quick_dataclass import dataclass

ENDED: Final = frozenset({Place.CANCELLED, Place.NOWHERE, Place.STOCK})
LOST: Final = (
    "NOT FOUND in its drop box",
    "REDEEMED, put into no drop box",
    "MISSING from the delivery",
    "MISSING from marketing",
)
"""The statuses of coupons that nobody can locate."""
OUTSTANDING: Final = "with a patron"
EXPIRED: Final = "with a patron, expired"
AWAITING: Final = "in a drop box, awaiting count"
UNREDEEMED: Final = "from a drop box, its redemption not recorded"
PLAIN: Final = {
    Place.DELIVERED: "not examined",
    Place.EXAMINED: "not entered in the ledger",
    Place.LISTED: "not mailed yet",
    Place.COUNTED: "counted, not cancelled",
    Place.VOIDED: "voided, not cancelled",
    Place.EXPIRED_BACK: "expired, not cancelled",
    Place.UNDELIVERED: "undeliverable, not cancelled",
}
GROUPS: Final = (
    ("With patrons", (OUTSTANDING,)),
    ("With patrons, expired unredeemed", (EXPIRED,)),
    ("With marketing", ("with marketing", "kept for the next day", "with marketing, NOT RETURNED",
                        "with marketing, EXPIRED", "kept for the next day, EXPIRED")),
    ("Redeemed, on the way to cancellation", (AWAITING, UNREDEEMED, PLAIN[Place.COUNTED])),
    ("Back in finance, not cancelled", (
        PLAIN[Place.EXPIRED_BACK], PLAIN[Place.UNDELIVERED], PLAIN[Place.VOIDED],
    )),
    ("Not in stock or not mailed yet", (
        PLAIN[Place.DELIVERED], PLAIN[Place.EXAMINED], PLAIN[Place.LISTED],
    )),
)  # fmt: skip
"""Every other status, by where the coupons are: one table each."""
AGES: Final = {"0-2": "age_0", "3-7": "age_3", "8-30": "age_8", "> 30": "age_31"}


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRange:
    """Coupons that are out at a day's end.

    Args:
        range: the serial numbers.
        denomination_cents: the denomination.
        place: their last known place.
        holder: who had them last, see ``_holder``; None if not recorded.
        since: when they came there, in microseconds UTC.
        days: how many gaming days ago that was.
        age: the age class of ``days``.
        expires: the last day on which they are good, None if not known.
        status: one of ``LOST`` or of the statuses in ``GROUPS``.
        fact: the key of the fact that brought them there.
    """

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
    def cents(self) -> int:
        """The face value of all of them in cents."""
        return self.range.quantity * self.denomination_cents

    @property
    def is_lost(self) -> bool:
        """Whether nobody can say where they are."""
        return self.status in LOST


@dataclass(frozen=True)
class Doubtful:
    """What a status depends on at a day's end.

    Args:
        book: the coupon record.
        day: the gaming day.
        loose: what marketing had and neither returned nor kept.
        lost: the part of ``loose`` that marketing's own form does not have.
    """

    book: CustodyRegister
    day: date
    loose: list[SerialRange]
    lost: list[SerialRange]

    @cached_property
    def missing(self) -> set[Serial]:
        """What was put into a box and not found by its count; asked of redeemed coupons alone."""
        return _not_in_boxes(self.book, self.day)

    @cached_property
    def boxed(self) -> set[Serial]:
        """What was put into any box."""
        return {serial for box in self.book.boxes for serial in box.dropped}


def open_ranges(book: CustodyRegister, day: date, end: DayEnd | None = None) -> Iterator[OpenRange]:
    """Yield all that was out at the end of a gaming day, in order of serial number.

    Args:
        book: the coupon record, read to its end.
        day: the gaming day.
        end: the custody at the end of that day, if the caller has it already.
    """
    end = end or DayEnd(book, day)
    doubtful = _doubtful(book, day)
    day_of = cache(book.clock.day_of)
    for held_part in end.ranges(ENDED):
        if held_part.last is None:
            continue
        for part, status in _statuses(book, day, held_part, doubtful):
            days = (day - day_of(held_part.last.at)).days
            yield OpenRange(
                range=part,
                denomination_cents=held_part.cents,
                place=held_part.place,
                holder=_holder(held_part),
                since=held_part.last.at,
                days=days,
                age=age_of(days),
                expires=book.good_until(held_part.series),
                status=status,
                fact=held_part.last.ref,
            )


def _holder(part: HeldRange) -> str | None:
    """Return who had it last: the table of a redemption, else a credential; never a patron."""
    assert part.last is not None
    return part.last.detail if part.place in (Place.REDEEMED, Place.COUNTED) else part.last.who


def _not_in_boxes(book: CustodyRegister, day: date) -> set[Serial]:
    """Return serial numbers put into a box up to a day that the count of the box does not have."""
    missing: set[Serial] = set()
    for box in book.boxes:
        if box.day <= day and box.is_counted and box.dropped:
            dropped = [SerialRange.between(one, one) for one in box.dropped]
            for left in less(dropped, box.counted()):
                missing.update(left.serials())
    return missing


def _doubtful(book: CustodyRegister, day: date) -> Doubtful:
    loose = _loose(book, day)
    record = book.days.get(day)
    lost = not_remaining(book, record, loose) if record is not None else []
    return Doubtful(book, day, loose, lost)


def _loose(book: CustodyRegister, day: date) -> list[SerialRange]:
    """Return what marketing had at a day's end and neither returned nor kept, though it had to."""
    record = book.days.get(day)
    if record is None or not book.is_over(day) or book.program.runs_on(day):
        return []
    return [run.range for run in left_over(record)]


def _statuses(
    book: CustodyRegister, day: date, holding: HeldRange, doubtful: Doubtful
) -> Iterator[tuple[SerialRange, str]]:
    """Yield the parts of a range, each with its status."""
    expired = book.expired(holding.series, day)
    if holding.place is Place.REDEEMED:
        for serial in holding.range.serials():
            yield SerialRange.between(serial, serial), _redeemed(book, day, serial, doubtful)
    elif holding.place is Place.ABSENT:
        yield holding.range, LOST[2]
    elif holding.place in WITH_PATRONS:
        came_in = book.custody.went(holding.way, Place.COUNTED) is not None
        yield holding.range, UNREDEEMED if came_in else EXPIRED if expired else OUTSTANDING
    elif holding.place in WITH_MARKETING:
        kept = "kept for the next day" if holding.place is Place.KEPT else "with marketing"
        unlost = less([holding.range], doubtful.lost)
        owed = less(unlost, less(unlost, doubtful.loose))
        for part in less([holding.range], unlost):
            yield part, LOST[3]
        for part in owed:
            yield part, "with marketing, NOT RETURNED"
        for part in less(unlost, owed):
            yield part, f"{kept}, EXPIRED" if expired else kept
    else:
        yield holding.range, PLAIN[holding.place]


def _redeemed(book: CustodyRegister, day: date, serial: Serial, doubtful: Doubtful) -> str:
    """Return the status of a redeemed coupon that was not counted."""
    if serial in doubtful.missing:
        return LOST[0]
    if book.is_over(day) and serial not in doubtful.boxed:
        return LOST[1]
    return AWAITING


def unaccounted_form(book: CustodyRegister, day: date, end: DayEnd | None = None) -> Form:
    """Return the form of coupons that nobody can account for at a gaming day's end.

    After them it lists all that is out, by status. The arguments are those of ``open_ranges``.
    """
    open_now = sorted(open_ranges(book, day, end), key=lambda one: one.range)
    lost = [one for one in open_now if one.is_lost]
    return Form(
        form=OPEN,
        form_id=f"MPC-OPEN-{day}",
        title=TITLES[OPEN],
        day=day,
        period=None,
        heads=(),
        tables=(
            _ranges(book, "Not accounted for", lost, "No coupon is missing."),
            _by_status(book, open_now),
            _liability(open_now),
            _by_age(book, open_now),
            *(
                _ranges(book, title, [one for one in open_now if one.status in statuses], "None.")
                for title, statuses in GROUPS
            ),
        ),
        signers=signers_of(OPEN),
        remarks=remarks(book, day),
    )


def _ranges(book: CustodyRegister, title: str, listed: list[OpenRange], none: str) -> Table:
    """Each range, in order of serial number."""
    moment_of = cache(partial(moment, book.clock))
    rows: list[tuple[Value, ...]] = []
    for line in listed:
        first, last = (
            str(Serial(line.range.prefix, line.range.digits, number))
            for number in (line.range.first, line.range.last)
        )
        rows.append(
            (
                *(line.denomination_cents, first, last, line.range.quantity),
                Computed(line.cents, "{quantity}*{denomination}"),
                *(line.place.value, line.holder, moment_of(line.since)),
                f"{line.days} ({line.age})",
                line.expires.isoformat() if line.expires else None,
                line.status,
            )
        )
    keys = (
        *("denomination", "first", "last", "quantity", "value", "place", "holder", "since"),
        *("age", "expiry", "status"),
    )
    return Table(title=title, fields=fields_of(OPEN, *keys), rows=tuple(rows), keys=3, none=none)


def _by_status(book: CustodyRegister, listed: list[OpenRange]) -> Table:
    """Return how many have each status, in coupons and dollars; what is missing comes first."""
    order = [*LOST, *(status for _, statuses in GROUPS for status in statuses)]
    counts: dict[tuple[int, int], int] = {}
    for line in listed:
        key = order.index(line.status), line.denomination_cents
        counts[key] = counts.get(key, 0) + line.range.quantity
    for cents in denominations(book):  # what there is none of is said so
        counts.setdefault((order.index(OUTSTANDING), cents), 0)
    rows = tuple(
        (order[place], cents, count, Computed(count * cents, "{quantity}*{denomination}"))
        for (place, cents), count in sorted(counts.items())
    )
    fields = fields_of(OPEN, "status", "denomination", "quantity", "value")
    return Table(title="All that is out, by status", fields=fields, rows=rows, keys=2)


def _liability(listed: list[OpenRange]) -> Table:
    """What patrons hold and may still use, by the last day on which it is good."""
    counts: dict[tuple[str, int], int] = {}
    for line in listed:
        if line.status == OUTSTANDING:
            key = line.expires.isoformat() if line.expires else "", line.denomination_cents
            counts[key] = counts.get(key, 0) + line.range.quantity
    rows = tuple(
        (expires or None, cents, count, Computed(count * cents, "{quantity}*{denomination}"))
        for (expires, cents), count in sorted(counts.items())
    )
    return Table(
        title="With patrons, by the last day on which they are good",
        fields=fields_of(OPEN, "expiry", "denomination", "quantity", "value"),
        rows=rows,
        keys=2,
        none="No patron holds a coupon that is still good.",
    )


def _by_age(book: CustodyRegister, listed: list[OpenRange]) -> Table:
    """How old what is out is, by denomination."""
    by_age: dict[int, dict[str, int]] = {
        cents: dict.fromkeys(AGES, 0) for cents in denominations(book)
    }
    for line in listed:
        by_age[line.denomination_cents][line.age] += line.range.quantity
    sums = "+".join(f"{{{key}}}" for key in AGES.values())
    return Table(
        title="All that is out, by age at the end of the day",
        fields=fields_of(OPEN, "denomination", *AGES.values(), "quantity", "value"),
        rows=tuple(
            (
                cents,
                *ages.values(),
                Computed(sum(ages.values()), sums),
                Computed(sum(ages.values()) * cents, "{quantity}*{denomination}"),
            )
            for cents, ages in by_age.items()
        ),
    )
