"""What cards can show: the words for them, and what a handful of them makes.

A card is a rank from 2 to 14 (the ace) and a suit; the joker has neither. What a combination is
worth, and what the joker may stand for, is each chapter's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

ACE: Final = 14
SUITS: Final = ("S", "H", "D", "C")
RANKS: Final = tuple(range(2, ACE + 1))
_NAMES: Final = {"A": 14, "K": 13, "Q": 12, "J": 11, **{str(rank): rank for rank in range(2, 11)}}


class Card(NamedTuple):
    """One card; the joker is rank 0 of no suit."""

    rank: int
    suit: str

    @property
    def word(self) -> str:
        """The card as facts name it: "10H", "JOKER"."""
        if self.rank == 0:
            return "JOKER"
        return next(name for name, rank in _NAMES.items() if rank == self.rank) + self.suit


JOKER: Final = Card(0, "")
FIFTY_TWO: Final = tuple(Card(rank, suit) for rank in RANKS for suit in SUITS)
WITH_JOKER: Final = (*FIFTY_TWO, JOKER)
BY_WORD: Final = {one.word: one for one in WITH_JOKER}


def cards_of(words: Iterable[str]) -> tuple[Card, ...] | None:
    """The cards that the words name; None where one is no card, or stands there twice."""
    words = tuple(words)
    try:
        cards = tuple([BY_WORD[word] for word in words])
    except KeyError:
        return None
    return cards if len(set(words)) == len(cards) else None  # each card has one word


def suited(cards: Sequence[Card]) -> bool:
    """All of one suit."""
    return len({card.suit for card in cards}) == 1


def in_sequence(ranks: Iterable[int]) -> int | None:
    """The highest rank of cards that follow each other, the ace above the king or below the 2.

    None where they do not; with the ace below, the ace counts as 1.
    """
    rising = sorted(ranks)
    if len(set(rising)) != len(rising):
        return None
    if rising[-1] - rising[0] == len(rising) - 1:
        return rising[-1]
    if rising[-1] == ACE and rising[:-1] == list(range(2, len(rising) + 1)):
        return rising[-2]
    return None


def groups(ranks: Iterable[int]) -> list[tuple[int, int]]:
    """How many of each rank, the most first, among equals the highest rank: (count, rank)."""
    counted: dict[int, int] = {}
    for rank in ranks:
        counted[rank] = counted.get(rank, 0) + 1
    return sorted(((count, rank) for rank, count in counted.items()), reverse=True)
