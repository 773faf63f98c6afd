"""What a coupon is at a moment: may it still be used, and if not, why.

``rounds`` asks this of whoever knows the custody (``CouponLookup``), for the moment at which a
wager with the coupon was accepted, and settles by the answer.
Law: 58 Pa. Code § 525.21(c), (m)(3), (q)(5); § 525.22.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Protocol

from ledger.coupons.serial import Serial
from ledger.events import CouponSeriesDescribed
from ledger.kernel import FactRef


class CouponState(StrEnum):
    """What is known of a serial number at a moment."""

    LIVE = "live"  # with a patron: distributed or mailed, not voided, used or expired
    NO_SERIES = "no series"  # no series described has this serial number
    NEVER_RECEIVED = "never received"  # of a series, but never delivered nor mailed
    NEVER_ISSUED = "never issued"  # still with finance, or under examination
    NOT_DISTRIBUTED = "not distributed"  # with marketing
    VOIDED = "voided"
    RETURNED = "returned"  # went back to finance, unused or expired
    EXPIRED = "expired"  # past the day printed on it (reading coupon-expiry)
    REDEEMED = "redeemed"  # used before, perhaps counted and cancelled since
    CANCELLED = "cancelled"  # cancelled without a redemption
    UNKNOWN = "unknown"  # the record before this moment is in doubt


@dataclass(frozen=True, slots=True, kw_only=True)
class CouponStatus:
    """The answer: ``series`` has the denomination and the printed terms, None where none fits.

    ``facts`` are those that say so, the last of them last: the redemption before, the voiding.
    """

    text: str
    serial: Serial | None
    series: CouponSeriesDescribed | None
    state: CouponState
    facts: tuple[FactRef, ...] = ()

    @property
    def is_live(self) -> bool:
        """Whether it may be used; an unknown one is not shown to be."""
        return self.state is CouponState.LIVE

    @property
    def is_known(self) -> bool:
        """Whether the record can say at all."""
        return self.state is not CouponState.UNKNOWN


class CouponLookup(Protocol):
    """Who knows the custody of coupons."""

    def status(self, text: str, at: int, day: date, ref: FactRef | None = None) -> CouponStatus:
        """What a coupon was right before a fact at a table.

        Args:
            text: the serial number as written.
            at: merge time of the fact, in microseconds UTC.
            day: its gaming day; the expiry printed on a coupon is held against it.
            ref: the fact itself (``WagerPlaced``): redemptions in the same microsecond count if
                they stand before it in merged order; None: they do not count.
        """
        ...
