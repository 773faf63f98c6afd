"""Facts of coupons at a table: taken with a wager, refused, given back, redeemed, dropped.

One frozen dataclass per schema, under ``schemas/wagers``: same name, same fields, same order;
the schema's docs give units and meanings.
"""

from __future__ import annotations

from ledger.events.coupon_words import CouponArea, CouponFault, CouponPlace
from ledger.events.enums import Role, SettledAs
from ledger.events.fact_declaration import Header, declared


@declared
class CouponAccepted(Header):
    """A dealer or boxperson took a coupon with a wager."""

    serial: str
    wager_id: str | None
    denomination_cents: int | None
    accepted_by: str | None
    role: Role | None
    place: CouponPlace | None
    area: CouponArea | None
    value_visible: bool | None
    expiry_checked: bool | None
    chips_on_cents: int | None
    chips_beside_cents: int | None


@declared
class CouponRefused(Header):
    """A coupon was refused."""

    serial: str | None
    wager_id: str | None
    fault: CouponFault | None
    remark: str | None
    refused_by: str | None


@declared
class CouponGivenBack(Header):
    """A coupon was given back to the patron, its wager undecided or without it."""

    serial: str
    wager_id: str | None
    reason: str | None
    given_by: str | None


@declared
class CouponRedeemed(Header):
    """A wager with a coupon was decided, and the coupon used up."""

    serial: str
    wager_id: str | None
    denomination_cents: int | None
    decided: SettledAs | None
    paid_cents: int | None
    box_table: str | None
    box: str | None
    redeemed_by: str | None
    role: Role | None


@declared
class CouponDropped(Header):
    """A coupon was put into a drop box, other than at the moment of its redemption."""

    serial: str
    wager_id: str | None
    box_table: str | None
    box: str | None
    dropped_by: str | None
    role: Role | None
