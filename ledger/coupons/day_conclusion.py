"""What a gaming day comes to once the record has been followed to its end.

What is late, missing or left over is reported once, on the day to which it belongs. Nothing is
changed here.
Law: 58 Pa. Code § 525.21(e), (j) to (o), (q).
"""

from __future__ import annotations

from bisect import bisect_left
from datetime import date
from typing import Final

from ledger.coupons.boxes import conclude_boxes
from ledger.coupons.custody import Custody, Place, Run, Way
from ledger.coupons.custody_register import CustodyRegister, fold
from ledger.coupons.daily_form import judge_carried, judge_form, not_remaining, without
from ledger.coupons.periods import conclude_periods
from ledger.coupons.records import Box, DayRecord, Delivery, Flow
from ledger.coupons.serial import SerialRange
from ledger.events import CouponOrigin, CouponReturnKind, DeviationReceiver, ForwardedItem
from ledger.kernel import FactRef, Finding, ref_of

REPORTED: Final = {
    DeviationReceiver.FINANCE_SUPERVISOR: "(e)#6",
    DeviationReceiver.BUREAU_OF_CASINO_COMPLIANCE: "(e)#7",
}
NOTHING: Final = FactRef("coupons/finance", 0)
VOIDS: Final = (Flow.VOIDED, Flow.VOIDED_FINANCE, Flow.VOIDED_PATRONS, Flow.VOIDED_PROVIDER)


def conclude(book: CustodyRegister, day: date) -> list[Finding]:
    """Return all findings of a gaming day: those made as its facts came, and what it lacks.

    The record must have been followed to its end (``CustodyRegister.finish``).
    """
    findings = list(book.findings.get(day, ()))
    record = book.days.get(day) or DayRecord(day)
    begins, ends = book.clock.bounds(day)
    sure = book.sure(begins - 1, ends - 1) and book.sure(-1, book.at)
    if book.is_over(day):
        conclude_boxes(book, day, findings)
        _papers(book, record, sure, findings)
        _left(book, record, sure, findings)
        _cancelled(book, record, sure, findings)
        _deliveries(book, day, findings)
        _returns(book, day, findings)
        _mailings(book, day, findings)
    conclude_periods(book, day, findings)
    return findings


def _last(book: CustodyRegister, day: date) -> tuple[FactRef, ...]:
    """Return the day's last fact that moved anything: what is missing is reported with it."""
    begins, ends = book.clock.bounds(day)
    moves = book.custody.moves
    place = bisect_left(moves, ends, key=lambda move: move.at)
    return (moves[place - 1].ref,) if place and moves[place - 1].at >= begins else ()


def _papers(book: CustodyRegister, day: DayRecord, sure: bool, into: list[Finding]) -> None:
    """Judge the form of the day, and what must reach finance (§ 525.21(j), (k), (m))."""
    facts = _last(book, day.day)
    concerned = any(
        day.runs.get(flow) or day.odd.get(flow)
        for flow in (Flow.CARRIED_IN, Flow.RECEIVED, Flow.DISTRIBUTED)
    )
    text = str(day.day)
    if day.forms:
        judge_form(book, day, sure, into)
        judge_carried(book, day, sure, into)
    elif concerned:
        book.say(
            "form_missing", "(j)#1", observed=text, facts=facts, day=day.day, sure=sure, into=into
        )
    items = {item for fact in day.forwarded for item in fact.items}
    redeemed = bool(day.redeemed)
    wanted = (
        (ForwardedItem.DOCUMENTATION, concerned or redeemed, "(m)#1"),
        (ForwardedItem.VOIDED, bool(day.runs.get(Flow.VOIDED)), "(m)#2"),
        (ForwardedItem.REDEEMED, redeemed and _came_in(book, day.day), "(m)#3"),
        (ForwardedItem.UNDISTRIBUTED, _owed(book, day), "(m)#4"),
    )
    for forwarded, due, pin in wanted:
        if due and forwarded not in items:
            book.say(
                "not_forwarded", pin, observed=text, facts=facts, day=day.day, sure=sure, into=into
            )
    if day.forms and not day.forwarded and concerned:
        book.say(
            "form_not_returned", "(k)#1", observed=text, facts=facts, day=day.day, sure=sure,
            into=into,
        )  # fmt: skip


def _came_in(book: CustodyRegister, day: date) -> bool:
    """Whether any box of the day was counted; what lies in others is not at finance yet."""
    return any(box.is_counted for box in book.boxes if box.day == day)


def _owed(book: CustodyRegister, day: DayRecord) -> bool:
    """Whether undistributed coupons had to be among what was forwarded."""
    return bool(day.forwarded and left_over(day)) and not book.program.runs_on(day.day)


def _left(book: CustodyRegister, day: DayRecord, sure: bool, into: list[Finding]) -> None:
    """Judge what was neither distributed nor voided: it goes back, or is kept as allowed."""
    expired = [
        run
        for run in day.left
        if book.expired(run.series, day.day) or _last_day(book, run, day.day)
    ]
    if expired:
        book.say(
            "expired_not_returned", "(k)#8", observed=fold(run.range for run in expired),
            facts=_refs(book, expired), day=day.day, sure=sure, into=into,
        )  # fmt: skip
    loose = [run for run in left_over(day) if run not in expired]
    claimed: list[SerialRange] = [one for one, _ in day.claimed]
    gone, _ = _split(day.left, claimed)
    _, silent = _split(loose, claimed)
    if gone:
        refs = tuple(ref for _, ref in day.claimed)
        book.say(
            "reconciliation_out_of_balance", "(m)(3)#2", observed=fold(gone),
            facts=refs, day=day.day, sure=sure, into=into,
        )  # fmt: skip
    missing = not_remaining(book, day, silent)
    if missing:
        book.say(
            "reconciliation_out_of_balance", "(m)(3)#1", observed=fold(missing),
            expected="marketing", state="neither remaining nor distributed",
            facts=_refs(book, loose), day=day.day, sure=sure, into=into,
        )  # fmt: skip
    silent = without(silent, missing)
    if silent and not book.program.runs_on(day.day):
        book.say(
            "coupon_not_returned", "(k)#2", observed=fold(silent), facts=_refs(book, loose),
            day=day.day, sure=sure, into=into,
        )  # fmt: skip


def _last_day(book: CustodyRegister, run: Run, day: date) -> bool:
    """Whether this is the last day on which it is good: it may not be kept for the next."""
    return run.place is Place.KEPT and book.good_until(run.series) == day


def left_over(day: DayRecord) -> list[Run]:
    """Return what marketing has at the day's end and did not keep by a fact of this day."""
    runs: list[Run] = []
    for run in day.left:
        rest = [run.range]
        for kept in day.ranges(Flow.KEPT):
            rest = [left for piece in rest for left in piece.without(kept)]
        runs.extend(run._replace(range=piece) for piece in rest)
    return runs


def _split(
    runs: list[Run], claimed: list[SerialRange]
) -> tuple[list[SerialRange], list[SerialRange]]:
    """Return what documents claim of the runs, and the rest."""
    inside: list[SerialRange] = []
    outside: list[SerialRange] = []
    for run in runs:
        rest = [run.range]
        for claim in claimed:
            inside.extend(both for piece in rest if (both := piece.shared_with(claim)) is not None)
            rest = [left for piece in rest for left in piece.without(claim)]
        outside.extend(rest)
    return inside, outside


def _refs(book: CustodyRegister, runs: list[Run]) -> tuple[FactRef, ...]:
    moves = [move for run in runs if (move := book.custody.last(run.way)) is not None]
    moves.sort(key=lambda move: (move.at, move.ref))
    return tuple(dict.fromkeys(move.ref for move in moves))[-8:]


def _cancelled(book: CustodyRegister, day: DayRecord, sure: bool, into: list[Finding]) -> None:
    """Report what was redeemed and counted, or voided, but not cancelled (§ 525.21(m), (q)(6))."""
    custody = book.custody
    waiting = {
        serial for box in book.boxes if _still_out(box) for serial in box.dropped
    }  # fmt: skip
    open_ones: dict[str, list[tuple[SerialRange, FactRef]]] = {"(m)(2)#2": [], "(q)(6)#1": []}
    ways = custody.ways(day.redeemed)
    for serial, ref, way in zip(day.redeemed, day.redemptions, ways, strict=True):
        if _waits_to_be_cancelled(custody, way, ref) and serial not in waiting:
            mailed = custody.went(way, Place.MAILED) is not None
            range_ = SerialRange.between(serial, serial)
            open_ones["(q)(6)#1" if mailed else "(m)(2)#2"].append((range_, ref))
    for flow in VOIDS:
        for range_ in day.ranges(flow):
            for run in custody.runs(range_):
                last = custody.last(run.way)
                if run.place is Place.VOIDED and last is not None:
                    open_ones["(m)(2)#2"].append((run.range, last.ref))
    for pin, those in open_ones.items():
        if those:
            refs = tuple(dict.fromkeys(ref for _, ref in those))[-8:]
            book.say(
                "coupon_not_cancelled", pin, observed=fold(one for one, _ in those), facts=refs,
                day=day.day, sure=sure, into=into,
            )  # fmt: skip


def _waits_to_be_cancelled(custody: Custody, way: Way, redemption: FactRef) -> bool:
    """Whether no cancellation has followed a redemption, from wherever it was redeemed."""
    for number in reversed(way):
        move = custody.moves[number if number >= 0 else ~number]
        if move.ref == redemption:
            return True
        if move.to is Place.CANCELLED:
            return False
    return False


def _still_out(box: Box) -> bool:
    """Whether its coupons are not at finance yet."""
    return not box.is_counted


def _deliveries(book: CustodyRegister, day: date, into: list[Finding]) -> None:
    for name, delivery in book.documents.deliveries.items():
        if delivery.day == day:
            _delivery(book, name, delivery, day, into)


def _delivery(
    book: CustodyRegister, name: str, delivery: Delivery, day: date, into: list[Finding]
) -> None:
    """Report a delivery that was not examined, or whose deviation was not reported to both."""
    sure = book.sure(-1, book.at)
    if delivery.delivered is None:
        return
    facts = (ref_of(delivery.delivered),)
    if not delivery.examined:
        own = delivery.delivered.origin is not CouponOrigin.GAMING_SERVICE_PROVIDER
        book.say(
            "coupon_not_examined", "(e)#2" if own else "(e)#1", observed=name, facts=facts,
            day=day, sure=sure, into=into,
        )  # fmt: skip
    if delivery.deviation is None:
        return
    receivers = {fact.receiver for _, fact in delivery.reports}
    last = delivery.examined[-1][1]
    for receiver, pin in REPORTED.items():
        if receiver not in receivers:
            book.say(
                "coupon_deviation_not_reported", pin, observed=name, expected=delivery.deviation,
                facts=(*facts, ref_of(last)), day=day, sure=sure, into=into,
            )  # fmt: skip


def _returns(book: CustodyRegister, day: date, into: list[Finding]) -> None:
    """Report returns of unused or expired coupons without an entry."""
    for name, entry in book.documents.returns.items():
        if entry.day != day or entry.returned is None or entry.entered:
            continue
        if entry.returned.kind is CouponReturnKind.UNDELIVERED:
            continue
        book.say(
            "ledger_entry_missing", "(l)#1", observed=name, day=day, into=into,
            facts=(ref_of(entry.returned),), sure=book.sure(-1, book.at),
        )  # fmt: skip


def _mailings(book: CustodyRegister, day: date, into: list[Finding]) -> None:
    """Report mailings of which finance has no list."""
    for when, name, ref, _ in book.documents.mailings:
        known = book.documents.lists.get(name or "")
        if when == day and known is not None and known.parts and not known.given_to_finance:
            book.say(
                "mail_list_not_with_finance", "(q)(4)#1", observed=name, facts=(ref,), day=day,
                sure=book.sure(-1, book.at), into=into,
            )  # fmt: skip
