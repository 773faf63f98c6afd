"""Facts of coupons that were amended: those of one coupon, of a day, or of a form."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import fields
from datetime import date
from typing import TYPE_CHECKING

from ledger.audit.ledger_contract import about, amended, day_of
from ledger.coupons import FOLLOWED, CustodyRegister
from ledger.coupons.periods import month_of, quarter_of
from ledger.coupons.serial import Serial, SerialForms
from ledger.events import CouponRange, Fact
from ledger.kernel import FactRef, UsageError, ref_of
from ledger.replay import Amended, Mark, Replay

if TYPE_CHECKING:
    from ledger.coupons.forms import Form


def amended_of_coupon(
    replay: Replay, book: CustodyRegister, serial: Serial, steps: Collection[FactRef]
) -> tuple[Amended, ...]:
    """Return the amended facts in a coupon's history, and those that named it before.

    Args:
        replay: the ledger's replay.
        book: the custody of coupons.
        serial: the coupon's number.
        steps: the facts of its history.
    """
    forms = book.custody.forms
    return tuple(
        one
        for one in replay.all_amended()
        if ref_of(one.before) in steps
        or (_is_of_coupons(one) and _names(one.before, serial, forms))
    )


def amended_of_coupons(replay: Replay, book: CustodyRegister, day: date) -> tuple[Amended, ...]:
    """Return the amended facts of coupons and drop boxes that were of a gaming day, or are now."""
    return tuple(one for one in amended(replay, day_of(book.clock, day)) if _is_of_coupons(one))


def amended_of_form(replay: Replay, book: CustodyRegister, form: Form) -> tuple[Amended, ...]:
    """Return the amended facts of coupons and drop boxes of a form's day, month or quarter.

    Facts about that time count too.
    """
    span = form.period or form.day.isoformat()
    return tuple(
        one
        for one in replay.all_amended()
        if _is_of_coupons(one)
        and any(
            span in (day.isoformat(), month_of(day), quarter_of(day)) for day in _days(book, one)
        )
    )


def marked_of(
    replay: Replay, book: CustodyRegister, span: str, marks: Iterable[Mark]
) -> tuple[Mark, ...]:
    """Return the marked facts of coupons and drop boxes of a gaming day, month or quarter.

    Facts about that time count too.

    Args:
        replay: the ledger's replay.
        book: the custody of coupons.
        span: "2014-06-14", "2014-06" or "2014-Q2".
        marks: the marked facts among which they are.
    """
    return tuple(
        mark
        for mark in marks
        if mark.event in FOLLOWED
        and any(
            span in (day.isoformat(), month_of(day), quarter_of(day))
            for day in _days_of(book, [replay.fact(*mark.ref)])
        )
    )


def amended_before(replay: Replay, book: CustodyRegister, form: Form) -> tuple[Amended, ...]:
    """Return the amended facts of coupons of earlier days than a form's: they may change it too."""
    own = amended_of_form(replay, book, form)
    return tuple(
        one
        for one in replay.all_amended()
        if one not in own and _is_of_coupons(one) and min(_days(book, one)) < form.day
    )


def _days(book: CustodyRegister, amendment: Amended) -> set[date]:
    """Return the gaming days that a fact was or is of, and those that it was or is about."""
    return _days_of(book, (amendment.before, amendment.after))


def _days_of(book: CustodyRegister, versions: Iterable[Fact | None]) -> set[date]:
    facts = [fact for fact in versions if fact is not None]
    named = [text for fact in facts if (text := about(fact)) is not None]
    days = {book.clock.day_of(fact.event_time) for fact in facts}
    for text in named:
        try:
            days.add(date.fromisoformat(text))
        except ValueError:  # the book takes such a fact for one of its own day
            continue
    return days


def _is_of_coupons(amendment: Amended) -> bool:
    kinds = {
        type(fact).__name__ for fact in (amendment.before, amendment.after) if fact is not None
    }
    return bool(kinds & FOLLOWED)


def _names(fact: Fact, serial: Serial, forms: SerialForms) -> bool:
    return any(_holds(getattr(fact, field.name), serial, forms) for field in fields(fact))


def _holds(stated: object, serial: Serial, forms: SerialForms) -> bool:
    """Whether a value of a fact is the serial number, or a range that holds it."""
    if isinstance(stated, tuple):
        return any(_holds(one, serial, forms) for one in stated)
    try:
        if isinstance(stated, CouponRange):
            first = stated.first or stated.last or ""
            return forms.read_range(first, stated.last or first).holds(serial)
        return isinstance(stated, str) and forms.read(stated) == serial
    except UsageError:
        return False
