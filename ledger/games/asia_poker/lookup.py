"""The rankings as tables of numbers, generated from the readable ones and tested to be equal.

``terms.rank_high`` and ``terms.rank_low_cards`` say what a hand is worth. Here they are asked once
for each kind of hand that they can tell apart (by ranks, and whether all cards are of one suit),
and the answer becomes its place among all ranks, the lowest first. Two hands compare as their
places do. ``wagers.bonus_hand`` is asked once for each set of ranks of seven cards without its
rarer hands.

Law: 58 Pa. Code § 575.6(a)-(d), by ``terms`` and ``wagers``.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any, Final, NamedTuple

from ledger.games.asia_poker.terms import (
    EACH,
    HIGH_CARDS,
    LOW_CARDS,
    MEDIUM_CARDS,
    PLAIN,
    Hands,
    Rank,
    Switches,
    rank_high,
    rank_low_cards,
)
from ledger.games.asia_poker.wagers import BonusHand, bonus_hand
from ledger.games.cards import ACE, BY_WORD, JOKER, RANKS, SUITS, WITH_JOKER, Card

Places = tuple[int, int, int]
"""The places of high, medium and low hand among all ranks; a higher one beats a lower one."""

# the least numbers of which no two hands of four have the same sum: the tables stay small
_CODES: Final = (0, 1, 5, 21, 55, 153, 368, 856, 1_424, 2_603, 4_967, 8_194, 13_663, 22_432)
_OF_RANK: Final = dict(zip((*RANKS, JOKER.rank), _CODES, strict=True))
FLUSH: Final = 1 << 16
"""Added to the code of cards that are all of one suit; more than any hand's ranks add up to."""
SUIT_BITS: Final = tuple(1 << 4 * number for number in range(len(SUITS)))
"""One bit for each suit, far enough apart that those of seven cards add up; the joker has all."""


class Coded(NamedTuple):
    """A card as numbers: ranks add up, suits are bits; in a small hand the joker is an ace."""

    rank: int
    suit: int
    small: int


def _coded(card: Card) -> Coded:
    joker = card == JOKER
    suit = sum(SUIT_BITS) if joker else SUIT_BITS[SUITS.index(card.suit)]
    return Coded(_OF_RANK[card.rank], suit, _OF_RANK[ACE if joker else card.rank])


CODED: Final[Mapping[Card, Coded]] = {card: _coded(card) for card in WITH_JOKER}
NAMED: Final[Mapping[str, Coded]] = {word: CODED[card] for word, card in BY_WORD.items()}
"""The coded cards by the words of facts."""


class Lookup(NamedTuple):
    """Places by key for hands of four, two and one card; the rank and its name at each place."""

    high: Sequence[int]
    medium: Mapping[int, int]
    low: Mapping[int, int]
    ranks: tuple[Rank, ...]
    names: tuple[str, ...]


def key_of(cards: Sequence[Card]) -> int:
    """Return the key of a high hand in ``Lookup.high``."""
    coded = [CODED[card] for card in cards]
    suits = coded[0].suit
    for code in coded:
        suits &= code.suit
    return sum(one.rank for one in coded) + (FLUSH if suits else 0)


@cache
def lookup(switches: Switches = PLAIN) -> Lookup:
    """Return the tables under a property's switches; they are made once."""
    high = {key_of(cards): rank_high(frozenset(cards), switches) for cards in _examples(HIGH_CARDS)}
    medium = {
        sum(CODED[card].small for card in cards): rank_low_cards(cards)
        for cards in _examples(MEDIUM_CARDS)
    }
    low = {CODED[card].small: rank_low_cards((card,)) for card in WITH_JOKER}
    ranks = tuple(sorted({*high.values(), *medium.values(), *low.values()}))
    place = {rank: number for number, rank in enumerate(ranks)}
    highs = array("H", bytes(2 * (max(high) + 1)))  # keys without a hand stay 0, which is no hand's
    for key, rank in high.items():
        highs[key] = place[rank]
    pairs, singles = [{k: place[rank] for k, rank in hands.items()} for hands in (medium, low)]
    return Lookup(highs, pairs, singles, ranks, tuple(rank.name for rank in ranks))


def _examples(size: int) -> list[tuple[Card, ...]]:
    """Return one hand of each kind: its ranks in several suits, and in one if no rank repeats."""
    examples: list[tuple[Card, ...]] = []
    for jokers in ((), (JOKER,)):
        count = size - len(jokers)
        for ranks in combinations_with_replacement(RANKS, count):
            mixed = tuple(Card(rank, suit) for rank, suit in zip(ranks, SUITS, strict=False))
            examples.append((*mixed, *jokers))
        for ranks in combinations(RANKS, count):
            examples.append((*(Card(rank, SUITS[0]) for rank in ranks), *jokers))
    return examples


def places_of(hands: Hands, switches: Switches = PLAIN) -> Places:
    """Return what ``terms.ranks_of`` returns, as places; the hands must be of the right sizes."""
    high, medium, low = hands
    return _places(lookup(switches), CODED, high, medium, low)


def places_named(
    high: Sequence[str], medium: Sequence[str], low: Sequence[str], switches: Switches = PLAIN
) -> Places | None:
    """Return the places of hands as facts name their cards.

    None where they are not four, two and one different cards of a deck.

    >>> better = places_named(("AS", "KD", "QH", "JC"), ("9S", "9D"), ("4C",))
    >>> worse = places_named(("AD", "AC", "QS", "JD"), ("9H", "8D"), ("4D",))
    >>> [mine > other for mine, other in zip(better, worse)]
    [True, True, False]
    """
    if len(high) != HIGH_CARDS or len(medium) != MEDIUM_CARDS or len(low) != LOW_CARDS:
        return None
    if len({*high, *medium, *low}) != EACH:
        return None
    try:
        return _places(lookup(switches), NAMED, high, medium, low)
    except KeyError:
        return None


def _places(
    table: Lookup, coded: Mapping[Any, Coded], high: Sequence[Any], medium: Sequence[Any],
    low: Sequence[Any],
) -> Places:  # fmt: skip
    a, b, c, d = high
    e, f = medium
    (g,) = low
    first, second, third, last = coded[a], coded[b], coded[c], coded[d]
    key = first.rank + second.rank + third.rank + last.rank
    if first.suit & second.suit & third.suit & last.suit:
        key += FLUSH
    return table.high[key], table.medium[coded[e].small + coded[f].small], table.low[coded[g].small]


# --- bonus hands -----------------------------------------------------------------------------------

_BITS: Final = 4
_OF_RANKS: Final = {rank: 1 << _BITS * number for number, rank in enumerate(RANKS)}
_OF_SUITS: Final = {suit: 1 << _BITS * n for n, suit in enumerate(SUITS, len(RANKS))}
_OF_JOKER: Final = 1 << _BITS * (len(RANKS) + len(SUITS))
_ONES: Final = sum(_OF_RANKS.values())
COUNTED: Final = {
    card.word: _OF_JOKER if card == JOKER else _OF_RANKS[card.rank] + _OF_SUITS[card.suit]
    for card in WITH_JOKER
}
"""Cards by word as numbers whose sum counts ranks, suits and the joker, four bits for each."""
_TO_RARE: Final = 5 * _ONES + 3 * sum(_OF_SUITS.values()) + 7 * _OF_JOKER
_RARE: Final = 8 * (_ONES + sum(_OF_SUITS.values()) + _OF_JOKER)
"""Adding ``_TO_RARE`` sets the highest bit of a count: three of a rank, five of a suit, a joker."""


def bonus_hand_of(words: Sequence[str]) -> BonusHand | None:
    """Return what ``wagers.bonus_hand`` returns, for seven cards of one deck by their words."""
    counts = sum([COUNTED[word] for word in words])
    if counts + _TO_RARE & _RARE:
        return bonus_hand([BY_WORD[word] for word in words])
    return _plain_hand((counts | counts >> 1) & _ONES)


@cache
def _plain_hand(ranks: int) -> BonusHand | None:
    """Return the bonus hand of these ranks: no joker, no five of a suit, no rank more than twice."""
    once = [rank for rank, bit in _OF_RANKS.items() if ranks & bit]
    cards = [Card(rank, SUITS[n % 4]) for n, rank in enumerate(once)]
    cards += [Card(rank, SUITS[(n + 1) % 4]) for n, rank in enumerate(once[: EACH - len(once)])]
    return bonus_hand(cards)
