"""Payout odds: "8 to 1" means eight cents won for each cent staked, the stake returned beside."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

_ODDS = re.compile(r"\s*(\d+)\s*(?::|to)\s*(\d+)\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Odds:
    """Odds of ``pays`` to ``stake``; prints "8 to 1", never "for" (58 Pa. Code § 539.6(a))."""

    pays: int
    stake: int

    def __post_init__(self) -> None:
        if self.pays < 0 or self.stake < 1:
            raise ValueError(f"not odds: {self.pays} to {self.stake}")

    def __str__(self) -> str:
        return f"{self.pays} to {self.stake}"

    @property
    def ratio(self) -> Fraction:
        """Winnings per unit of stake."""
        return Fraction(self.pays, self.stake)

    def times(self, factor: int) -> Odds:
        """The odds multiplied, as § 689.3(b) multiplies them; the stake is not."""
        return self if factor == 1 else Odds(self.pays * factor, self.stake)

    def winnings(self, stake_cents: int) -> Fraction:
        """What a stake wins, in cents and exact; whole or not is the caller's question."""
        won = stake_cents * self.pays
        return Fraction(won) if self.stake == 1 else Fraction(won, self.stake)


def parse_odds(text: str) -> Odds:
    """Read ``150:1`` or ``150 to 1``.

    Raises:
        ValueError: the text is neither ("151 for 1" is not odds in this sense).
    """
    match = _ODDS.fullmatch(text)
    if match is None:
        raise ValueError(f"not odds of the form '8 to 1': {text!r}")
    return Odds(int(match[1]), int(match[2]))


def percent(part: Fraction, places: int = 2) -> str:
    """A part of 1 in per cent, rounded, halves to the even one: ``1/36`` is ``2.78%``."""
    unit = 10**places
    rounded = round(abs(part) * 100 * unit)
    return f"{'-' if part < 0 else ''}{rounded // unit}.{rounded % unit:0{places}d}%"
