"""What other answers to open questions would do to a house advantage.

Readings: triple-is-a-pair, total-includes-triple, two-dice-once, total-3-or-18.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from ledger.games.room import Edges, OtherAnswer, Outcomes, Printed, Rules

COMBINATION: Final = "Two Dice Combination"


def paid_twice(rules: Rules, outcomes: Outcomes, usual: Edges) -> Edges:
    """Return house advantages if Two Dice Combination paid twice when one number repeats."""
    (line,) = rules.payouts[COMBINATION]
    advantages: Edges = {}
    for (wager, pick), edge in usual.items():
        if wager == COMBINATION:
            again = sum(
                (p for faces, p, _ in outcomes if sorted(set(faces)) == sorted(pick)), Fraction(0)
            )
            advantages[wager, pick] = edge - again * line.odds.ratio
    return advantages


ANSWERS: Final[Mapping[str, Mapping[str, OtherAnswer]]] = {
    "triple-is-a-pair": {},
    "total-includes-triple": {},
    "two-dice-once": {"twice": paid_twice},
    "total-3-or-18": {},
}
PRINTED: Final = Printed(answers=ANSWERS)
