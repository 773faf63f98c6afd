"""What the three hands of a position rank, in words.

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
    """What three hands are called, by the room's own table; None where the cards make none."""
    parts = [cards_of(words) for words in (high, medium, low)]
    if any(part is None for part in parts) or cards_of((*high, *medium, *low)) is None:
        return None
    hands = terms.Hands(*(part for part in parts if part is not None))
    return tuple(rank.name for rank in ranks_of(hands)) if hands.sized else None


HANDS: Final = Hands(dealer=DEALER, ranks=rank_names)
