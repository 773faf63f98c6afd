"""Custody of every Match Play Coupon, from delivery to cancellation: § 525.21."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.kernel.lazy_imports import load_on_first_use

if TYPE_CHECKING:
    from ledger.coupons.balances import Balance, balances, denominations_out
    from ledger.coupons.coupon_lookup import (
        Outstanding,
        RegisterLookup,
        Whereabouts,
        age_of,
        outstanding,
        where,
    )
    from ledger.coupons.custody import Move, Place, Step
    from ledger.coupons.custody_register import CustodyRegister, fold
    from ledger.coupons.day_conclusion import conclude
    from ledger.coupons.figures import (
        Block,
        BoxFigures,
        Figures,
        Reconciliation,
        figures,
        inventory,
        quarterly,
        reconcile,
    )
    from ledger.coupons.follow import FOLLOWED, follow
    from ledger.coupons.followed_events import AT_TABLES
    from ledger.coupons.intervals import IntervalMap
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
    "AT_TABLES",
    "FOLLOWED",
    "Balance",
    "Block",
    "BoxFigures",
    "CouponLookup",
    "CouponState",
    "CouponStatus",
    "CustodyRegister",
    "DenominationDiffers",
    "Figures",
    "IntervalMap",
    "Move",
    "Outstanding",
    "Place",
    "RangeBackwards",
    "RangeOfTwoForms",
    "Reconciliation",
    "RegisterLookup",
    "Serial",
    "SerialAmbiguous",
    "SerialForms",
    "SerialRange",
    "SerialUnreadable",
    "Step",
    "Whereabouts",
    "age_of",
    "balances",
    "conclude",
    "denominations_out",
    "figures",
    "fold",
    "follow",
    "inventory",
    "joined",
    "outstanding",
    "overlaps",
    "quarterly",
    "reconcile",
    "where",
]

load_on_first_use(__name__)
