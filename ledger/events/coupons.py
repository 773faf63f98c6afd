"""Facts of coupons on their way: received, in finance's stock, issued, with marketing, returned.

One frozen dataclass per schema, under ``schemas/coupons``: same name, same fields, same order;
the schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.coupon_words import (
    CouponElement,
    CouponHolder,
    CouponOrigin,
    CouponQuantity,
    CouponRange,
    CouponReturnKind,
    CouponSignature,
    CouponVoid,
    DeviationReceiver,
)
from ledger.events.fact_declaration import Header, declared


@declared
class CouponsDelivered(Header):
    """Coupons were received."""

    delivery: str
    origin: CouponOrigin
    provider: str | None
    invoice: str | None
    invoiced: tuple[CouponRange, ...]
    received_by: str | None


@declared
class CouponsExamined(Header):
    """Coupons that were received were opened and examined."""

    delivery: str
    examined_by: tuple[str, ...]
    counted: tuple[CouponRange, ...]
    elements: tuple[CouponElement, ...] | None


@declared
class CouponDeviationReported(Header):
    """A deviation between invoice and coupons was reported."""

    delivery: str
    receiver: DeviationReceiver
    person: str | None
    reported_by: str | None
    deviation: str | None


@declared
class CouponReceiptEntered(Header):
    """Finance entered received coupons in the Match Play Coupon ledger."""

    entry: str
    delivery: str
    received_on: str | None
    lots: tuple[CouponRange, ...]
    checked_by: tuple[CouponSignature, ...]
    entered_by: str | None


@declared
class CouponsStored(Header):
    """Coupons were put under lock."""

    holder: CouponHolder
    area: str | None
    locked: bool | None
    controlled_by: str | None
    ranges: tuple[CouponRange, ...]


@declared
class CouponsRequisitioned(Header):
    """Marketing completed a requisition."""

    requisition: str
    prepared_on: str | None
    needed_for: str | None
    promotion: str | None
    lines: tuple[CouponQuantity, ...]
    prepared_by: CouponSignature | None


@declared
class RequisitionAuthorized(Header):
    """Finance authorized a requisition."""

    requisition: str
    authorized_by: CouponSignature | None


@declared
class CouponIssueEntered(Header):
    """Finance entered coupons to be issued in the Match Play Coupon ledger."""

    entry: str
    requisition: str | None
    lines: tuple[CouponRange, ...]
    voided: tuple[CouponVoid, ...]
    issued_by: CouponSignature | None


@declared
class CouponsIssued(Header):
    """Coupons were handed to marketing."""

    requisition: str | None
    ranges: tuple[CouponRange, ...]
    issued_by: str | None
    received_by: str | None


@declared
class CouponsCarriedIn(Header):
    """Marketing began a gaming day with coupons kept from an earlier one."""

    for_gaming_day: str
    ranges: tuple[CouponRange, ...]
    counted_by: str | None


@declared
class CouponsDistributed(Header):
    """Coupons were given to patrons."""

    ranges: tuple[CouponRange, ...]
    distributed_by: str | None
    patron: str | None
    promotion: str | None


@declared
class CouponsVoided(Header):
    """Coupons were voided."""

    holder: CouponHolder
    ranges: tuple[CouponRange, ...]
    reason: str | None
    voided_by: str | None


@declared
class CouponsKept(Header):
    """Marketing kept coupons for the next gaming day."""

    for_gaming_day: str
    ranges: tuple[CouponRange, ...]
    area: str | None
    locked: bool | None
    kept_by: str | None


@declared
class CouponsReturned(Header):
    """Coupons went back to finance."""

    return_id: str
    kind: CouponReturnKind
    ranges: tuple[CouponRange, ...]
    returned_by: str | None
    received_by: str | None


@declared
class CouponReturnEntered(Header):
    """Finance entered returned coupons in the Match Play Coupon ledger."""

    entry: str
    return_id: str
    returned_on: str | None
    ranges: tuple[CouponRange, ...]
    voided: tuple[CouponVoid, ...]
    returned_by: CouponSignature | None
    received_by: CouponSignature | None
    entered_by: str | None
