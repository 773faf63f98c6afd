"""What a request must hold and whether its figures are the real ones (521.4): both sides of each edge.

Exact figures: 54 sections of the wheel of which 23, 15, 7, 4, 2, 1 bear a number (689.1(b)); 216
rolls of three dice. House advantages of Sic Bo: Wizard of Odds, "Sic Bo" (Small 2.78 %, One of a
Kind 7.87 % at 1, 2 and 3 to 1, Total 4 at 50 to 1 29.17 %).
"""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from ledger.events import RequestedOdds
from ledger.games import BY_KEY
from ledger.games.room import rules_on
from ledger.house.odds_in_requests import advantage_of, by_arithmetic, chance_of, exact, payout_of
from ledger.kernel import Certainty, Finding
from tests.engine import Scene, codes, judged, said, sic_bo
from tests.games.facts import DAYS

FULL: dict[str, Any] = {
    "request": "R-1", "kind": "GAME", "game": "Lucky Dice", "addressed_to": "Executive Director",
    "description": True, "rules_of_play": True, "rules_of_wagering": True, "classification": "NEW",
    "has_layout": True, "layout_shown": True, "equipment_shown": True, "reason": "asked for",
    "jurisdictions": (), "intellectual_property": "none",
}  # fmt: skip


def stated(
    wager: str = "Lucky Seven", *figures: str | None, on: str | None = None
) -> RequestedOdds:
    true_odds, payout_odds, advantage = figures or ("5:1", "4:1", "16.67")
    return RequestedOdds(
        wager=wager,
        on=on,
        true_odds=true_odds,
        payout_odds=payout_odds,
        house_advantage=advantage,
    )


def office(day: date = date(2011, 3, 15)) -> Scene:
    """An office and no table."""
    scene = sic_bo(day)
    scene.lines = [line for line in scene.lines if line.stream == "house"]
    return scene


def requested(day: date = date(2011, 3, 15), /, **change: Any) -> tuple[Finding, ...]:
    scene = office(day)
    scene.house("GameRequestFiled", 0, **{**FULL, "wagers": (stated(),), **change})
    return scene.audit().findings


def test_a_whole_request() -> None:
    assert said(requested()) == []


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param({"description": False}, "521.4(1)", id="521.4(1): not described"),
        pytest.param({"description": None}, "521.4(1) ?", id="521.4(1): described or not"),
        pytest.param({"rules_of_play": False}, "521.4(1)", id="521.4(1): no rules of play"),
        pytest.param({"rules_of_wagering": False}, "521.4(1)", id="521.4(1): none of wagering"),
        pytest.param({"classification": None}, "521.4(1)(i)", id="521.4(1)(i): not classed"),
        pytest.param({"classification": "UNRECOGNISED"}, "521.4(1)(i) ?", id="(i): unknown class"),
        pytest.param({"layout_shown": False}, "521.4(1)(iii)", id="521.4(1)(iii): not shown"),
        pytest.param({"layout_shown": None}, "521.4(1)(iii) ?", id="(iii): shown or not"),
        pytest.param(
            {"has_layout": None, "layout_shown": False}, "521.4(1)(iii) ?", id="(iii): has it one"
        ),
        pytest.param({"equipment_shown": False}, "521.4(1)(iv)", id="521.4(1)(iv): not shown"),
        pytest.param({"equipment_shown": None}, "521.4(1)(iv) ?", id="(iv): shown or not"),
        pytest.param({"reason": None}, "521.4(2)", id="521.4(2): no reason"),
        pytest.param({"reason": " \t"}, "521.4(2)", id="521.4(2): a blank"),
        pytest.param({"jurisdictions": None}, "521.4(3)", id="521.4(3): no list"),
        pytest.param({"jurisdictions": ("Nevada", " ")}, "521.4(3)", id="521.4(3): a blank in it"),
        pytest.param({"intellectual_property": None}, "521.4(4)", id="521.4(4): not said"),
        pytest.param({"addressed_to": "the Governor"}, "521.4", id="521.4: to another"),
        pytest.param({"addressed_to": "Deputy Executive Director"}, "521.4", id="521.4: a deputy"),
        pytest.param({"addressed_to": None}, "521.4 ?", id="521.4: to whom is not recorded"),
    ],
)
def test_what_is_lacking_is_told(change: dict[str, Any], told: str) -> None:
    assert said(requested(**change)) == [f"filing_incomplete {told}"]


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "change",
    [
        {"has_layout": False, "layout_shown": None},
        {"has_layout": False, "layout_shown": False},
        {"has_layout": None, "layout_shown": True},
        {"jurisdictions": ()},
        {"jurisdictions": ("Nevada", "New Jersey")},
        {"intellectual_property": "trademark pending"},
        {"addressed_to": "the Board's Executive Director"},
        {"addressed_to": "EXECUTIVE DIRECTOR of the Board"},
    ],
)
def test_what_is_there_in_another_form(change: dict[str, Any]) -> None:
    assert said(requested(**change)) == []


@pytest.mark.parametrize("kind", ["WAGER", "FEATURE"])
def test_i_to_iv_are_for_table_games(kind: str) -> None:
    nothing = {"classification": None, "wagers": None, "layout_shown": False}
    change = {"kind": kind, "game": "Sic Bo", "feature": "Odd Totals", "equipment_shown": False}
    assert said(requested(**nothing, **change)) == []
    assert said(requested(**nothing, **change, reason=None)) == ["filing_incomplete 521.4(2)"]


def test_of_a_kind_that_is_not_known_i_to_iv_are_unknown() -> None:
    change = {"kind": "UNRECOGNISED", "classification": None, "equipment_shown": False}
    assert said(requested(**change)) == [
        "filing_incomplete 521.4(1)(i) ?",
        "filing_incomplete 521.4(1)(iv) ?",
    ]


@pytest.mark.parametrize(
    ("figures", "parts"),
    [
        ((None, "4:1", "16.67"), ["#1"]),
        (("5:1", None, "16.67"), ["#2"]),
        (("5:1", "4:1", None), ["#3"]),
        (("5:1", " ", None), ["#2", "#3"]),
    ],
)
def test_each_of_three_figures_is_due(figures: tuple[str | None, ...], parts: list[str]) -> None:
    found = requested(wagers=(stated(), stated("Lucky Two", *figures)))
    assert codes(found) == {"filing_incomplete"}
    assert sorted(f"#{one.citations[0].part}" for one in found) == parts
    assert {one.expected for one in found} == {"Lucky Two"}


@pytest.mark.parametrize("wagers", [None, ()])
def test_a_game_without_wagers(wagers: tuple[RequestedOdds, ...] | None) -> None:
    assert said(requested(wagers=wagers)) == ["filing_incomplete 521.4(1)(ii)"] * 3


# --- figures ---------------------------------------------------------------------------------------


def test_an_impossible_pair_of_figures_says_both_sides_exactly() -> None:
    found = requested(game="Dreamcatcher", wagers=(stated("5", "45:7", "6:1", "8.76"),))
    assert [(one.code, one.expected, one.observed) for one in found] == [
        ("filing_odds_mismatch", "-53/780 (-6.79%)", "a house advantage of 8.76% on 5")
    ]
    assert found[0].severity == "high"
    assert "§ 521.4(1)(ii)" in str(found[0].citations[0])


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("key", "row", "chance", "advantage"),
    [
        ("dreamcatcher", stated("5", None, "5:1", None), "7/52", "41/468"),
        ("dreamcatcher", stated("5", None, "6:1", None), "7/52", "-53/780"),
        ("sic_bo", stated("Small Bet", None, "1:1", None), "35/72", "1/36"),
        ("sic_bo", stated("Total Value Bet", None, "50:1", None, on="4"), "1/72", "7/24"),
        ("sic_bo", stated("One of a Kind", None, "1:1", None, on="1"), "25/72", "17/216"),
        ("sic_bo", stated("Any Three of a Kind", None, "24:1", None), "1/36", "11/36"),
        ("props_and_hops", stated("Double", None, "30:1", None), "1/36", "5/36"),
        ("props_and_hops", stated("Field", None, "2:1", None, on="2 or 12"), "1/18", "1/18"),
        ("three_dice_football", stated("No Gain", None, None, None), "1/36", None),
    ],
)
def test_the_exact_figures(key: str, row: RequestedOdds, chance: str, advantage: str) -> None:
    room = BY_KEY[key]
    found = exact(room, rules_on(room, DAYS[key], None), row, (row,))
    assert found is not None
    if key != "three_dice_football":
        assert {one.chance for one in found} == {Fraction(chance)}
    wanted = None if advantage is None else Fraction(advantage)
    assert {one.advantage for one in found} == {wanted}


@pytest.mark.parametrize(
    ("key", "row"),
    [
        ("sic_bo", stated("Odd Totals")),
        ("sic_bo", stated("Total Value Bet", on="3")),
        ("asia_poker", stated("Asia Poker Wager")),
        ("props_and_hops", stated("Hop the Top")),
    ],
)
def test_what_the_rows_do_not_price(key: str, row: RequestedOdds) -> None:
    room = BY_KEY[key]
    assert exact(room, rules_on(room, DAYS[key], None), row, (row,)) is None


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("8.76", True), ("8.76%", True), ("8.8", True), ("9", True), ("8.7607", True),
        ("41/468", True), (" 41 / 468 ", True), ("8.75", False), ("8.77", False), ("8.7", False),
        ("8.7606", False), ("40/468", False), ("-8.76", False),
    ],
)  # fmt: skip
def test_a_percentage_is_right_when_it_is_the_fraction_rounded(text: str, right: bool) -> None:
    stands_for = advantage_of(text)
    assert stands_for is not None
    assert stands_for.has(Fraction(41, 468)) is right


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("45:7", True), ("45 to 7", True), ("90:14", True), ("7/52", True), ("6.43:1", True),
        ("6.4 to 1", True), ("13.46%", True), ("45:8", False), ("7:45", False), ("8/52", False),
        ("6.42:1", False), ("13.47%", False), ("6:1", False),
    ],
)  # fmt: skip
def test_true_odds_in_any_form_that_converts(text: str, right: bool) -> None:
    stands_for = chance_of(text)
    assert stands_for is not None
    assert stands_for.has(Fraction(7, 52)) is right


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "text", ["", "even", "0:0", "1/0", "7", "-1:3", "53/52", "101%", "4:", "٤:١", "1e9:1", "9" * 40]
)
def test_true_odds_that_cannot_be_read(text: str) -> None:
    assert chance_of(text) is None


@pytest.mark.row_by_row
@pytest.mark.parametrize("text", ["", "low", "1/0", "8,76", "8.76.1", "%", "nan", "9" * 40])
def test_an_advantage_that_cannot_be_read(text: str) -> None:
    assert advantage_of(text) is None


@pytest.mark.parametrize("text", ["", "2 for 1", "5:0", "-5:1", "5"])
def test_payout_odds_that_cannot_be_read(text: str) -> None:
    assert payout_of(text) is None


@pytest.mark.parametrize(("last_digit", "right"), [("9", True), ("8", False)])
def test_the_exact_figures_of_a_long_game_are_read(last_digit: str, right: bool) -> None:
    """A touchdown or Trips TD is scored in 12,235,777,029,059 of 25,389,989,167,104 games.

    Counted apart, play by play over the 216 throws of § 577.6(c) to (e); six plays at most.
    """
    scored = f"1223577702905{last_digit}"
    line = stated("Touchdown", f"13154212138045:{scored}", "1:1", "918435108986/25389989167104")
    breaches = requested(game="Three Dice Football", wagers=(line,))
    assert said(breaches) == ([] if right else ["filing_odds_mismatch 521.4(1)(ii)"])


def test_figures_that_cannot_be_read_are_unknown_one_by_one() -> None:
    found = requested(game="Sic Bo", wagers=(stated("Small Bet", "even", "1 for 1", "low"),))
    assert said(found) == ["filing_odds_mismatch 521.4(1)(ii) ?"] * 3
    assert all("cannot be read" in one.sentence for one in found)


def test_two_rows_for_one_line_are_each_held_by_their_own_odds() -> None:
    rows = (stated("5", "45:7", "5:1", "8.76"), stated("5", "45:7", "6:1", "-6.79"))
    assert said(requested(game="Dreamcatcher", wagers=rows)) == []
    assert len(requested(game="Dreamcatcher", wagers=rows[::-1])) == 0


def test_a_line_at_unreadable_odds_leaves_the_whole_wager_open() -> None:
    lines = (
        stated("One of a Kind", "141:75", "1:1", "50", on="1"),
        stated("One of a Kind", "201:15", "two", "7.87", on="2"),
    )
    found = requested(game="Sic Bo", wagers=lines)
    assert said(found) == ["filing_odds_mismatch 521.4(1)(ii) ?"]


@pytest.mark.parametrize(
    ("figures", "agree"),
    [
        (("5:1", "4:1", "16.67"), True),
        (("5:1", "4:1", "1/6"), True),
        (("5.0:1", "4:1", "16"), True),
        (("5:1", "4:1", "16"), False),
        (("5:1", "5:1", "0"), True),
        (("5:1", "6:1", "-16.67"), True),
        (("5:1", "6:1", "16.67"), False),
    ],
)
def test_a_game_of_no_chapter_is_held_by_its_own_figures(
    figures: tuple[str, ...], agree: bool
) -> None:
    found = requested(wagers=(stated("Lucky Seven", *figures),))
    assert said(found) == ([] if agree else ["filing_odds_mismatch 521.4(1)(ii) ?"])


def test_the_lines_of_a_wager_of_no_chapter_may_state_the_advantage_of_the_whole() -> None:
    lines = (
        stated("Pair", "5:1", "2:1", "16.67", on="low"),
        stated("Pair", "5:1", "1:1", "16.67", on="high"),
    )
    assert len(by_arithmetic(lines[0], lines)) == 2
    assert said(requested(wagers=lines)) == []


# --- decisions -------------------------------------------------------------------------------------


def test_a_decision_without_a_request() -> None:
    scene = office()
    scene.house("RequestDecided", 0, request="R-1", approved=True)
    assert said(scene.audit().findings) == ["fact_contradictory L.5"]


@pytest.mark.parametrize(("filed", "told"), [(0, []), (1, ["fact_contradictory L.5"])])
def test_a_decision_and_its_request(filed: float, told: list[str]) -> None:
    scene = office()
    scene.house("GameRequestFiled", filed, **{**FULL, "wagers": (stated(),)})
    scene.house("RequestDecided", 0.5, request="R-1", approved=True)
    assert said(scene.audit().findings) == told


def test_a_decision_after_a_gap_in_the_office_is_unknown() -> None:
    scene = office()
    lost = scene.house("GameRequestFiled", -10, **{**FULL, "wagers": (stated(),)})
    scene.house("RequestDecided", 0, request="R-1", approved=True)
    facts = [fact for fact in scene.build() if fact is not lost.fact]
    told = [one for one in judged(facts, scene.day).findings if one.code == "fact_contradictory"]
    assert [one.certainty for one in told] == [Certainty.UNKNOWN]


@pytest.mark.parametrize(("given", "told"), [(0, []), (-1, ["fact_contradictory L.5"])])
def test_a_game_approved_and_asked_for(given: int, told: list[str]) -> None:
    scene = office()
    scene.house(
        "GameApproved", 0, game="Lucky Dice",
        requested_time=lambda s: s.noon, approved_time=lambda s: s.noon + given,
    )  # fmt: skip
    assert said(scene.audit().findings) == told


def test_a_table_that_opens_on_a_request() -> None:
    for approved, decided, told in (
        (True, -3600, []),
        (True, 1, ["game_not_approved 521.4"]),
        (False, -3600, ["game_not_approved 521.4"]),
    ):
        scene = office()
        scene.house("GameRequestFiled", -7200, **{**FULL, "wagers": (stated(),)})
        scene.house("RequestDecided", decided, request="R-1", approved=approved)
        scene.add("TableOpened", 0, game="Lucky Dice", layout="L", paytable=None, capture="COUNTS")
        assert said(scene.audit().findings) == told
    scene.house("RequestDecided", -60, request="R-1", approved=True)
    assert said(scene.audit().findings) == []


def test_a_table_that_opens_on_a_request_after_a_gap_in_the_office() -> None:
    scene = office()
    scene.house("GameRequestFiled", -7200, **{**FULL, "wagers": (stated(),)})
    lost = scene.house("RequestDecided", -3600, request="R-1", approved=True)
    scene.house("SignApproved", -60, sign="LS-9", location=True, size=True, language=True)
    scene.add("TableOpened", 0, game="Lucky Dice", layout="L", paytable=None, capture="COUNTS")
    facts = [fact for fact in scene.build() if fact is not lost.fact]
    assert "game_not_approved 521.4 ?" in said(judged(facts, scene.day).findings)


def test_a_day_before_the_edition_is_unknown() -> None:
    assert said(requested(date(2010, 4, 2), reason=None)) == ["filing_incomplete 521.4(2) ?"]
    assert said(requested(date(2010, 4, 3), reason=None)) == ["filing_incomplete 521.4(2)"]
