"""Words of sentences about coupons: where a coupon was, what it is worth, quantities in dollars.

Law: 58 Pa. Code § 525.21(c), (m)(3).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from ledger.coupons.custody import Place
from ledger.events import CouponElement
from ledger.kernel import dollars

WHERE_IT_WAS: Final = {
    Place.NOWHERE: "although never received",
    Place.DELIVERED: "before it was examined",
    Place.EXAMINED: "before its receipt was entered",
    Place.ABSENT: "although missing from its delivery",
    Place.STOCK: "while still in finance stock",
    Place.MARKETING: "while still with marketing",
    Place.KEPT: "while kept by marketing",
    Place.LISTED: "while only listed to be mailed",
    Place.PATRON: "while with a patron",
    Place.MAILED: "while with a patron, by mail",
    Place.REDEEMED: "although already redeemed",
    Place.COUNTED: "although already redeemed and counted",
    Place.VOIDED: "although already voided",
    Place.EXPIRED_BACK: "although already returned as expired",
    Place.UNDELIVERED: "although already returned as undeliverable",
    Place.CANCELLED: "although already cancelled",
}
"""How a sentence says where a coupon really was when a fact has it somewhere else."""
CANCELLED_AS: Final = {"redeemed": " as redeemed", "voided": " as void", "expired": " as expired"}
"""The recorded reason of a cancellation, as a sentence says it."""
ELEMENTS: Final = {
    CouponElement.HOLDER_NAME_OR_LOGO: "the name or logo of the certificate holder",
    CouponElement.VALUE: "their value",
    CouponElement.VALUE_SEEN_BY_SURVEILLANCE: "a value that surveillance can read",
    CouponElement.SERIAL_NUMBER: "a serial number",
    CouponElement.RESTRICTIONS: "their restrictions",
    CouponElement.EXPIRY_DATE: "their expiration date",
    CouponElement.CHIP_AREA: "an area for the chips",
}
"""What a coupon must show (§ 525.21(c)), as a sentence says it."""


def quantities_in_words(quantities: Mapping[int | None, int] | Mapping[int, int]) -> str:
    """Coupons per denomination.

    Args:
        quantities: how many, by denomination in cents; None: no denomination is recorded.

    >>> quantities_in_words({500: 24, 2500: 2})
    '24 of $5.00, 2 of $25.00'
    """
    named = sorted((cents or 0, count) for cents, count in quantities.items())
    return ", ".join(f"{count:,} of {dollars(cents)}" for cents, count in named) or "none"


def is_many(serials: str) -> bool:
    """Whether folded serial numbers are more than one: a range, or several."""
    return " to " in serials or ", " in serials


def state_in_words(place: Place, reasons: Iterable[str | None]) -> str:
    """Where coupons were when a fact had them somewhere else.

    Args:
        place: where they were.
        reasons: the recorded reasons of the moves that brought them there.

    >>> state_in_words(Place.CANCELLED, ["voided"])
    'although already cancelled as void'
    """
    words = WHERE_IT_WAS[place]
    known = set(reasons)
    if place is Place.CANCELLED and len(known) == 1:
        words += CANCELLED_AS.get(known.pop() or "", "")
    return words
