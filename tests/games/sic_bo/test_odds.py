"""All 216 rolls, each wager and pick against rules typed here again from §§ 539.3 and 539.6."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Final

import pytest

from ledger.games import BY_KEY
from ledger.games.room import verdict
from tests.games.facts import rules_of

ROOM: Final = BY_KEY["sic_bo"]
ROLLS: Final = list(product(range(1, 7), repeat=3))
PAYS: Final = {
    4: 50,
    5: 18,
    6: 14,
    7: 12,
    8: 8,
    9: 6,
    10: 6,
    11: 6,
    12: 6,
    13: 8,
    14: 12,
    15: 14,
    16: 18,
    17: 50,
}
# How often three dice add up to a total, of 216: the usual table of textbooks.
WAYS: Final = {
    4: 3,
    5: 6,
    6: 10,
    7: 15,
    8: 21,
    9: 25,
    10: 27,
    11: 27,
    12: 25,
    13: 21,
    14: 15,
    15: 10,
    16: 6,
    17: 3,
}


def pays(wager: str, picks: tuple[int, ...], roll: tuple[int, ...]) -> int | None:
    """What the wager pays to 1, None when it loses."""
    a, b, c = roll
    same = a == b == c
    hits = [a, b, c].count(picks[0]) if picks else 0
    match wager:
        case "Three of a Kind":
            return 150 if hits == 3 else None
        case "Two of a Kind":
            return 8 if hits >= 2 else None
        case "Any Three of a Kind":
            return 24 if same else None
        case "Total Value Bet":
            return PAYS[picks[0]] if a + b + c == picks[0] else None
        case "Two Dice Combination":
            return 5 if picks[0] in roll and picks[1] in roll else None
        case "Small Bet":
            return 1 if a + b + c <= 10 and not same else None
        case "Big Bet":
            return 1 if a + b + c >= 11 and not same else None
        case "One of a Kind":
            return hits or None
    raise AssertionError(wager)


SLIPS: Final = [(wager.name, picks) for wager in ROOM.wagers for picks in wager.picks]


def test_539_3_there_are_fifty_slips_to_bet_on() -> None:
    assert len(SLIPS) == len(set(SLIPS)) == 6 + 6 + 1 + 14 + 15 + 1 + 1 + 6


@pytest.mark.row_by_row
@pytest.mark.parametrize(("wager", "picks"), SLIPS, ids=lambda value: str(value))
def test_539_3_and_6_each_roll(wager: str, picks: tuple[int, ...]) -> None:
    rules = rules_of(ROOM)
    for roll in ROLLS:
        found = verdict(rules, wager, picks, tuple(sorted(roll)))
        assert found is not None
        due = pays(wager, picks, roll)
        assert found.won is (due is not None), roll
        if found.line is not None:
            assert (found.line.odds.pays, found.line.odds.stake) == (due, 1), roll


@pytest.mark.parametrize(
    ("wager", "picks"),
    [
        ("Total Value Bet", (3,)),
        ("Total Value Bet", (18,)),
        ("Two Dice Combination", (4, 4)),
        ("Three of a Kind", (7,)),
        ("Odd", ()),
    ],
    ids=["539.3(4)#2-three", "539.3(4)#2-eighteen", "539.3(5)#2", "539.3(1)", "539.3#1"],
)
def test_no_such_wager(wager: str, picks: tuple[int, ...]) -> None:
    assert verdict(rules_of(ROOM), wager, picks, (1, 2, 3)) is None


EDGES: Final = {
    # Published house edges of Sic Bo (Wizard of Odds): 30.09 %, 33.33 %, 30.56 %, 16.67 %, 2.78 %, 7.87 %.
    "Three of a Kind": Fraction(65, 216),
    "Two of a Kind": Fraction(1, 3),
    "Any Three of a Kind": Fraction(11, 36),
    "Two Dice Combination": Fraction(1, 6),
    "Small Bet": Fraction(1, 36),
    "Big Bet": Fraction(1, 36),
    "One of a Kind": Fraction(17, 216),
} | {
    f"Total Value Bet {total}": 1 - Fraction(WAYS[total] * (PAYS[total] + 1), 216) for total in PAYS
}


@pytest.mark.row_by_row
@pytest.mark.parametrize(("wager", "picks"), SLIPS, ids=lambda value: str(value))
def test_house_edge_is_the_published_one(wager: str, picks: tuple[int, ...]) -> None:
    rules = rules_of(ROOM)
    back = Fraction(0)
    for shown, chance, factor in ROOM.outcomes():
        found = verdict(rules, wager, picks, shown)
        if found is not None and found.line is not None:
            back += chance * (1 + found.line.odds.ratio * factor)
    name = f"{wager} {picks[0]}" if wager == "Total Value Bet" else wager
    assert 1 - back == EDGES[name]
