"""The two permitted wagers, the eleven bonus hands and the three paytables.

Law: §§ 575.6(d), 575.7(d), (e), 575.11(f), (h), 575.12(a), (b).
Readings: bonus-joker-ace, nine-high-over-flush, nine-high-or-better, copy-loses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Final, NamedTuple

from ledger.games.asia_poker.terms import BONUS, LAW, MAIN
from ledger.games.cards import ACE, SUITS, Card
from ledger.games.room import Payout, Picks, Wager
from ledger.kernel import Odds
from ledger.kernel.quick_dataclass import dataclass


class BonusHand(StrEnum):
    """The hands of § 575.6(d), as a filing names them, highest first."""

    TRIPS_AND_EIGHTS = "Three of a kind and four 8s"
    FIVE_ACES = "Five aces"
    ROYAL_FLUSH = "Royal flush"
    NATURAL_STRAIGHT_FLUSH = "Natural straight flush"
    STRAIGHT_FLUSH = "Straight flush with joker"
    FOUR_OF_A_KIND = "Four of a kind"
    NINE_HIGH = "9-high"
    FULL_HOUSE = "Full house"
    FLUSH = "Flush"
    THREE_OF_A_KIND = "Three of a kind"
    STRAIGHT = "Straight"


class HandShown(NamedTuple):
    """What seven cards came to.

    Args:
        higher: how many of the three hands are higher than the dealer's.
        set_correctly: the hands are set correctly.
        bonus: the bonus hand; None if the cards make none.
        compared: of the high, the medium and the low hand, whether it is "higher" than the
            dealer's, a "copy" of it or "lower"; empty where they were not compared.
    """

    higher: int
    set_correctly: bool
    bonus: BonusHand | None
    compared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TwoHigher:
    """Two of the three hands outrank the dealer's."""

    def __call__(self, shown: HandShown, picks: Picks) -> bool:
        return shown.set_correctly and shown.higher >= 2

    def __str__(self) -> str:
        return "the hands are set correctly and two of the three rank higher than the dealer's"


@dataclass(frozen=True, slots=True)
class AnyBonusHand:
    """The seven cards make one of the eleven hands."""

    def __call__(self, shown: HandShown, picks: Picks) -> bool:
        return shown.bonus is not None

    def __str__(self) -> str:
        return "the seven cards make one of the eleven bonus hands"


@dataclass(frozen=True, slots=True)
class Makes:
    """The best hand of the seven cards is this one."""

    hand: BonusHand

    def __call__(self, shown: HandShown, picks: Picks) -> bool:
        return shown.bonus is self.hand

    def __str__(self) -> str:
        return self.hand.value


TWO_HIGHER: Final = TwoHigher()
H = BonusHand

# fmt: off
WAGERS: Final = (       # § 575.7(d), (e)
    #     wager  wins on          defined at
    Wager(MAIN,  TWO_HIGHER,      LAW[".11(f)(2)#1"], reading="copy-loses"),
    Wager(BONUS, AnyBonusHand(),  LAW[".7(e)#3"],     reading="nine-high-or-better"),
)
PAYOUTS: Final = (      # § 575.12(a), (b): these odds, neither less nor more; (b) by paytable A
    #      wager  on                                pays            listed at         filed as                                    reading
    Payout(MAIN,  TWO_HIGHER,                       Odds(1, 1),     LAW[".12(a)"],    fixed=True),
    Payout(BONUS, Makes(H.TRIPS_AND_EIGHTS),        Odds(5000, 1),  LAW[".12(b)#1"],  filed_as=H.TRIPS_AND_EIGHTS.value,          fixed=True, reading="bonus-joker-ace"),
    Payout(BONUS, Makes(H.FIVE_ACES),               Odds(800, 1),   LAW[".12(b)#2"],  filed_as=H.FIVE_ACES.value,                 fixed=True),
    Payout(BONUS, Makes(H.ROYAL_FLUSH),             Odds(200, 1),   LAW[".12(b)#3"],  filed_as=H.ROYAL_FLUSH.value,               fixed=True),
    Payout(BONUS, Makes(H.NATURAL_STRAIGHT_FLUSH),  Odds(80, 1),    LAW[".12(b)#4"],  filed_as=H.NATURAL_STRAIGHT_FLUSH.value,    fixed=True),
    Payout(BONUS, Makes(H.STRAIGHT_FLUSH),          Odds(40, 1),    LAW[".12(b)#5"],  filed_as=H.STRAIGHT_FLUSH.value,            fixed=True),
    Payout(BONUS, Makes(H.FOUR_OF_A_KIND),          Odds(30, 1),    LAW[".12(b)#6"],  filed_as=H.FOUR_OF_A_KIND.value,            fixed=True),
    Payout(BONUS, Makes(H.NINE_HIGH),               Odds(10, 1),    LAW[".12(b)#7"],  filed_as=H.NINE_HIGH.value,                 fixed=True, reading="nine-high-over-flush"),
    Payout(BONUS, Makes(H.FULL_HOUSE),              Odds(5, 1),     LAW[".12(b)#8"],  filed_as=H.FULL_HOUSE.value,                fixed=True),
    Payout(BONUS, Makes(H.FLUSH),                   Odds(4, 1),     LAW[".12(b)#9"],  filed_as=H.FLUSH.value,                     fixed=True),
    Payout(BONUS, Makes(H.THREE_OF_A_KIND),         Odds(3, 1),     LAW[".12(b)#10"], filed_as=H.THREE_OF_A_KIND.value,           fixed=True),
    Payout(BONUS, Makes(H.STRAIGHT),                Odds(2, 1),     LAW[".12(b)#11"], filed_as=H.STRAIGHT.value,                  fixed=True),
)
PAYTABLES: Final[dict[str, dict[BonusHand, Odds]]] = {   # § 575.12(b): where B and C differ from A
    "A": {},
    "B": {H.NATURAL_STRAIGHT_FLUSH: Odds(50, 1)},
    "C": {H.NATURAL_STRAIGHT_FLUSH: Odds(50, 1), H.FOUR_OF_A_KIND: Odds(25, 1)},
}
# fmt: on

NINE_HIGHS: Final = (frozenset({9, 8, 7, 6, 4, 3, 2}), frozenset({9, 8, 7, 5, 4, 3, 2}))
WINDOWS: Final = tuple(
    frozenset(range(low, low + 5)) if low > 1 else frozenset({ACE, 2, 3, 4, 5})
    for low in range(10, 0, -1)
)
"""Five ranks in sequence, the highest first; the ace ends the last one below."""
_BITS: Final = tuple(sum(1 << rank for rank in window) for window in WINDOWS)


def tables_of(odds: Mapping[BonusHand, Odds]) -> tuple[str, ...]:
    """Return the paytables that list these odds.

    Several are returned where the lines that distinguish them are missing.
    """
    listed = {H(row.filed_as): row.pays for row in PAYOUTS if row.filed_as}
    return tuple(
        name
        for name, other in PAYTABLES.items()
        if all((listed | other)[hand].ratio == value.ratio for hand, value in odds.items())
    )


def bonus_hand(cards: Sequence[Card]) -> BonusHand | None:
    """Return the highest of the eleven hands that seven cards make (§ 575.6(d)); else None."""
    joker, counts, ranks = 0, {ACE: 0}, 0
    by_suit = dict.fromkeys(SUITS, 0)
    for rank, suit in cards:
        if suit:
            bit = 1 << rank
            ranks |= bit
            by_suit[suit] |= bit
        else:
            joker, rank = 1, ACE
        counts[rank] = counts.get(rank, 0) + 1
    sizes = sorted(counts.values(), reverse=True)
    if sizes[:2] == [4, 3] and counts.get(8) == 4:
        return H.TRIPS_AND_EIGHTS
    if sizes[0] == 5:
        return H.FIVE_ACES
    flushes = [bits for bits in by_suit.values() if bits.bit_count() + joker >= 5]
    for suited in flushes:
        best = _straight_flush(suited, joker)
        if best is not None:
            return best
    if sizes[0] == 4:
        return H.FOUR_OF_A_KIND
    if sizes[0] == 1 and not joker and counts.keys() - {ACE} in NINE_HIGHS and not counts[ACE]:
        return H.NINE_HIGH
    if sizes[0] == 3 and len(sizes) > 1 and sizes[1] >= 2:
        return H.FULL_HOUSE
    if flushes:
        return H.FLUSH
    if sizes[0] == 3:
        return H.THREE_OF_A_KIND
    for window in _BITS:
        if (ranks & window).bit_count() + joker >= 5:
            return H.STRAIGHT
    return None


def _straight_flush(ranks: int, joker: int) -> BonusHand | None:
    if (ranks & _BITS[0]).bit_count() + joker >= 5:
        return H.ROYAL_FLUSH
    if any(ranks & window == window for window in _BITS):
        return H.NATURAL_STRAIGHT_FLUSH
    if joker and any((ranks & window).bit_count() == 4 for window in _BITS):
        return H.STRAIGHT_FLUSH
    return None


# fmt: off
BONUS_COUNTS: Final[tuple[tuple[BonusHand | None, int], ...]] = (   # of the 154,143,080 sevens of 53 cards
    (H.TRIPS_AND_EIGHTS,           54),
    (H.FIVE_ACES,               1_128),
    (H.ROYAL_FLUSH,            26_132),
    (H.NATURAL_STRAIGHT_FLUSH, 38_728),
    (H.STRAIGHT_FLUSH,        146_104),
    (H.FOUR_OF_A_KIND,        307_418),
    (H.NINE_HIGH,              32_768),
    (H.FULL_HOUSE,          4_188_528),
    (H.FLUSH,               6_170_400),
    (H.THREE_OF_A_KIND,     7_672_500),
    (H.STRAIGHT,           11_034_204),
    (None,                124_525_116),
)
# fmt: on
BONUS_COUNTED_FROM: Final = "f55f6cd59ec385b12e2a69bb8cf45dc10483e835590c19b053cb2aa3f400a907"
"""SHA-256 of the rows that were counted; `law odds asia_poker --recount` counts again."""
BONUS_CHANCES: Final = tuple(
    (hand, Fraction(count, sum(count for _, count in BONUS_COUNTS))) for hand, count in BONUS_COUNTS
)
