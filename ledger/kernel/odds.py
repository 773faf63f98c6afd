"""Payout odds: "8 to 1" means eight cents won for each cent staked, and the stake returned too."""

from __future__ import annotations

import re
from fractions import Fraction

from ledger.kernel.quick_dataclass import dataclass

_ODDS = re.compile(r"\s*(\d+)\s*(?::|to)\s*(\d+)\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Odds:
    """Odds of ``pays`` to ``stake``; prints "8 to 1", never "for" (58 Pa. Code § 539.6(a)).

    Raises:
        ValueError: ``pays`` is negative, or ``stake`` is less than 1.

    >>> Odds(9, 5).winnings(2500)
    Fraction(4500, 1)
    >>> Odds(1, 3).winnings(100)  # not whole cents, and not rounded
    Fraction(100, 3)
    >>> str(Odds(8, 1).times(7))
    '56 to 1'
    """

    pays: int
    stake: int

    def __post_init__(self) -> None:
        if self.pays < 0 or self.stake < 1:
            raise ValueError(f"not odds: {self.pays} to {self.stake}")

    def __str__(self) -> str:
        return f"{self.pays} to {self.stake}"

    @property
    def ratio(self) -> Fraction:
        """Winnings for each unit of stake; the returned stake is not in it."""
        return Fraction(self.pays, self.stake)

    def times(self, factor: int) -> Odds:
        """Return the odds multiplied as § 689.3(b) multiplies them: what is paid, not the stake."""
        return self if factor == 1 else Odds(self.pays * factor, self.stake)

    def winnings(self, stake_cents: int) -> Fraction:
        """Return what a stake wins in cents, exactly; it need not be whole."""
        won = stake_cents * self.pays
        return Fraction(won) if self.stake == 1 else Fraction(won, self.stake)


def parse_odds(text: str) -> Odds:
    """Read ``150:1`` or ``150 to 1``.

    Raises:
        ValueError: the text is neither ("151 for 1" counts the stake in, so it is not read as
            odds).
    """
    match = _ODDS.fullmatch(text)
    if match is None:
        raise ValueError(f"not odds of the form '8 to 1': {text!r}")
    return Odds(int(match[1]), int(match[2]))


def percent(part: Fraction, places: int = 2) -> str:
    """Print a fraction of 1 in percent, rounded; a half is rounded to the even digit.

    Args:
        part: the fraction: 1 is 100 percent.
        places: digits after the point, at least 1.

    >>> percent(Fraction(1, 36)), percent(Fraction(-1, 8), places=1)
    ('2.78%', '-12.5%')
    """
    unit = 10**places
    rounded = round(abs(part) * 100 * unit)
    return f"{'-' if part < 0 else ''}{rounded // unit}.{rounded % unit:0{places}d}%"
