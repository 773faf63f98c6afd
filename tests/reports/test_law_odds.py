"""Exact odds, held against figures that were found without the rooms."""

from dataclasses import replace
from datetime import date
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from ledger.events import HopGroup
from ledger.games import BY_KEY
from ledger.games.room import Filed
from ledger.kernel import FactRef, Odds, percent
from ledger.reports import LawNotHeld, chapter_paytables, law_day, law_odds
from tests.games.facts import fact

SIC_BO = law_odds(BY_KEY["sic_bo"])
DREAMCATCHER = law_odds(BY_KEY["dreamcatcher"])

# Sic Bo, of 216 rolls; edge = 1 - sum of (rolls won x (odds + 1)) / 216.
# Small and Big: 108 totals each side less 1 + 2 triples inside (1-1-1 lies at 3): 105 x 2 = 210.
# Three of a Kind 1 x 151. Two of a Kind: 15 exact pairs and 1 triple, 16 x 9 = 144.
# Any Three of a Kind: 6 x 25 = 150. Two Dice: 30 rolls x 6 = 180.
# Totals 4 to 10 fall 3, 6, 10, 15, 21, 25, 27 times (and 17 to 11 alike).
# One of a Kind: 75 x 2 + 15 x 3 + 1 x 4 = 199.
SIC_BO_EDGES = {
    ("Three of a Kind", 1): Fraction(65, 216),
    ("Two of a Kind", 1): Fraction(1, 3),
    ("Any Three of a Kind", None): Fraction(66, 216),
    ("Total Value Bet", 4): 1 - Fraction(3 * 51, 216),
    ("Total Value Bet", 5): Fraction(17, 36),
    ("Total Value Bet", 6): 1 - Fraction(10 * 15, 216),
    ("Total Value Bet", 7): 1 - Fraction(15 * 13, 216),
    ("Total Value Bet", 8): 1 - Fraction(21 * 9, 216),
    ("Total Value Bet", 9): 1 - Fraction(25 * 7, 216),
    ("Total Value Bet", 10): 1 - Fraction(27 * 7, 216),
    ("Total Value Bet", 11): 1 - Fraction(27 * 7, 216),
    ("Total Value Bet", 12): 1 - Fraction(25 * 7, 216),
    ("Total Value Bet", 13): 1 - Fraction(21 * 9, 216),
    ("Total Value Bet", 14): 1 - Fraction(15 * 13, 216),
    ("Total Value Bet", 15): 1 - Fraction(10 * 15, 216),
    ("Total Value Bet", 16): Fraction(17, 36),
    ("Total Value Bet", 17): 1 - Fraction(3 * 51, 216),
    ("Two Dice Combination", 1): 1 - Fraction(180, 216),
    ("Small Bet", None): Fraction(1, 36),
    ("Big Bet", None): Fraction(1, 36),
    ("One of a Kind", 1): Fraction(17, 216),
}

# Dreamcatcher: 23, 15, 7, 4, 2, 1 of the 52 number sections decide. The factor of a round is
# E = 52/54 + (2/54 + 7/54) E, so E = 52/45. Return of n = (count/52) (1 + n x 52/45).
DREAMCATCHER_RETURNS = {
    "1": "2231/2340",
    "2": "149/156",
    "5": "427/468",
    "10": "113/117",
    "20": "217/234",
    "40": "425/468",
}


def rows(data: list[dict[str, Any]], wager: str, pick: object = None) -> list[dict[str, Any]]:
    return [row for row in data if row["wager"] == wager and row["pick"] == pick]


@pytest.mark.row_by_row
@pytest.mark.parametrize(("wager", "pick"), SIC_BO_EDGES)
def test_sic_bo_edges_are_exact(wager: str, pick: int | None):
    picks = [1, 2] if wager == "Two Dice Combination" else [pick]
    found = rows(SIC_BO, wager, None if pick is None else picks)
    assert {row["house_edge"] for row in found} == {str(SIC_BO_EDGES[wager, pick])}


def test_sic_bo_picks_of_one_wager_are_alike():
    for wager in ("Three of a Kind", "Two of a Kind", "Two Dice Combination", "One of a Kind"):
        assert len({row["house_edge"] for row in SIC_BO if row["wager"] == wager}) == 1


def test_sic_bo_probabilities_are_those_of_a_count_of_all_rolls():
    rolls = list(product(range(1, 7), repeat=3))
    triples = [roll for roll in rolls if len(set(roll)) == 1]
    for total in range(4, 18):
        (row,) = rows(SIC_BO, "Total Value Bet", [total])
        assert Fraction(row["probability"]) == Fraction(sum(sum(r) == total for r in rolls), 216)
    for count, row in zip((1, 2, 3), rows(SIC_BO, "One of a Kind", [6]), strict=True):
        assert Fraction(row["probability"]) == Fraction(
            sum(r.count(6) == count for r in rolls), 216
        )
    (small,) = rows(SIC_BO, "Small Bet")
    won = sum(4 <= sum(r) <= 10 and r not in triples for r in rolls)
    assert Fraction(small["probability"]) == Fraction(won, 216)


def test_every_wager_pick_and_line_has_one_object():
    # 6 + 6 + 1 + 14 + 15 + 1 + 1 + 6 picks x 3 lines
    assert len(SIC_BO) == 62
    keys = [(row["wager"], str(row["pick"]), row["on"]) for row in SIC_BO]
    assert len(set(keys)) == 62
    assert len(DREAMCATCHER) == 6


@pytest.mark.parametrize("wager", DREAMCATCHER_RETURNS)
def test_dreamcatcher_returns_are_exact(wager: str):
    (row,) = rows(DREAMCATCHER, wager)
    assert row["return"] == DREAMCATCHER_RETURNS[wager]
    assert Fraction(row["house_edge"]) == 1 - Fraction(row["return"])
    assert row["pays"] == f"{wager} to 1"


def test_dreamcatcher_returns_agree_with_the_series_of_multipliers_summed_term_by_term():
    counts = {"1": 23, "2": 15, "5": 7, "10": 4, "20": 2, "40": 1}
    for wager, exact in DREAMCATCHER_RETURNS.items():
        total = Fraction(0)
        for spins in range(60):  # how many multipliers come first; 2x and 7x have one section each
            number = int(wager)
            for_each = sum(
                _ways(spins, twos) * (1 + number * 2**twos * 7 ** (spins - twos))
                for twos in range(spins + 1)
            )
            total += Fraction(counts[wager] * for_each, 54 ** (spins + 1))
        assert 0 < Fraction(exact) - total < Fraction(1, 10**40)


def _ways(spins: int, twos: int) -> int:
    ways = 1
    for i in range(twos):
        ways = ways * (spins - i) // (i + 1)
    return ways


def test_the_shape_that_scripts_rely_on():
    assert rows(SIC_BO, "One of a Kind", [4])[1] == {
        "wager": "One of a Kind",
        "pick": [4],
        "on": "the number picked shows on 2 dice",
        "pays": "2 to 1",
        "probability": "5/72",
        "house_edge": "17/216",
        "return": "199/216",
        "paytable": "floor",
        "cite": "§ 539.6(c)(2) (40 Pa.B. 1740)",
    }


def filed(odds: dict[tuple[str, str | None], Odds]) -> Filed:
    return Filed(
        submission="RS-7",
        odds=odds,
        rounding=None,
        unit_cents=1,
        payout_limit_cents=None,
        payout_limit_scope=None,
        increment_cents=None,
        readings={},
        fact=FactRef("house", 3),
    )


def test_a_filed_paytable_counts_above_the_floor_and_not_below_or_where_odds_are_fixed():
    paytable = filed(
        {
            ("Three of a Kind", None): Odds(180, 1),
            ("Small Bet", None): Odds(1, 2),
            ("One of a Kind", "3"): Odds(12, 1),
        }
    )
    odds = law_odds(BY_KEY["sic_bo"], paytable)
    assert {row["paytable"] for row in odds} == {"RS-7"}
    assert rows(odds, "Three of a Kind", [1])[0]["return"] == str(Fraction(181, 216))
    assert rows(odds, "Small Bet")[0]["pays"] == "1 to 1"
    assert rows(odds, "One of a Kind", [1])[2]["pays"] == "3 to 1"


def test_a_paytable_that_favours_the_player_has_a_negative_edge():
    odds = law_odds(BY_KEY["dreamcatcher"], filed({("40", None): Odds(45, 1)}), date(2021, 1, 1))
    (row,) = rows(odds, "40")
    assert row["return"] == str(Fraction(1, 52) * (1 + 45 * Fraction(52, 45)))
    assert row["house_edge"] == "-1/52"


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (Fraction(1, 36), "2.78%"),
        (Fraction(113, 117), "96.58%"),
        (Fraction(-1, 52), "-1.92%"),
        (Fraction(0), "0.00%"),
        (Fraction(1), "100.00%"),
    ],
)
def test_parts_are_said_in_per_cent(part: Fraction, said: str):
    assert percent(part) == said


@pytest.mark.parametrize(
    ("part", "said"),
    [(Fraction(1, 36), "2.7778%"), (Fraction(11, 216), "5.0926%"), (Fraction(-1, 52), "-1.9231%")],
)
def test_the_exhibit_says_four_places(part: Fraction, said: str):
    assert percent(part, 4) == said


def test_a_wager_without_a_figure_has_its_line_and_says_why():
    props = law_odds(BY_KEY["props_and_hops"])
    (top,) = rows(props, "Hop the Top")
    assert (top["pays"], top["probability"], top["house_edge"]) == ("3 to 2", None, None)
    assert top["why"].startswith("not filed: ")
    (main,) = rows(law_odds(BY_KEY["asia_poker"]), "Asia Poker Wager")
    assert (main["pays"], main["house_edge"]) == ("1 to 1", None)
    assert main["why"].startswith("not computed: ")


def test_filed_hop_groups_have_figures_and_those_left_out_have_none():
    groups = (HopGroup(wager="Hop the Left", combinations=("1-1", "1-2", "2-4")),)
    option = fact("HopGroupsFiled", 2, 0, submission="RS-7", groups=groups)
    odds = law_odds(BY_KEY["props_and_hops"], replace(filed({}), options=(option,)))
    (left,) = rows(odds, "Hop the Left")
    assert (left["probability"], left["house_edge"]) == ("5/36", str(1 - Fraction(5 * 3, 36)))
    assert rows(odds, "Hop the Top")[0]["why"].startswith("not filed: ")


def test_a_filed_reading_is_the_one_that_is_shown():
    chosen = replace(filed({}), readings={"triple-is-a-pair": "exactly-two"})
    assert rows(law_odds(BY_KEY["sic_bo"], chosen), "Two of a Kind", [1])[0]["house_edge"] == "3/8"


# Asia Poker's bonus: sum of counts x (odds + 1) over 154,143,080, from the counts of test_bonus_count.
PAYTABLES = {"A": (80, 30), "B": (50, 30), "C": (50, 25)}


@pytest.mark.parametrize("name", PAYTABLES)
def test_the_bonus_wager_by_each_paytable(name: str):
    natural, four = PAYTABLES[name]
    back = (
        54 * 5001 + 1_128 * 801 + 26_132 * 201 + 38_728 * (natural + 1) + 146_104 * 41
        + 307_418 * (four + 1) + 32_768 * 11 + 4_188_528 * 6 + 6_170_400 * 5 + 7_672_500 * 4
        + 11_034_204 * 3
    )  # fmt: skip
    room = BY_KEY["asia_poker"]
    odds = law_odds(room, chapter_paytables(room)[name])
    bonus = [row for row in odds if row["wager"] == "Bonus Wager"]
    assert {row["return"] for row in bonus} == {str(Fraction(back, 154_143_080))}
    assert {row["paytable"] for row in odds} == {name}


def test_the_law_of_a_day_before_the_first_text_is_refused():
    with pytest.raises(LawNotHeld) as refused:
        law_day(BY_KEY["sic_bo"], date(2010, 4, 2))
    assert refused.value.code == "law_not_held"
    assert law_day(BY_KEY["sic_bo"], None) == date(2010, 4, 3)
