"""The end of a gaming day: boxes counted, forms, forwarding, examination, cancellation, inventory.

Law: 58 Pa. Code § 525.21(j) to (n), (q)(6).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from ledger import events
from ledger.floor.coupon_kinds import COUPON_KINDS
from ledger.floor.coupon_office import quantities
from ledger.floor.coupon_stock import Stock
from ledger.floor.coupon_terms import (
    CABINET,
    COUNT,
    COUNTERS,
    EXAMINER,
    FINANCE,
    MAILED,
    MARKETER,
    MARKETING,
    SECOND_SUPERVISOR,
    SUPERVISOR,
    runs,
    series_of,
    signed,
)


def evening(stock: Stock, boxes: list[tuple[str, str]]) -> list[events.Fact]:
    """From the count of the boxes to the inventory; ``boxes`` are tables and the ids of theirs."""
    return [
        *_count(stock, boxes),
        *_settle_stock(stock),
        *_forward(stock),
        *_cancel(stock),
        *_inventory(stock),
    ]


def _count(stock: Stock, boxes: list[tuple[str, str]]) -> list[events.Fact]:
    """Each box by two people of finance, the late ones of the day before first."""
    facts: list[events.Fact] = []
    for table, box, serials, index in stock.late:
        day = (stock.first_day + timedelta(days=index)).isoformat()
        counted = _counted(stock, table, box, day, serials, 0)
        facts.append(counted)
        stock.find(COUPON_KINDS["coupon_late_count"], counted, day=day)
    stock.late = []
    today = stock.today
    late = stock.plan.due("coupon_late_count", stock.index)
    for table, box in boxes:
        serials = today.boxes.get(table, [])
        if late and serials and not today.awaited.get(table):
            late = False
            stock.late.append((table, box, serials, stock.index))
            continue
        counted = _counted(
            stock, table, box, stock.day.isoformat(), serials, today.unreadable.get(table, 0)
        )
        facts.append(counted)
        for awaited in today.awaited.get(table, ()):
            stock.find(awaited.kind, counted, awaited.serial, code=awaited.code, cite=awaited.cite)
    assert not late, "some box has coupons"
    return facts


def _counted(
    stock: Stock, table: str, box: str, day: str, serials: list[str], unreadable: int
) -> events.CouponsCounted:
    return events.CouponsCounted(
        **stock.stamp(COUNT, COUNTERS[0], 4),
        box=box,
        box_table=table,
        for_gaming_day=day,
        part=1,
        parts=1,
        ranges=runs(serials),
        unreadable=unreadable,
        counted_by=COUNTERS,
    )


def _settle_stock(stock: Stock) -> list[events.Fact]:
    """The daily form; what remains goes back or is kept under lock."""
    today = stock.today
    remaining = runs(stock.marketing)
    form = _form(stock, remaining)
    facts: list[events.Fact] = [form]
    tomorrow = stock.day + timedelta(days=1)
    ending = [
        s for s in stock.marketing if (series := series_of(s)) and stock.until(series) < tomorrow
    ]
    kept = [serial for serial in stock.marketing if serial not in ending]
    unused: list[str] = []
    if stock.index % 2 == 1:  # every other day half of it goes back, for reissue
        unused = kept[len(kept) // 2 :]
        kept = kept[: len(kept) // 2]
    voided = today.voided
    for kind, serials in (
        (events.CouponReturnKind.EXPIRED, ending),
        (events.CouponReturnKind.UNUSED, unused),
    ):
        if serials:
            facts += _return(stock, kind, serials, voided)
            voided = []
    stock.finance = sorted([*unused, *stock.finance])
    today.expired_back = ending
    stock.marketing = kept
    unlocked = stock.plan.due("coupon_kept_unlocked", stock.index)
    if kept:
        kept_fact = events.CouponsKept(
            **stock.stamp(MARKETING, MARKETER, 4),
            for_gaming_day=stock.day.isoformat(),
            ranges=runs(kept),
            area=CABINET,
            locked=not unlocked,
            kept_by=MARKETER,
        )
        facts.append(kept_fact)
        if unlocked:
            stock.find(COUPON_KINDS["coupon_kept_unlocked"], kept_fact)
    return facts


def _form(
    stock: Stock, remaining: tuple[events.CouponRange, ...]
) -> events.ReconciliationFormCompleted:
    plan, today = stock.plan, stock.today
    distributed = quantities(today.distributed)
    wrong = plan.due("coupon_form_wrong", stock.index)
    if wrong:
        first = distributed[0]
        distributed = (replace(first, quantity=(first.quantity or 0) + 1), *distributed[1:])
    unsigned = plan.due("coupon_form_unsigned", stock.index)
    stamp = stock.stamp(MARKETING, MARKETER, 4)
    form = events.ReconciliationFormCompleted(
        **stamp,
        form_id=f"RF-{stock.day}",
        for_gaming_day=stock.day.isoformat(),
        dated=stock.day.isoformat(),
        carried_in=runs(today.carried),
        received=runs(today.received),
        to_distribute=quantities([*today.carried, *today.received]),
        distributed=distributed,
        remaining=remaining,
        voided=_voids(today.voided),
        variations=(),
        completed_by=replace(signed(MARKETER, stamp["event_time"]), signed=not unsigned),
    )
    if wrong:
        stock.find(COUPON_KINDS["coupon_form_wrong"], form)
    if unsigned:
        stock.find(COUPON_KINDS["coupon_form_unsigned"], form)
    return form


def _voids(voided: list[tuple[str, str | None]]) -> tuple[events.CouponVoid, ...]:
    return tuple(
        events.CouponVoid(
            denomination_cents=run.denomination_cents, first=run.first, last=run.last, reason=reason
        )
        for serial, reason in voided
        for run in runs([serial])
    )


def _return(
    stock: Stock,
    kind: events.CouponReturnKind,
    serials: list[str],
    voided: list[tuple[str, str | None]],
) -> list[events.Fact]:
    """Marketing's supervisor hands coupons to finance's, who enters it."""
    name = f"CR-{stock.day}-{kind.value[0]}"
    handed = events.CouponsReturned(
        **stock.stamp(MARKETING, MARKETER, 4),
        return_id=name,
        kind=kind,
        ranges=runs(serials),
        returned_by=MARKETER,
        received_by=SUPERVISOR,
    )
    entered = events.CouponReturnEntered(
        **stock.stamp(FINANCE, SUPERVISOR, 4),
        entry=f"TL-{stock.day}-{kind.value[0]}",
        return_id=name,
        returned_on=stock.day.isoformat(),
        ranges=runs(serials),
        voided=_voids([(serial, reason or "not recorded") for serial, reason in voided]),
        returned_by=signed(MARKETER),
        received_by=signed(SUPERVISOR),
        entered_by=SUPERVISOR,
    )
    return [handed, entered]


def _forward(stock: Stock) -> list[events.Fact]:
    """Papers and coupons go to finance, which counts and examines them."""
    day = stock.day.isoformat()
    return [
        events.CouponsForwarded(
            **stock.stamp(MARKETING, MARKETER, 4),
            for_gaming_day=day,
            items=tuple(
                item
                for item in events.ForwardedItem
                if item is not events.ForwardedItem.UNRECOGNISED
            ),
            forwarded_by=MARKETER,
            received_by=EXAMINER,
        ),
        events.CouponsReviewed(
            **stock.stamp(FINANCE, SECOND_SUPERVISOR, 4),
            for_gaming_day=day,
            calculation_checked=True,
            signatures_checked=True,
            faults=(),
            reviewed_by=SECOND_SUPERVISOR,
        ),
    ]


def _cancel(stock: Stock) -> list[events.Fact]:
    """Redeemed, voided and expired coupons, electronically, in finance's name."""
    used = [use.serial for use in stock.today.uses]
    facts: list[events.Fact] = []
    mine = [
        use for use in stock.today.uses if not use.planted and series_of(use.serial) is not MAILED
    ]
    if mine and stock.plan.due("coupon_not_cancelled", stock.index):
        left = mine[0]
        used.remove(left.serial)
        stock.find(COUPON_KINDS["coupon_not_cancelled"], left.fact, left.serial)
    for because, serials in (
        (events.CancelReason.REDEEMED, used),
        (events.CancelReason.VOIDED, stock.to_cancel),
        (events.CancelReason.EXPIRED, stock.lapsed),
    ):
        if serials:
            facts.append(
                events.CouponsCancelled(
                    **stock.stamp(FINANCE, EXAMINER, 4),
                    for_gaming_day=stock.day.isoformat(),
                    ranges=runs(serials),
                    because=because,
                    how=events.CancelMethod.ELECTRONIC,
                    cancelled_by=EXAMINER,
                )
            )
    stock.to_cancel = []
    stock.lapsed = [*stock.today.expired_back]
    return facts


def _inventory(stock: Stock) -> list[events.Fact]:
    """Once a month all that is not distributed is counted, finance's stock and marketing's."""
    month = f"{stock.day:%Y-%m}"
    if month in stock.inventoried:
        return []
    stock.inventoried.add(month)
    return [
        events.CouponsInventoried(
            **stock.stamp(FINANCE, SECOND_SUPERVISOR, 20),
            inventory=f"INV-{month}",
            month=month,
            covers=(events.CouponHolder.FINANCE, events.CouponHolder.MARKETING),
            lines=runs([*stock.finance, *stock.marketing]),
            in_ledger=True,
            inventoried_by=(SECOND_SUPERVISOR, EXAMINER),
        )
    ]
