"""Facts of what comes after: coupons counted, reviewed, cancelled, the forms and the reports.

One frozen dataclass per schema, under ``schemas/coupons``: same name, same fields, same order;
the schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.case_words import ActProof
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
from ledger.events.enums import Bureau
from ledger.events.fact_declaration import Header, declared


@declared
class CouponsCounted(Header):
    """Coupons from a drop box were counted."""

    box: str
    box_table: str | None
    for_gaming_day: str
    part: int
    parts: int
    ranges: tuple[CouponRange, ...]
    unreadable: int
    counted_by: tuple[str, ...]


@declared
class CouponsForwarded(Header):
    """Coupons and documentation were forwarded to finance."""

    for_gaming_day: str
    items: tuple[ForwardedItem, ...]
    forwarded_by: str | None
    received_by: str | None


@declared
class CouponsReviewed(Header):
    """Finance counted and examined what was forwarded to it."""

    for_gaming_day: str
    calculation_checked: bool | None
    signatures_checked: bool | None
    faults: tuple[FaultyCoupon, ...]
    reviewed_by: str | None


@declared
class CouponsCancelled(Header):
    """Coupons were cancelled."""

    for_gaming_day: str | None
    ranges: tuple[CouponRange, ...]
    because: CancelReason
    how: CancelMethod | None
    cancelled_by: str | None


@declared
class ReconciliationFormCompleted(Header):
    """Marketing completed a Match Play Coupon Reconciliation Form."""

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


@declared
class CouponFormSigned(Header):
    """A person signed a form that was derived from the ledger."""

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
    proof: ActProof | None


@declared
class CouponsInventoried(Header):
    """Finance took the inventory of coupons that are not distributed."""

    inventory: str
    month: str
    covers: tuple[CouponHolder, ...]
    lines: tuple[CouponRange, ...]
    in_ledger: bool | None
    inventoried_by: tuple[str, ...]


@declared
class QuarterlyReportFiled(Header):
    """The quarterly report of redeemed coupons was filed."""

    quarter: str
    filed_on: str | None
    bureau: Bureau | None
    lines: tuple[CouponValue, ...]
    filed_by: str | None
