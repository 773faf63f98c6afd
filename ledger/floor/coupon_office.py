"""The morning of the two departments: delivery, entries, requisition, issue, distribution.

Law: 58 Pa. Code § 525.21(e) to (i), (o).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from ledger import events
from ledger.floor.coupon_kinds import COUPON_KINDS
from ledger.floor.coupon_mail import mail
from ledger.floor.coupon_stock import Stock, quarter_of
from ledger.floor.coupon_terms import (
    COUNTERS,
    EXAMINER,
    FINANCE,
    HANDED,
    HOSTS,
    MARKETER,
    MARKETING,
    SHORT,
    SUPERVISOR,
    VAULT,
    runs,
    series_of,
    signed,
)

_PARCELS: Final = 4
"""In so many parts a day's coupons are given out."""
_SPARE: Final = 10
"""So many more of each series are delivered than are issued."""


def morning(stock: Stock) -> list[events.Fact]:
    """From the delivery to the last coupon given to a patron, before the first table opens."""
    return [*_report(stock), *_deliver(stock), *mail(stock), *_issue(stock), *_give(stock)]


def quantities(serials: Iterable[str]) -> tuple[events.CouponQuantity, ...]:
    """How many of each denomination."""
    count = Counter(series.cents for s in serials if (series := series_of(s)) is not None)
    return tuple(
        events.CouponQuantity(denomination_cents=cents, quantity=number)
        for cents, number in sorted(count.items())
    )


def _report(stock: Stock) -> list[events.Fact]:
    """The report of the quarter before, on the first day of the next that is played."""
    ended = sorted(name for name in stock.redeemed_cents if name < quarter_of(stock.day))
    facts: list[events.Fact] = []
    for quarter in ended:
        cents = stock.redeemed_cents.pop(quarter)
        facts.append(
            events.QuarterlyReportFiled(
                **stock.stamp(FINANCE, SUPERVISOR),
                quarter=quarter,
                filed_on=stock.day.isoformat(),
                bureau=events.Bureau.CASINO_COMPLIANCE,
                lines=tuple(
                    events.CouponValue(denomination_cents=of, value_cents=value)
                    for of, value in sorted(cents.items())
                ),
                filed_by=SUPERVISOR,
            )
        )
    return facts


def _deliver(stock: Stock) -> list[events.Fact]:
    """A delivery is opened and examined by both departments, entered, and put under lock."""
    invoiced: list[str] = []
    for series in stock.handed():
        first = stock.delivered[series.name] + 1
        count = stock.amount(series) + _SPARE
        stock.delivered[series.name] += count
        invoiced += [series.serial(number) for number in range(first, first + count)]
    present = list(invoiced)
    facts: list[events.Fact] = []
    name = f"CD-{stock.day}"
    delivered = events.CouponsDelivered(
        **stock.stamp(FINANCE, EXAMINER, 60),
        delivery=name,
        origin=events.CouponOrigin.GAMING_SERVICE_PROVIDER,
        provider="GSP-PRINT",
        invoice=f"INV-{stock.day}",
        invoiced=runs(invoiced),
        received_by=EXAMINER,
    )
    short = stock.plan.due("coupon_delivery_short", stock.index)
    reported = stock.index % 2 == 1 and not short  # a short delivery, and both are told
    if short or reported:
        present = [serial for serial in invoiced if serial != invoiced[-1]]
    alone = stock.plan.due("coupon_examined_by_one", stock.index)
    checkers = (EXAMINER,) if alone else (EXAMINER, HOSTS[0])
    examined = events.CouponsExamined(
        **stock.stamp(FINANCE, EXAMINER, 600),
        delivery=name,
        examined_by=checkers,
        counted=runs(present),
        elements=None,
    )
    facts += [delivered, examined]
    if alone:
        stock.find(COUPON_KINDS["coupon_examined_by_one"], examined)
    if short:
        for _ in range(2):  # neither the supervisor nor the Bureau
            stock.find(COUPON_KINDS["coupon_delivery_short"], examined, invoiced[-1])
    return [
        *facts,
        *(_tell(stock, name, invoiced[-1]) if reported else ()),
        *_enter(stock, name, present, checkers),
    ]


def _tell(stock: Stock, name: str, missing: str) -> list[events.Fact]:
    """The deviation is reported to finance's supervisor and to the Bureau."""
    facts: list[events.Fact] = []
    for receiver in events.DeviationReceiver:
        if receiver is events.DeviationReceiver.UNRECOGNISED:
            continue
        facts.append(
            events.CouponDeviationReported(
                **stock.stamp(FINANCE, EXAMINER, 20),
                delivery=name,
                receiver=receiver,
                person=SUPERVISOR
                if receiver is events.DeviationReceiver.FINANCE_SUPERVISOR
                else None,
                reported_by=EXAMINER,
                deviation=f"{missing} is on the invoice and not in the delivery",
            )
        )
    return facts


def _enter(
    stock: Stock, name: str, present: list[str], checkers: tuple[str, ...]
) -> list[events.Fact]:
    """The supervisor enters what came, and locks it away."""
    stock.finance += present
    return [
        events.CouponReceiptEntered(
            **stock.stamp(FINANCE, SUPERVISOR, 60),
            entry=f"RL-{stock.day}",
            delivery=name,
            received_on=stock.day.isoformat(),
            lots=runs(present),
            checked_by=tuple(signed(one) for one in checkers),
            entered_by=SUPERVISOR,
        ),
        events.CouponsStored(
            **stock.stamp(FINANCE, SUPERVISOR, 60),
            holder=events.CouponHolder.FINANCE,
            area=VAULT,
            locked=True,
            controlled_by=SUPERVISOR,
            ranges=runs(present),
        ),
    ]


def _issue(stock: Stock) -> list[events.Fact]:
    """Requisition, authorization, the ledger's entry, and the handing over."""
    plan, index = stock.plan, stock.index
    taken: list[str] = []
    for series in stock.handed():
        mine = sorted(s for s in stock.finance if series_of(s) is series and s not in stock.spent)
        taken += mine[: stock.amount(series)]
    stock.finance = [serial for serial in stock.finance if serial not in set(taken)]
    number = f"RQ-{stock.day}"
    lines = quantities(taken)
    over = plan.due("coupon_issue_over", index)
    if over:
        lines = (replace(lines[0], quantity=(lines[0].quantity or 0) - 1), *lines[1:])
    facts: list[events.Fact] = [
        events.CouponsRequisitioned(
            **stock.stamp(MARKETING, MARKETER, 60),
            requisition=number,
            prepared_on=stock.day.isoformat(),
            needed_for=stock.day.isoformat(),
            promotion=None,
            lines=lines,
            prepared_by=signed(MARKETER),
        )
    ]
    signature = signed(SUPERVISOR)
    unsigned = plan.due("coupon_requisition_unsigned", index)
    one_hand = not unsigned and plan.due("coupon_requisition_one_hand", index)
    if unsigned:
        signature = replace(signature, signed=False)
    elif one_hand:
        signature = signed(MARKETER)
    authorized = events.RequisitionAuthorized(
        **stock.stamp(FINANCE, SUPERVISOR, 60), requisition=number, authorized_by=signature
    )
    facts.append(authorized)
    if unsigned:
        stock.find(COUPON_KINDS["coupon_requisition_unsigned"], authorized)
    if one_hand:
        stock.find(COUPON_KINDS["coupon_requisition_one_hand"], authorized)
        stock.find(
            COUPON_KINDS["coupon_requisition_one_hand"], authorized, code="wrong_role_signed"
        )
    return facts + _hand_over(stock, number, taken, over=over)


def _hand_over(stock: Stock, number: str, taken: list[str], *, over: bool) -> list[events.Fact]:
    plan, index = stock.plan, stock.index
    torn = _torn(stock)
    voided = [
        events.CouponsVoided(
            **stock.stamp(FINANCE, SUPERVISOR, 30),
            holder=events.CouponHolder.FINANCE,
            ranges=runs([one]),
            reason="torn",
            voided_by=SUPERVISOR,
        )
        for one in torn
    ]
    ranges = runs(taken)
    stated = ranges
    wrong = plan.due("coupon_quantity_wrong", index)
    if wrong:
        stated = (*ranges[:-1], replace(ranges[-1], quantity=(ranges[-1].quantity or 0) + 3))
    unrecorded = plan.due("coupon_issue_unrecorded", index)
    issued = events.CouponsIssued(
        **stock.stamp(FINANCE, SUPERVISOR, 60),
        requisition=number,
        ranges=ranges,
        issued_by=SUPERVISOR,
        received_by=MARKETER,
    )
    entered = events.CouponIssueEntered(
        **stock.stamp(FINANCE, SUPERVISOR, 60),
        entry=f"IL-{stock.day}",
        requisition=number,
        lines=stated,
        voided=tuple(
            events.CouponVoid(
                denomination_cents=run.denomination_cents, first=run.first, last=run.last,
                reason="torn",
            )
            for run in runs(torn)
        ),
        issued_by=signed(SUPERVISOR),
    )  # fmt: skip
    if not unrecorded:  # the entry comes first: they change places
        entered, issued = (
            replace(entered, seq=issued.seq, event_time=issued.event_time),
            replace(issued, seq=entered.seq, event_time=entered.event_time),
        )
    if wrong:
        stock.find(COUPON_KINDS["coupon_quantity_wrong"], entered)
    if unrecorded:
        stock.find(COUPON_KINDS["coupon_issue_unrecorded"], issued)
    if over:
        stock.find(COUPON_KINDS["coupon_issue_over"], issued)
    stock.today.received = taken
    both: list[events.Fact] = [issued, entered] if unrecorded else [entered, issued]
    return [*voided, *both]


def _torn(stock: Stock) -> list[str]:
    """On every third day finance finds a torn coupon in its stock."""
    if stock.index % 3 != 1:
        return []
    torn = next(s for s in stock.finance if series_of(s) is HANDED[1] and s not in stock.spent)
    stock.finance.remove(torn)
    stock.today.voided_by_finance.append(torn)
    stock.voided.append(torn)
    stock.to_cancel.append(torn)
    return [torn]


def _give(stock: Stock) -> list[events.Fact]:
    """What was kept is carried in; most is given to patrons, one is spoiled."""
    today = stock.today
    today.carried, stock.marketing = stock.marketing, []
    facts: list[events.Fact] = []
    if today.carried:
        facts.append(
            events.CouponsCarriedIn(
                **stock.stamp(MARKETING, MARKETER, 60),
                for_gaming_day=stock.day.isoformat(),
                ranges=runs(today.carried),
                counted_by=MARKETER,
            )
        )
    fresh: list[str] = []
    for series in stock.handed():
        mine = sorted(s for s in today.received if series_of(s) is series)
        fresh += mine[: -(-len(mine) * 3 // 4)]
    handed_out = [*today.carried, *fresh]
    spoiled = handed_out.pop()
    parcel = -(-len(handed_out) // _PARCELS)
    by_finance = stock.plan.due("coupon_given_by_finance", stock.index)
    for number in range(_PARCELS):
        part = handed_out[number * parcel : (number + 1) * parcel]
        wrong = by_finance and number == _PARCELS - 1
        who = COUNTERS[1] if wrong else HOSTS[number % 2]
        distributed = events.CouponsDistributed(
            **stock.stamp(MARKETING, who, 240),
            ranges=runs(part),
            distributed_by=who,
            patron=None,
            promotion=None,
        )
        facts.append(distributed)
        if wrong:
            stock.find(COUPON_KINDS["coupon_given_by_finance"], distributed)
    unexplained = stock.plan.due("coupon_void_unexplained", stock.index)
    reason = None if unexplained else "misprinted"
    void = events.CouponsVoided(
        **stock.stamp(MARKETING, MARKETER, 60),
        holder=events.CouponHolder.MARKETING,
        ranges=runs([spoiled]),
        reason=reason,
        voided_by=MARKETER,
    )
    facts.append(void)
    if unexplained:
        stock.find(COUPON_KINDS["coupon_void_unexplained"], void, spoiled)
    today.distributed, today.voided = handed_out, [(spoiled, reason)]
    stock.voided.append(spoiled)
    stock.to_cancel.append(spoiled)
    forgotten = [serial for serial in handed_out if series_of(serial) is SHORT][-2:]
    stock.forgotten += forgotten
    stock.patrons += [serial for serial in handed_out if serial not in forgotten]
    had = {*handed_out, spoiled}
    stock.marketing = [s for s in (*today.carried, *today.received) if s not in had]
    return facts
