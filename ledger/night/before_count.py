"""The day before its drop is counted: what a preliminary report may say.

Games and custody are told, the drop awaits its count. Where the count is on the record already, the
report is as it would have been without it: no drop and no win by count, boxes that are waiting, and
nothing that only the count shows. What is awaited is told as awaited, never as clean.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Final

from ledger.audit import COUNT_CODES, TableAccount, TableDay, read_coupons
from ledger.coupons import Book
from ledger.events import (
    CancelReason,
    CouponsCancelled,
    CouponsCounted,
    DropBoxCounted,
    Fact,
)
from ledger.kernel import Finding
from ledger.night.given import Given
from ledger.reports.night import Phase

AWAITED: Final = COUNT_CODES | {"coupon_not_counted"}
"""The codes that say that a count is missing, or what it shows at a table."""
THE_COUNT: Final = "the count"


def book_of_phase(given: Given) -> Book | None:
    """The custody of the coupons; of a preliminary run without the count of the day's boxes."""
    book, day = given.ground.book, given.day.date
    if book is None or given.phase is Phase.FINAL:
        return book
    if not any(box.is_counted for box in book.boxes if box.day == day):
        return book
    return read_coupons(
        given.replay, given.ground.record, left_out=lambda fact: is_of_the_count(fact, day)
    )


def is_of_the_count(fact: Fact, day: date) -> bool:
    """Whether a fact can only be there once the drop of a day is counted."""
    match fact:
        case CouponsCounted() | DropBoxCounted():
            return fact.for_gaming_day == day.isoformat()
        case CouponsCancelled(because=CancelReason.REDEEMED):
            return fact.for_gaming_day == day.isoformat()
        case _:
            return False


def findings_of_phase(given: Given, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings; of a preliminary run without those that the count decides."""
    if given.phase is Phase.FINAL:
        return tuple(findings)
    return tuple(one for one in findings if one.code not in AWAITED)


def parts_of_phase(given: Given, parts: Iterable[TableDay]) -> list[TableDay]:
    """What each table adds to the audit; of a preliminary run without the count."""
    if given.phase is Phase.FINAL:
        return list(parts)
    return [
        replace(
            part,
            findings=list(findings_of_phase(given, part.findings)),
            account=None if part.account is None else _uncounted(part.account),
        )
        for part in parts
    ]


def _uncounted(account: TableAccount) -> TableAccount:
    """A table's day with its drop awaiting the count."""
    counted = account.drop_cents is not None or account.coupons_cents is not None
    return replace(
        account,
        drop_cents=None,
        coupons=0,
        coupons_cents=None,
        by_count_cents=None,
        awaiting=account.awaiting or ((THE_COUNT,) if counted else ()),
        missing=tuple(dict.fromkeys((*account.missing, THE_COUNT))),
    )
