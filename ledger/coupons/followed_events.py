"""The names of the events through which the custody of coupons is followed, and nothing else.

Who only asks whether a fact bears on coupons loads no custody.
"""

from __future__ import annotations

from typing import Final

from ledger.events import SUBJECTS

OWN: Final = frozenset(name for name, subject in SUBJECTS.items() if subject == "coupons")
"""The events of the coupons' own office."""
AT_TABLES: Final = frozenset(
    {
        *("CouponAccepted", "CouponRedeemed", "CouponDropped"),
        *("DropBoxHung", "DropBoxRemoved", "DropBoxCounted"),
    }
)
"""The facts of tables that the custody of coupons needs; no settlement is among them."""
WANTED: Final = OWN | AT_TABLES | {"GamingDayClosed", "PersonCredentialled"}
"""All of them; a test holds them against what the book follows."""
