"""Facts of what comes after: coupons counted, reviewed, cancelled, the forms and the reports.

One frozen dataclass per schema, under ``schemas/coupons``: same name, same fields, same order;
units and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.coupon_words import (
    CancelMethod,
    CancelReason,
    CouponForm,
    CouponHolder,
    CouponQuantity,
    CouponRange,
    CouponSignature,
    CouponValue,
    CouponVoid,
    FaultyCoupon,
    FormVariation,
    ForwardedItem,
    SignedAs,
)
from ledger.events.declared import dataclass
from ledger.events.enums import Bureau


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponsCounted:
    """Coupons from a drop box were counted."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    box: str
    box_table: str | None
    for_gaming_day: str
    part: int
    parts: int
    ranges: tuple[CouponRange, ...]
    unreadable: int
    counted_by: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponsForwarded:
    """Coupons and documentation were forwarded to finance."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    for_gaming_day: str
    items: tuple[ForwardedItem, ...]
    forwarded_by: str | None
    received_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponsReviewed:
    """Finance counted and examined what was forwarded to it."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    for_gaming_day: str
    calculation_checked: bool | None
    signatures_checked: bool | None
    faults: tuple[FaultyCoupon, ...]
    reviewed_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponsCancelled:
    """Coupons were cancelled."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    for_gaming_day: str | None
    ranges: tuple[CouponRange, ...]
    because: CancelReason
    how: CancelMethod | None
    cancelled_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReconciliationFormCompleted:
    """Marketing completed a Match Play Coupon Reconciliation Form."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    form_id: str
    for_gaming_day: str
    dated: str | None
    carried_in: tuple[CouponRange, ...]
    received: tuple[CouponRange, ...]
    to_distribute: tuple[CouponQuantity, ...]
    distributed: tuple[CouponQuantity, ...]
    remaining: tuple[CouponRange, ...]
    voided: tuple[CouponVoid, ...]
    variations: tuple[FormVariation, ...]
    completed_by: CouponSignature | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponFormSigned:
    """A person signed a form that was derived from the ledger."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    form: CouponForm
    form_id: str
    issue: int
    supersedes: int | None
    for_gaming_day: str | None
    period: str | None
    signed_as: SignedAs
    signature: CouponSignature
    tree_size: int
    root: bytes
    digest: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponsInventoried:
    """Finance took the inventory of coupons that are not distributed."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    inventory: str
    month: str
    covers: tuple[CouponHolder, ...]
    lines: tuple[CouponRange, ...]
    in_ledger: bool | None
    inventoried_by: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuarterlyReportFiled:
    """The quarterly report of redeemed coupons was filed."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    quarter: str
    filed_on: str | None
    bureau: Bureau | None
    lines: tuple[CouponValue, ...]
    filed_by: str | None
