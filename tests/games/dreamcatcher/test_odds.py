"""All 54 sections, each wager, and exact returns against figures found in other ways."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import pytest

from ledger.games import BY_KEY
from ledger.games.room import Decided, Multiplied, verdict
from tests.games.facts import Table, follow, rules_of

ROOM: Final = BY_KEY["dreamcatcher"]
# § 689.1(b), copied from the Bulletin.
RIM: Final = (
    (
        "7×, 2, 1, 5, 1, 2, 5, 1, 2, 10, 1, 2, 1, 20, 1, 2, 1, 2, 1, 5, 1, 2, 10, 1, 5, 1, 2, 2×, 1, 5, 1, 40, 2, 1, 2,"
        " 1, 10, 2, 1, 5, 1, 2, 1, 5, 2, 1, 20, 1, 2, 1, 10, 1, 2, 1"
    )
    .replace("×", "x")
    .split(", ")
)
COUNTS: Final = {"1": 23, "2": 15, "5": 7, "10": 4, "20": 2, "40": 1}


def test_689_1_a_and_b_agree() -> None:
    assert len(RIM) == 54
    assert {number: RIM.count(number) for number in COUNTS} == COUNTS


@pytest.mark.row_by_row
@pytest.mark.parametrize("section", range(54))
def test_689_2_c_each_section(section: int) -> None:
    facts = Table()("WheelPlaced", wheel="W-1", sections=tuple(RIM))("BettingOpened")(
        "NoMoreBetsAnnounced"
    )
    said, state = follow(ROOM, facts("WheelSpun", section=section).facts)
    (ruling,) = said[-1]
    if RIM[section] in ("2x", "7x"):
        assert isinstance(ruling, Multiplied)
        assert ruling.factor == state.factor == int(RIM[section][0])
        return
    assert isinstance(ruling, Decided)
    for number in COUNTS:
        found = verdict(rules_of(ROOM), number, (), ruling.shown)
        assert found is not None
        assert found.won is (number == RIM[section])
        assert found.line is None or (found.line.odds.pays, found.line.odds.stake) == (
            int(number),
            1,
        )


RETURNS: Final = {
    # The best of them, 96.58 %, stands in the preamble of 50 Pa.B. 6778; the others are the maker's.
    "1": Fraction(2231, 2340),
    "2": Fraction(149, 156),
    "5": Fraction(427, 468),
    "10": Fraction(113, 117),
    "20": Fraction(217, 234),
    "40": Fraction(425, 468),
}


@pytest.mark.parametrize("number", RETURNS)
def test_689_edition_4_returns_at_the_floor(number: str) -> None:
    back = Fraction(0)
    for shown, chance, factor in ROOM.outcomes():
        found = verdict(rules_of(ROOM), number, (), shown)
        if found is not None and found.line is not None:
            back += chance * (1 + found.line.odds.ratio * factor)
    assert back == RETURNS[number]


def test_689_edition_4_the_best_return_is_that_of_the_preamble() -> None:
    best = max(RETURNS.values())
    assert best == RETURNS["10"]
    assert round(best * 10_000) == 9_658


def test_689_3_c_the_expected_factor_by_walking_the_chains() -> None:
    """Add chain after chain of multipliers until what is left cannot matter."""
    reached, expected, total = Fraction(1), Fraction(1), Fraction(0)
    for _ in range(60):
        total += expected * Fraction(52, 54)
        reached *= Fraction(2, 54)
        expected *= Fraction(2 + 7, 54)
    exact = {factor for _, _, factor in ROOM.outcomes()}
    assert len(exact) == 1
    assert 0 < exact.pop() - total < Fraction(1, 10**40)
    assert reached < Fraction(1, 10**80)
