"""All 36 rolls, each wager and pick against rules typed here again from §§ 668a.2 and 668a.4."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Final

import pytest

from ledger.events import HopGroup
from ledger.games import BY_KEY
from ledger.games.props_and_hops.terms import LAMMERS, Roll, Sequence
from ledger.games.props_and_hops.wagers import chance_to_complete, faces_of, ways
from ledger.games.room import Rules, verdict
from tests.games.facts import fact, filing, rules_of

ROOM: Final = BY_KEY["props_and_hops"]
ROLLS: Final = list(product(range(1, 7), repeat=2))
GROUPS: Final = {
    "Hop the Top": ("1-2", "1-3", "1-6", "2-5", "3-4", "4-6", "5-6"),
    "Hop the Left": ("1-1", "1-2", "1-3", "1-4", "2-3", "2-4"),
    "Hop the Center": ("1-5", "1-6", "2-2", "2-5", "2-6", "3-3", "3-4", "4-4", "5-5"),
    "Hop the Right": ("3-5", "3-6", "4-5", "4-6", "5-6", "6-6"),
}


def hops(groups: dict[str, tuple[str, ...]] = GROUPS) -> Rules:
    """The rules with these hop groups filed."""
    listed = tuple(HopGroup(wager=name, combinations=pairs) for name, pairs in groups.items())
    option = fact("HopGroupsFiled", 2, 0, submission="RS-1", groups=listed)
    return rules_of(ROOM, replace(filing(), options=(option,)))


def pays(wager: str, picks: tuple[int, ...], roll: tuple[int, int]) -> Fraction | None:
    """What the wager pays to 1, None when it loses."""
    low, high = sorted(roll)
    total = low + high
    match wager:
        case "Double":
            return Fraction(30) if low == high == picks[0] else None
        case "Any Number":
            return Fraction(15) if (low, high) == picks else None
        case "Field":
            return Fraction(2 if total in (2, 12) else 1) if total not in (5, 6, 7, 8) else None
        case "Hop the Top" | "Hop the Center":
            return Fraction(3, 2) if f"{low}-{high}" in GROUPS[wager] else None
        case "Hop the Left" | "Hop the Right":
            return Fraction(2) if f"{low}-{high}" in GROUPS[wager] else None
        case "1-6 and Under":
            return Fraction(1) if total < 7 or (low, high) == (1, 6) else None
        case "3-4 and Over":
            return Fraction(1) if total > 7 or (low, high) == (3, 4) else None
    raise AssertionError(wager)


SLIPS: Final = [
    (wager.name, picks)
    for wager in ROOM.wagers
    for picks in wager.picks
    if wager.name != "Six Eight Shake"
]


def test_668a_2_there_are_twenty_nine_boxes_to_bet_on() -> None:
    assert len(SLIPS) + 1 == 6 + 15 + 1 + 4 + 1 + 1 + 1


@pytest.mark.row_by_row
@pytest.mark.parametrize(("wager", "picks"), SLIPS, ids=lambda value: str(value))
def test_668a_2_and_4_each_roll(wager: str, picks: tuple[int, ...]) -> None:
    rules = hops()
    for roll in ROLLS:
        found = verdict(rules, wager, picks, Roll(tuple(sorted(roll)), Sequence.GOES_ON))
        assert found is not None
        due = pays(wager, picks, roll)
        assert found.won is (due is not None), roll
        if found.line is not None:
            assert found.line.odds.ratio == due, roll


def edge(rules: Rules, wager: str, picks: tuple[int, ...]) -> Fraction:
    back = Fraction(0)
    for shown, chance, _ in ROOM.outcomes():
        found = verdict(rules, wager, picks, shown)
        if found is not None and found.line is not None:
            back += chance * (1 + found.line.odds.ratio)
    return 1 - back


EDGES: Final = {
    # Of 36 ways: 1 - 31/36, 1 - 32/36, 1 - (2 * 3 + 14 * 2) / 36, 1 - 2 * 17 / 36, and groups as above.
    "Double": Fraction(5, 36),
    "Any Number": Fraction(1, 9),
    "Field": Fraction(1, 18),
    "1-6 and Under": Fraction(1, 18),
    "3-4 and Over": Fraction(1, 18),
    "Hop the Top": 1 - Fraction(14 * 5, 72),
    "Hop the Center": 1 - Fraction(14 * 5, 72),
    "Hop the Left": 1 - Fraction(11 * 3, 36),
    "Hop the Right": 1 - Fraction(11 * 3, 36),
}


@pytest.mark.row_by_row
@pytest.mark.parametrize(("wager", "picks"), SLIPS, ids=lambda value: str(value))
def test_the_house_edge_is_that_of_a_count_by_hand(wager: str, picks: tuple[int, ...]) -> None:
    assert edge(hops(), wager, picks) == EDGES[wager]


def six_eight_shake() -> Fraction:
    """By inclusion and exclusion over the combinations that come after the first 7.

    Of the rolls that matter a 7 has weight 6 and a set of combinations its ways: the chance that
    none of the set comes before a 7 is 6 / (6 + ways).
    """
    weights = [2, 2, 1, 2, 2, 1]
    chance = Fraction(0)
    for taken in product((0, 1), repeat=6):
        ways_taken = sum(weight for weight, one in zip(weights, taken, strict=True) if one)
        chance += (-1) ** sum(taken) * Fraction(6, 6 + ways_taken)
    return chance


def test_668a_2_f_8_the_six_eight_shake_by_its_chain_and_by_inclusion_and_exclusion() -> None:
    assert chance_to_complete(frozenset()) == six_eight_shake()
    assert edge(hops(), "Six Eight Shake", ()) == 1 - 151 * six_eight_shake() > 0
    assert chance_to_complete(LAMMERS) == 1
    assert chance_to_complete(LAMMERS - {(3, 3)}) == Fraction(1, 7)
    assert chance_to_complete(LAMMERS - {(1, 5)}) == Fraction(1, 4)


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("wager", "pairs", "generous"),
    [
        ("Hop the Top", GROUPS["Hop the Top"], False),
        ("Hop the Top", (*GROUPS["Hop the Top"], "1-1"), True),
        ("Hop the Left", GROUPS["Hop the Left"], False),
        ("Hop the Left", (*GROUPS["Hop the Left"], "6-6"), True),
        ("Hop the Right", (*GROUPS["Hop the Right"], "6-6"), False),
        ("Hop the Right", (*GROUPS["Hop the Right"], "5-5"), True),
        ("Hop the Center", GROUPS["Hop the Center"], False),
        ("Hop the Center", (*GROUPS["Hop the Center"], "6-6"), True),
    ],
)
def test_a_filed_group_leaves_the_house_an_edge(
    wager: str, pairs: tuple[str, ...], generous: bool
) -> None:
    rules = hops({wager: pairs})
    assert ROOM.judge_filing is not None
    assert bool(ROOM.judge_filing(rules, {})) is generous
    held = ways(faces for pair in pairs if (faces := faces_of(pair)) is not None)
    assert (edge(rules, wager, ()) <= 0) is generous, held


@pytest.mark.parametrize("pairs", [(), ("1-7",), ("1-2", "x")], ids=["none", "no-die", "no-words"])
def test_a_group_that_says_nothing_leaves_its_wager_unknown_and_no_other(
    pairs: tuple[str, ...],
) -> None:
    rules = hops({**GROUPS, "Hop the Top": pairs})
    assert not rules.wagers["Hop the Top"].wins_on.is_known  # type: ignore[attr-defined]
    assert rules.wagers["Hop the Left"].wins_on.is_known  # type: ignore[attr-defined]
    roll = Roll((1, 2), Sequence.GOES_ON)
    assert verdict(rules, "Hop the Top", (), roll) is None
    found = verdict(rules, "Hop the Left", (), roll)
    assert found is not None
    assert found.won


@pytest.mark.parametrize(
    ("wager", "picks"),
    [("Double", (1, 2)), ("Any Number", (3, 3)), ("Any Number", (0, 7)), ("Seven", ())],
)
def test_no_such_wager(wager: str, picks: tuple[int, ...]) -> None:
    assert verdict(hops(), wager, picks, Roll((1, 2), Sequence.GOES_ON)) is None
