"""Where a coupon is, what is outstanding and since when, and whether a coupon may still be used.

Law: 58 Pa. Code § 525.21(m)(3), (q)(5); readings coupon-expiry, coupon-given-back.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final

from ledger.coupons.custody import Place, Step, Way
from ledger.coupons.custody_register import CustodyRegister
from ledger.coupons.serial import Serial, SerialRange
from ledger.coupons.status import CouponState, CouponStatus
from ledger.events import CouponSeriesDescribed
from ledger.kernel import FactRef, UsageError
from ledger.kernel.quick_dataclass import dataclass

AGES: Final = ((2, "0-2"), (7, "3-7"), (30, "8-30"))
"""The last day of each age class, and its name; beyond the last one it is "> 30"."""
ENDED: Final = frozenset({Place.CANCELLED, Place.NOWHERE, Place.STOCK, Place.ABSENT})
"""The places in which nothing is outstanding, no longer or not yet."""
STATE: Final = {
    Place.NOWHERE: CouponState.NEVER_RECEIVED,
    Place.ABSENT: CouponState.NEVER_RECEIVED,
    Place.DELIVERED: CouponState.NEVER_ISSUED,
    Place.EXAMINED: CouponState.NEVER_ISSUED,
    Place.STOCK: CouponState.NEVER_ISSUED,
    Place.LISTED: CouponState.NOT_DISTRIBUTED,
    Place.MARKETING: CouponState.NOT_DISTRIBUTED,
    Place.KEPT: CouponState.NOT_DISTRIBUTED,
    Place.PATRON: CouponState.LIVE,
    Place.MAILED: CouponState.LIVE,
    Place.REDEEMED: CouponState.REDEEMED,
    Place.COUNTED: CouponState.REDEEMED,
    Place.VOIDED: CouponState.VOIDED,
    Place.EXPIRED_BACK: CouponState.RETURNED,
    Place.UNDELIVERED: CouponState.RETURNED,
    Place.CANCELLED: CouponState.CANCELLED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Whereabouts:
    """Where a coupon is, and how it came there.

    Args:
        serial: its serial number.
        series: its series; None if no series has it.
        place: where it is.
        steps: its history.
        remarks: codes of findings that say what is wrong with it.
        awaits_count: the box in which it lies while its count is awaited; None otherwise.
    """

    serial: Serial
    series: CouponSeriesDescribed | None
    place: Place
    steps: tuple[Step, ...]
    remarks: tuple[str, ...]
    awaits_count: str | None


def where(book: CustodyRegister, text: str) -> Whereabouts:
    """Return where a coupon is.

    Args:
        book: the custody, followed to the end of the record.
        text: the serial number as written.

    Raises:
        SerialUnreadable: no series has such a number.
        SerialAmbiguous: series of two forms have one.
    """
    serial = book.custody.forms.read(text)
    way = book.custody.way(serial)
    remarks: list[str] = []
    awaits: str | None = None
    for box in book.boxes_with(serial):
        if box.awaits_count or not box.is_counted:
            awaits = box.box or box.table
        elif not any(one.holds(serial) for one in box.counted()):
            remarks.append("redeemed_not_dropped")
    return Whereabouts(
        serial=serial,
        series=book.custody.forms.series_of(serial),
        place=book.custody.place(way),
        steps=tuple(book.custody.history(way)),
        remarks=tuple(dict.fromkeys(remarks)),
        awaits_count=awaits,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Outstanding:
    """A range of coupons that are out.

    Args:
        range: the serial numbers.
        denomination_cents: their denomination.
        place: their last known place.
        holder: who has them; of redeemed coupons the table; None if not recorded.
        since: when they came there, microseconds UTC.
        days: their age in gaming days.
        age: the class of that: "0-2", "3-7", "8-30" or "> 30".
        expires: the last gaming day on which they are good; None without one.
        expired: whether that day has passed.
        fact: the fact that brought them there.
    """

    range: SerialRange
    denomination_cents: int
    place: Place
    holder: str | None
    since: int
    days: int
    age: str
    expires: date | None
    expired: bool
    fact: FactRef


def outstanding(book: CustodyRegister, day: date) -> Iterator[Outstanding]:
    """Yield all that is out at the end of the record, by serial number, with its age on a day."""
    ages: dict[int, int] = {}  # by moment: thousands of ranges came where they are in one
    for run in book.custody.all_runs(lambda place: place not in ENDED):
        last = book.custody.last(run.way)
        if run.series is None or last is None:
            continue
        days = ages.get(last.at)
        if days is None:
            days = ages[last.at] = (day - book.clock.day_of(last.at)).days
        yield Outstanding(
            range=run.range,
            denomination_cents=run.series.denomination_cents,
            place=run.place,
            holder=last.detail if run.place is Place.REDEEMED else last.who,
            since=last.at,
            days=days,
            age=age_of(days),
            expires=book.good_until(run.series),
            expired=book.expired(run.series, day),
            fact=last.ref,
        )


def age_of(days: int) -> str:
    """Return the class of an age in days.

    >>> [age_of(days) for days in (0, 3, 31)]
    ['0-2', '3-7', '> 30']
    """
    return next((name for most, name in AGES if days <= most), "> 30")


@dataclass(frozen=True, slots=True)
class RegisterLookup:
    """The custody, as ``rounds`` asks for it (``CouponLookup``)."""

    book: CustodyRegister

    def status(self, text: str, at: int, day: date, ref: FactRef | None = None) -> CouponStatus:
        """Return what a coupon was right before a fact at a table; see ``CouponLookup``."""
        book, custody = self.book, self.book.custody
        try:
            serial = custody.forms.read(text)
        except UsageError:
            state = CouponState.NO_SERIES if book.sure(-1, at) else CouponState.UNKNOWN
            return CouponStatus(text=text, serial=None, series=None, state=state)
        series = custody.forms.series_of(serial)
        way = self._before(custody.way(serial), at, ref)
        place = custody.place(way)
        last = custody.last(way)
        state = STATE[place]
        facts = (last.ref,) if last else ()
        used = custody.went(way, Place.REDEEMED)
        if series is None:
            state = CouponState.NO_SERIES
        elif used is not None:
            state, facts = CouponState.REDEEMED, (used.ref,)
        elif place is Place.STOCK and custody.went(way, Place.MARKETING) is not None:
            state = CouponState.RETURNED
        elif state is CouponState.LIVE and not (custody.was_received(way) or place is Place.MAILED):
            state = CouponState.NEVER_RECEIVED
        elif state is CouponState.LIVE and book.expired(series, day):
            state = CouponState.EXPIRED
        if not book.sure(last.at if last else -1, at):
            state = CouponState.UNKNOWN
        return CouponStatus(text=text, serial=serial, series=series, state=state, facts=facts)

    def _before(self, way: Way, at: int, ref: FactRef | None) -> Way:
        """Return the part of a way before a moment; at the same moment offices precede tables."""
        kept = []
        for number in way:
            move = self.book.custody.moves[number if number >= 0 else ~number]
            at_table = move.event == "CouponRedeemed"
            earlier = move.at < at or (
                move.at == at and (not at_table or (ref is not None and _key(move.ref) < _key(ref)))
            )
            if earlier:
                kept.append(number)
        return tuple(kept)


def _key(ref: FactRef) -> tuple[bytes, int]:
    return ref.stream.encode(), ref.seq
