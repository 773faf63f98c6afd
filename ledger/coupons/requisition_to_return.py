"""Requisition, authorization, entry of issue, handover, and the entry of a return.

Law: 58 Pa. Code § 525.21(g), (h), (l).
"""

from __future__ import annotations

from typing import Final

from ledger import events
from ledger.coupons.custody import WITH_MARKETING, Place, Run
from ledger.coupons.custody_register import CustodyRegister, Handler, fold
from ledger.coupons.deliveries import complete, quantities, role
from ledger.coupons.movements import approved, differing
from ledger.coupons.people import Pins, acted, must_be, signature
from ledger.coupons.records import Flow, Requisition, Return
from ledger.coupons.sentences import quantities_in_words
from ledger.coupons.serial import SerialRange
from ledger.kernel import UsageError, ref_of

COMPLETED: Final = Pins(
    ("requisition_incomplete", "(g)(4)#1"),
    ("signature_missing", "(g)(4)#2"),
    ("credential_missing", "(g)(4)#3"),
)
AUTHORIZED: Final = Pins(
    ("requisition_incomplete", "(g)(5)#1"),
    ("signature_missing", "(g)(5)#2"),
    ("credential_missing", "(g)(5)#3"),
)
ISSUED: Final = Pins(
    ("ledger_entry_incomplete", "(h)(3)#1"),
    ("signature_missing", "(h)(3)#2"),
    ("credential_missing", "(h)(3)#3"),
)
GIVEN_BACK: Final = Pins(
    ("ledger_entry_incomplete", "(l)(5)#1"),
    ("signature_missing", "(l)(5)#2"),
    ("credential_missing", "(l)(5)#3"),
)
TAKEN_BACK: Final = Pins(
    ("ledger_entry_incomplete", "(l)(5)#4"),
    ("signature_missing", "(l)(5)#5"),
    ("credential_missing", "(l)(5)#6"),
)
AVAILABLE: Final = frozenset({Place.STOCK, Place.EXAMINED, Place.DELIVERED})
MAY_COME_BACK: Final = AVAILABLE | WITH_MARKETING | {Place.EXPIRED_BACK, Place.UNDELIVERED}
"""The places of coupons in a return entry that are in order, or reported in another way."""


def _of(book: CustodyRegister, requisition: str | None) -> Requisition:
    """Return what is known of a requisition; entries and handovers that name none are one."""
    return book.documents.requisitions.setdefault(requisition or "", Requisition())


def requisitioned(book: CustodyRegister, fact: events.CouponsRequisitioned) -> None:
    """Follow a requisition that marketing completed."""
    known = _of(book, fact.requisition)
    entered = [serials for _, _, entry in known.entries for serials in entry]
    if entered and known.completed is None and not known.issued:  # § 525.21(h): upon its receipt
        book.say(
            "requisition_missing", "(h)#2", observed=fold(entered), expected=fact.requisition,
            sure=book.sure(-1, book.at),
        )  # fmt: skip
    known.completed, known.completed_at = fact, book.at
    name = fact.requisition
    if not fact.prepared_on:
        book.say("requisition_incomplete", "(g)(1)", observed=name)
    if not (fact.needed_for or fact.promotion):
        book.say("requisition_incomplete", "(g)(2)", observed=name)
    if not fact.lines or any(one.denomination_cents is None for one in fact.lines):
        book.say("requisition_incomplete", "(g)(3)#1", observed=name)
    if not fact.lines or any(one.quantity is None for one in fact.lines):
        book.say("requisition_incomplete", "(g)(3)#2", observed=name)
    person = signature(book, fact.prepared_by, COMPLETED, name)
    must_be(
        book,
        person,
        events.CouponDepartment.MARKETING,
        "wrong_role_signed",
        "(g)(4)#4",
        supervisor=True,
    )
    acted(book, person, events.CouponDepartment.MARKETING)


def authorized(book: CustodyRegister, fact: events.RequisitionAuthorized) -> None:
    """Follow the authorization of a requisition by a finance supervisor."""
    known = _of(book, fact.requisition)
    known.authorized.append((book.at, fact))
    person = signature(book, fact.authorized_by, AUTHORIZED, fact.requisition)
    must_be(
        book,
        person,
        events.CouponDepartment.FINANCE,
        "wrong_role_signed",
        "(g)(5)#4",
        supervisor=True,
    )
    prepared = known.completed.prepared_by if known.completed else None
    if person and prepared is not None and prepared.person == person:
        book.say("segregation_broken", "(g)(5)#5", observed=person)
    else:
        acted(book, person, events.CouponDepartment.FINANCE)


def issue_entered(book: CustodyRegister, fact: events.CouponIssueEntered) -> None:
    """Follow the entry of issue, which must precede the handover."""
    ranges = book.ranges(fact.lines, whole=False)
    known = _of(book, fact.requisition)
    known.entries.append((book.at, fact, ranges))
    entry = fact.entry
    complete(book, fact.lines, entry, ("(h)(1)#1", "(h)(1)#2", "(h)(2)#1", "(h)(2)#2"))
    voids = [
        voided_range for void in fact.voided if (voided_range := read_void(book, void)) is not None
    ]
    _not_available(book, known, ranges, voids)
    gone = [
        run
        for one in ranges
        for run in book.custody.runs(one)
        if run.place is Place.VOIDED or any(run.range.shared_with(void) for void in voids)
    ]
    quantities(book, fact.lines, ("(h)(2)#3",), sum(run.range.quantity for run in gone))
    for void, read in zip(fact.voided, voids, strict=False):
        if not (void.reason or "").strip() and not _reported(book, read):
            book.say("void_without_reason", "(h)(4)#2", observed=fold([read]))
    moved, _ = book.go(
        [run.range for one in voids for run in book.custody.runs(one) if run.place in AVAILABLE],
        Place.VOIDED, AVAILABLE, fact.issued_by.person if fact.issued_by else None, entry,
    )  # fmt: skip
    for flow in (Flow.VOIDED_FINANCE, Flow.OUT_OF_STOCK):
        book.day(book.today).add(flow, moved)
    unnamed = [one for _, _, one in book.documents.finance_voids if not _is_covered(one, voids)]
    if unnamed:
        book.say("ledger_entry_incomplete", "(h)(4)#1", observed=fold(unnamed))
    book.documents.finance_voids.clear()
    person = signature(book, fact.issued_by, ISSUED, entry)
    must_be(
        book, person, events.CouponDepartment.FINANCE, "wrong_role_signed", "(h)#3", supervisor=True
    )
    acted(book, person, events.CouponDepartment.FINANCE)


def _not_available(
    book: CustodyRegister,
    known: Requisition,
    ranges: list[SerialRange],
    voids: list[SerialRange],
) -> None:
    """Report what an entry issues and finance does not have; the handover does not repeat it."""
    absent = [
        run
        for one in ranges
        for run in book.custody.runs(one)
        if run.series is not None
        and run.place not in AVAILABLE | {Place.VOIDED}
        and not any(run.range.shared_with(void) for void in voids)
        and not _handed_over(book, known, run)
    ]
    book.odd("issued_not_in_stock", "(h)(1)#3", absent)
    known.reported_ranges.extend(run.range for run in absent)


def _handed_over(book: CustodyRegister, known: Requisition, run: Run) -> bool:
    """Whether it left on the same requisition before the entry, which is reported itself."""
    refs = {ref_of(fact) for fact in known.issued}
    return any(step.move.ref in refs for step in book.custody.history(run.way))


def _reported(book: CustodyRegister, voided: SerialRange) -> bool:
    """Whether it was voided before without a reason, which is reported itself."""
    last = [book.custody.last(run.way) for run in book.custody.runs(voided)]
    return any(
        move is not None and move.to is Place.VOIDED and not (move.detail or "").strip()
        for move in last
    )


def _is_covered(wanted: SerialRange, ranges: list[SerialRange]) -> bool:
    """Whether all of a range stands in others."""
    rest = [wanted]
    for other in ranges:
        rest = [left for piece in rest for left in piece.without(other)]
    return not rest


def read_void(book: CustodyRegister, void: events.CouponVoid) -> SerialRange | None:
    """Return the serial numbers of a voided line, None if they cannot be read."""
    try:
        return book.custody.forms.read_range(void.first or "", void.last or void.first or "")
    except UsageError:
        return None


def issued(book: CustodyRegister, fact: events.CouponsIssued) -> None:
    """Follow the handover of coupons to the marketing supervisor."""
    ranges = book.ranges(fact.ranges)
    known = _of(book, fact.requisition)
    known.issued.append(fact)
    moved, odd = book.go(ranges, Place.MARKETING, AVAILABLE, fact.received_by, fact.requisition)
    unheard = [run for run in odd if run.place in (Place.NOWHERE, Place.ABSENT) and run.series]
    for run in unheard:  # it is in marketing's hands, wherever it came from
        book.go([run.range], Place.MARKETING, frozenset({run.place}), fact.received_by)
    book.day(book.today).add(Flow.RECEIVED, [*moved, *unheard])
    book.odd(
        "issued_not_in_stock", "(h)(1)#3",
        [run for run in odd if not any(map(run.range.shared_with, known.reported_ranges))],
    )  # fmt: skip
    _from_stock(book, [run for run in moved if run.place is not Place.STOCK])
    approved(book, [*moved, *unheard], ("(b)(1)#2", "(b)(2)#1"))
    named = fold(ranges)
    sure = book.sure(-1, book.at)
    if known.completed is None:
        book.say("requisition_missing", "(g)#2", observed=named, sure=sure)
    if known.completed is not None and not known.authorized:
        book.say(
            "issued_before_authorized", "(g)(5)#6", observed=named, expected=fact.requisition,
            sure=sure,
        )  # fmt: skip
    recorded = [one for _, _, found in known.entries for one in found]
    beyond = [one for one in ranges if not _is_covered(one, recorded)]
    if beyond:
        book.say("issued_before_recorded", "(h)#1", observed=fold(beyond), sure=sure)
    _not_more(book, known, [*moved, *odd])
    issuer = fact.issued_by or next(
        (entry.issued_by.person for _, entry, _ in reversed(known.entries) if entry.issued_by), None
    )
    if issuer is not None and issuer == fact.received_by:
        book.say("segregation_broken", "(h)#5", observed=issuer)
    if fact.issued_by is not None:
        must_be(
            book, fact.issued_by, events.CouponDepartment.FINANCE, "wrong_role_signed", "(h)#3",
            supervisor=True,
        )  # fmt: skip
    must_be(
        book, fact.received_by, events.CouponDepartment.MARKETING, "wrong_role_signed", "(h)#4",
        supervisor=True,
    )  # fmt: skip
    acted(book, fact.received_by, events.CouponDepartment.MARKETING)


def _from_stock(book: CustodyRegister, runs: list[Run]) -> None:
    """Report coupons that leave though never entered in the ledger, or never examined."""
    if not runs:
        return
    named = fold(run.range for run in runs)
    sure = all(book.sure(book.since(run), book.at) for run in runs)
    book.say("ledger_entry_missing", "(f)#3", observed=named, sure=sure)
    book.say(
        "reconciliation_out_of_balance", "(m)(3)#1", observed=named, sure=sure,
        expected="finance stock", state="issued but never received into stock",
    )  # fmt: skip


def _not_more(book: CustodyRegister, known: Requisition, runs: list[Run]) -> None:
    """Report if more is issued than was requested, by denomination."""
    if known.completed is None:
        return
    wanted: dict[int, int] = {}
    for line in known.completed.lines:
        if line.denomination_cents is not None:
            cents = line.denomination_cents
            wanted[cents] = wanted.get(cents, 0) + (line.quantity or 0)
    for run in runs:
        if run.series is not None:
            cents = run.series.denomination_cents
            known.quantities[cents] = known.quantities.get(cents, 0) + run.range.quantity
    over = {c: n for c, n in known.quantities.items() if n > wanted.get(c, 0)}
    if over:
        of = {cents: wanted.get(cents, 0) for cents in over}
        book.say(
            "issued_over_requisition",
            "(g)(3)#3",
            observed=quantities_in_words(over),
            expected=quantities_in_words(of),
        )


def return_entered(book: CustodyRegister, fact: events.CouponReturnEntered) -> None:
    """Follow the entry of a return: what it states must be what was in hand."""
    entry = book.documents.returns.setdefault(fact.return_id, Return())
    entry.entered.append(fact)
    entry.day = entry.day or book.today
    name = fact.entry
    if not fact.returned_on:
        book.say("ledger_entry_incomplete", "(l)(1)", observed=name)
    complete(book, fact.ranges, name, ("(l)(2)#1", "(l)(2)#2", "(l)(3)#1", "(l)(3)#2"))
    quantities(book, fact.ranges, ("(l)(3)#2",))
    ranges = book.ranges(fact.ranges, whole=False)
    beyond = differing(set(ranges), entry.ranges)
    entered = [one for one in beyond if any(one.shared_with(o) for o in ranges)]
    book.day(book.today).claimed.extend((one, book.ref) for one in entered)
    _claimed(book, fact, ranges)
    if entry.returned is not None:
        silent = [one for one in beyond if one not in entered]
        if silent:
            book.say(
                "return_mismatch", "(l)(2)#3", observed=fold(silent),
                state="returned but missing from the return entry",
            )  # fmt: skip
    for void in fact.voided:
        read = read_void(book, void)
        if read is None:
            book.say("ledger_entry_incomplete", "(l)(4)#1", observed=name)
        elif not (void.reason or "").strip():
            book.say("void_without_reason", "(l)(4)#2", observed=fold([read]))
    signature(book, fact.returned_by, GIVEN_BACK, name)
    signature(book, fact.received_by, TAKEN_BACK, name)
    _same_people(book, fact, entry)
    role(book, fact.entered_by, "(l)#2")


def _claimed(
    book: CustodyRegister, fact: events.CouponReturnEntered, ranges: list[SerialRange]
) -> None:
    """Report coupons in an entry that cannot have come back: used, with a patron, never issued.

    What marketing still has is judged at the day's end, since it may come a moment later.
    """
    voids = [read for void in fact.voided if (read := read_void(book, void)) is not None]
    runs = [run for one in ranges for run in book.custody.runs(one) if run.series is not None]
    runs = [
        run for run in runs if not (run.place is Place.VOIDED and _is_covered(run.range, voids))
    ]
    stayed = [run for run in runs if run.place in AVAILABLE and not _came_back(book, run)]
    for run in stayed:
        book.say(
            "return_mismatch", "(l)(2)#3", observed=str(run.range),
            expected=run.place.value, state=f"entered as returned {book.state_of(run)}",
            sure=book.sure(book.since(run), book.at),
        )  # fmt: skip
    absent = [run for run in runs if run.place not in MAY_COME_BACK]
    if not absent:
        return
    book.odd("reconciliation_out_of_balance", "(m)(3)#2", absent)
    entered = {run.series.denomination_cents: 0 for run in absent if run.series is not None}
    back = dict(entered)
    for run in runs:
        if run.series is not None and run.series.denomination_cents in entered:
            entered[run.series.denomination_cents] += run.range.quantity
            back[run.series.denomination_cents] += run.range.quantity * (run not in absent)
    book.say(
        "serial_quantity_mismatch", "(l)(3)#2", observed=f"{quantities_in_words(entered)} in {fold(ranges)}",
        expected=f"{quantities_in_words(back)}, without {fold(run.range for run in absent)}",
        sure=all(book.sure(book.since(run), book.at) for run in absent),
    )  # fmt: skip


def _came_back(book: CustodyRegister, run: Run) -> bool:
    """Whether a return brought it where it is, or a wrong return names it and was reported."""
    steps = book.custody.history(run.way)
    return any(step.move.event == "CouponsReturned" for step in steps)


def _same_people(book: CustodyRegister, fact: events.CouponReturnEntered, entry: Return) -> None:
    """Check returner and receiver as entered: supervisors of two departments, two people."""
    giver = fact.returned_by.person if fact.returned_by else None
    taker = fact.received_by.person if fact.received_by else None
    handed = entry.returned
    if giver and giver == taker and (handed is None or handed.returned_by != handed.received_by):
        book.say("segregation_broken", "(l)(5)#8", observed=giver)
    for person, other, department in (
        (giver, handed.returned_by if handed else None, events.CouponDepartment.MARKETING),
        (taker, handed.received_by if handed else None, events.CouponDepartment.FINANCE),
    ):
        if person and person != other:
            must_be(
                book, person, department, "wrong_role_signed", "(l)(5)#7", supervisor=True,
                expected=department.value.lower(),
            )  # fmt: skip


HANDLERS: Final[dict[type, Handler]] = {
    events.CouponsRequisitioned: requisitioned,
    events.RequisitionAuthorized: authorized,
    events.CouponIssueEntered: issue_entered,
    events.CouponsIssued: issued,
    events.CouponReturnEntered: return_entered,
}
