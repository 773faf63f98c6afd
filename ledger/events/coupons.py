"""Facts of coupons on their way: received, in finance's stock, issued, with marketing, returned.

One frozen dataclass per schema, under ``schemas/coupons``: same name, same fields, same order;
units and meanings stand in the schema's docs.
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
from ledger.events.declared import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponsDelivered:
    """Coupons were received."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    delivery: str
    origin: CouponOrigin
    provider: str | None
    invoice: str | None
    invoiced: tuple[CouponRange, ...]
    received_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponsExamined:
    """Coupons that were received were opened and examined."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    delivery: str
    examined_by: tuple[str, ...]
    counted: tuple[CouponRange, ...]
    elements: tuple[CouponElement, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponDeviationReported:
    """A deviation between invoice and coupons was reported."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    delivery: str
    receiver: DeviationReceiver
    person: str | None
    reported_by: str | None
    deviation: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponReceiptEntered:
    """Finance entered received coupons in the Match Play Coupon ledger."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    entry: str
    delivery: str
    received_on: str | None
    lots: tuple[CouponRange, ...]
    checked_by: tuple[CouponSignature, ...]
    entered_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponsStored:
    """Coupons were put under lock."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    holder: CouponHolder
    area: str | None
    locked: bool | None
    controlled_by: str | None
    ranges: tuple[CouponRange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponsRequisitioned:
    """Marketing completed a requisition."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    requisition: str
    prepared_on: str | None
    needed_for: str | None
    promotion: str | None
    lines: tuple[CouponQuantity, ...]
    prepared_by: CouponSignature | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RequisitionAuthorized:
    """Finance authorized a requisition."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    requisition: str
    authorized_by: CouponSignature | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponIssueEntered:
    """Finance entered coupons to be issued in the Match Play Coupon ledger."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    entry: str
    requisition: str | None
    lines: tuple[CouponRange, ...]
    voided: tuple[CouponVoid, ...]
    issued_by: CouponSignature | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponsIssued:
    """Coupons were handed to marketing."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    requisition: str | None
    ranges: tuple[CouponRange, ...]
    issued_by: str | None
    received_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponsCarriedIn:
    """Marketing began a gaming day with coupons kept from an earlier one."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    for_gaming_day: str
    ranges: tuple[CouponRange, ...]
    counted_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponsDistributed:
    """Coupons were given to patrons."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    ranges: tuple[CouponRange, ...]
    distributed_by: str | None
    patron: str | None
    promotion: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponsVoided:
    """Coupons were voided."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    holder: CouponHolder
    ranges: tuple[CouponRange, ...]
    reason: str | None
    voided_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponsKept:
    """Marketing kept coupons for the next gaming day."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    for_gaming_day: str
    ranges: tuple[CouponRange, ...]
    area: str | None
    locked: bool | None
    kept_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponsReturned:
    """Coupons went back to finance."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    return_id: str
    kind: CouponReturnKind
    ranges: tuple[CouponRange, ...]
    returned_by: str | None
    received_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponReturnEntered:
    """Finance entered returned coupons in the Match Play Coupon ledger."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    entry: str
    return_id: str
    returned_on: str | None
    ranges: tuple[CouponRange, ...]
    voided: tuple[CouponVoid, ...]
    returned_by: CouponSignature | None
    received_by: CouponSignature | None
    entered_by: str | None
