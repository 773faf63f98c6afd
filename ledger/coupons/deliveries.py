"""Deliveries: examination by two departments, deviations, the entry of receipt.

Law: 58 Pa. Code § 525.21(c), (e), (f), (p), (r).
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from ledger import events
from ledger.coupons.custody import Place, Run
from ledger.coupons.custody_register import CustodyRegister, Handler, fold
from ledger.coupons.movements import differing
from ledger.coupons.people import Pins, acted, must_be, signature
from ledger.coupons.records import Delivery, Flow
from ledger.coupons.sentences import quantities_in_words
from ledger.coupons.serial import SerialRange, joined, overlaps
from ledger.kernel import MICROSECONDS, duration_words

SHOWN: Final = {
    events.CouponElement.HOLDER_NAME_OR_LOGO: "(c)(1)",
    events.CouponElement.VALUE: "(c)(2)#1",
    events.CouponElement.VALUE_SEEN_BY_SURVEILLANCE: "(c)(2)#2",
    events.CouponElement.SERIAL_NUMBER: "(c)(3)#1",
    events.CouponElement.RESTRICTIONS: "(c)(4)#1",
    events.CouponElement.EXPIRY_DATE: "(c)(5)#1",
    events.CouponElement.CHIP_AREA: "(c)(6)",
}
"""What a coupon must show (§ 525.21(c))."""
CHECKED: Final = Pins(
    ("ledger_entry_incomplete", "(f)(4)#1"),
    ("signature_missing", "(f)(4)#2"),
    ("credential_missing", "(f)(4)#3"),
)
ARRIVING: Final = frozenset({Place.NOWHERE, Place.ABSENT})


def described(book: CustodyRegister, fact: events.CouponSeriesDescribed) -> None:
    """Follow a series; its serial numbers must not be those of another."""
    before = book.custody.forms.spans()
    book.custody.forms.add(fact)
    own = book.custody.forms.spans().get(fact.series)
    twice = [
        shared
        for name, span in before.items()
        if name != fact.series and own is not None and (shared := span.shared_with(own))
    ]
    if twice:
        book.say("serial_overlap", "(c)(3)#3", observed=fold(twice))


def delivered(book: CustodyRegister, fact: events.CouponsDelivered) -> None:
    """Follow coupons that came from a provider, our own printing or a computer system."""
    delivery = book.documents.deliveries.setdefault(fact.delivery, Delivery())
    delivery.delivered, delivery.day = fact, book.today
    ranges = book.ranges(fact.invoiced)
    _overlapping(book, ranges)
    _, odd = book.go(ranges, Place.DELIVERED, ARRIVING, fact.received_by, fact.delivery)
    _known(book, odd, delivery)
    for line in fact.invoiced:
        read = book.stated(line)
        if read is not None and line.quantity not in (None, read.quantity):
            book.say(
                "serial_gap", "(c)(3)#2",
                observed=f"{read}, invoiced as {line.quantity} coupons",
            )  # fmt: skip
    needed = {
        events.CouponOrigin.OWN_PRINTING: (
            (events.ControlsPart.OWN_PRODUCTION, "internal_production_not_approved", "(p)#1"),
            (events.ControlsPart.OWN_PRODUCTION_RECONCILIATION, "internal_production_not_approved",
             "(p)#2"),
        ),
        events.CouponOrigin.COMPUTER_SYSTEM: (
            (events.ControlsPart.COMPUTER_SYSTEM, "coupon_program_not_approved", "(r)(3)"),
        ),
    }.get(fact.origin, ())  # fmt: skip
    bureau = events.Bureau.BOARD if fact.origin is events.CouponOrigin.OWN_PRINTING else None
    for part, code, pin in needed:
        if book.program.governed([part], book.at, bureau):
            book.say(code, pin, observed=fact.delivery, sure=book.sure(-1, book.at))


def _overlapping(book: CustodyRegister, ranges: list[SerialRange]) -> None:
    twice = overlaps(ranges)
    if twice:
        book.say("serial_overlap", "(c)(3)#3", observed=fold(twice))


def _known(book: CustodyRegister, odd: Iterable[Run], delivery: Delivery) -> None:
    """Report numbers that came before, since two coupons would have them; each once."""
    fresh = [
        run
        for run in odd
        if not any(run.range.shared_with(earlier) for earlier in delivery.reported_ranges)
    ]
    delivery.reported_ranges.extend(run.range for run in fresh)
    nameless = [run.range for run in fresh if run.series is None]
    if nameless:
        sentence = f"Serial {fold(nameless)} matches no series received."
        book.say("coupon_serial_not_of_a_series", "(c)(3)#1", observed=sentence)
    book.odd("serial_overlap", "(c)(3)#3", [run for run in fresh if run.series is not None])


def examined(book: CustodyRegister, fact: events.CouponsExamined) -> None:
    """Follow the opening and counting of the coupons by both departments."""
    delivery = book.documents.deliveries.setdefault(fact.delivery, Delivery())
    delivery.examined.append((book.at, fact))
    delivery.day = delivery.day or book.today
    ranges = book.ranges(fact.counted)
    _overlapping(book, ranges)
    invoiced = book.ranges(delivery.delivered.invoiced, whole=False) if delivery.delivered else []
    allowed = ARRIVING | {Place.DELIVERED, Place.EXAMINED}
    if delivery.entered:  # reported already: entered before the check
        ranges = [r.range for one in ranges for r in book.custody.runs(one) if r.place not in
                  (Place.STOCK, Place.MARKETING)]  # fmt: skip
    _, odd = book.go(ranges, Place.EXAMINED, allowed, ", ".join(fact.examined_by), fact.delivery)
    _known(book, odd, delivery)
    ranges = book.ranges(fact.counted, whole=False)
    short = [one for one in differing(set(invoiced), ranges) if _in(one, invoiced)]
    book.go(short, Place.ABSENT, frozenset({Place.DELIVERED}), None, fact.delivery)
    delivery.deviation = _deviation(delivery, fact, invoiced, ranges)
    _holes(book, ranges)
    _who(book, fact)
    _elements(book, fact, ranges)


def _in(wanted: SerialRange, ranges: list[SerialRange]) -> bool:
    return any(wanted.shared_with(other) is not None for other in ranges)


def _deviation(
    delivery: Delivery,
    fact: events.CouponsExamined,
    invoiced: list[SerialRange],
    counted: list[SerialRange],
) -> str | None:
    """Return how invoice and coupons differ, for people; None if they do not."""
    if delivery.delivered is None:
        return None
    differs = differing(set(invoiced), counted)
    if differs:
        return fold(differs)
    invoiced_quantities, seen = by_value(delivery.delivered.invoiced), by_value(fact.counted)
    if invoiced_quantities != seen and None not in (*invoiced_quantities.values(), *seen.values()):
        return f"{quantities_in_words(seen)} against {quantities_in_words(invoiced_quantities)} on the invoice"
    return None


def by_value(ranges: Iterable[events.CouponRange]) -> dict[int | None, int]:
    """Return the quantity as stated, by denomination in cents (None: not stated)."""
    quantities: dict[int | None, int] = defaultdict(int)
    for line in ranges:
        quantities[line.denomination_cents] += line.quantity or 0
    return dict(quantities)


def _holes(book: CustodyRegister, ranges: list[SerialRange]) -> None:
    """Report serial numbers left out between the ranges of a lot: they must be sequential."""
    folded = joined(ranges)
    for before, after in itertools.pairwise(folded):
        if before[:2] != after[:2]:
            continue
        gap = before._replace(first=before.last + 1, last=after.first - 1)
        around = book.custody.forms.series_in(before) + book.custody.forms.series_in(after)
        if len({one.series for one in around}) == 1:
            book.say("serial_gap", "(c)(3)#2", observed=str(gap))


def _who(book: CustodyRegister, fact: events.CouponsExamined) -> None:
    both = events.CouponDepartment.FINANCE, events.CouponDepartment.MARKETING
    by = {one: book.program.departments(one, book.at) for one in dict.fromkeys(fact.examined_by)}
    sure = book.sure(-1, book.at)
    codes = (
        ("coupon_examined_without_finance", "(e)#3"),
        ("coupon_examined_without_marketing", "(e)#4"),
    )
    for department, (code, pin) in zip(both, codes, strict=True):
        if not any(department in found for found in by.values()):
            book.say(code, pin, observed=fact.delivery, sure=sure)
    alone = [one for one, found in by.items() if len(found) == 2]
    if len(by) == 1 and alone:
        book.say("segregation_broken", "(e)#5", observed=alone[0], sure=sure)
    for person, departments in by.items():
        if not departments:
            book.say("coupon_wrong_department", "(d)#1", observed=person, sure=sure)
        elif len(departments) == 1:
            acted(book, person, next(iter(departments)))


def _elements(
    book: CustodyRegister, fact: events.CouponsExamined, ranges: list[SerialRange]
) -> None:
    """Check what the coupons show, as examined, else as their series or design says."""
    series = {
        one.series: one for found in ranges for one in book.custody.forms.series_in(found)
    }  # fmt: skip
    for name, described in sorted(series.items()):
        shown = fact.elements if fact.elements is not None else book.program.elements(described)
        for element, pin in SHOWN.items():
            if shown is None or element not in shown:
                sure = shown is not None
                book.say("coupon_design_incomplete", pin, observed=name, sure=sure)


def reported(book: CustodyRegister, fact: events.CouponDeviationReported) -> None:
    """Follow the report of a deviation to one of the two that must have it."""
    delivery = book.documents.deliveries.setdefault(fact.delivery, Delivery())
    delivery.reports.append((book.at, fact))
    if fact.receiver is events.DeviationReceiver.FINANCE_SUPERVISOR and fact.person is not None:
        must_be(
            book, fact.person, events.CouponDepartment.FINANCE, "wrong_role_signed", "(f)#1",
            supervisor=True,
        )  # fmt: skip
    duty = {
        events.DeviationReceiver.FINANCE_SUPERVISOR: events.CouponDuty.DEVIATION_TO_SUPERVISOR,
        events.DeviationReceiver.BUREAU_OF_CASINO_COMPLIANCE: events.CouponDuty.DEVIATION_TO_BUREAU,
    }.get(fact.receiver)
    setting = book.program.deadlines.get(duty) if duty is not None else None
    if setting is None or not delivery.examined:
        return
    late = book.at - delivery.examined[0][0] - setting.within_seconds * MICROSECONDS
    if late > 0:
        book.say(
            "coupon_deadline_missed", "(m)#1", expected=setting.source_line,
            observed=f"The deviation in delivery {fact.delivery} was reported {duration_words(late)} late",
        )  # fmt: skip


def entered(book: CustodyRegister, fact: events.CouponReceiptEntered) -> None:
    """Follow a finance supervisor's entry of receipt: the coupons are in stock."""
    delivery = book.documents.deliveries.setdefault(fact.delivery, Delivery())
    delivery.entered.append((book.at, fact))
    delivery.day = delivery.day or book.today
    entry = fact.entry
    if not delivery.examined:
        sure = book.sure(-1, book.at)
        book.say("ledger_entry_before_check", "(f)#2", observed=fact.delivery, sure=sure)
    if not fact.received_on:
        book.say("ledger_entry_incomplete", "(f)(1)", observed=entry)
    complete(book, fact.lots, entry, ("(f)(3)#1", "(f)(3)#2", "(f)(2)#2", "(f)(2)#1"))
    ranges = book.ranges(fact.lots, whole=False)
    _overlapping(book, ranges)
    allowed = ARRIVING | {Place.DELIVERED, Place.EXAMINED}
    moved, odd = book.go(ranges, Place.STOCK, allowed, fact.entered_by, entry)
    _known(book, odd, delivery)
    book.day(book.today).add(Flow.STOCKED, moved)
    book.documents.first_stock = book.documents.first_stock or book.today
    misstated = quantities(book, fact.lots, ("(f)(2)#3",))
    if delivery.examined and not misstated:
        seen, entered_quantities = by_value(delivery.examined[-1][1].counted), by_value(fact.lots)
        if seen != entered_quantities and None not in (*seen, *entered_quantities):
            book.say(
                "serial_quantity_mismatch", "(f)(2)#3", observed=quantities_in_words(entered_quantities),
                expected=f"{quantities_in_words(seen)} by the count",
            )  # fmt: skip
    checkers = [signature(book, one, CHECKED, entry) for one in fact.checked_by]
    if not fact.checked_by:
        signature(book, None, CHECKED, entry)
    named = {one for one in checkers if one}
    present = {one for _, found in delivery.examined for one in found.examined_by}
    if named and present and named != present:
        book.say(
            "signature_mismatch", "(f)(4)#4", observed=", ".join(sorted(named)),
            expected=", ".join(sorted(present)),
        )  # fmt: skip
    role(book, fact.entered_by, "(f)#1")


def role(book: CustodyRegister, person: str | None, pin: str) -> None:
    """Report a ledger entry by a person of another department, or not by a supervisor.

    ``pin`` is the part of § 525.21 that asks for the supervisor.
    """
    if person is None:
        return
    program, at, sure = book.program, book.at, book.sure(-1, book.at)
    if not program.acts_for(person, at, events.CouponDepartment.FINANCE, supervisor=False):
        book.say("coupon_wrong_department", "(d)#3", observed=person, sure=sure)
    elif not program.acts_for(person, at, events.CouponDepartment.FINANCE, supervisor=True):
        book.say("wrong_role_signed", pin, observed=person, sure=sure)
    acted(book, person, events.CouponDepartment.FINANCE)


def complete(
    book: CustodyRegister,
    ranges: Iterable[events.CouponRange],
    entry: str,
    pins: tuple[str, str, str, str],
) -> None:
    """Report parts that a range of an entry lacks.

    Args:
        book: the register.
        ranges: the ranges.
        entry: the entry, for people.
        pins: the parts of § 525.21 for first and last serial number, denomination and quantity.
    """
    parts = ("first", "last", "denomination_cents", "quantity")
    for line in ranges:
        for name, pin in zip(parts, pins, strict=True):
            if getattr(line, name) is None:
                book.say("ledger_entry_incomplete", pin, observed=entry)


def quantities(
    book: CustodyRegister,
    ranges: Iterable[events.CouponRange],
    pins: tuple[str, ...],
    less: int = 0,
) -> bool:
    """Report stated quantities that are not the number of serial numbers; return whether any.

    Args:
        book: the register.
        ranges: the ranges as stated.
        pins: the part of § 525.21, as the only element.
        less: how many voided coupons a quantity may leave out.
    """
    misstated = False
    for line in ranges:
        read = book.stated(line)
        if read is None or line.quantity is None:
            continue
        if line.quantity not in (read.quantity, read.quantity - less):
            misstated = True
            book.say(
                "serial_quantity_mismatch", pins[0], observed=f"{line.quantity} in {read}",
                expected=str(read.quantity),
            )  # fmt: skip
    return misstated


HANDLERS: Final[dict[type, Handler]] = {
    events.CouponSeriesDescribed: described,
    events.CouponsDelivered: delivered,
    events.CouponsExamined: examined,
    events.CouponDeviationReported: reported,
    events.CouponReceiptEntered: entered,
}
