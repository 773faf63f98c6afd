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

__all__ = [
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
