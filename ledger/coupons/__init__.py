"""Custody of every Match Play Coupon, from delivery to cancellation: § 525.21."""

from ledger.coupons.serial import (
    DenominationDiffers,
    RangeBackwards,
    RangeOfTwoForms,
    Serial,
    SerialAmbiguous,
    SerialForms,
    SerialRange,
    SerialUnreadable,
    joined,
    overlaps,
)
from ledger.coupons.status import CouponLookup, CouponState, CouponStatus

__all__ = [
    "CouponLookup",
    "CouponState",
    "CouponStatus",
    "DenominationDiffers",
    "RangeBackwards",
    "RangeOfTwoForms",
    "Serial",
    "SerialAmbiguous",
    "SerialForms",
    "SerialRange",
    "SerialUnreadable",
    "joined",
    "overlaps",
]
