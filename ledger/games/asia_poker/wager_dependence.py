"""Bonus Wagers are decided by the cards; what the main wager returns depends on how people play.

Law: §§ 575.6(d), 575.11(h), 575.12(b).
"""

from __future__ import annotations

from typing import Final

from ledger.games.asia_poker.terms import BONUS
from ledger.games.asia_poker.wagers import HandShown
from ledger.games.wager_dependence import DecidedBy, Part, WagerDependence


def of_the_bonus(shown: HandShown) -> HandShown:
    """Return the bonus hand of an outcome alone."""
    return HandShown(0, False, shown.bonus)


WAGER_DEPENDENCE: Final = WagerDependence(
    parts=(
        Part(
            name=BONUS,
            wagers=frozenset({BONUS}),
            decided_by=DecidedBy.POSITION,
            hangs_on=of_the_bonus,
        ),
    )
)
