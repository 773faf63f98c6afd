"""The eleven bonus hands, priced: exact edges under the three paytables, typed again from § 575.12(b)."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import pytest

from ledger.games import BY_KEY
from ledger.games.asia_poker.wagers import BONUS_COUNTS, BonusHand, HandShown
from ledger.games.room import Rules, rules_on, verdict
from ledger.reports import chapter_paytables
from tests.games.facts import DAYS, rules_of

ROOM: Final = BY_KEY["asia_poker"]
TABLE: Final = {   # § 575.12(b): paytable A, then B and C
    "Three of a kind and four 8s": (5000, 5000, 5000),
    "Five aces": (800, 800, 800),
    "Royal flush": (200, 200, 200),
    "Natural straight flush": (80, 50, 50),
    "Straight flush with joker": (40, 40, 40),
    "Four of a kind": (30, 30, 25),
    "9-high": (10, 10, 10),
    "Full house": (5, 5, 5),
    "Flush": (4, 4, 4),
    "Three of a kind": (3, 3, 3),
    "Straight": (2, 2, 2),
}  # fmt: skip
EDGES: Final = {
    "A": Fraction(2230887, 38535770),
    "B": Fraction(2521347, 38535770),
    "C": Fraction(830177, 11010220),
}


def under(name: str) -> Rules:
    return rules_on(ROOM, DAYS["asia_poker"], chapter_paytables(ROOM)[name])


@pytest.mark.parametrize("name", EDGES)
def test_575_12_b_each_hand_pays_what_the_paytable_says(name: str) -> None:
    column = "ABC".index(name)
    for hand in BonusHand:
        found = verdict(under(name), "Bonus Wager", (), HandShown(0, True, hand))
        assert found is not None
        assert found.line is not None
        assert found.line.odds.ratio == TABLE[hand.value][column]
    lost = verdict(under(name), "Bonus Wager", (), HandShown(0, True, None))
    assert lost is not None
    assert not lost.won


@pytest.mark.parametrize("name", EDGES)
def test_575_12_b_the_house_edge_by_the_count_of_all_hands(name: str) -> None:
    column = "ABC".index(name)
    back = sum(n * (TABLE[hand.value][column] + 1) for hand, n in BONUS_COUNTS if hand)
    assert 1 - Fraction(back, 154_143_080) == EDGES[name] > 0


@pytest.mark.parametrize(("higher", "won"), [(0, False), (1, False), (2, True), (3, True)])
def test_575_11_f_two_of_three_hands_win_even_money(higher: int, won: bool) -> None:
    found = verdict(rules_of(ROOM), "Asia Poker Wager", (), HandShown(higher, True, None))
    assert found is not None
    assert found.won is won
    assert found.line is None or str(found.line.odds) == "1 to 1"
    foul = verdict(rules_of(ROOM), "Asia Poker Wager", (), HandShown(higher, False, None))
    assert foul is not None
    assert not foul.won
