"""The day before its drop is counted: what a preliminary report may say.

Games and custody are reported, and the drop awaits its count. Where the count is on the record
already, the report is as it would have been without it: no drop and no win by count, boxes that are
waiting, and nothing that only the count shows. What is awaited is reported as awaited, never as
clean.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Final

from ledger import events
from ledger.audit import COUNT_CODES, TableAccount, TableDay, read_coupons
from ledger.coupons import CustodyRegister, Reconciliation
from ledger.coupons.balances import Balance
from ledger.kernel import Finding
from ledger.night.step_input import StepInput
from ledger.replay import FactStep
from ledger.reports.night import Phase

AWAITED: Final = COUNT_CODES | {"coupon_not_counted"}
"""The codes of findings that say that a count is missing, or what it shows at a table."""
OF_A_COUNT: Final = frozenset({"CouponsCounted", "DropBoxCounted", "CouponsCancelled"})
"""The facts among which are those that only a count can bring."""
REDEEMED: Final = "redeemed"
"""The balance of what was redeemed against what the boxes held and what was cancelled."""
THE_COUNT: Final = "the count"


def book_of_phase(inputs: StepInput) -> CustodyRegister | None:
    """Return the custody of the coupons; for a preliminary run, without the day's count.

    None where the ledger has no coupons.
    """
    book, day = inputs.ground.book, inputs.day.date
    if book is None or inputs.phase is Phase.FINAL:
        return book
    replay = inputs.replay
    steps = replay.walk(replay.streams_with(OF_A_COUNT), since=inputs.day.begins, only=OF_A_COUNT)
    if not any(isinstance(one, FactStep) and is_of_the_count(one.fact, day) for one in steps):
        return book
    return read_coupons(
        replay, inputs.ground.record, left_out=lambda fact: is_of_the_count(fact, day)
    )


def is_of_the_count(fact: events.Fact, day: date) -> bool:
    """Whether a fact can only be there once the drop of a day is counted."""
    match fact:
        case events.CouponsCounted() | events.DropBoxCounted():
            return fact.for_gaming_day == day.isoformat()
        case events.CouponsCancelled(because=events.CancelReason.REDEEMED):
            return fact.for_gaming_day == day.isoformat()
        case _:
            return False


def findings_of_phase(inputs: StepInput, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings; for a preliminary run, without those that the count decides."""
    if inputs.phase is Phase.FINAL:
        return tuple(findings)
    return tuple(one for one in findings if one.code not in AWAITED)


def reconciled_of_phase(inputs: StepInput, reconciliation: Reconciliation) -> Reconciliation:
    """Return the day of the coupons; for a preliminary run, without what the count decides."""
    return replace(reconciliation, findings=findings_of_phase(inputs, reconciliation.findings))


def balances_of_phase(inputs: StepInput, balances: Iterable[Balance]) -> tuple[Balance, ...]:
    """Return the balances; for a preliminary run, without those that the count decides."""
    if inputs.phase is Phase.FINAL:
        return tuple(balances)
    return tuple(one for one in balances if one.name != REDEEMED)


def parts_of_phase(inputs: StepInput, parts: Iterable[TableDay]) -> list[TableDay]:
    """Return what each table adds to the audit; for a preliminary run, without the count."""
    if inputs.phase is Phase.FINAL:
        return list(parts)
    return [
        replace(
            part,
            findings=list(findings_of_phase(inputs, part.findings)),
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
