"""Rules Submissions: which one is in force, what it may say, and what the layout prints of it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

import pytest

from ledger.events import ReadingChosen
from tests.engine import (
    LAYOUT,
    WAGERS,
    Scene,
    codes,
    dreamcatcher,
    roll,
    said,
    seen,
    sic_bo,
    spin,
)  # fmt: skip

FIRST = -3 * 3600


def won_on_five(paid: int, at: float = 0, scene: Scene | None = None) -> Scene:
    """Ten dollars on 5 win at Dreamcatcher; the floor is 5 to 1."""
    table = scene or dreamcatcher()
    table.add("BettingOpened", at)
    name = table.wager(at + 1, "5", cents=1_000)
    spin(table, at + 10, "5")
    table.won(at + 30, name, paid)
    return table


def money(scene: Scene) -> list[str]:
    return [code for code in scene.said() if code.startswith("wager_")]


@pytest.mark.parametrize(
    ("at", "paid", "told"),
    [
        pytest.param(0, 5_000, [], id="521.4: before the approval the old odds"),
        pytest.param(0, 6_000, ["wager_overpaid 689.3(a)"], id="521.4: the new odds too early"),
        pytest.param(7_300, 6_000, [], id="521.4: after it the new ones"),
        pytest.param(7_300, 5_000, ["wager_underpaid 689.3(a)"], id="521.4: the old odds too late"),
    ],
)
def test_an_amendment_approved_while_the_table_is_open(
    at: float, paid: int, told: list[str]
) -> None:
    scene = won_on_five(paid, at)
    scene.file("RS-2", 3_600, odds=[("5", None, "6:1")], approved=3_600, supersedes="RS-1")
    assert money(scene) == told


def test_an_amendment_in_the_middle_of_a_round_holds_from_the_next() -> None:
    """The round is judged by what was in force when it opened."""
    scene = won_on_five(5_000)
    scene.file("RS-2", 2, odds=[("5", None, "6:1")], approved=3)
    assert money(scene) == []


@pytest.mark.parametrize(
    ("tables", "paid", "told"),
    [
        (["T-01"], 6_000, []),
        (["T-01", "T-09"], 6_000, []),
        (None, 6_000, []),
        (["T-09"], 5_000, []),
        (["T-09"], 6_000, ["wager_overpaid 689.3(a)"]),
        ([], 5_000, []),
    ],
    ids=["this", "this and another", "all", "another", "another, paid by it", "none"],
)
def test_a_submission_for_some_tables(tables: list[str] | None, paid: int, told: list[str]) -> None:
    scene = won_on_five(paid)
    scene.file("RS-2", FIRST, odds=[("5", None, "6:1")], tables=tables)
    assert money(scene) == told


def test_of_two_in_force_the_one_last_approved_holds() -> None:
    scene = won_on_five(7_000)
    scene.file("RS-2", FIRST, odds=[("5", None, "6:1")], approved=100)
    scene.file("RS-3", FIRST + 10, odds=[("5", None, "7:1")], approved=110)
    assert money(scene) == []


def test_a_submission_of_another_game_is_not_asked() -> None:
    scene = won_on_five(5_000)
    filed, yes = scene.file("RS-2", FIRST, odds=[("5", None, "6:1")])
    filed.said["game"] = "Sic Bo"
    assert yes is not None
    assert money(scene) == []


def test_filed_and_never_approved() -> None:
    scene = won_on_five(6_000)
    scene.file("RS-2", FIRST, odds=[("5", None, "6:1")], approved=None)
    assert money(scene) == ["wager_overpaid 689.3(a)"]


@pytest.mark.parametrize("make", [sic_bo, dreamcatcher], ids=["539.6(b)", "689"])
def test_no_submission_at_all(make: type[Scene]) -> None:
    scene = make()
    scene.drop("RulesSubmissionApproved")
    assert "rules_submission_missing" in codes(scene.audit().findings)


def test_521_8_b_the_table_offers_another_paytable() -> None:
    audit = dreamcatcher().change("TableOpened", paytable="RS-9").audit()
    assert said(audit.findings) == ["rules_changed_without_approval 521.8(b)"]
    assert (audit.findings[0].observed, audit.findings[0].expected) == ("RS-9", "RS-1")


# --- floors and fixed odds ------------------------------------------------------------------------------


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("odds", "told"),
    [
        ("5:1", []),
        ("5 to 1", []),
        ("10:2", []),
        ("11:2", []),
        ("49:10", ["paytable_below_floor 689.3(a)"]),
        ("4:1", ["paytable_below_floor 689.3(a)"]),
        ("5 for 1", ["paytable_below_floor 689.3(a)"]),
        ("five to one", ["paytable_below_floor 689.3(a)"]),
        ("", ["paytable_below_floor 689.3(a)"]),
    ],
)
def test_689_3_a_a_filed_row_and_its_floor(odds: str, told: list[str]) -> None:
    """A row whose odds nobody can read cannot be shown to reach the floor."""
    scene = dreamcatcher(odds=(("5", None, odds),))
    assert [code for code in scene.said() if "layout_odds" not in code] == told


@pytest.mark.parametrize("paid", [5_000, 4_000])
def test_below_floor_filing_is_judged_by_the_floor(paid: int) -> None:
    scene = won_on_five(paid, scene=dreamcatcher(odds=(("5", None, "4:1"),)))
    short = ["wager_underpaid 689.3(a)"] if paid < 5_000 else []
    assert money(scene) == short
    assert "paytable_below_floor" in codes(scene.audit().findings)


def one_of_a_kind(odds: Iterable[tuple[str, str | None, str]], paid: int, *dice: int) -> Scene:
    scene = sic_bo(odds=tuple(odds))
    scene.add("BettingOpened", 0)
    scene.wager(1, "One of a Kind", 2, cents=1_000)
    roll(scene, 10, *dice)
    scene.won(20, "W1", paid)
    scene.add("LightsCleared", 30)
    return scene


@pytest.mark.parametrize(
    ("odds", "paid", "told"),
    [
        ((), 2_000, []),
        ((("One of a Kind", "2", "2:1"),), 2_000, []),
        ((("One of a Kind", "2", "3:1"),), 2_000, ["paytable_not_as_fixed 539.6(c)"]),
        ((("One of a Kind", "2", "3:1"),), 3_000, ["paytable_not_as_fixed 539.6(c)", "wager_overpaid 539.6(c)(2)"]),
        ((("One of a Kind", "2", "1:1"),), 1_000, ["paytable_not_as_fixed 539.6(c)", "wager_underpaid 539.6(c)(2)"]),
    ],
)  # fmt: skip
def test_539_6_c_fixed_odds(
    odds: tuple[tuple[str, str | None, str], ...], paid: int, told: list[str]
) -> None:
    assert one_of_a_kind(odds, paid, 2, 2, 5).said() == told


@pytest.mark.parametrize(
    "row",
    [("Any Seven", None, "4:1"), ("Total Value Bet", "3", "60:1"), ("Total Value Bet", "18", "60:1"), ("One of a Kind", "4", "4:1"), ("small bet", None, "1:1")],
)  # fmt: skip
def test_521_4_a_line_that_the_chapter_does_not_have(row: tuple[str, str | None, str]) -> None:
    audit = sic_bo(odds=(row,)).audit()
    assert said(audit.findings) == ["wager_not_approved 521.4"]
    assert row[0] in (audit.findings[0].observed or "")


def test_a_filing_is_judged_once_over_several_openings() -> None:
    scene = sic_bo(odds=(("Small Bet", None, "1:2"),)).change("TableClosed", at=3_600.0)
    scene.add(
        "DeviceInspected", 5_000, device="ELECTRICAL_DEVICE", device_id="E-1", inspected_by="F1",
        trial_entries=3, values_per_entry=3, lit_properly=True, working=True,
    )  # fmt: skip
    scene.add("TableOpened", 7_200, game="Sic Bo", layout=LAYOUT, paytable="RS-1", capture="FULL")
    scene.add("TableClosed", 9_000)
    assert scene.said() == ["paytable_below_floor 539.6(b)"]


# --- printed odds ---------------------------------------------------------------------------------------


def printed(scene: Scene, line: str) -> Scene:
    """The layout shows every wager, and this line of odds."""
    return scene.change("ItemInspected", {"item": "printed_odds"}, seen=seen(*WAGERS, line))


FOR = "odds_stated_with_for 539.6(a)"
WRONG = "layout_odds_wrong 539.1(c)(3)"


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        pytest.param("Three of a Kind", "150 to 1", [], id="539.6(a): to"),
        pytest.param("Three of a Kind", "150:1", [], id="539.6(a): a colon"),
        pytest.param("Three of a Kind", "150 TO 1", [], id="539.6(a): in capitals"),
        pytest.param("Three of a Kind", "300 to 2", [], id="539.1(c)(3): the same ratio"),
        pytest.param("Three of a Kind", "151 for 1", [FOR], id="539.6(a): for, the same money"),
        pytest.param(
            "Three of a Kind", "150 for 1", sorted([FOR, WRONG]), id="539.6(a): for, less money"
        ),
        pytest.param(
            "Three of a Kind",
            "1 for 2",
            sorted([FOR, WRONG]),
            id="539.6(a): for, less than the stake",
        ),
        pytest.param("Three of a Kind", "149 to 1", [WRONG], id="539.1(c)(3): less"),
        pytest.param("Three of a Kind", "180 to 1", [WRONG], id="539.1(c)(3): more than offered"),
        pytest.param("Three of a Kind", "150 to 0", [WRONG], id="539.1(c)(3): to nothing"),
        pytest.param("Total Value Bet 9", "6 to 1", [], id="539.1(c)(3): a total"),
        pytest.param("Total Value Bet 9", "7 to 1", [WRONG], id="539.1(c)(3): another total's"),
        pytest.param("One of a Kind 3", "3 to 1", [], id="539.1(c)(3): a row"),
    ],
)
def test_printed_odds(name: str, text: str, told: list[str]) -> None:
    scene = printed(sic_bo(), f"{name}={text}")
    assert scene.said() == told


@pytest.mark.parametrize("text", ["150 zu 1", "hundred to 1", "150", "", "150 to 1 to 1"])
def test_printed_words_that_nobody_can_read_accuse_nobody(text: str) -> None:
    """They are not odds with "for" nor with other numbers; the inspector's verdict stands."""
    scene = printed(sic_bo(), f"Three of a Kind={text}")
    assert [f for f in scene.audit().findings if f.certainty == "broken"] == []


def test_printed_odds_are_held_against_the_filing() -> None:
    scene = printed(sic_bo(odds=(("Three of a Kind", None, "180:1"),)), "Three of a Kind=180 to 1")
    assert scene.said() == []


# --- readings that a property chose ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reading", "choice", "told"),
    [
        ("triple-is-a-pair", "exactly-two", []),
        ("no-such-reading", "x", ["reading_not_used 521.8(b) ?"]),
        ("triple-is-a-pair", "no-such-option", ["reading_not_used 521.8(b) ?"]),
    ],
)
def test_a_filed_reading_is_used_or_told(reading: str, choice: str, told: list[str]) -> None:
    chosen = [ReadingChosen(reading=reading, choice=choice)]
    assert sic_bo().change("RulesSubmissionFiled", readings=chosen).said() == told


@pytest.mark.parametrize("filed", [False, True], ids=["our choice", "exactly-two"])
def test_triple_is_a_pair(filed: bool) -> None:
    """Two of a Kind on 2-2-2: wins 8 to 1 unless the property filed that only a pair does."""
    scene = sic_bo()
    if filed:
        chosen = [ReadingChosen(reading="triple-is-a-pair", choice="exactly-two")]
        scene.change("RulesSubmissionFiled", readings=chosen)
    scene.add("BettingOpened", 0)
    scene.wager(1, "Two of a Kind", 2, cents=1_000)
    roll(scene, 10, 2, 2, 2)
    scene.won(20, "W1", 8_000)
    scene.add("LightsCleared", 30)
    assert scene.result("W1").expected.outcome == ("lost" if filed else "won")
    assert codes(scene.audit().findings) == ({"wrong_outcome"} if filed else set())


# --- texts in force -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "told", "standing"),
    [
        (date(2020, 11, 27), ["law_not_held 689 ?"], "in force only from 2020-11-28"),
        (date(2020, 11, 28), ["wager_underpaid 689.3(a)"], "in force"),
        (date(2022, 11, 27), ["wager_underpaid 689.3(a)"], "in force"),
        (date(2022, 11, 28), ["wager_underpaid 689.3(a)"], "no text is known for that day"),
        (date(2024, 5, 24), ["wager_underpaid 689.3(a)"], "no text is known for that day"),
        (date(2024, 5, 25), ["wager_underpaid 689.3(a)"], "continued as 689a, text not held"),
    ],
)
def test_the_day_decides_which_text_judges(day: date, told: list[str], standing: str) -> None:
    """689 stands from 28 November 2020; reading lapse-gap from 28 November 2022 to 25 May 2024."""
    audit = won_on_five(4_000, scene=dreamcatcher(day)).audit()
    assert [code.replace("689#edition#1", "689") for code in said(audit.findings)] == told
    assert audit.standing["689"] == standing
    assert ("T-01" in audit.continued) == (standing[:2] in ("no", "co"))
    assert audit.unknown_rounds == (1 if "not_held" in told[0] else 0)
    if audit.continued:
        assert standing in audit.findings[0].citations[0].on(day)
