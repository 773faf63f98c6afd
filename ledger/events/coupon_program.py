"""Facts of the coupon program: what is approved, who acts, what is printed.

One frozen dataclass per schema, under ``schemas/coupons``: same name, same fields, same order;
units and meanings stand in the schema's docs.
"""

from __future__ import annotations

from ledger.events.coupon_words import (
    ControlsPart,
    CouponDepartment,
    CouponDuty,
    CouponElement,
    CouponHolder,
    CouponPays,
    CouponRank,
)
from ledger.events.declared import dataclass
from ledger.events.enums import Bureau


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponDesignFiled:
    """The design of a coupon was submitted for approval."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    design: str
    elements: tuple[CouponElement, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponDesignApproved:
    """The design of a coupon was approved."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    design: str
    bureau: Bureau | None
    withdrawn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponControlsFiled:
    """Internal controls of the coupon program were submitted."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    controls: str
    governs: tuple[ControlsPart, ...]
    finance_department: str | None
    marketing_department: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponControlsApproved:
    """Internal controls of the coupon program were approved."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    controls: str
    bureau: Bureau | None
    withdrawn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponStorageApproved:
    """A secured and locked area for coupons was approved."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    area: str
    holder: CouponHolder | None
    bureau: Bureau | None
    withdrawn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponDeadlineSet:
    """The property set a deadline that the texts held do not give."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    duty: CouponDuty
    within_seconds: int
    counted_from: str | None
    source_line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponFunctionGiven:
    """A person was given a function in the coupon program, or it ended."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    person: str
    department: CouponDepartment
    rank: CouponRank
    ended: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionScheduled:
    """A promotional period was set."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    promotion: str
    first_gaming_day: str
    last_gaming_day: str
    denominations: tuple[int, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponSeriesDescribed:
    """A series of coupons was described, with what is printed on it."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None
    series: str
    design: str | None
    denomination_cents: int
    prefix: str
    digits: int
    first: str | None
    last: str | None
    expires: str | None
    games: tuple[str, ...] | None
    wagers: tuple[str, ...] | None
    pays: CouponPays | None
    elements: tuple[CouponElement, ...] | None
