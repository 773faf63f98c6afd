"""The ranking as tables of numbers, generated from the readable one and proved equal to it.

``terms.rank_high`` and ``terms.rank_low_cards`` say what a hand is worth; here each kind of hand
that they can tell apart (by ranks, and whether all cards are of one suit) is asked once, and its
answer becomes its place among all ranks, the lowest first. Two hands compare as their places do.

Law: 58 Pa. Code § 575.6(a)-(c), by ``terms``.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

from ledger.games.asia_poker.terms import (
    HIGH_CARDS,
    MEDIUM_CARDS,
    PLAIN,
    Hands,
    Rank,
    Switches,
    rank_high,
    rank_low_cards,
)
from ledger.games.cards import ACE, JOKER, RANKS, SUITS, WITH_JOKER, Card

Places = tuple[int, int, int]
"""The places of high, medium and low hand."""

# the least numbers of which no two hands of four have the same sum: the tables stay small
_CODES: Final = (0, 1, 5, 21, 55, 153, 368, 856, 1_424, 2_603, 4_967, 8_194, 13_663, 22_432)
_OF_RANK: Final = dict(zip((*RANKS, JOKER.rank), _CODES, strict=True))
FLUSH: Final = 1 << 16
"""Added to the ranks of cards that are all of one suit; more than any hand's ranks come to."""
SUIT_BITS: Final = tuple(1 << 4 * number for number in range(len(SUITS)))
"""One bit for each suit, so far apart that those of seven cards add up; the joker has them all."""


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


class Lookup(NamedTuple):
    """Places by key for hands of four, two and one card; rank and its name at each place."""

    high: Sequence[int]
    medium: Mapping[int, int]
    low: Mapping[int, int]
    ranks: tuple[Rank, ...]
    names: tuple[str, ...]


def key_of(cards: Sequence[Card]) -> int:
    """The key of a high hand."""
    coded = [CODED[card] for card in cards]
    suits = coded[0].suit
    for one in coded:
        suits &= one.suit
    return sum(one.rank for one in coded) + (FLUSH if suits else 0)


@cache
def lookup(switches: Switches = PLAIN) -> Lookup:
    """The tables under a property's switches, made at the first question."""
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
    """One hand of each kind: its ranks in several suits, and in one where no rank comes twice."""
    found: list[tuple[Card, ...]] = []
    for jokers in ((), (JOKER,)):
        count = size - len(jokers)
        for ranks in combinations_with_replacement(RANKS, count):
            mixed = tuple(Card(rank, suit) for rank, suit in zip(ranks, SUITS, strict=False))
            found.append((*mixed, *jokers))
        for ranks in combinations(RANKS, count):
            found.append((*(Card(rank, SUITS[0]) for rank in ranks), *jokers))
    return found


@lru_cache(maxsize=64)
def places_of(hands: Hands, switches: Switches = PLAIN) -> Places:
    """What ``terms.ranks_of`` says, as places; the hands must be of the right sizes."""
    table = lookup(switches)
    (a, b, c, d), (e, f), (g,) = hands
    first, second, third, last = CODED[a], CODED[b], CODED[c], CODED[d]
    key = first.rank + second.rank + third.rank + last.rank
    if first.suit & second.suit & third.suit & last.suit:
        key += FLUSH
    return table.high[key], table.medium[CODED[e].small + CODED[f].small], table.low[CODED[g].small]
