"""What all 154,143,080 hands of seven cards out of 53 make as a bonus hand, counted exactly.

Hands that are alike are judged once: the room's own `bonus_hand` is given one hand of each class.
Four or more natural cards of a suit can matter to a flush only in one suit, so flushes are counted
by that suit's ranks and the rest; every other hand by its ranks alone.
Law: §§ 575.4(a), 575.6(d).
"""

from __future__ import annotations

import hashlib
import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from math import comb, prod
from typing import Final, TypeAlias

from ledger.games.asia_poker import wagers
from ledger.games.asia_poker.wagers import (
    BONUS_COUNTED_FROM,
    BONUS_COUNTS,
    BonusHand,
    bonus_hand,
)
from ledger.games.cards import JOKER, RANKS, SUITS, WITH_JOKER, Card
from ledger.games.law_page_tables import Recount

DEALT: Final = 7
HANDS: Final = comb(len(WITH_JOKER), DEALT)
Ranks: TypeAlias = tuple[int, ...]
Judge: TypeAlias = Callable[[Sequence[Card]], BonusHand | None]


def count_hands(
    judge: Judge = bonus_hand, *, jokers: tuple[bool, ...] = (False, True)
) -> Counter[BonusHand | None]:
    """Count how many hands make each bonus hand.

    Args:
        judge: says what seven cards make; it must depend on which suits are alike, not on which
            they are.
        jokers: count hands without the joker, with it, or both.

    Returns:
        The counts; None stands for no bonus hand.
    """
    counts: Counter[BonusHand | None] = Counter()
    for joker in jokers:
        natural = DEALT - joker
        wild = (JOKER,) * joker
        flushed: Counter[Ranks] = Counter()
        for cards, ways in _suited(natural, DEALT - 2 - joker):
            counts[judge(cards + wild)] += ways
            flushed[tuple(sorted(card.rank for card in cards))] += ways
        for ranks in _patterns(natural):
            plain = prod(comb(len(SUITS), n) for n in Counter(ranks).values()) - flushed[ranks]
            counts[judge(_no_flush(ranks) + wild)] += plain
    return counts


def recount() -> Recount:
    """Count the hands again, and return the result with the stored counts."""
    return Recount(
        counts=_by_name(count_hands()),
        stored=_by_name(stored()),
        rows=rows_hash(),
        rows_stored=BONUS_COUNTED_FROM,
    )


def _by_name(counts: Mapping[BonusHand | None, int]) -> dict[str, int]:
    named = {hand.value: counts.get(hand, 0) for hand in BonusHand}
    return {**named, "no bonus hand": counts.get(None, 0)}


def stored() -> Counter[BonusHand | None]:
    """Return the counts that the room uses."""
    return Counter(dict(BONUS_COUNTS))


def rows_hash() -> str:
    """Return the hash of what the counts depend on: deck, eleven hands, ranking code.

    Spaces, comments and line ends do not change it. SHA-256, hexadecimal.
    """
    source = "".join(
        inspect.getsource(part) for part in (wagers.bonus_hand, wagers._straight_flush)
    )
    bare = re.sub(r"\s+", "", re.sub(r"#[^\n]*|\"\"\".*?\"\"\"", "", source, flags=re.S))
    rows = [
        *(card.word for card in WITH_JOKER),
        *(f"{hand.name} {hand.value}" for hand in BonusHand),
        *(" ".join(map(str, sorted(ranks))) for ranks in (*wagers.NINE_HIGHS, *wagers.WINDOWS)),
        bare,
    ]
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()


def _suited(natural: int, least: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Yield hands with at least so many cards of one suit: one of each class, and its size."""
    suit, others = SUITS[0], SUITS[1:]
    for suited in range(least, natural + 1):
        for ranks in combinations(RANKS, suited):
            own = tuple(Card(rank, suit) for rank in ranks)
            for rest, ways in _rest(natural - suited, others):
                yield own + rest, len(SUITS) * ways


def _rest(cards: int, suits: tuple[str, ...]) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Yield up to two cards of the other suits by rank, and in how many ways they fall."""
    if cards == 0:
        yield (), 1
    elif cards == 1:
        for rank in RANKS:
            yield (Card(rank, suits[0]),), len(suits)
    else:
        for low, high in combinations(RANKS, 2):
            yield (Card(low, suits[0]), Card(high, suits[1])), len(suits) ** 2
        for rank in RANKS:
            yield (Card(rank, suits[0]), Card(rank, suits[1])), comb(len(suits), 2)


def _patterns(natural: int) -> Iterator[Ranks]:
    """Yield every rising list of ranks with no more than four of one."""

    def longer(ranks: Ranks, lowest: int) -> Iterator[Ranks]:
        if len(ranks) == natural:
            yield ranks
            return
        for rank in range(lowest, RANKS[-1] + 1):
            if ranks.count(rank) < len(SUITS):
                yield from longer((*ranks, rank), rank)

    return longer((), RANKS[0])


def _no_flush(ranks: Ranks) -> tuple[Card, ...]:
    """Return cards of these ranks in which no suit has more than two."""
    return tuple(Card(rank, SUITS[place % len(SUITS)]) for place, rank in enumerate(ranks))
