"""The daily reconciliation form, compared with the books part by part.

Law: 58 Pa. Code § 525.21(j); readings redeemed-in-equation, kept-by-marketing.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from functools import partial
from typing import Final

from ledger.coupons.custody_register import CustodyRegister, fold
from ledger.coupons.deliveries import by_value
from ledger.coupons.movements import differing
from ledger.coupons.people import Pins, signature
from ledger.coupons.records import DayRecord, Flow
from ledger.coupons.requisition_to_return import read_void
from ledger.coupons.sentences import quantities_in_words
from ledger.coupons.serial import SerialRange
from ledger.events import (
    CouponDepartment,
    CouponQuantity,
    CouponRange,
    ReconciliationFormCompleted,
)
from ledger.kernel import Finding, ref_of

COMPLETED: Final = Pins(
    ("form_incomplete", "(j)(8)#1"),
    ("form_not_signed", "(j)(8)#2"),
    ("credential_missing", "(j)(8)#3"),
)


def judge_form(book: CustodyRegister, day: DayRecord, sure: bool, into: list[Finding]) -> None:
    """Judge the last form of the day.

    Args:
        book: the register, followed to the end of the record.
        day: the day's record; it has a form.
        sure: no fact of the day may be missing.
        into: the list to which findings are added.
    """
    form = day.forms[-1]
    ref = ref_of(form)
    name = form.form_id
    say = partial(book.say, facts=(ref,), day=day.day, into=into)
    if not form.dated:
        say("form_incomplete", "(j)(1)", observed=name)
    for line in form.received:
        if line.first is None:
            say("form_incomplete", "(j)(2)#1", observed=name)
        if line.last is None:
            say("form_incomplete", "(j)(2)#2", observed=name)
    _quantities(form, name, say)
    received = _read(book, form.received)
    differs = differing(set(received), day.ranges(Flow.RECEIVED))
    if differs and all(one.first and one.last for one in form.received):
        expected = fold(day.ranges(Flow.RECEIVED)) or "nothing"
        say("form_figure_wrong", "(j)(2)#3", observed=fold(received) or "nothing",
            expected=expected, sure=sure)  # fmt: skip
    _figures(book, form, day, say, sure)
    _remaining(book, form, day, say, sure)
    _voided(book, form, day, say, sure)
    person = _signed(book, form, into, day)
    if person and not book.program.acts_for(
        person, form.event_time, CouponDepartment.MARKETING, supervisor=True
    ):
        say("wrong_role_signed", "(j)(8)#4", observed=person, sure=sure)


def _signed(
    book: CustodyRegister, form: ReconciliationFormCompleted, into: list[Finding], day: DayRecord
) -> str | None:
    findings: list[Finding] = []
    was = book.ref
    book.ref = ref_of(form)
    person = signature(book, form.completed_by, COMPLETED, form.form_id, findings, day.day)
    book.ref = was
    into.extend(findings)
    return person


def _quantities(form: ReconciliationFormCompleted, name: str, say: partial[None]) -> None:
    lines: tuple[tuple[Iterable[CouponQuantity | CouponRange], str], ...] = (
        (form.to_distribute, "(j)(3)#1"),
        (form.distributed, "(j)(4)#1"),
        (form.remaining, "(j)(5)#1"),
    )
    for stated, pin in lines:
        if any(one.denomination_cents is None for one in stated):
            say("form_incomplete", pin, observed=name)


def _read(book: CustodyRegister, ranges: Iterable[CouponRange]) -> list[SerialRange]:
    return [read for one in ranges if (read := book.stated(one)) is not None]


def _shown(book: CustodyRegister, form: ReconciliationFormCompleted) -> list[SerialRange]:
    """Return the serial numbers that the form names as variations."""
    return [
        read for one in form.variations if (read := _span(book, one.first, one.last)) is not None
    ]


def not_remaining(
    book: CustodyRegister, day: DayRecord, ranges: list[SerialRange]
) -> list[SerialRange]:
    """Return those of these serial numbers that the day's form does not list as remaining."""
    return without(ranges, _read(book, day.forms[-1].remaining)) if day.forms else []


def _figures(
    book: CustodyRegister,
    form: ReconciliationFormCompleted,
    day: DayRecord,
    say: partial[None],
    sure: bool,
) -> None:
    """Compare quantities on hand, distributed and remaining; what the form leaves out is none.

    A coupon that the form shows as a variation need not be among those remaining.
    """
    on_hand = totals(day, Flow.CARRIED_IN, Flow.RECEIVED)
    out = totals(day, Flow.DISTRIBUTED)
    rest = {
        cents: on_hand.get(cents, 0)
        - sum(one.quantity for one in day.ranges(Flow.DISTRIBUTED, cents))
        - sum(one.quantity for one in day.ranges(Flow.VOIDED, cents))
        for cents in on_hand
    }
    known = remaining(day)
    varied = without(known, without(known, _shown(book, form)))
    for range_ in not_remaining(book, day, varied):
        for series, part in book.custody.forms.parts_of(range_):
            if series is not None:
                rest[series.denomination_cents] -= part.quantity
    for stated, due, pin in (
        (_stated(form.to_distribute), on_hand, "(j)(3)#2"),
        (_stated(form.distributed), out, "(j)(4)#2"),
        (by_value(form.remaining), rest, "(j)(5)#2"),
    ):
        if None in stated:
            continue
        shown = {cents: count for cents, count in stated.items() if count and cents is not None}
        is_so = {cents: count for cents, count in due.items() if count}
        if shown != is_so:
            say(
                "form_figure_wrong",
                pin,
                observed=quantities_in_words(shown),
                expected=quantities_in_words(is_so),
                sure=sure,
            )


def totals(day: DayRecord, *flows: Flow) -> dict[int, int]:
    """Return the quantity of some flows together, by denomination in cents."""
    quantities: dict[int, int] = {}
    for cents in {
        of for flow in flows for _, of in (*day.runs.get(flow, ()), *day.odd.get(flow, ()))
    }:
        quantities[cents] = sum(day.quantity(flow, cents) for flow in flows)
    return quantities


def _stated(lines: Iterable[CouponQuantity]) -> dict[int | None, int]:
    quantities: dict[int | None, int] = {}
    for line in lines:
        quantities[line.denomination_cents] = quantities.get(line.denomination_cents, 0) + (
            line.quantity or 0
        )
    return quantities


def remaining(day: DayRecord) -> list[SerialRange]:
    """Return what remained: carried in and received, less distributed, less voided."""
    had = [*day.ranges(Flow.CARRIED_IN), *day.ranges(Flow.RECEIVED)]
    for gone in (*day.ranges(Flow.DISTRIBUTED), *day.ranges(Flow.VOIDED)):
        had = [left for one in had for left in one.without(gone)]
    return had


def _remaining(
    book: CustodyRegister,
    form: ReconciliationFormCompleted,
    day: DayRecord,
    say: partial[None],
    sure: bool,
) -> None:
    """Compare the remaining serial numbers one by one; variations must be shown and explained."""
    written = _read(book, form.remaining)
    known = remaining(day)
    shown = _shown(book, form)
    differs = without(differing(set(written), known), shown)
    if differs:
        say("serial_missing", "(j)(5)#3", observed=fold(differs), sure=sure)
    for variation in form.variations:
        if not (variation.explanation or "").strip():
            named = (
                variation.first or f"{variation.quantity or 'some'} coupons without serial numbers"
            )
            say("form_variation_unexplained", "(j)(7)#2", observed=named)
    loose = without([one for one, _ in variation_ranges(day)], shown)
    counted = any(one.first is None for one in form.variations)
    if loose and not counted:
        say("form_variation_unexplained", "(j)(7)#1", observed=fold(loose), sure=sure)


def variation_ranges(day: DayRecord) -> list[tuple[SerialRange, int]]:
    """Return the serial numbers distributed though not held, with their denomination in cents."""
    return list(day.odd.get(Flow.DISTRIBUTED, ()))


def without(ranges: list[SerialRange], taken: list[SerialRange]) -> list[SerialRange]:
    """Return the serial numbers of the first list that are not in the second."""
    for gone in taken:
        ranges = [left for one in ranges for left in one.without(gone)]
    return ranges


def _span(book: CustodyRegister, first: str | None, last: str | None) -> SerialRange | None:
    if first is None:
        return None
    return book.stated(
        CouponRange(denomination_cents=None, first=first, last=last or first, quantity=None)
    )


def _voided(
    book: CustodyRegister,
    form: ReconciliationFormCompleted,
    day: DayRecord,
    say: partial[None],
    sure: bool,
) -> None:
    written = [read for one in form.voided if (read := read_void(book, one)) is not None]
    differs = differing(set(written), day.ranges(Flow.VOIDED))
    if differs:
        say("form_figure_wrong", "(j)(6)#1", observed=fold(differs), sure=sure)
    unexplained = [one for one, reason in day.void_reasons if not (reason or "").strip()]
    for line in form.voided:
        read = read_void(book, line)
        if not (line.reason or "").strip() and (read is None or without([read], unexplained)):
            named = fold([read]) if read else str(line.first)
            say("void_without_reason", "(j)(6)#2", observed=named)


def judge_carried(book: CustodyRegister, day: DayRecord, sure: bool, into: list[Finding]) -> None:
    """Judge whether what was kept the day before is on this day's form, and is what was left.

    Args:
        book: the coupons' custody up to the end of the day.
        day: what was recorded for the gaming day.
        sure: False where facts are missing: nothing is then reported as certain.
        into: the list to which findings are added.
    """
    on_hand = day.ranges(Flow.CARRIED_IN)
    before = book.days.get(day.day - timedelta(days=1))
    kept = before.ranges(Flow.KEPT) if before is not None else []
    if not day.forms:
        return
    form = day.forms[-1]
    written = _read(book, form.carried_in)
    say = partial(book.say, facts=(ref_of(form),), day=day.day, sure=sure, into=into)
    absent = without(kept, written)
    unheld = without(written, on_hand)
    late = [
        one
        for one in unheld
        for earlier in book.days.values()
        if earlier.day < day.day - timedelta(days=1)
        and without([one], earlier.ranges(Flow.KEPT)) != [one]
    ]
    if absent and len(without(absent, kept)) == 0:
        later = book.days.get(day.day + timedelta(days=1))
        carried = _read(book, later.forms[-1].carried_in) if later and later.forms else []
        tardy = [one for one in absent if without([one], carried) != [one]]
        silent = [one for one in absent if one not in tardy]
        if tardy:
            say("carry_over_late", "(k)#6", observed=fold(tardy))
        if silent:
            whole = not written
            code, pin = ("carry_over_not_recorded", "(k)#5") if whole else (
                "carry_over_mismatch", "(k)#7")  # fmt: skip
            say(code, pin, observed=fold(silent))
    surplus = [one for one in unheld if one not in late]
    if surplus:
        say("carry_over_mismatch", "(k)#7", observed=fold(surplus))
