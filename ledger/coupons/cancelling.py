"""Cancelling: once, for a reason that applies to the coupon, and by finance.

A coupon that had to be cancelled counts as cancelled whatever reason was recorded; the wrong reason
is a finding. One that had no ground to be cancelled stays where it is.
Law: 58 Pa. Code § 525.21(m)(2), (q)(6).
"""

from __future__ import annotations

from datetime import date
from typing import Final

from ledger.coupons.custody import USED, WITH_MARKETING, WITH_PATRONS, Place, Run
from ledger.coupons.custody_register import CustodyRegister, Handler, fold
from ledger.coupons.people import acted, must_be
from ledger.coupons.records import ON_HAND, Flow
from ledger.coupons.sentences import CANCELLED_AS, is_many
from ledger.events import (
    CancelMethod,
    CancelReason,
    CouponDepartment,
    CouponDuty,
    CouponsCancelled,
)
from ledger.kernel import MICROSECONDS

MUST_BE_CANCELLED: Final = USED | {Place.VOIDED}
CANCELLABLE: Final = frozenset(Place) - {Place.CANCELLED}
EXPIRES_AT: Final = frozenset(
    {*WITH_PATRONS, *WITH_MARKETING, Place.STOCK, Place.EXPIRED_BACK, Place.UNDELIVERED}
)
"""The places in which a coupon may be cancelled because it expired."""


def cancelled(book: CustodyRegister, fact: CouponsCancelled) -> None:
    """Follow a cancellation: allowed once, and only of coupons redeemed, voided or expired."""
    day = book.named_day(fact.for_gaming_day)
    runs = book.custody.runs_of(book.ranges(fact.ranges))
    groundless: list[Run] = []
    kept: list[Run] = []
    going: list[Run] = []
    for run in runs:
        grounds = _may_be_cancelled(book, run, fact.because)
        if not grounds:
            groundless.append(run)
        if grounds or run.place in MUST_BE_CANCELLED:
            going.append(run)
        else:
            kept.append(run)
    who, because = fact.cancelled_by, fact.because.value.lower()
    named = [run.range for run in going]
    moved, odd = book.go(named, Place.CANCELLED, CANCELLABLE, who, because, runs=going)
    if fact.because is not CancelReason.EXPIRED:
        book.go([run.range for run in kept], Place.CANCELLED, frozenset(), who, because)
    used = [run for run in moved if run.place in USED]
    today = book.day(book.today)
    if fact.because is CancelReason.REDEEMED:
        used = [*moved, *(run for run in (*odd, *kept) if run.series)]
        _in_time(book, moved, day)
        if fact.how is CancelMethod.PHYSICAL:
            _not_electronically(book, moved, day)
    else:
        today.add(Flow.EXPIRED_PATRONS, [run for run in moved if run.place in WITH_PATRONS])
        today.add(Flow.OUT_OF_STOCK, [run for run in moved if run.place in ON_HAND])
        never_back = [run for run in moved if run.place in WITH_MARKETING]
        if never_back:
            book.say(
                "reconciliation_out_of_balance", "(m)(3)#1",
                observed=fold(run.range for run in never_back),
                expected="marketing", state="cancelled as expired but never returned",
                sure=all(book.sure(book.since(run), book.at) for run in never_back),
            )  # fmt: skip
    book.day(day).add(Flow.CANCELLED_REDEEMED, used)
    book.odd("cancelled_not_redeemed", "(m)(2)#3", groundless, reason=CANCELLED_AS.get(because, ""))
    must_be(book, fact.cancelled_by, CouponDepartment.FINANCE, "coupon_wrong_department", "(d)#4")
    acted(book, fact.cancelled_by, CouponDepartment.FINANCE)


def _may_be_cancelled(book: CustodyRegister, run: Run, because: CancelReason) -> bool:
    """Whether the recorded reason applies to a coupon: § 525.21(m)(2), (q)(6)."""
    custody = book.custody
    match because:
        case CancelReason.REDEEMED if run.place in USED:
            return True
        case CancelReason.REDEEMED:
            came_in = custody.went(run.way, Place.COUNTED) is not None
            used = max(custody.times(run.way, Place.REDEEMED), int(came_in))
            again = False  # another coupon of the number came in after it was cancelled
            for step in custody.history(run.way):
                again = step.move.to is Place.REDEEMED or (again and step.move.to in USED)
            cancelled_times = custody.times(run.way, Place.CANCELLED)
            return again or used > cancelled_times
        case CancelReason.VOIDED:
            grounds = custody.times(run.way, Place.VOIDED) + custody.times(run.way, Place.REDEEMED)
            was_void = custody.went(run.way, Place.VOIDED) is not None
            return was_void and grounds > custody.times(run.way, Place.CANCELLED)
        case _:
            return run.place in EXPIRES_AT and book.expired(run.series, book.today)


def _not_electronically(book: CustodyRegister, runs: list[Run], day: date) -> None:
    """Report mailed coupons that were cancelled only on the coupon: § 525.21(q)(6)."""
    mailed = [run for run in runs if book.custody.went(run.way, Place.MAILED) is not None]
    if mailed:
        serials = fold(run.range for run in mailed)
        book.say("coupon_not_cancelled", "(q)(6)#1", observed=serials, day=day)


def _in_time(book: CustodyRegister, runs: list[Run], day: date) -> None:
    """Check the property's deadline for cancelling, measured from the count of the box."""
    setting = book.program.deadlines.get(CouponDuty.CANCELLATION)
    if setting is None:
        return
    late = [
        run
        for run in runs
        if (counted := book.custody.went(run.way, Place.COUNTED)) is not None
        and book.at - counted.at > setting.within_seconds * MICROSECONDS
    ]
    if late:
        serials = fold(run.range for run in late)
        verb = "were" if is_many(serials) else "was"
        book.say(
            "coupon_deadline_missed", "(m)#1", expected=setting.source_line, day=day,
            observed=f"{serials} {verb} cancelled late",
        )  # fmt: skip


HANDLERS: Final[dict[type, Handler]] = {CouponsCancelled: cancelled}
