"""The daily form, what finance receives and reviews, the inventory, the quarterly report.

They are kept with the gaming day or period that they are about, and judged when it is concluded.
Law: 58 Pa. Code § 525.21(j), (k), (m), (n), (o).
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from ledger import events
from ledger.coupons.custody import WITH_MARKETING, Place
from ledger.coupons.custody_register import CustodyRegister, Handler
from ledger.coupons.movements import HELD_BY, not_in_hand
from ledger.coupons.people import acted, must_be
from ledger.coupons.periods import next_month
from ledger.coupons.records import ON_HAND
from ledger.kernel import MICROSECONDS, dollars, duration_words

UNDISTRIBUTED: Final = HELD_BY[events.CouponHolder.FINANCE] | WITH_MARKETING | {Place.VOIDED}
"""The places of coupons that an inventory may count."""


def form(book: CustodyRegister, fact: events.ReconciliationFormCompleted) -> None:
    """Note a form that marketing completed; the last one of a day counts."""
    book.day(book.named_day(fact.for_gaming_day)).forms.append(fact)


def forwarded(book: CustodyRegister, fact: events.CouponsForwarded) -> None:
    """Follow papers and coupons to finance."""
    day = book.named_day(fact.for_gaming_day)
    book.day(day).forwarded.append(fact)
    late(book, events.CouponDuty.FORM_TO_FINANCE, day, f"The papers of {day} were forwarded")
    must_be(
        book, fact.received_by, events.CouponDepartment.FINANCE, "coupon_wrong_department", "(d)#4"
    )
    acted(book, fact.received_by, events.CouponDepartment.FINANCE)


def late(
    book: CustodyRegister, duty: events.CouponDuty, day: date, act: str, *, today: bool = False
) -> None:
    """Compare this moment with the property's deadline, measured from a gaming day's end.

    Args:
        book: the register.
        duty: which deadline; nothing is reported if the property set none.
        day: the gaming day.
        act: what was done, for people.
        today: report it today and not on ``day``.
    """
    setting = book.program.deadlines.get(duty)
    if setting is None:
        return
    ends = book.clock.bounds(day)[1]
    over = book.at - ends - setting.within_seconds * MICROSECONDS
    if over > 0:
        book.say(
            "coupon_deadline_missed", "(m)#1", day=book.today if today else day, expected=setting.source_line,
            observed=f"{act} {duration_words(over)} late",
        )  # fmt: skip


def reviewed(book: CustodyRegister, fact: events.CouponsReviewed) -> None:
    """Follow finance's count and examination of what came to it."""
    day = book.named_day(fact.for_gaming_day)
    book.day(day).reviewed.append(fact)
    late(book, events.CouponDuty.RECONCILIATION, day, f"{day} was reconciled")
    for checked, code, pin in (
        (fact.calculation_checked, "form_figure_wrong", "(m)(1)#2"),
        (fact.signatures_checked, "signature_missing", "(m)(2)#1"),
    ):
        if checked is not True:
            book.say(code, pin, observed=str(day), day=day, sure=checked is False)
    for fault in fact.faults:
        named = fault.serial or "a coupon without a serial number"
        if fault.fault is events.CouponFault.COUNTERFEIT:
            sentence = "Finance found {observed} to be counterfeit."
            book.say("coupon_counterfeit", "(m)(1)#2", observed=named, day=day, says=sentence)
        elif fault.fault is events.CouponFault.WRONG_DENOMINATION:
            remark = fault.remark or "finance found another value on it"
            book.say(
                "coupon_wrong_denomination", "(c)(2)#1", observed=f"{named}: {remark}.", day=day
            )
    must_be(
        book, fact.reviewed_by, events.CouponDepartment.FINANCE, "coupon_wrong_department", "(d)#4"
    )
    acted(book, fact.reviewed_by, events.CouponDepartment.FINANCE)


def inventoried(book: CustodyRegister, fact: events.CouponsInventoried) -> None:
    """Follow an inventory; the books as they are at this moment are kept with it."""
    stock = book.holdings.of(ON_HAND)
    marketing = book.holdings.of(WITH_MARKETING)
    expired = book.holdings.of([Place.EXPIRED_BACK, Place.UNDELIVERED])
    books = {
        cents: stock.get(cents, 0) + marketing.get(cents, 0)
        for cents in {*stock, *marketing, *expired}
    }
    book.documents.inventories.append((book.at, fact, books, expired))
    for person in fact.inventoried_by:
        must_be(book, person, events.CouponDepartment.FINANCE, "coupon_wrong_department", "(d)#3")
        acted(book, person, events.CouponDepartment.FINANCE)
    judge_inventory(book, fact, books, expired)


def judge_inventory(
    book: CustodyRegister,
    fact: events.CouponsInventoried,
    books: dict[int, int],
    expired: dict[int, int],
) -> None:
    """Judge whose stock it covers, whether it is in the ledger, and whether it agrees.

    Args:
        book: the register.
        fact: the inventory.
        books: quantities by the books, by denomination in cents.
        expired: of coupons returned expired or undelivered, which may be counted or left out.
    """
    covers = {holder.value for holder in fact.covers}
    lacking = [one for one in ("FINANCE", "MARKETING") if one not in covers]
    if lacking:
        parts = ", ".join(f"the stock of {one.lower()}" for one in lacking)
        book.say("inventory_incomplete", "(n)#2", observed=fact.month, expected=parts)
    _inventory_late(book, fact)
    ranges = [read for line in fact.lines if (read := book.stated(line)) is not None]
    not_in_hand(book, ranges, UNDISTRIBUTED)
    if fact.in_ledger is not True:
        sure = fact.in_ledger is False
        book.say("ledger_entry_missing", "(n)#3", observed=fact.month, sure=sure)
    if lacking:
        return
    seen: dict[int, int] = {}
    for line in fact.lines:
        read = book.stated(line)
        quantity = line.quantity if line.quantity is not None else read.quantity if read else 0
        if line.denomination_cents is not None:
            cents = line.denomination_cents
            seen[cents] = seen.get(cents, 0) + quantity
    sure = book.sure(-1, book.at, *book.tables_in_doubt())
    for cents in sorted({*seen, *(c for c, count in books.items() if count)}):
        count, known = seen.get(cents, 0), books.get(cents, 0)
        if count not in (known, known + expired.get(cents, 0)):
            book.say(
                "inventory_mismatch", "(n)#4", observed=f"{count:,} of {dollars(cents)}",
                expected=str(known), sure=sure,
            )  # fmt: skip


def _inventory_late(book: CustodyRegister, fact: events.CouponsInventoried) -> None:
    """Check the property's deadline for the inventory, measured from the month's end."""
    try:
        month = date.fromisoformat(f"{fact.month}-01")
    except ValueError:
        return
    last = next_month(month) - timedelta(days=1)
    late(
        book,
        events.CouponDuty.INVENTORY,
        last,
        f"The inventory of {fact.month} was taken",
        today=True,
    )


def filed(book: CustodyRegister, fact: events.QuarterlyReportFiled) -> None:
    """Note a quarterly report; it is judged by the redemptions of its quarter."""
    book.documents.reports.append((book.at, fact))


def closed(book: CustodyRegister, fact: events.GamingDayClosed) -> None:
    """Note that the house closed a gaming day."""
    book.closed.add(book.named_day(fact.gaming_day))


HANDLERS: Final[dict[type, Handler]] = {
    events.ReconciliationFormCompleted: form,
    events.CouponsForwarded: forwarded,
    events.CouponsReviewed: reviewed,
    events.CouponsInventoried: inventoried,
    events.QuarterlyReportFiled: filed,
    events.GamingDayClosed: closed,
}
