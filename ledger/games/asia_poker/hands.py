"""The names of the ranks of a position's three hands.

Law: § 575.6(a)-(c).
"""

from __future__ import annotations

from typing import Final

from ledger.games.asia_poker import terms
from ledger.games.asia_poker.terms import DEALER, ranks_of
from ledger.games.cards import cards_of
from ledger.games.room import Hands

Words = tuple[str, ...]


def rank_names(high: Words, medium: Words, low: Words) -> tuple[str, ...] | None:
    """Return what three hands are called; None where the cards do not make a position's hands.

    >>> rank_names(("AS", "KD", "QH", "JC"), ("9S", "9D"), ("4C",))
    ('straight', 'pair', 'high card')
    >>> rank_names(("AS",), ("9S", "9D"), ("4C",)) is None
    True
    """
    parts = [cards_of(words) for words in (high, medium, low)]
    if any(part is None for part in parts) or cards_of((*high, *medium, *low)) is None:
        return None
    hands = terms.Hands(*(part for part in parts if part is not None))
    return tuple(rank.name for rank in ranks_of(hands)) if hands.sized else None


HANDS: Final = Hands(dealer=DEALER, ranks=rank_names)
