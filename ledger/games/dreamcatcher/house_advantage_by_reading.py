"""What other answers to an open question would do to a house advantage.

Law: § 689.3(b), (c). Reading: multipliers-multiply.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from ledger.games.dreamcatcher.terms import NUMBERS, ORDER
from ledger.games.dreamcatcher.wagers import FACTORS
from ledger.games.room import Edges, OtherAnswer, Outcomes, Rules


def sum_of_multipliers(rules: Rules, _outcomes: Outcomes, usual: Edges) -> Edges:
    """Return the house advantages if multipliers were added: 1 without one, else their sum."""
    q = Fraction(sum(ORDER.count(symbol) for symbol in FACTORS), len(ORDER))
    mean = Fraction(
        sum(ORDER.count(symbol) * factor for symbol, factor in FACTORS.items()),
        sum(ORDER.count(symbol) for symbol in FACTORS),
    )
    return _by_factor(rules, usual, (1 - q) + q / (1 - q) * mean, on_stake=False)


def on_the_return(rules: Rules, outcomes: Outcomes, usual: Edges) -> Edges:
    """Return the house advantages if the product applied to winnings and stake together."""
    return _by_factor(rules, usual, outcomes[0][2], on_stake=True)


def _by_factor(rules: Rules, usual: Edges, factor: Fraction, *, on_stake: bool) -> Edges:
    around = sum(ORDER.count(number) for number in NUMBERS)
    return {
        (name, pick): 1
        - Fraction(ORDER.count(name), around)
        * ((factor if on_stake else 1) + rules.payouts[name][0].odds.ratio * factor)
        for name, pick in usual
    }


ANSWERS: Final[Mapping[str, Mapping[str, OtherAnswer]]] = {
    "multipliers-multiply": {
        "sum-on-odds": sum_of_multipliers,
        "product-on-return": on_the_return,
    },
}
