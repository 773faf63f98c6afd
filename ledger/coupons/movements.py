"""Coupons on the move: distributed, voided, stored, kept, returned, redeemed.

Each fact moves coupons from where they must be; one that was elsewhere is a finding. Who may do it,
and whether the program was approved by then, is looked up in the program.
Law: 58 Pa. Code § 525.21(b), (d), (h), (k), (l), (m); reading coupon-expiry.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from ledger import events
from ledger.coupons.boxes import drop
from ledger.coupons.custody import (
    REDEEMED_ONCE,
    WITH_MARKETING,
    WITH_PATRONS,
    Place,
    Run,
)
from ledger.coupons.custody_register import CustodyRegister, Handler, fold
from ledger.coupons.people import acted, must_be
from ledger.coupons.program import ALWAYS
from ledger.coupons.records import ON_HAND, Flow, Irregular, Return
from ledger.coupons.serial import Serial, SerialAmbiguous, SerialRange, less
from ledger.kernel import UsageError, dollars, table_of, visible

HELD_BY: Final = {
    events.CouponHolder.FINANCE: frozenset(
        {Place.DELIVERED, Place.EXAMINED, Place.STOCK, Place.EXPIRED_BACK, Place.UNDELIVERED}
    ),
    events.CouponHolder.MARKETING: WITH_MARKETING,
    events.CouponHolder.PATRON: WITH_PATRONS,
    events.CouponHolder.PROVIDER: frozenset({Place.LISTED}),
}
PATRON: Final = Place.PATRON
REDEEMED: Final = Place.REDEEMED
"""Each by a name of its own, since every redemption asks for both."""
REDEEMABLE: Final = frozenset(Place) - REDEEMED_ONCE
"""The places from which a redemption takes a coupon, rightly or not, into the drop box."""
STORED_BY: Final = {
    events.CouponHolder.FINANCE: HELD_BY[events.CouponHolder.FINANCE]
    | REDEEMED_ONCE
    | {Place.VOIDED},
    events.CouponHolder.MARKETING: WITH_MARKETING | {Place.VOIDED},
}
"""The places of coupons that a department may have under lock."""
BACK: Final = {
    events.CouponReturnKind.UNUSED: (Place.STOCK, WITH_MARKETING, Flow.RETURNED),
    events.CouponReturnKind.EXPIRED: (Place.EXPIRED_BACK, WITH_MARKETING, Flow.RETURNED_EXPIRED),
    events.CouponReturnKind.UNDELIVERED: (
        Place.UNDELIVERED, frozenset({Place.MAILED, Place.LISTED}), Flow.UNDELIVERED,
    ),
}  # fmt: skip


NOT_IN_ORDER: Final = {
    "coupon_duplicate_serial": "redeemed before",
    "redeemed_but_voided": "voided",
    "redeemed_not_received": "never received",
    "redeemed_but_returned": "returned to finance",
    "redeemed_not_distributed": "given to no patron",
    "redeemed_not_issued": "never issued",
}
"""What was wrong with a coupon that was redeemed, for people."""


def approved(book: CustodyRegister, coupons: list[Run] | str, pins: tuple[str, str]) -> None:
    """Report coupons issued, distributed, mailed or used in an unapproved program (§ 525.21(b)).

    Args:
        book: the register.
        coupons: the runs; or a name for people where there are none.
        pins: the parts of § 525.21 for the design and for the internal controls.
    """
    runs = coupons if isinstance(coupons, list) else []
    named = fold(run.range for run in runs) if runs else str(coupons)
    sure = book.sure(-1, book.at, "house")
    series = {run.series.series: run.series for run in runs if run.series is not None}
    if not all(book.program.design_approved(one, book.at) for one in series.values()):
        book.say("coupon_program_not_approved", pins[0], observed=named, sure=sure)
    lacking = book.program.governed(ALWAYS, book.at)
    if lacking:
        parts = ", ".join(part.value.lower() for part in lacking)
        book.say("coupon_program_not_approved", pins[1], observed=named, expected=parts, sure=sure)


def distributed(book: CustodyRegister, fact: events.CouponsDistributed) -> None:
    """Follow coupons that marketing gave to patrons."""
    who = fact.distributed_by
    ranges = book.ranges(fact.ranges)
    moved, odd = book.go(ranges, Place.PATRON, WITH_MARKETING, who)
    day = book.day(book.today)
    day.add(Flow.DISTRIBUTED, moved)
    day.add(Flow.DISTRIBUTED, odd, odd=True)
    voided = [run for run in odd if run.place is Place.VOIDED]
    book.odd("distributed_but_voided", "(m)(3)#8", voided)
    book.odd("distributed_not_held", "(m)(3)#11", [run for run in odd if run not in voided])
    past = [run for run in (*moved, *odd) if book.expired(run.series, book.today)]
    if past:
        until = ", ".join(sorted({str(book.good_until(run.series)) for run in past}))
        book.say(
            "expired_distributed", "(k)#9", observed=fold(r.range for r in past), expected=until
        )
    approved(book, [*moved, *odd], ("(b)(1)#2", "(b)(2)#1"))
    must_be(book, who, events.CouponDepartment.MARKETING, "coupon_wrong_department", "(d)#2")
    acted(book, who, events.CouponDepartment.MARKETING)


def voided(book: CustodyRegister, fact: events.CouponsVoided) -> None:
    """Follow coupons that were voided by whoever had them."""
    ranges = book.ranges(fact.ranges)
    allowed = HELD_BY.get(fact.holder, frozenset())
    moved, odd = book.go(ranges, Place.VOIDED, allowed, fact.voided_by, fact.reason)
    by_finance = fact.holder is events.CouponHolder.FINANCE
    day = book.day(book.today)
    if by_finance:
        day.add(Flow.VOIDED_FINANCE, moved)
        day.add(Flow.OUT_OF_STOCK, [run for run in moved if run.place in ON_HAND])
        book.documents.finance_voids.extend((book.today, book.ref, run.range) for run in moved)
    elif fact.holder is events.CouponHolder.MARKETING:
        day.add(Flow.VOIDED, moved)
        day.void_reasons.extend((run.range, fact.reason) for run in moved)
    elif fact.holder is events.CouponHolder.PATRON:
        day.add(Flow.VOIDED_PATRONS, moved)
    else:
        day.add(Flow.VOIDED_PROVIDER, moved)
    if not (fact.reason or "").strip():
        pin = "(h)(4)#2" if by_finance else "(j)(6)#2"
        book.say("void_without_reason", pin, observed=fold(ranges))
    book.odd("reconciliation_out_of_balance", "(m)(3)#3", odd)


def stored(book: CustodyRegister, fact: events.CouponsStored) -> None:
    """Follow coupons under lock: which, by whom, and whether the area is approved."""
    not_in_hand(book, book.ranges(fact.ranges, whole=False), STORED_BY.get(fact.holder))
    if fact.holder is events.CouponHolder.MARKETING:
        _area(book, events.CouponHolder.MARKETING, fact.area, fact.locked)
        return
    if fact.holder is not events.CouponHolder.FINANCE:
        return
    if fact.controlled_by is None:
        book.say("coupon_storage_breach", "(i)#1", observed="nobody on record", sure=False)
    else:
        must_be(
            book, fact.controlled_by, events.CouponDepartment.FINANCE, "coupon_storage_breach", "(i)#1",
            supervisor=True,
        )  # fmt: skip
    area = fact.area or "an area that is not recorded"
    if fact.locked is not True:
        book.say("coupon_storage_breach", "(i)#2", observed=area, sure=fact.locked is False)
    if not book.program.area_approved(fact.area, events.CouponHolder.FINANCE, book.at):
        sure = fact.area is not None and book.sure(-1, book.at)
        book.say("coupon_storage_breach", "(i)#3", observed=area, sure=sure)


def not_in_hand(
    book: CustodyRegister, ranges: list[SerialRange], places: frozenset[Place] | None
) -> list[Run]:
    """Report and return coupons that a paper claims in hand though they are in none of ``places``.

    ``places`` None: nothing is claimed.
    """
    if places is None:
        return []
    absent = [
        run
        for one in ranges
        for run in book.custody.runs(one)
        if run.series and run.place not in places
    ]
    book.odd("reconciliation_out_of_balance", "(m)(3)#2", absent)
    return absent


def _area(
    book: CustodyRegister, holder: events.CouponHolder, area: str | None, locked: bool | None
) -> None:
    """Check where marketing keeps coupons: secured, locked and approved (§ 525.21(k))."""
    if locked is True and book.program.area_approved(area, holder, book.at):
        return
    sure = locked is False or (area is not None and book.sure(-1, book.at))
    book.say("coupon_storage_breach", "(k)#4", observed=area or "an area not recorded", sure=sure)


def kept(book: CustodyRegister, fact: events.CouponsKept) -> None:
    """Follow coupons that marketing kept for the next gaming day."""
    detail = f"{fact.area or 'area not recorded'}, for the day after {fact.for_gaming_day}"
    moved, odd = book.go(book.ranges(fact.ranges), Place.KEPT, WITH_MARKETING, fact.kept_by, detail)
    book.day(book.named_day(fact.for_gaming_day)).add(Flow.KEPT, moved)
    if odd:
        book.say(
            "reconciliation_out_of_balance", "(m)(3)#1", observed=fold(run.range for run in odd),
            expected="marketing", state="recorded as kept but not held by marketing",
            sure=all(book.sure(book.since(run), book.at) for run in odd),
        )  # fmt: skip
    _area(book, events.CouponHolder.MARKETING, fact.area, fact.locked)


def carried_in(book: CustodyRegister, fact: events.CouponsCarriedIn) -> None:
    """Compare the coupons with which marketing began a day with those that it has."""
    stated = set(book.ranges(fact.ranges))
    day = book.named_day(fact.for_gaming_day)
    on_hand = book.day(day).ranges(Flow.CARRIED_IN)
    one_sided = differing(stated, on_hand)
    if one_sided:
        sure = book.sure(-1, book.at)
        book.say("carry_over_mismatch", "(k)#7", observed=fold(one_sided), day=day, sure=sure)


def differing(ours: set[SerialRange], other: list[SerialRange]) -> list[SerialRange]:
    """Return the serial numbers that are in only one of the two."""
    return [*less(ours, other), *less(other, ours)]


def returned(book: CustodyRegister, fact: events.CouponsReturned) -> None:
    """Follow coupons that went back to finance."""
    ranges = book.ranges(fact.ranges)
    entry = book.documents.returns.setdefault(fact.return_id, Return())
    entry.returned, entry.ranges, entry.day = fact, ranges, book.today
    to = BACK.get(fact.kind)
    if to is None:
        return
    place, allowed, flow = to
    moved, odd = book.go(ranges, place, allowed, fact.returned_by, fact.kind.value.lower())
    book.day(book.today).add(flow, moved)
    for run in odd:
        book.say(
            "return_mismatch", "(l)(2)#3", observed=fold([run.range]), expected=run.place.value,
            state=f"returned by marketing {book.state_of(run)}",
            sure=book.sure(book.since(run), book.at),
        )  # fmt: skip
    giver, taker = fact.returned_by, fact.received_by
    if giver is not None and giver == taker:
        book.say("segregation_broken", "(l)(5)#8", observed=giver)
    if fact.kind is not events.CouponReturnKind.UNDELIVERED:
        must_be(book, giver, events.CouponDepartment.MARKETING, "wrong_role_signed", "(l)(5)#7",
                supervisor=True, expected="marketing")  # fmt: skip
        acted(book, giver, events.CouponDepartment.MARKETING)
    must_be(book, taker, events.CouponDepartment.FINANCE, "wrong_role_signed", "(l)(5)#7",
            supervisor=True, expected="finance")  # fmt: skip
    acted(book, taker, events.CouponDepartment.FINANCE)


def redeemed(book: CustodyRegister, fact: events.CouponRedeemed) -> None:
    """Follow a redemption: the coupon must be with a patron, and goes to the box in any case."""
    table = table_of(fact.stream)
    try:
        serial = book.custody.forms.read(fact.serial)
    except SerialAmbiguous as refusal:
        book.say("coupon_serial_not_of_a_series", "(c)(3)#1", observed=refusal.problem, sure=False)
        _irregular(book, fact, table, fact.serial, "can be read as two serial numbers")
        return
    except UsageError:
        _irregular(book, fact, table, fact.serial, "matches no series")
        sure = book.sure(-1, book.at)
        book.say("coupon_counterfeit", "(m)(1)#2", observed=visible(fact.serial[:64]), sure=sure)
        return
    run = book.go_one(serial, REDEEMED, REDEEMABLE, fact.redeemed_by, table)
    day = book.day(book.today)
    if run.series is None:
        book.odd("coupon_counterfeit", "(m)(1)#2", [run])
        _irregular(book, fact, table, str(serial), "matches no series")
        return
    cents = run.series.denomination_cents
    is_held = run.place in WITH_PATRONS
    day.redeem(serial, book.ref, cents, is_held=is_held)
    if not is_held:
        why = _used_wrongly(book, run, table)
        _irregular(book, fact, table, str(serial), why, run.series)
    if run.place is PATRON and not book.custody.was_received(run.way):
        book.odd("redeemed_not_received", "(m)(3)#6", [run])
    can_expire = run.series.expires is not None or bool(book.accepted)
    if can_expire and (until := _expired_when_accepted(book, run.series, serial)):
        _irregular(book, fact, table, str(serial), f"expired on {until}", run.series)
    stated = fact.denomination_cents
    if stated is not None and stated != cents:
        worth, shown = dollars(cents), dollars(stated)
        sentence = f"{worth} coupon {serial} was redeemed as {shown}."
        book.say("coupon_wrong_denomination", "(c)(2)#1", observed=sentence)
    if day.approval_due(run.series.series):
        approved(book, [run], ("(b)(1)#3", "(b)(2)#2"))
    if fact.box_table is not None or fact.box is not None:
        drop(book, serial, fact.box_table or table, fact.box)


def _irregular(
    book: CustodyRegister,
    fact: events.CouponRedeemed,
    table: str,
    serial: str,
    why: str,
    series: events.CouponSeriesDescribed | None = None,
) -> None:
    """Note a redemption that was not in order, for the quarterly report."""
    shown = series.denomination_cents if series is not None else fact.denomination_cents
    book.day(book.today).irregular.append(
        Irregular(serial, book.at, table, why, shown, fact.paid_cents, series is not None)
    )


def _expired_when_accepted(
    book: CustodyRegister, series: events.CouponSeriesDescribed, serial: Serial
) -> str | None:
    """Report a coupon that had expired when it was accepted; return its last day, else None.

    Its expiry is asked for the moment of acceptance (reading coupon-expiry-moment). Where none is
    recorded, one that was good the day before may have been accepted then.
    """
    day = book.accepted.pop(serial, None)
    if not book.expired(series, book.today if day is None else day):
        return None
    sure = day is not None or book.expired(series, book.today - timedelta(days=1))
    until = str(book.good_until(series))
    book.say("coupon_expired", "(c)(5)#2", observed=str(serial), expected=until, sure=sure)
    return until


def _used_wrongly(book: CustodyRegister, run: Run, table: str) -> str:
    """Report why a redeemed coupon could not be with a patron, and return that in words."""
    custody, way = book.custody, run.way
    if custody.went(way, Place.REDEEMED) or custody.went(way, Place.COUNTED):
        code, pin = "coupon_duplicate_serial", "(m)(3)#10"
    elif run.place is Place.VOIDED or custody.went(way, Place.VOIDED):
        code, pin = "redeemed_but_voided", "(m)(3)#9"
    elif run.place in (Place.NOWHERE, Place.ABSENT):
        code, pin = "redeemed_not_received", "(m)(3)#6"
    elif run.place in (Place.EXPIRED_BACK, Place.UNDELIVERED) or (
        run.place is Place.STOCK and custody.went(way, Place.MARKETING)
    ):
        code, pin = "redeemed_but_returned", "(m)(3)#7"
    elif run.place in WITH_MARKETING or run.place in (Place.LISTED, Place.CANCELLED):
        code, pin = "redeemed_not_distributed", "(m)(3)#7"
    else:
        code, pin = "redeemed_not_issued", "(m)(3)#6"
    book.odd(code, pin, [run], table)
    return NOT_IN_ORDER[code]


def accepted(book: CustodyRegister, fact: events.CouponAccepted) -> None:
    """Follow an acceptance; of a mailed coupon the date is verified first (§ 525.21(q)(5))."""
    try:
        serial = book.custody.forms.read(fact.serial)
    except UsageError:
        return
    book.accepted[serial] = book.today
    if fact.expiry_checked is True:
        return
    if book.custody.went(book.custody.way(serial), Place.MAILED) is not None:
        sure = fact.expiry_checked is False
        book.say("coupon_expiry_not_verified", "(q)(5)#1", observed=str(serial), sure=sure)


def dropped(book: CustodyRegister, fact: events.CouponDropped) -> None:
    """Follow a coupon that was put into a box at another moment than that of its redemption."""
    try:
        serial = book.custody.forms.read(fact.serial)
    except UsageError:
        return
    drop(book, serial, fact.box_table or table_of(fact.stream), fact.box)


HANDLERS: Final[dict[type, Handler]] = {
    events.CouponsDistributed: distributed,
    events.CouponsVoided: voided,
    events.CouponsStored: stored,
    events.CouponsKept: kept,
    events.CouponsCarriedIn: carried_in,
    events.CouponsReturned: returned,
    events.CouponRedeemed: redeemed,
    events.CouponAccepted: accepted,
    events.CouponDropped: dropped,
}
