"""How this floor's dealers rank and set hands of Asia Poker; written apart from the rules engine.

A card is its word (``10H``, ``JOKER``). The worth of a hand is a tuple: the greater one wins, and
two that are equal are a copy. The joker is never tried out: what it may complete is seen from the
other cards.

Law: 58 Pa. Code §§ 575.6, 575.11(b), (c).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, starmap
from typing import Final

from ledger.events import HouseWayStep
from ledger.kernel.quick_dataclass import dataclass

Worth = tuple[int, ...]

JOKER: Final = "JOKER"
_FACES: Final = {"A": 14, "K": 13, "Q": 12, "J": 11}
DECK: Final = (
    *(f"{face}{suit}" for suit in "SHDC" for face in ("A", "K", "Q", "J", *map(str, range(10, 1, -1)))),
    JOKER,
)  # fmt: skip
_RANK: Final = {
    card: 14 if card == JOKER else _FACES.get(card[:-1]) or int(card[:-1]) for card in DECK
}
_SUIT: Final = {card: "" if card == JOKER else card[-1] for card in DECK}

# § 575.6(b), from the lowest: no hand 0, then
PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FOUR, STRAIGHT_FLUSH, ROYAL, FOUR_ACES = range(1, 10)
_RUNS: Final = tuple(frozenset(range(low, low + 4)) for low in range(11, 1, -1))
_LOW_RUN: Final = frozenset({14, 2, 3, 4})
# § 575.6(b)(6): ace, 2, 3, 4 comes after ace, king, queen, jack, or last where that was filed
_HIGH_ORDER: Final = (_RUNS[0], _LOW_RUN, *_RUNS[1:])
_LOW_ORDER: Final = (*_RUNS, _LOW_RUN)
_FIVES: Final = (*(frozenset(range(low, low + 5)) for low in range(10, 1, -1)), frozenset({14, 2, 3, 4, 5}))  # fmt: skip
_NINES: Final = (frozenset({9, 8, 7, 6, 4, 3, 2}), frozenset({9, 8, 7, 5, 4, 3, 2}))


@dataclass(frozen=True, slots=True)
class SetHands:
    """Seven cards as three hands, and what each is worth."""

    high: tuple[str, ...]
    medium: tuple[str, ...]
    low: tuple[str, ...]
    worth: tuple[Worth, Worth, Worth]

    @property
    def permitted(self) -> bool:
        """High above medium above low (§ 575.11(b))."""
        return self.worth[0] > self.worth[1] > self.worth[2]


def high_worth(cards: Sequence[str], *, low_straight: bool = False) -> Worth:
    """What four cards are worth as a high hand."""
    plain = [card for card in cards if card != JOKER]
    ranks = tuple(sorted([_RANK[card] for card in plain]))
    suited = len({_SUIT[card] for card in plain}) == 1
    return _high(ranks, suited, low_straight)


@cache
def _high(ranks: tuple[int, ...], suited: bool, low_straight: bool) -> Worth:
    """The same by the ranks of the cards, from the lowest; of three the fourth is the joker."""
    joker = len(ranks) == 3
    distinct = frozenset(ranks)
    if len(distinct) == len(ranks):
        run = _run(distinct, _LOW_ORDER if low_straight else _HIGH_ORDER)
        if suited:
            straight = _run(distinct, _HIGH_ORDER)
            if straight == len(_HIGH_ORDER):
                return (ROYAL,)
            if straight:
                return (STRAIGHT_FLUSH, straight)
            missing = [max(rank for rank in range(2, 15) if rank not in distinct)] if joker else []
            return (FLUSH, *sorted([*ranks, *missing], reverse=True))
        if run:
            return (STRAIGHT, run)
    return _by_groups((*ranks, 14) if joker else ranks)


def _run(ranks: frozenset[int], order: tuple[frozenset[int], ...]) -> int:
    """How high a run the ranks make, or three of them with the joker; 0: none."""
    for place, run in enumerate(order):
        if ranks <= run:
            return len(order) - place
    return 0


@cache
def _by_groups(ranks: tuple[int, ...]) -> Worth:
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    order = tuple(rank for _, rank in groups)
    match [count for count, _ in groups]:
        case [4]:
            return (FOUR_ACES,) if order == (14,) else (FOUR, *order)
        case [3, 1]:
            return (TRIPS, *order)
        case [2, 2]:
            return (TWO_PAIR, *order)
        case [2, 1, 1] | [2]:
            return (PAIR, *order)
        case _:
            return (0, *order)


_Way = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[Worth, Worth, Worth]]
"""High, medium and low hand, and what each is worth: as ``SetHands`` has them."""


def _ways(cards: Sequence[str], low_straight: bool) -> Iterator[_Way]:
    """All 105 ways to lay seven cards, permitted or not."""
    for high in combinations(cards, 4):
        top = high_worth(high, low_straight=low_straight)
        rest = [card for card in cards if card not in high]
        for low in rest:
            medium = tuple([card for card in rest if card != low])
            small = _by_groups(tuple([_RANK[card] for card in medium]))
            yield high, medium, (low,), (top, small, (0, _RANK[low]))


def all_settings(cards: Sequence[str], *, low_straight: bool = False) -> Iterator[SetHands]:
    """All 105 ways to lay seven cards, permitted or not."""
    return starmap(SetHands, _ways(cards, low_straight))


def settings(cards: Sequence[str], *, low_straight: bool = False) -> list[SetHands]:
    """The permitted ways to set seven cards."""
    return [laid for laid in all_settings(cards, low_straight=low_straight) if laid.permitted]


_HANDS: Final = {"high": 0, "medium": 1, "low": 2}


def set_by(
    steps: Sequence[HouseWayStep], cards: Sequence[str], *, low_straight: bool = False
) -> list[SetHands]:
    """The settings that a way of setting leaves: all of the same worth.

    Args:
        steps: the way of setting, in the order in which its steps are asked.
        cards: seven cards as words, such as ``10H``.
        low_straight: as for ``high_worth``.
    """
    hand = _three_pair(cards)
    step = next(s for s in steps if s.holding is None or (s.holding == "three pair" and hand))
    return [*_preferred(tuple(step.prefer), tuple(cards), low_straight)]


_Places = tuple[tuple[int, ...], tuple[int, int], int]
"""Of seven cards the places of those in the high hand, of both in the medium one, of the low one."""


def _lays() -> Iterator[tuple[tuple[int, ...], tuple[_Places, ...]]]:
    """The places of each high hand, with the three ways to lay the other cards."""
    for high in combinations(range(7), 4):
        rest = [place for place in range(7) if place not in high]
        ways = ((1, 2, 0), (0, 2, 1), (0, 1, 2))
        yield high, tuple((high, (rest[i], rest[j]), rest[low]) for i, j, low in ways)


_LAYS: Final = tuple(_lays())
"""All 105 ways to lay seven cards, in the order of ``_ways``."""


@lru_cache(maxsize=8_192)  # a day is played twice: to find places for plants, and in earnest
def _preferred(
    prefer: tuple[str, ...], cards: tuple[str, ...], low_straight: bool
) -> tuple[SetHands, ...]:
    """The settings that one step leaves."""
    first, *then = [_HANDS[word.removeprefix("highest ")] for word in prefer]
    ranks = [_RANK[card] for card in cards]
    best: tuple[Worth, ...] = ()
    left: list[tuple[_Places, tuple[Worth, Worth, Worth]]] = []
    for high, lays in _LAYS:
        top = high_worth([cards[place] for place in high], low_straight=low_straight)
        if first == 0 and best and top < best[0]:
            continue
        for places in lays:
            _, (left_card, right_card), low = places
            worth = (top, _by_groups((ranks[left_card], ranks[right_card])), (0, ranks[low]))
            if not worth[0] > worth[1] > worth[2] or (best and worth[first] < best[0]):
                continue
            preferred = (worth[first], *[worth[hand] for hand in then])
            if preferred > best:
                best, left = preferred, []
            if preferred == best:
                left.append((places, worth))
    return tuple(
        SetHands(
            tuple([cards[place] for place in high]),
            (cards[left_card], cards[right_card]),
            (cards[low],),
            worth,
        )
        for (high, (left_card, right_card), low), worth in left
    )


def _three_pair(cards: Sequence[str]) -> bool:
    ranks = [_RANK[card] for card in cards]
    return sorted(ranks.count(rank) for rank in set(ranks)) == [1, 2, 2, 2]


def higher(player: SetHands, dealer: SetHands) -> int:
    """How many of a player's hands outrank the dealer's; a copy does not (§ 575.11(f))."""
    return sum(mine > his for mine, his in zip(player.worth, dealer.worth, strict=True))


def bonus_hand(cards: Sequence[str]) -> str | None:
    """The highest of the eleven bonus hands in seven cards, by its filed name (§ 575.6(d))."""
    joker = JOKER in cards
    ranks = [_RANK[card] for card in cards]
    counts = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    if counts == [4, 3] and ranks.count(8) == 4:
        return "Three of a kind and four 8s"
    if counts[0] == 5:
        return "Five aces"
    plain = [card for card in cards if card != JOKER]
    by_suit = [{_RANK[card] for card in plain if _SUIT[card] == suit} for suit in "SHDC"]
    suited = next((held for held in by_suit if len(held) + joker >= 5), None)
    if suited is not None:
        if len(suited & _FIVES[0]) + joker >= 5:
            return "Royal flush"
        if any(run <= suited for run in _FIVES):
            return "Natural straight flush"
        if joker and any(len(run & suited) == 4 for run in _FIVES):
            return "Straight flush with joker"
    if counts[0] == 4:
        return "Four of a kind"
    if not joker and frozenset(ranks) in _NINES:
        return "9-high"
    if counts[0] == 3 and counts[1] >= 2:
        return "Full house"
    if suited is not None:
        return "Flush"
    if counts[0] == 3:
        return "Three of a kind"
    there = {_RANK[card] for card in plain}
    if any(len(run & there) + joker >= 5 for run in _FIVES):
        return "Straight"
    return None
