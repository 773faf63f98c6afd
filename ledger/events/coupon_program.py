"""Facts of the coupon program: what is approved, who acts, what is printed.

One frozen dataclass per schema, under ``schemas/coupons``: same name, same fields, same order;
the schema's docs give units and meanings.
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
from ledger.events.enums import Bureau
from ledger.events.fact_declaration import Header, declared


@declared
class CouponDesignFiled(Header):
    """The design of a coupon was submitted for approval."""

    design: str
    elements: tuple[CouponElement, ...] | None


@declared
class CouponDesignApproved(Header):
    """The design of a coupon was approved."""

    design: str
    bureau: Bureau | None
    withdrawn: bool


@declared
class CouponControlsFiled(Header):
    """Internal controls of the coupon program were submitted."""

    controls: str
    governs: tuple[ControlsPart, ...]
    finance_department: str | None
    marketing_department: str | None


@declared
class CouponControlsApproved(Header):
    """Internal controls of the coupon program were approved."""

    controls: str
    bureau: Bureau | None
    withdrawn: bool


@declared
class CouponStorageApproved(Header):
    """A secured and locked area for coupons was approved."""

    area: str
    holder: CouponHolder | None
    bureau: Bureau | None
    withdrawn: bool


@declared
class CouponDeadlineSet(Header):
    """The property set a deadline that the texts held do not give."""

    duty: CouponDuty
    within_seconds: int
    counted_from: str | None
    source_line: str


@declared
class CouponFunctionGiven(Header):
    """A person was given a function in the coupon program, or it ended."""

    person: str
    department: CouponDepartment
    rank: CouponRank
    ended: bool


@declared
class PromotionScheduled(Header):
    """A promotional period was set."""

    promotion: str
    first_gaming_day: str
    last_gaming_day: str
    denominations: tuple[int, ...] | None


@declared
class CouponSeriesDescribed(Header):
    """A series of coupons was described, with what is printed on it."""

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
