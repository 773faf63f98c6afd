"""What a coupon adds to a winning wager: its value by the terms printed on it.

Law: § 525.22(b), last sentence. Readings: chips-under-coupon, unusable-coupon.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from ledger.events import CouponPays
from ledger.games.match_play.conditions import Ground, counts
from ledger.games.match_play.terms import LAW, Coupon
from ledger.games.room import Act, Scope, Taint
from ledger.kernel import Odds, dollars, exact_dollars, whole_cents
from ledger.kernel.quick_dataclass import dataclass

PAYS: Final = LAW[".22(b)#9"]
DROPS: Final = LAW[".22(e)#1"]
EVEN: Final = Odds(1, 1)
TAINTS: Final = (
    Taint(Act.LATE_COUPON, Scope.ADDED, LAW[".21(a)#3"], "late-coupon"),
    Taint(Act.SECOND_COUPON, Scope.NOTHING, LAW[".22(d)#1"], "which-of-two"),
)
"""What an irregular act with a coupon leaves in doubt in any game, and no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What one coupon adds to its wager.

    Args:
        coupon: the coupon.
        grounds: what is against it.
        least: the least that it adds, in exact cents.
        most: the most that it adds, in exact cents; None: its value is not known.
        odds: the odds by which it is paid; None where they are not known or nothing is paid.
        won: its wager wins.
    """

    coupon: Coupon
    grounds: tuple[Ground, ...]
    least: Fraction = Fraction(0)
    most: Fraction | None = Fraction(0)
    odds: Odds | None = None
    won: bool = False

    @property
    def counts(self) -> bool | None:
        """Whether it counts; None if that is not known."""
        return counts(self.grounds)

    @property
    def exact_cents(self) -> int | None:
        """What it adds, in whole cents; None: not known, or not whole cents."""
        return whole_cents(self.least) if self.least == self.most else None

    def words(self) -> str:
        """Say what it adds and why, for people: "$5.00 coupon P-7 pays $5.00 by its terms"."""
        value_cents = self.coupon.value_cents
        named = f"coupon {self.coupon.serial}"
        if value_cents is not None:
            named = f"{dollars(value_cents)} {named}"
        why = "; ".join(ground.why for ground in self.grounds)
        if self.counts is False:
            return f"{named} adds nothing: {why}"
        if not self.won:
            return f"{named} lies with it" + (f" ({why})" if why else "")
        if self.odds is None or self.least != self.most:
            return f"{named} adds what cannot be told: {why or 'what it pays is not recorded'}"
        return f"{named} pays {exact_dollars(self.least)} by its terms"


def share(coupon: Coupon, grounds: tuple[Ground, ...], odds: Odds | None) -> Share:
    """Return what a coupon adds to a wager.

    Args:
        coupon: the coupon.
        grounds: what is against it.
        odds: the odds at which the wager wins, multiplied; None: it did not win, so nothing is due.
    """
    none = Fraction(0)
    certain = counts(grounds)
    if odds is None or certain is False:
        return Share(coupon=coupon, grounds=grounds, won=odds is not None)
    if coupon.value_cents is None:
        return Share(coupon=coupon, grounds=grounds, most=None, won=True)
    at_odds = odds.winnings(coupon.value_cents)
    even = EVEN.winnings(coupon.value_cents)
    by: Odds | None = None
    match coupon.pays:
        case CouponPays.WAGER_ODDS:
            least, most, by = at_odds, at_odds, odds
        case CouponPays.EVEN_MONEY:
            least, most, by = even, even, EVEN
        case _:
            least, most = min(at_odds, even), max(at_odds, even)
    return Share(
        coupon=coupon,
        grounds=grounds,
        least=none if certain is None else least,
        most=most,
        odds=by,
        won=True,
    )
