"""What other answers to open questions would do to the house advantage of the Bonus Wager.

Readings: copy-loses, nine-high-or-better, nine-high-over-flush, bonus-joker-ace.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Final

from ledger.games.asia_poker.terms import BONUS
from ledger.games.asia_poker.wagers import BONUS_COUNTS, NINE_HIGHS, BonusHand
from ledger.games.room import Edges, OtherAnswer, Outcomes, Rules
from ledger.kernel import Odds


def nine_high_flush(rules: Rules, _outcomes: Outcomes, usual: Edges) -> Edges:
    """Return the advantage if a 9-high hand that holds a flush were paid as a flush."""
    flushes = sum(max(map(suits.count, range(4))) >= 5 for suits in product(range(4), repeat=7))
    lost = _odds(rules, BonusHand.NINE_HIGH).ratio - _odds(rules, BonusHand.FLUSH).ratio
    share = Fraction(flushes * len(NINE_HIGHS), _hands())
    return {(BONUS, ()): usual[BONUS, ()] + share * lost}


def from_nine_high(rules: Rules, _outcomes: Outcomes, usual: Edges) -> Edges:
    """Return the advantage if only 9-high and the hands above it won."""
    counts, hands = dict(BONUS_COUNTS), list(BonusHand)
    below = hands[hands.index(BonusHand.NINE_HIGH) + 1 :]
    lost = sum(
        (Fraction(counts[h], _hands()) * (1 + _odds(rules, h).ratio) for h in below), Fraction(0)
    )
    return {(BONUS, ()): usual[BONUS, ()] + lost}


def _odds(rules: Rules, hand: BonusHand) -> Odds:
    return next(line.odds for line in rules.payouts[BONUS] if line.payout.filed_as == hand.value)


def _hands() -> int:
    return sum(count for _, count in BONUS_COUNTS)


ANSWERS: Final[Mapping[str, Mapping[str, OtherAnswer]]] = {
    "copy-loses": {},
    "nine-high-or-better": {"nine-high": from_nine_high},
    "nine-high-over-flush": {"flush": nine_high_flush},
    "bonus-joker-ace": {},
}
