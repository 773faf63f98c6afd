"""How hands rank, and the bonus hands, counted in other ways than the room finds them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from ledger.events import HouseWayStep
from ledger.games.asia_poker.terms import Hands, Switches, rank_high, rank_low_cards, start_of
from ledger.games.asia_poker.validity import Accident, HouseWay, foul, permitted, set_the_house_way
from ledger.games.asia_poker.wagers import (
    BONUS_COUNTS,
    PAYOUTS,
    PAYTABLES,
    BonusHand,
    bonus_hand,
    tables_of,
)
from ledger.games.cards import FIFTY_TWO, JOKER, RANKS, SUITS, Card, cards_of
from ledger.kernel import Odds

WAY = HouseWay(
    (HouseWayStep(holding=None, prefer=("highest high", "highest medium", "highest low")),)
)


def cards(text: str) -> tuple[Card, ...]:
    found = cards_of(text.split())
    assert found is not None
    return found


def hand(text: str) -> frozenset[Card]:
    return frozenset(cards(text))


# Counted by hand for 52 cards: 13 ranks, 4 suits; 11 sequences of four ranks (ace high and low).
NATURAL = {
    "four aces": 1,
    "royal flush": 4,
    "straight flush": 10 * 4,
    "four of a kind": 12,
    "flush": 4 * comb(13, 4) - 11 * 4,
    "straight": 11 * 4**4 - 11 * 4,
    "three of a kind": 13 * 4 * 48,
    "two pair": comb(13, 2) * 36,
    "pair": 13 * 6 * comb(12, 2) * 16,
    "high card": (comb(13, 4) - 11) * (4**4 - 4),
}
# With the joker and three of 52: ranks and suits of the three counted by hand.
STRAIGHT_SETS = {frozenset(three) for w in ([*(range(low, low + 4) for low in range(2, 12))], [(14, 2, 3, 4)])
                 for window in w for three in combinations(window, 3)}  # fmt: skip
ROYAL_SETS = set(map(frozenset, combinations((14, 13, 12, 11), 3)))
WITH_JOKER = {
    "four aces": 4,
    "royal flush": 4 * len(ROYAL_SETS),
    "straight flush": 4 * len(STRAIGHT_SETS - ROYAL_SETS),
    "flush": 4 * (comb(13, 3) - len(STRAIGHT_SETS)),
    "straight": len(STRAIGHT_SETS) * (64 - 4),
    "three of a kind": 12 * 4 + 6 * 48,  # three natural, or two aces and the joker
    "two pair": 12 * 6 * 4,  # a pair below aces, and an ace beside the joker
}


@pytest.fixture(scope="module")
def counted() -> dict[bool, Counter[str]]:
    found: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}
    for four in combinations(FIFTY_TWO, 4):
        found[False][rank_high(frozenset(four)).name] += 1
    for three in combinations(FIFTY_TWO, 3):
        found[True][rank_high(frozenset((*three, JOKER))).name] += 1
    return found


def test_the_ranking_agrees_with_an_independent_count(counted: dict[bool, Counter[str]]) -> None:
    assert dict(counted[False]) == NATURAL
    assert sum(counted[False].values()) + sum(counted[True].values()) == comb(53, 4) == 292_825


def test_the_joker_agrees_with_an_independent_count(counted: dict[bool, Counter[str]]) -> None:
    joker = counted[True]
    assert {name: joker[name] for name in WITH_JOKER} == WITH_JOKER
    assert joker["four of a kind"] == 0  # the joker makes no pair, trips or quads but of aces
    assert sum(joker.values()) == comb(52, 3)


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("AS AH AD JOKER", "AS KS QS JS"),
        ("AS KS JOKER JS", "AS 2S 3S 4S"),
        ("AS 2S 3S 4S", "KH QH JH 10H"),
        ("2S 3S 4S 5S", "KS KH KD KC"),
        ("2S 2H 2D 2C", "AS KS QS 9S"),
        ("2S 3S 4S 7S", "AS KH QD JC"),
        ("AS KH QD JC", "AS 2H 3D 4C"),
        ("AS 2H 3D 4C", "KS QH JD 10C"),
        ("2S 3H 4D 5C", "AS AH AD KC"),
        ("2S 2H 2D 3C", "AS AH KD KC"),
        ("JOKER AS 5H 9C", "KS KH QD JC"),
        ("AS QH 9D 5C", "AS QH 9D 4C"),
        ("KS JOKER 9S 2S", "KS QS 9S 2S"),
    ],
)
def test_575_6_b_order(better: str, worse: str) -> None:
    assert rank_high(hand(better)) > rank_high(hand(worse))


def test_575_6_b_switches() -> None:
    wheel, low = hand("AS 2H 3D 4C"), hand("2S 3H 4D 5C")
    assert rank_high(wheel) > rank_high(low)
    assert rank_high(wheel, Switches(straight_lowest=True)) < rank_high(low)
    suited, bottom = hand("AS 2S 3S 4S"), hand("2S 3S 4S 5S")
    assert rank_high(suited, Switches(straight_lowest=True)) > rank_high(bottom)
    assert rank_high(suited, Switches(straight_flush_lowest=True)) < rank_high(bottom)


def test_575_6_c_copies_and_suits() -> None:
    assert rank_high(hand("AS QH 9D 5C")) == rank_high(hand("AH QS 9C 5D"))
    assert rank_low_cards(cards("JOKER KS")) == rank_low_cards(cards("AS KH"))
    assert rank_low_cards(cards("2S 2H")) > rank_low_cards(cards("AS KH"))


@pytest.mark.parametrize(
    ("seven", "made"),
    [
        ("8S 8H 8D 8C 2S 2H 2D", BonusHand.TRIPS_AND_EIGHTS),
        ("8S 8H 8D 8C AS AH JOKER", BonusHand.TRIPS_AND_EIGHTS),
        ("8S 8H 8D 8C 2S 2H 3D", BonusHand.FOUR_OF_A_KIND),
        ("AS AH AD AC JOKER 2S 3S", BonusHand.FIVE_ACES),
        ("AS KS QS JS JOKER 2H 3D", BonusHand.ROYAL_FLUSH),
        ("QS JS 10S 9S 8S JOKER 2H", BonusHand.NATURAL_STRAIGHT_FLUSH),
        ("AS 2S 3S 4S 5S 9H 9D", BonusHand.NATURAL_STRAIGHT_FLUSH),
        ("QS JS 10S 9S JOKER 2H 3D", BonusHand.STRAIGHT_FLUSH),
        ("AS AH AD JOKER 2S 3S 9H", BonusHand.FOUR_OF_A_KIND),
        ("9S 8S 7S 6S 4S 3H 2D", BonusHand.NINE_HIGH),
        ("9S 8S 7S 5S 4H 3H 2D", BonusHand.NINE_HIGH),
        ("AS JOKER 9H 9D 9C 2S 4H", BonusHand.FULL_HOUSE),
        ("2S 4S 6S 9S JOKER KH QD", BonusHand.FLUSH),
        ("AS AH JOKER 9D 7C 5S 3H", BonusHand.THREE_OF_A_KIND),
        ("KS KH JOKER 9D 7C 5S 3H", None),
        ("AS 2H 3D 4C 5S KH JD", BonusHand.STRAIGHT),
        ("QS KH AD 2C 3S 9H 8D", None),
    ],
)
def test_575_6_d_bonus_hands(seven: str, made: BonusHand | None) -> None:
    assert bonus_hand(cards(seven)) is made


def test_the_bonus_counts_agree_with_an_independent_count() -> None:
    """Four of the lines counted by hand, and the sum of all."""
    counts = dict(BONUS_COUNTS)
    assert sum(counts.values()) == comb(53, 7) == 154_143_080
    assert counts[BonusHand.TRIPS_AND_EIGHTS] == 12 * 4 + comb(4, 2)
    assert counts[BonusHand.FIVE_ACES] == comb(48, 2)
    assert counts[BonusHand.NINE_HIGH] == 2 * 4**7
    natural_royals = 4 * comb(47 + 1, 2)  # any two more, the joker among them
    with_joker = 4 * 5 * (comb(47, 2))  # four of the five and the joker; the fifth is not there
    assert counts[BonusHand.ROYAL_FLUSH] == natural_royals + with_joker


def test_575_12_b_paytables() -> None:
    whole = {BonusHand(row.filed_as): row.pays for row in PAYOUTS if row.filed_as}
    for name, other in PAYTABLES.items():
        assert tables_of(whole | other) == (name,)
    mixed = whole | {BonusHand.FOUR_OF_A_KIND: Odds(25, 1)}
    assert tables_of(mixed) == ()
    del mixed[BonusHand.NATURAL_STRAIGHT_FLUSH]
    assert tables_of(mixed) == ("C",)


@pytest.mark.parametrize(
    ("high", "medium", "low", "fault"),
    [
        ("7S 7H 3D 2C", "7D 7C", "5S", None),
        ("7S 7H 3D 2C", "8D 8C", "5S", Accident.HIGH_TOO_LOW),
        ("9H 9D 8C 4S", "KS QH", "JOKER", Accident.MEDIUM_TOO_LOW),
        ("9H 9D 8C 4S", "AS QH", "JOKER", None),
        ("9H 9D 8C", "KS QH 4S", "2H", Accident.NOT_SET),
    ],
)
def test_575_11_b_fouls(high: str, medium: str, low: str, fault: Accident | None) -> None:
    assert foul(Hands(cards(high), cards(medium), cards(low)), None, Switches()) is fault


def test_575_11_c_the_house_way_can_be_run() -> None:
    seven = hand("KC KD QH 8S 6C 4D 2H")
    assert len(permitted(seven)) > 1
    (only,) = set_the_house_way(WAY, seven)
    best = only.hands
    assert (set(best.high), set(best.medium), best.low) == (
        set(cards("KC KD QH 8S")), set(cards("6C 4D")), cards("2H"),
    )  # fmt: skip
    by_pair = HouseWay((HouseWayStep(holding="pair", prefer=("pair in medium",)),))
    # two kings in the medium hand would need more in the high hand than these cards have
    assert all(
        set(one.hands.medium) != set(cards("KC KD")) for one in set_the_house_way(by_pair, seven)
    )
    unknown = HouseWay((HouseWayStep(holding=None, prefer=("prettiest high",)),))
    assert set_the_house_way(unknown, seven) == ()


@pytest.mark.parametrize(("total", "start"), [(3, "3"), (7, "7"), (8, "1"), (12, "5"), (18, "4")])
def test_575_5_g_the_start(total: int, start: str) -> None:
    assert start_of(total) == start


def test_a_card_is_read_once_and_only_if_it_is_one() -> None:
    assert len({Card(rank, suit) for rank in RANKS for suit in SUITS} | {JOKER}) == 53
    assert cards_of(["AS", "AS"]) is None
    assert cards_of(["1S"]) is None
