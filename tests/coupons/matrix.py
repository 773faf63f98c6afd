"""Every place that a coupon can be in, every movement that a fact can tell, and what comes of the two.

A coupon of $25 is brought to its place on one gaming day, lawfully, and moved by one fact on the
next. What that fact alone adds to the findings that name the coupon is the answer of the pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final

from ledger import events
from ledger.coupons import CustodyRegister, Place, conclude, follow
from ledger.coupons.forms.naming import names
from ledger.events.coupon_words import CouponOrigin
from ledger.kernel import MICROSECONDS, PropertyClock
from tests.conformance import coupon_program as program
from tests.conformance.coupon_program import COUNT, FINANCE, MAIL, MARKETING, SETUP
from tests.conformance.timeline import Timeline

CLOCK: Final = PropertyClock("America/New_York", 360)
DAY: Final = date(2012, 8, 14)
NEXT: Final = date(2012, 8, 15)
LAST: Final = date(2012, 8, 17)
HOUR: Final = 3_600 * MICROSECONDS
SERIAL: Final = "MX25-000007"
RANGE: Final = events.CouponRange(denomination_cents=2_500, first=SERIAL, last=SERIAL, quantity=1)
OTHER: Final = events.CouponRange(
    denomination_cents=2_500, first="MX25-000008", last="MX25-000009", quantity=2
)
BOTH: Final = events.CouponRange(
    denomination_cents=2_500, first=SERIAL, last="MX25-000009", quantity=3
)
MAIL_LIST: Final = "ML-X"

Adder = Callable[[Timeline, int], None]


def _stock(timeline: Timeline, at: int) -> None:
    program.stock(timeline, at, "D-X", (RANGE,))


def _delivered(timeline: Timeline, at: int, invoiced: events.CouponRange = RANGE) -> None:
    timeline.add(at, FINANCE, events.CouponsDelivered, SETUP, delivery="D-X", provider="P-1",
                 origin=CouponOrigin.GAMING_SERVICE_PROVIDER, invoice="INV", invoiced=(invoiced,),
                 received_by="C-FS1")  # fmt: skip


def _examined(timeline: Timeline, at: int, seen: events.CouponRange = RANGE) -> None:
    _delivered(timeline, at, BOTH if seen is OTHER else RANGE)
    timeline.add(at + 1, FINANCE, events.CouponsExamined, SETUP, delivery="D-X", counted=(seen,),
                 elements=None, examined_by=("C-FM1", "C-MM1"))  # fmt: skip


def _absent(timeline: Timeline, at: int) -> None:
    _examined(timeline, at, OTHER)


def _marketing(timeline: Timeline, at: int) -> None:
    _stock(timeline, at)
    program.issue(timeline, at + HOUR, "RQ-X", (RANGE,))


def _kept(timeline: Timeline, at: int) -> None:
    _marketing(timeline, at)
    timeline.add(at + 2 * HOUR, MARKETING, events.CouponsKept, SETUP, for_gaming_day=DAY.isoformat(),
                 ranges=(RANGE,), area=program.SAFE, locked=True, kept_by="C-MS1")  # fmt: skip


def _patron(timeline: Timeline, at: int) -> None:
    _marketing(timeline, at)
    _distributed(timeline, at + 2 * HOUR)


def _listed(timeline: Timeline, at: int) -> None:
    line = program.mail_line(SERIAL, 2_500, program.FAR, "n", "a")
    program.mail_list(timeline, at, MAIL_LIST, (line,), hits=())


def _mailed_out(timeline: Timeline, at: int) -> None:
    _listed(timeline, at)
    _mailed(timeline, at + HOUR)


def _used(timeline: Timeline, at: int) -> None:
    _patron(timeline, at)
    _redeemed(timeline, at + 3 * HOUR)


def _counted_up(timeline: Timeline, at: int) -> None:
    _used(timeline, at)
    _counted(timeline, at + 4 * HOUR, DAY, "118")


def _cancelled_up(timeline: Timeline, at: int) -> None:
    _counted_up(timeline, at)
    _cancel(events.CancelReason.REDEEMED)(timeline, at + 5 * HOUR)


def _void(holder: events.CouponHolder) -> Adder:
    def add(timeline: Timeline, at: int) -> None:
        timeline.add(at, MARKETING, events.CouponsVoided, SETUP, holder=holder, ranges=(RANGE,),
                     reason="torn", voided_by="C-MS1")  # fmt: skip

    return add


def _voided_up(timeline: Timeline, at: int) -> None:
    _marketing(timeline, at)
    _void(events.CouponHolder.MARKETING)(timeline, at + 2 * HOUR)


def _back(kind: events.CouponReturnKind) -> Adder:
    def add(timeline: Timeline, at: int) -> None:
        timeline.add(at, MARKETING, events.CouponsReturned, SETUP, return_id="RT-X", kind=kind,
                     ranges=(RANGE,), returned_by="C-MS1", received_by="C-FS1")  # fmt: skip

    return add


def _expired_back(timeline: Timeline, at: int) -> None:
    _marketing(timeline, at)
    _back(events.CouponReturnKind.EXPIRED)(timeline, at + 2 * HOUR)


def _undelivered(timeline: Timeline, at: int) -> None:
    _mailed_out(timeline, at)
    _back(events.CouponReturnKind.UNDELIVERED)(timeline, at + 2 * HOUR)


def _nowhere(timeline: Timeline, at: int) -> None:
    """No fact names it."""


PLACES: Final[dict[Place, Adder]] = {
    Place.NOWHERE: _nowhere,
    Place.DELIVERED: _delivered,
    Place.EXAMINED: _examined,
    Place.ABSENT: _absent,
    Place.STOCK: _stock,
    Place.MARKETING: _marketing,
    Place.KEPT: _kept,
    Place.LISTED: _listed,
    Place.PATRON: _patron,
    Place.MAILED: _mailed_out,
    Place.REDEEMED: _used,
    Place.COUNTED: _counted_up,
    Place.VOIDED: _voided_up,
    Place.EXPIRED_BACK: _expired_back,
    Place.UNDELIVERED: _undelivered,
    Place.CANCELLED: _cancelled_up,
}
"""How a coupon comes to each place."""


def _delivered_again(timeline: Timeline, at: int) -> None:
    timeline.add(at, FINANCE, events.CouponsDelivered, SETUP, delivery="D-Y", provider="P-1",
                 origin=CouponOrigin.GAMING_SERVICE_PROVIDER, invoice="INV", invoiced=(RANGE,),
                 received_by="C-FS1")  # fmt: skip


def _examined_again(timeline: Timeline, at: int) -> None:
    timeline.add(at, FINANCE, events.CouponsExamined, SETUP, delivery="D-Y", counted=(RANGE,),
                 elements=None, examined_by=("C-FM1", "C-MM1"))  # fmt: skip


def _entered_again(timeline: Timeline, at: int) -> None:
    timeline.add(at, FINANCE, events.CouponReceiptEntered, SETUP, entry="R-Y", delivery="D-Y",
                 received_on=NEXT.isoformat(), lots=(RANGE,), entered_by="C-FS1",
                 checked_by=(program.signed("FM1"), program.signed("MM1")))  # fmt: skip


def _issue_entered(timeline: Timeline, at: int) -> None:
    timeline.add(at, FINANCE, events.CouponIssueEntered, SETUP, entry="I-Y", requisition="RQ-Y",
                 lines=(RANGE,), voided=(), issued_by=program.signed("FS1"))  # fmt: skip


def _issued(timeline: Timeline, at: int) -> None:
    timeline.add(at, FINANCE, events.CouponsIssued, SETUP, requisition="RQ-X", ranges=(RANGE,),
                 issued_by="C-FS1", received_by="C-MS1")  # fmt: skip


def _stored(timeline: Timeline, at: int) -> None:
    timeline.add(at, FINANCE, events.CouponsStored, SETUP, holder=events.CouponHolder.FINANCE, ranges=(RANGE,),
                 area=program.VAULT, locked=True, controlled_by="C-FS1")  # fmt: skip


def _distributed(timeline: Timeline, at: int) -> None:
    timeline.add(at, MARKETING, events.CouponsDistributed, SETUP, ranges=(RANGE,), patron=None,
                 distributed_by="C-MM1", promotion=None)  # fmt: skip


def _supplied(timeline: Timeline, at: int) -> None:
    line = program.mail_line(SERIAL, 2_500, program.FAR, "n", "a")
    program.mail_list(timeline, at, "ML-Y", (line,), hits=())


def _mailed(timeline: Timeline, at: int) -> None:
    timeline.add(at, MAIL, events.CouponsMailed, SETUP, list_id=MAIL_LIST, ranges=(RANGE,), provider="P-1",
                 machine_readable=True)  # fmt: skip


def _kept_on(timeline: Timeline, at: int) -> None:
    timeline.add(at, MARKETING, events.CouponsKept, SETUP, for_gaming_day=NEXT.isoformat(),
                 ranges=(RANGE,), area=program.SAFE, locked=True, kept_by="C-MS1")  # fmt: skip


def _carried(timeline: Timeline, at: int) -> None:
    timeline.add(at, MARKETING, events.CouponsCarriedIn, SETUP, for_gaming_day=NEXT.isoformat(),
                 ranges=(RANGE,), counted_by="C-MS1")  # fmt: skip


def _return_entered(timeline: Timeline, at: int) -> None:
    timeline.add(at, FINANCE, events.CouponReturnEntered, SETUP, entry="RE-Y", return_id="RT-Y",
                 returned_on=NEXT.isoformat(), ranges=(RANGE,), voided=(), entered_by="C-FS1",
                 returned_by=program.signed("MS1"), received_by=program.signed("FS1"))  # fmt: skip


def _redeemed(timeline: Timeline, at: int) -> None:
    timeline.add(at, "SB-02", events.CouponRedeemed, SETUP, serial=SERIAL, wager_id=None, box=None,
                 denomination_cents=2_500, decided=events.SettledAs.WON, paid_cents=2_500,
                 box_table="SB-02", redeemed_by="D-4", role=events.Role.DEALER)  # fmt: skip


def _counted(timeline: Timeline, at: int, day: date = NEXT, box: str = "120") -> None:
    timeline.add(at, COUNT, events.CouponsCounted, SETUP, box=box, box_table="SB-02", part=1, parts=1,
                 for_gaming_day=day.isoformat(), ranges=(RANGE,), unreadable=0,
                 counted_by=("C-FM1",))  # fmt: skip


def _cash_counted(timeline: Timeline, at: int) -> None:
    timeline.add(at, "SB-02", events.DropBoxCounted, SETUP, box="119", for_gaming_day=NEXT.isoformat(),
                 cash=(), chips_cents=0, coupons=(SERIAL,), counted_by=("C-FM1",))  # fmt: skip


def _cancel(because: events.CancelReason, day: date = DAY) -> Adder:
    def add(timeline: Timeline, at: int) -> None:
        timeline.add(at, FINANCE, events.CouponsCancelled, SETUP, for_gaming_day=day.isoformat(),
                     ranges=(RANGE,), because=because, how=events.CancelMethod.ELECTRONIC,
                     cancelled_by="C-FS1")  # fmt: skip

    return add


def _inventoried(timeline: Timeline, at: int) -> None:
    timeline.add(at, FINANCE, events.CouponsInventoried, SETUP, inventory="IV-X", month="2012-08",
                 covers=(events.CouponHolder.FINANCE, events.CouponHolder.MARKETING), in_ledger=True,
                 lines=(RANGE,), inventoried_by=("C-FM1",))  # fmt: skip


MOVEMENTS: Final[dict[str, Adder]] = {
    "delivered": _delivered_again,
    "examined": _examined_again,
    "entered in stock": _entered_again,
    "stored": _stored,
    "entry of issue": _issue_entered,
    "issued": _issued,
    "carried in": _carried,
    "distributed": _distributed,
    "listed": _supplied,
    "mailed": _mailed,
    "kept": _kept_on,
    "voided by finance": _void(events.CouponHolder.FINANCE),
    "voided by marketing": _void(events.CouponHolder.MARKETING),
    "voided by a patron": _void(events.CouponHolder.PATRON),
    "voided by the provider": _void(events.CouponHolder.PROVIDER),
    "returned unused": _back(events.CouponReturnKind.UNUSED),
    "returned expired": _back(events.CouponReturnKind.EXPIRED),
    "returned undelivered": _back(events.CouponReturnKind.UNDELIVERED),
    "entry of return": _return_entered,
    "redeemed": _redeemed,
    "counted": _counted,
    "counted with cash": _cash_counted,
    "cancelled as redeemed": _cancel(events.CancelReason.REDEEMED, NEXT),
    "cancelled as voided": _cancel(events.CancelReason.VOIDED, NEXT),
    "cancelled as expired": _cancel(events.CancelReason.EXPIRED, NEXT),
    "inventoried": _inventoried,
}
"""Every fact that names serial numbers, as it comes on the second day."""
PAST: Final = ("returned expired", "cancelled as expired")
"""Movements of a coupon that was good on the first day for the last time."""


@dataclass(frozen=True)
class Answer:
    """What a movement comes to: where the coupon is in the end, and the findings it adds."""

    place: Place
    codes: tuple[str, ...]


def book(place: Place, *movements: str, expired: bool = False) -> CustodyRegister:
    """The record with one coupon brought to a place and moved on the next day, all days over."""
    timeline = Timeline(CLOCK)
    start = CLOCK.start_of(DAY) - 48 * HOUR
    program.approve(timeline, start, (*program.USUAL, events.ControlsPart.MAILING))
    program.hire(timeline, start)
    expires = DAY.isoformat() if expired else program.FAR
    program.describe(timeline, start, "MX25-", 6, 2_500, expires=expires)
    PLACES[place](timeline, CLOCK.start_of(DAY) + 2 * HOUR)
    timeline.add(CLOCK.start_of(NEXT) + HOUR, COUNT, events.CouponsCounted, SETUP, box="900",
                 box_table="ZZ-99", part=1, parts=1, for_gaming_day=NEXT.isoformat(), ranges=(),
                 unreadable=0, counted_by=())  # fmt: skip
    for number, movement in enumerate(movements):
        MOVEMENTS[movement](timeline, CLOCK.start_of(NEXT) + (8 + number) * HOUR)
    timeline.add(CLOCK.start_of(LAST), COUNT, events.CouponsCounted, SETUP, box="900", part=1, parts=1,
                 box_table="ZZ-99", for_gaming_day=LAST.isoformat(), ranges=(), unreadable=0,
                 counted_by=())  # fmt: skip
    made = CustodyRegister(CLOCK)
    for fact in sorted(timeline.finished().facts, key=lambda fact: fact.event_time):
        follow(made, fact, fact.event_time)
    made.finish()
    return made


def findings(made: CustodyRegister) -> Counter[str]:
    """The findings that name the coupon, each as its code and where it is cited."""
    serial = made.custody.forms.read(SERIAL)
    return Counter(
        f"{finding.code} {finding.citations[0].pin.removeprefix('§ 525')}"
        for day in sorted(made.days)
        for finding in conclude(made, day)
        if names(made, finding, serial)
    )


@cache
def _before(place: Place, *, expired: bool) -> Counter[str]:
    """The findings of a place itself."""
    return findings(book(place, expired=expired))


def answer(place: Place, movement: str) -> Answer:
    """What a movement out of a place comes to."""
    expired = movement in PAST
    before = _before(place, expired=expired)
    made = book(place, movement, expired=expired)
    after = findings(made)
    codes = [f"+ {code}" for code in after - before]
    codes += [f"- {code}" for code in before - after]
    end = made.custody.place(made.custody.way(made.custody.forms.read(SERIAL)))
    return Answer(end, tuple(sorted(codes)))
