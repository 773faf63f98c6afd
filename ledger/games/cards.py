"""What cards can show: the words for them, and what several of them make.

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
    """One card: a rank from 2 to 14 (the ace) and one of ``SUITS``; the joker is rank 0 of no suit.

    >>> Card(10, "H").word, JOKER.word
    ('10H', 'JOKER')
    """

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
    """Return the cards that these words name; None if a word is no card or occurs twice.

    >>> cards_of(["AS", "JOKER"])
    (Card(rank=14, suit='S'), Card(rank=0, suit=''))
    >>> cards_of(["AS", "AS"]) is None
    True
    """
    words = tuple(words)
    try:
        cards = tuple([BY_WORD[word] for word in words])
    except KeyError:
        return None
    return cards if len(set(words)) == len(cards) else None  # each card has one word


def suited(cards: Sequence[Card]) -> bool:
    """Whether all cards are of one suit; the joker's suit is none of the four."""
    return len({card.suit for card in cards}) == 1


def in_sequence(ranks: Iterable[int]) -> int | None:
    """Return the highest rank of cards that follow each other, None if they do not.

    The ace stands above the king or below the 2; below the 2 it counts as 1.

    >>> in_sequence([10, 12, 11]), in_sequence([ACE, 2, 3]), in_sequence([ACE, 13, 2])
    (12, 3, None)
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
    """Count the cards of each rank: (count, rank), the largest count first, then the highest rank.

    >>> groups([7, 13, 7, 4])
    [(2, 7), (1, 13), (1, 4)]
    """
    counted: dict[int, int] = {}
    for rank in ranks:
        counted[rank] = counted.get(rank, 0) + 1
    return sorted(((count, rank) for rank, count in counted.items()), reverse=True)
