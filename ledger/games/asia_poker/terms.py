"""The words of the chapter, and how hands rank.

Law: 58 Pa. Code §§ 575.1, 575.6(a)-(c). Readings: a234-second-highest, four-hand-tiebreak,
joker-in-flush, pair-is-medium.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

from ledger.games.cards import ACE, JOKER, RANKS, Card, groups, in_sequence, suited
from ledger.kernel import Citation
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import ASIA_POKER

LAW: Final = ASIA_POKER

DICE: Final = 3
SHAKES: Final = 3
POSITIONS: Final = tuple(str(number) for number in range(1, 8))
DEALER: Final = "1"
PLAYERS: Final = POSITIONS[1:]
EACH: Final = 7
REMAINING: Final = 4
DECK: Final = 53
HIGH_CARDS, MEDIUM_CARDS, LOW_CARDS = 4, 2, 1

MAIN: Final = "Asia Poker Wager"
BONUS: Final = "Bonus Wager"


class Phase(StrEnum):
    """Where a round of play stands."""

    IDLE = "no round"
    BETTING = "wagers may be placed"
    NO_MORE_BETS = "no more bets"
    DEALING = "cards are being dealt"
    DEALT = "all cards are dealt"
    SET = "the dealer has set his hands"


@dataclass(frozen=True, slots=True)
class Ranking:
    """A permissible hand, in the order of § 575.6(b)."""

    name: str
    cite: Citation
    reading: str | None = None


# fmt: off
RANKINGS: Final = (       # § 575.6(b), highest first
    Ranking("four aces",       LAW[".6(b)(1)"]),
    Ranking("royal flush",     LAW[".6(b)(2)"]),
    Ranking("straight flush",  LAW[".6(b)(3)#1"], "a234-second-highest"),
    Ranking("four of a kind",  LAW[".6(b)(4)"]),
    Ranking("flush",           LAW[".6(b)(5)"], "joker-in-flush"),
    Ranking("straight",        LAW[".6(b)(6)#1"], "a234-second-highest"),
    Ranking("three of a kind", LAW[".6(b)(7)"]),
    Ranking("two pair",        LAW[".6(b)(8)"]),
    Ranking("pair",            LAW[".6(b)(9)"], "pair-is-medium"),
)
# fmt: on
STRENGTH: Final = {row.name: len(RANKINGS) - place for place, row in enumerate(RANKINGS)}
NOTHING: Final = "high card"
NAMES: Final = {0: NOTHING, **{strength: name for name, strength in STRENGTH.items()}}
COMPLETES: Final = frozenset(
    STRENGTH[name] for name in ("royal flush", "straight flush", "flush", "straight")
)
"""The hands that the joker may complete as any card; otherwise it is an ace (§ 575.6(a))."""


class Rank(NamedTuple):
    """What a hand is worth: the order of § 575.6(b), then the ranks that decide between equals.

    Hands of different sizes are compared by the same order: of two that agree as far as the smaller
    goes, the larger is higher, since its side cards are in no other hand (§ 575.11(b)).

    >>> Rank(STRENGTH["pair"], (9,)) > Rank(STRENGTH["pair"], (8,)) > Rank(0, (ACE,))
    True
    """

    strength: int
    ranks: tuple[int, ...]

    @property
    def name(self) -> str:
        """The hand as the chapter calls it."""
        return NAMES[self.strength]


class Switches(NamedTuple):
    """What a Rules Submission may choose for ace, 2, 3 and 4: that they rank lowest.

    Law: § 575.6(b)(3), (6). By default they rank second highest.
    """

    straight_lowest: bool = False
    straight_flush_lowest: bool = False


PLAIN: Final = Switches()


def rank_high(cards: frozenset[Card], switches: Switches = PLAIN) -> Rank:
    """Return the rank of a high hand of four cards; the joker stands for what serves it best.

    >>> hand = frozenset({Card(13, "S"), Card(12, "S"), Card(11, "S"), JOKER})
    >>> rank_high(hand).name
    'royal flush'
    """
    if JOKER not in cards:
        return _four(tuple(cards), switches)
    others = tuple(card for card in cards if card != JOKER)
    return max(_with_joker(others, switches))


def _with_joker(others: tuple[Card, ...], switches: Switches) -> Iterator[Rank]:
    """Yield the ranks that the joker can give a hand; a card of each rank is left for it."""
    ranks = [card.rank for card in others]
    for rank in RANKS:
        falling = tuple(sorted((*ranks, rank), reverse=True))
        for flush in (False, True) if suited(others) and rank not in ranks else (False,):
            hand = rank_four(falling, flush, switches)
            if rank == ACE or hand.strength in COMPLETES:
                yield hand


def _four(cards: tuple[Card, ...], switches: Switches) -> Rank:
    """Return the rank of four cards without a joker."""
    falling = tuple(sorted([card.rank for card in cards], reverse=True))
    return rank_four(falling, suited(cards), switches)


@cache  # a joker stands for many cards that make the same hand
def rank_four(falling: tuple[int, ...], flush: bool, switches: Switches) -> Rank:
    """Return the rank of four cards by their ranks, the highest first.

    Args:
        falling: their ranks.
        flush: whether all are of one suit.
        switches: what the property chose.
    """
    top = in_sequence(falling)
    if top is not None:
        return _sequence(falling, top, flush, switches)
    if flush:
        return Rank(STRENGTH["flush"], falling)
    counted = groups(falling)
    by_group = tuple(rank for _, rank in counted)
    match [count for count, _ in counted]:
        case [4]:
            name = "four aces" if by_group == (ACE,) else "four of a kind"
        case [3, 1]:
            name = "three of a kind"
        case [2, 2]:
            name = "two pair"
        case [2, 1, 1]:
            name = "pair"
        case _:
            return Rank(0, falling)
    return Rank(STRENGTH[name], by_group)


def _sequence(falling: tuple[int, ...], top: int, flush: bool, switches: Switches) -> Rank:
    wheel = falling[0] == ACE and top != ACE  # § 575.6(b)(3), (6): ace, 2, 3 and 4
    if wheel:
        lowest = switches.straight_flush_lowest if flush else switches.straight_lowest
        rank = top if lowest else ACE
    else:
        rank = ACE + 1 if top == ACE else top
    if flush and top == ACE:
        return Rank(STRENGTH["royal flush"], ())
    return Rank(STRENGTH["straight flush" if flush else "straight"], (rank,))


def rank_low_cards(cards: Sequence[Card]) -> Rank:
    """Return the rank of a medium or a low hand; the joker is an ace.

    >>> rank_low_cards([Card(ACE, "S"), JOKER])
    Rank(strength=1, ranks=(14,))
    """
    ranks = [ACE if card == JOKER else card.rank for card in cards]
    if len(ranks) == MEDIUM_CARDS and ranks[0] == ranks[1]:
        return Rank(STRENGTH["pair"], (ranks[0],))
    return Rank(0, tuple(sorted(ranks, reverse=True)))


class Hands(NamedTuple):
    """Seven cards set as high, medium and low hand."""

    high: tuple[Card, ...]
    medium: tuple[Card, ...]
    low: tuple[Card, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        """All seven cards."""
        return (*self.high, *self.medium, *self.low)

    @property
    def sized(self) -> bool:
        """Whether the hands have four, two and one card."""
        high, medium, low = self
        return len(high) == HIGH_CARDS and len(medium) == MEDIUM_CARDS and len(low) == LOW_CARDS


def ranks_of(hands: Hands, switches: Switches = PLAIN) -> tuple[Rank, Rank, Rank]:
    """Return the ranks of the three hands, which must be of the right sizes."""
    high = rank_high(frozenset(hands.high), switches)
    return high, rank_low_cards(hands.medium), rank_low_cards(hands.low)


def start_of(number: int) -> str:
    """Return the position that a count from the dealer as number one reaches (§ 575.5(g))."""
    return str((number - 1) % len(POSITIONS) + 1)


def clockwise_from(position: str) -> tuple[str, ...]:
    """Return all positions in the order of the deal: numbers fall, and after the dealer comes 7.

    >>> clockwise_from("2")
    ('2', '1', '7', '6', '5', '4', '3')
    """
    first = POSITIONS.index(position)
    return tuple(POSITIONS[(first - step) % len(POSITIONS)] for step in range(len(POSITIONS)))
