"""What a coupon is at a moment: whether it may still be used, and if not, why.

``rounds`` asks this of a ``CouponLookup``, for the moment at which a wager with the coupon was
accepted, and settles by the answer.
Law: 58 Pa. Code § 525.21(c), (m)(3), (q)(5); § 525.22.
"""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Protocol

from ledger.coupons.serial import Serial
from ledger.events import CouponSeriesDescribed
from ledger.kernel import FactRef
from ledger.kernel.quick_dataclass import dataclass


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
    """What a coupon is at a moment.

    Args:
        text: the serial number as written.
        serial: as read; None if it cannot be read.
        series: its denomination and printed terms; None if no series has it.
        state: what is known of it.
        facts: the facts that show that, the last one last: the earlier redemption, the voiding.
    """

    text: str
    serial: Serial | None
    series: CouponSeriesDescribed | None
    state: CouponState
    facts: tuple[FactRef, ...] = ()

    @property
    def is_live(self) -> bool:
        """Whether it is shown that it may be used; False also where that is unknown."""
        return self.state is CouponState.LIVE

    @property
    def is_known(self) -> bool:
        """Whether the record can say anything about it."""
        return self.state is not CouponState.UNKNOWN


class CouponLookup(Protocol):
    """Tells the state of a coupon, by its custody."""

    def status(self, text: str, at: int, day: date, ref: FactRef | None = None) -> CouponStatus:
        """Return what a coupon was right before a fact at a table.

        Args:
            text: the serial number as written.
            at: when the fact was merged, microseconds UTC.
            day: its gaming day, with which the printed expiry is compared.
            ref: the fact itself (``WagerPlaced``): redemptions in the same microsecond count if
                they precede it in merged order; None: they do not count.
        """
        ...
