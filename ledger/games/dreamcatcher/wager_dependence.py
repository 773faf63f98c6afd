"""How often a spin multiplies the odds of its round.

Law: §§ 689.1(b), (d), 689.3(b), (c).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from ledger.games.dreamcatcher.terms import ORDER
from ledger.games.dreamcatcher.wagers import FACTORS
from ledger.games.wager_dependence import WagerDependence

WAGER_DEPENDENCE: Final = WagerDependence(
    multipliers={
        factor: Fraction(ORDER.count(symbol), len(ORDER)) for symbol, factor in FACTORS.items()
    }
)
