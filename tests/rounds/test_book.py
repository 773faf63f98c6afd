"""The wagers of a round as they lie: late, lifted, moved, increased, unknown, twice."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from ledger.events import ReadingChosen
from ledger.reports.verdict import in_doubt_words
from tests.engine import LAYOUT, Scene, codes, dreamcatcher, faces, roll, said, sic_bo, spin


def small(
    dice: tuple[int, ...] = (1, 2, 3), *, after: float = 30, day: date = date(2011, 3, 15)
) -> Scene:
    """$10 on Small, dice at 14 s, "no more bets" at 10 s, cover off at 13 s."""
    scene = sic_bo(day)
    scene.add("BettingOpened", 0)
    scene.wager(1, "Small Bet")
    roll(scene, 10, *dice)
    scene.add("LightsCleared", after)
    return scene


def paid(scene: Scene, cents: int = 1_000) -> Scene:
    scene.won(20, "W1", cents)
    return scene


# --- late wagers ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "told", "outcome"),
    [
        pytest.param(9.999999, [], "won", id="539.5(b): a microsecond before"),
        pytest.param(10.000001, ["late_wager 539.5(b)"], "won", id="539.5(b): a microsecond after, it stands"),
        pytest.param(12.5, ["late_wager 539.5(b)"], "won", id="late-wager: before the cover is off"),
        pytest.param(13.5, ["late_wager 539.5(b)"], "unknown", id="late-wager: the cover is off"),
        pytest.param(16.5, ["late_wager 539.5(b)"], "unknown", id="late-wager: the dice are seen"),
    ],
)  # fmt: skip
def test_a_wager_after_no_more_bets(at: float, told: list[str], outcome: str) -> None:
    scene = paid(small())
    late = scene.wager(at, "Small Bet")
    scene.won(21, late, 1_000)
    assert scene.said() == told
    assert scene.result(late).expected.outcome == outcome
    assert scene.result("W1").expected.outcome == "won"


@pytest.mark.parametrize(("choice", "outcome"), [("void", "returned"), ("stands", "won")])
def test_a_filed_reading_decides_late_wagers(choice: str, outcome: str) -> None:
    scene = paid(small())
    scene.change(
        "RulesSubmissionFiled", readings=[ReadingChosen(reading="late-wager", choice=choice)]
    )
    late = scene.wager(16.5, "Small Bet")
    scene.won(21, late, 1_000)
    assert scene.result(late).expected.outcome == outcome
    assert "late_wager" in codes(scene.audit().findings)


def test_a_late_increase_is_a_late_wager() -> None:
    scene = small()
    scene.add("WagerIncreased", 11, wager_id="W1", added_cents=500)
    paid(scene, 1_500)
    assert scene.said() == ["late_wager 539.5(b)"]


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("dice", "outcome", "paid", "taken", "told"),
    [
        pytest.param((1, 2, 3), "WON", 1_000, 0, [], id="paid as it lay"),
        pytest.param((1, 2, 3), "WON", 1_500, 0, [], id="paid as if the raise stood"),
        pytest.param((1, 2, 3), "WON", 1_200, 0, [("wager_overpaid", "unknown", None)], id="between the two"),
        pytest.param((1, 2, 3), "WON", 900, 0, [("wager_underpaid", "broken", -100)], id="too little in either case"),
        pytest.param((1, 2, 3), "WON", 1_600, 0, [("wager_overpaid", "broken", 100)], id="too much in either case"),
        pytest.param((1, 2, 3), "LOST", 0, 1_500, [("wrong_outcome", "broken", -2_500)], id="a winner is collected"),
        pytest.param((4, 5, 6), "LOST", 0, 1_000, [], id="a loser, and the raise is returned"),
        pytest.param((4, 5, 6), "LOST", 0, 1_500, [], id="a loser with the raise"),
        pytest.param((4, 5, 6), "LOST", 0, 900, [("stake_taken_wrong", "broken", 100)], id="a loser not collected in full"),
        pytest.param((4, 5, 6), "LOST", 0, 1_600, [("stake_taken_wrong", "broken", -100)], id="more is collected than lay there"),
        pytest.param((4, 5, 6), "WON", 1_500, 0, [("wrong_outcome", "broken", 2_500)], id="a loser is paid"),
        pytest.param((1, 2, 3), None, 0, 0, [("wager_unsettled", "broken", -1_000)], id="never settled"),
    ],
)  # fmt: skip
def test_539_4_c_a_raise_with_the_dice_seen_leaves_the_wager_as_it_lay(
    dice: tuple[int, ...], outcome: str | None, paid: int, taken: int, told: list[Any]
) -> None:
    """$10.00 on the Small Bet at 1 to 1, and $5.00 more when the dice have come to rest."""
    scene = small(dice)
    scene.add("WagerIncreased", 16.5, wager_id="W1", added_cents=500)
    if outcome is not None:
        said = {"winnings_cents": paid, "stake_taken_cents": taken}
        scene.add("WagerSettled", 20, wager_id="W1", outcome=outcome, **said)
    found = [(f.code, f.certainty, f.effect_cents) for f in scene.audit().findings]
    assert [one for one in found if one[0] != "late_wager"] == told
    assert ("late_wager", "broken", None) in found
    wager = scene.result("W1")
    wins = dice == (1, 2, 3)
    assert (wager.expected.outcome, wager.stake_cents) == ("won" if wins else "lost", 1_000)
    assert wager.in_doubt is not None
    assert wager.in_doubt.stake_cents == 500
    either = [wager.in_doubt.if_returned, wager.in_doubt.if_stands]
    assert [side.winnings_cents for side in either] == ([1_000, 1_500] if wins else [0, 0])
    assert [side.stake_taken_cents for side in either] == ([0, 0] if wins else [1_000, 1_500])


def test_a_page_and_the_archive_tell_what_is_in_doubt() -> None:
    scene = small()
    scene.add("WagerIncreased", 16.5, wager_id="W1", added_cents=500)
    wager = paid(scene, 1_500).result("W1")
    assert in_doubt_words(wager) == (
        "Whether the $5.00 added counts is unknown: if it does, the wager wins $15.00;"
        " if not, the wager wins $10.00 and the $5.00 is returned"
    )
    assert wager.difference_cents is None
    assert paid(small(), 900).result("W1").difference_cents == -100


@pytest.mark.parametrize(
    ("choice", "taken", "told"),
    [("void", 1_000, []), ("void", 1_500, ["stake_taken_wrong"]), ("stands", 1_500, []), ("stands", 1_000, ["stake_taken_wrong"])],
)  # fmt: skip
def test_a_filed_reading_decides_what_was_added(choice: str, taken: int, told: list[str]) -> None:
    scene = small((4, 5, 6))
    chosen = [ReadingChosen(reading="late-wager", choice=choice)]
    scene.change("RulesSubmissionFiled", readings=chosen)
    scene.add("WagerIncreased", 16.5, wager_id="W1", added_cents=500)
    scene.lost(20, "W1", taken)
    found = [f for f in scene.audit().findings if f.code != "late_wager"]
    assert [(f.code, f.certainty) for f in found] == [(code, "broken") for code in told]
    assert scene.result("W1").in_doubt is None


@pytest.mark.parametrize("returned", [None, 1_000, 1_500])
def test_a_raised_wager_goes_back_after_a_no_roll(returned: int | None) -> None:
    """539.7(a): with what was added or without, which lay there too late."""
    scene = small()
    scene.change("DiceThrown", dice=faces(1, 2, (3, "ON_A_DIE")))
    scene.drop("RollCalled").drop("ValuesEntered").drop("AreasLit")
    scene.add("NoRollCalled", 15)
    scene.add("WagerIncreased", 16.5, wager_id="W1", added_cents=500)
    scene.add("WagerReturned", 20, wager_id="W1", returned_cents=returned)
    assert codes(scene.audit().findings) == {"late_wager"}
    assert scene.result("W1").expected.outcome == "returned"


def test_a_raise_over_the_limit_leaves_a_doubt_and_no_second_breach() -> None:
    scene = paid(small())
    scene.change("LimitsSet", maximum_cents=1_000)
    scene.change("LimitsSignPosted", maximum_cents=1_000)
    scene.add("WagerIncreased", 16.5, wager_id="W1", added_cents=1)
    assert scene.said() == ["late_wager 539.5(b)", "wager_over_limit 521.7(c) ?"]


def test_each_wager_in_doubt_over_the_limit_is_told() -> None:
    """521.7(c): the doubt about one wager says nothing of another."""
    scene = small()
    scene.change("LimitsSet", maximum_cents=1_000)
    scene.change("LimitsSignPosted", maximum_cents=1_000)
    scene.wager(1.5, "Small Bet", patron="P-2")
    for wager in ("W1", "W2"):
        scene.add("WagerIncreased", 16.5, wager_id=wager, added_cents=1)
    over = [f for f in scene.audit().findings if f.code == "wager_over_limit"]
    assert [(f.wager, f.certainty) for f in over] == [("W1", "unknown"), ("W2", "unknown")]


@pytest.mark.parametrize(
    ("dice", "told"),
    [
        pytest.param((1, 2, 3), [("wrong_outcome", -1_000)], id="it wins or goes back, and is collected"),
        pytest.param((4, 5, 6), [], id="it loses or goes back, and is collected"),
    ],
)  # fmt: skip
def test_a_late_wager_is_held_against_what_is_right_in_neither_case(
    dice: tuple[int, ...], told: list[Any]
) -> None:
    scene = small(dice)
    settle = paid if dice == (1, 2, 3) else lambda scene: scene.lost(20, "W1")
    settle(scene)
    late = scene.wager(16.5, "Small Bet")
    scene.lost(21, late)
    found = [f for f in scene.audit().findings if f.wager == late and f.code != "late_wager"]
    assert [(f.code, f.effect_cents) for f in found] == told
    assert scene.result(late).expected.outcome == "unknown"


def test_689_3_b_a_chip_after_the_multiplier_takes_no_part_for_certain() -> None:
    scene = dreamcatcher()
    scene.add("BettingOpened", 0)
    scene.wager(1, "2")
    spin(scene, 10, "7x", "2")
    late = scene.wager(17, "2")
    scene.won(40, "W1", 14_000)
    scene.won(41, late, 14_000)
    found = scene.audit().findings
    assert {f.code for f in found} == {"late_wager"}
    assert scene.result(late).expected.outcome == "unknown"
    assert scene.result("W1").expected.winnings_cents == 14_000


# --- increased, moved, lifted, returned ----------------------------------------------------------------


def test_an_increase_in_time_counts() -> None:
    scene = small()
    scene.add("WagerIncreased", 5, wager_id="W1", added_cents=500)
    assert paid(scene, 1_500).said() == []


def test_a_move_in_time_counts() -> None:
    scene = small()
    scene.add("WagerMoved", 5, wager_id="W1", wager="Total Value Bet", picks=[6])
    assert paid(scene, 14_000).said() == []  # total 6 at 14 to 1


def test_a_move_too_late_is_judged_where_it_lay() -> None:
    scene = small()
    scene.add("WagerMoved", 16, wager_id="W1", wager="Total Value Bet", picks=[6])
    audit = paid(scene, 14_000).audit()
    assert "late_take_down" in codes(audit.findings)
    assert [f.effect_cents for f in audit.findings if f.code == "late_take_down"] == [13_000]


@pytest.mark.parametrize("taken", [None, 1_000], ids=["whole, unsaid", "whole"])
def test_lifted_in_time(taken: int | None) -> None:
    scene = small()
    scene.add("WagerTakenDown", 5, wager_id="W1", taken_cents=taken)
    assert scene.said() == []
    assert scene.result("W1").expected.outcome == "returned"


def test_lifted_in_part() -> None:
    scene = small()
    scene.add("WagerTakenDown", 5, wager_id="W1", taken_cents=400)
    assert paid(scene, 600).said() == []


@pytest.mark.parametrize(
    ("dice", "effect"), [((1, 2, 3), -1_000), ((4, 5, 6), 1_000)], ids=["it would have won", "it would have lost"]
)  # fmt: skip
def test_late_take_down_is_judged_as_if_it_had_stood(dice: tuple[int, ...], effect: int) -> None:
    scene = sic_bo()
    scene.add("BettingOpened", 0)
    scene.wager(1, "Small Bet")
    roll(scene, 10, *dice)
    scene.add("WagerTakenDown", 18, wager_id="W1", taken_cents=None)
    scene.add("LightsCleared", 30)
    found = scene.audit().findings
    assert [(f.code, f.effect_cents) for f in found] == [("late_take_down", effect)]


def test_paid_although_it_was_lifted_in_time() -> None:
    scene = small()
    scene.add("WagerTakenDown", 5, wager_id="W1", taken_cents=None)
    found = paid(scene).audit().findings
    assert [(f.code, f.effect_cents) for f in found] == [("wrong_outcome", 1_000)]


@pytest.mark.parametrize("cents", [1_001, 5_000])
@pytest.mark.parametrize("kind", ["WagerTakenDown", "WagerReturned"])
def test_more_is_handed_back_than_was_staked(kind: str, cents: int) -> None:
    scene = small()
    name = "taken_cents" if kind == "WagerTakenDown" else "returned_cents"
    scene.add(kind, 5, wager_id="W1", **{name: cents})
    assert scene.audit().findings


def test_after_a_no_roll_the_whole_stake_goes_back() -> None:
    for cents, clean in ((1_000, True), (None, True), (900, False), (1_100, False)):
        scene = sic_bo()
        scene.add("BettingOpened", 0)
        scene.wager(1, "Small Bet")
        roll(scene, 10, 1, 2, 3)
        for kind in ("RollCalled", "ValuesEntered", "AreasLit"):
            scene.drop(kind)
        dice = scene.lines_of("DiceThrown")[0]
        dice.said = {"dice": "1,2,3/ONE_SIDE_PROPPED"}
        scene.add("NoRollCalled", 15)
        scene.add("WagerReturned", 20, wager_id="W1", returned_cents=cents)
        audit = scene.audit()
        assert (not audit.findings) is clean, (cents, said(audit.findings))


# --- ids ---------------------------------------------------------------------------------------------


def test_one_id_for_two_wagers() -> None:
    scene = paid(small())
    scene.add("WagerPlaced", 5, wager_id="W1", wager="Big Bet", picks=[], stake_cents=1_000)
    audit = scene.audit()
    assert "fact_out_of_order" in codes(audit.findings)
    assert len(scene.rounds()[0].wagers) == 1


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("WagerSettled", {"outcome": "LOST", "stake_taken_cents": 1_000}),
        ("WagerIncreased", {"added_cents": 500}),
        ("WagerMoved", {"wager": "Big Bet", "picks": []}),
        ("WagerTakenDown", {"taken_cents": None}),
        ("WagerReturned", {"returned_cents": None}),
    ],
)
def test_a_wager_that_was_never_placed(kind: str, values: dict[str, Any]) -> None:
    scene = paid(small())
    scene.add(kind, 22 if kind == "WagerSettled" else 5, wager_id="W9", **values)
    assert codes(scene.audit().findings) == {"fact_out_of_order"}


def test_a_settlement_of_the_round_before() -> None:
    """It belongs to its own round: neither unsettled there nor out of order here."""
    scene = small(after=19)
    scene.add("BettingOpened", 40)
    scene.won(41, "W1", 1_000)
    assert codes(scene.audit().findings) == {"lights_cleared_early"}
    assert scene.result("W1").difference_cents == 0


@pytest.mark.parametrize(("wager", "picks"), [("Small Bet", [1]), ("Total Value Bet", [3]), ("Total Value Bet", [18]), ("Three of a Kind", []), ("Field", []), ("Two Dice Combination", [2, 2])])  # fmt: skip
def test_a_wager_that_the_chapter_does_not_have(wager: str, picks: list[int]) -> None:
    scene = paid(small())
    name = scene.wager(2, wager, *picks)
    scene.lost(19, name)
    assert codes(scene.audit().findings) == {"wager_not_offered"}
    assert scene.result(name).expected.outcome == "unknown"


def test_picks_in_any_order_are_one_wager() -> None:
    scene = paid(small())
    name = scene.wager(2, "Two Dice Combination", 3, 1)
    scene.won(21, name, 5_000)
    assert scene.said() == []


# --- clocks of two terminals ------------------------------------------------------------------------------


def two_clocks(micros: int, uncertainty: int) -> Scene:
    """A wager from a second terminal so long after "no more bets", clocks known to so much."""
    scene = paid(small())
    for stream in ("house", "T-01", "T-01/b"):
        scene.house(
            "SourceRegistered", -4 * 3600, registered_stream=stream, registered_source=f"X-{stream}", since=1,
            clock_uncertainty_micros=uncertainty, order_tolerance_micros=1_000,
        )  # fmt: skip
    late = scene.add(
        "WagerPlaced", 10 + micros / 1_000_000, "T-01/b", wager_id="W7", wager="Small Bet", stake_cents=1_000
    )  # fmt: skip
    late.said["picks"] = []
    scene.won(21, "W7", 1_000)
    return scene


@pytest.mark.parametrize(
    ("micros", "told"),
    [(-50_000, []), (1_000, ["late_wager 539.5(b) ?"]), (39_999, ["late_wager 539.5(b) ?"]), (50_000, ["late_wager 539.5(b)"])],
)  # fmt: skip
def test_facts_closer_than_their_clocks_have_no_known_order(micros: int, told: list[str]) -> None:
    """Two sources, each within 20 ms: 40 ms together decide whether a wager was late."""
    assert two_clocks(micros, 20_000).said() == told


# --- capture levels, rooms -----------------------------------------------------------------------------------


def test_at_level_outcome_a_round_without_wagers_is_judged() -> None:
    scene = sic_bo().change("TableOpened", capture="OUTCOME")
    scene.add("BettingOpened", 0)
    roll(scene, 10, 1, 2, 3)
    scene.add("LightsCleared", 30)
    audit = scene.audit()
    assert audit.findings == ()
    assert (audit.rounds, audit.unknown_rounds) == (1, 0)
    assert audit.capture[0].level == "outcome"


def test_at_level_outcome_a_wrong_call_is_found() -> None:
    scene = sic_bo().change("TableOpened", capture="OUTCOME")
    scene.add("BettingOpened", 0)
    roll(scene, 10, 1, 2, 3)
    scene.lines_of("RollCalled")[0].said["faces"] = [1, 2, 4]
    scene.add("LightsCleared", 30)
    assert scene.said() == ["wrong_call 539.5(d)"]


def test_at_level_outcome_dice_that_were_claimed_and_not_sent_are_unknown() -> None:
    scene = sic_bo().change("TableOpened", capture="OUTCOME")
    scene.add("BettingOpened", 0)
    roll(scene, 10, 1, 2, 3)
    for kind in ("DiceThrown", "RollCalled", "ValuesEntered", "AreasLit"):
        scene.drop(kind)
    scene.add("BettingOpened", 60)
    audit = scene.audit()
    assert {f.certainty for f in audit.findings} == {"unknown"}
    assert audit.unknown_rounds >= 1


def test_at_level_counts_only_counts_are_claimed() -> None:
    """Opening, a fill, closing: nothing else was claimed, so nothing is missing."""
    scene = sic_bo()
    scene.lines = [x for x in scene.lines if x.stream == "house" or x.kind.startswith("Table")]
    scene.change("TableOpened", capture="COUNTS")
    scene.add("FillDelivered", 60, slip="F1", chips_cents=500_000)
    audit = scene.audit()
    assert said(audit.findings) == []
    assert audit.capture[0].level == "counts"
    assert "outcomes" in audit.capture[0].not_covered


def test_another_game_opens_at_the_table() -> None:
    """Sic Bo until two, Dreamcatcher from three on: each round is judged by its own chapter."""
    scene = paid(small(day=date(2021, 3, 15)))
    scene.lines_of("TableClosed")[0].at = 7_000
    other = dreamcatcher(scene.day)
    shift = 14_400
    for line in other.lines:
        if line.stream != "house" and line.kind not in ("StaffAssigned", "TableClosed"):
            line.at += shift
            scene.lines.append(line)
    scene.add("TableClosed", 9 * 3600)
    scene.file("RS-D", -4 * 3600)[0].said["game"] = "Dreamcatcher"
    scene.lines_of("TableOpened", game="Dreamcatcher")[0].said.update(paytable="RS-D", layout="L-D")
    for line in scene.lines_of("ItemInspected", subject_id=LAYOUT):
        if line.at > 7_000:
            line.said["subject_id"] = "L-D"
    scene.house(
        "LayoutApproved", -4 * 3600, layout="L-D", game="Dreamcatcher", bureau="GAMING_OPERATIONS", boxes_approved=True
    )  # fmt: skip
    scene.add("BettingOpened", 20_000)
    name = scene.wager(20_001, "5")
    spin(scene, 20_010, "5")
    scene.won(20_030, name, 5_000)
    games = [(r.game, r.status.value) for r in scene.rounds()]
    assert games == [("Sic Bo", "settled"), ("Dreamcatcher", "settled")]
    late = {f.code for f in scene.audit().findings}
    assert not late & {"wager_not_offered", "wager_underpaid", "fact_out_of_order", "wrong_outcome"}


def test_a_game_without_a_room_and_without_approval() -> None:
    scene = sic_bo().change("TableOpened", game="Pai Gow")
    assert codes(scene.audit().findings) == {"game_not_approved"}


def test_a_game_without_a_room_that_was_approved() -> None:
    scene = sic_bo().change("TableOpened", game="Pai Gow")
    line = scene.house("GameApproved", -4 * 3600, game="Pai Gow")
    line.said["approved_time"] = 1
    assert scene.said() == []


# --- lifted in part, too late ------------------------------------------------------------------------


def lowered(dice: tuple[int, ...], act: str, *acts: tuple[str, int]) -> Scene:
    """$20 on Small, of which $5 is lifted after "no more bets"; then what the house does."""
    scene = sic_bo()
    scene.add("BettingOpened", 0)
    scene.wager(1, "Small Bet", cents=2_000)
    roll(scene, 10, *dice)
    name = "taken_cents" if act == "WagerTakenDown" else "returned_cents"
    scene.add(act, 11.5, wager_id="W1", **{name: 500})
    for number, (outcome, cents) in enumerate(acts):
        (scene.won if outcome == "won" else scene.lost)(20 + number, "W1", cents)
    scene.add("LightsCleared", 30)
    return scene


WINS, LOSES = (1, 2, 3), (4, 5, 6)


@pytest.mark.row_by_row
@pytest.mark.parametrize("act", ["WagerTakenDown", "WagerReturned"])
@pytest.mark.parametrize(
    ("dice", "acts", "told"),
    [
        pytest.param(LOSES, [("lost", 1_500)], [("late_take_down", 500)], id="539.4(c): the rest is collected"),
        pytest.param(LOSES, [("lost", 1_000)], [("late_take_down", 500), ("stake_taken_wrong", 500)], id="539.4(c): the rest is collected in part"),
        pytest.param(LOSES, [("lost", 2_000)], [("late_take_down", 0)], id="539.4(c): all is collected"),
        pytest.param(LOSES, [("lost", 1_700)], [("late_take_down", 300)], id="539.4(c): some of the part is collected"),
        pytest.param(LOSES, [("lost", 2_300)], [("late_take_down", 0), ("stake_taken_wrong", -300)], id="539.4(c): more than lay there is collected"),
        pytest.param(LOSES, [("won", 1_500)], [("late_take_down", 500), ("wrong_outcome", 3_000)], id="539.4(c): the rest is paid"),
        pytest.param(WINS, [("won", 1_500)], [("late_take_down", -500)], id="539.6(b): the rest is paid"),
        pytest.param(WINS, [("won", 1_000)], [("late_take_down", -500), ("wager_underpaid", -500)], id="539.6(b): the rest is paid short"),
        pytest.param(WINS, [("won", 2_000)], [("late_take_down", 0)], id="539.6(b): all is paid"),
        pytest.param(WINS, [("won", 3_000)], [("late_take_down", 0), ("wager_overpaid", 1_000)], id="539.6(b): more than all is paid"),
        pytest.param(WINS, [("won", 1_500), ("won", 300)], [("late_take_down", -200)], id="539.6(b): paid in two"),
    ],
)  # fmt: skip
def test_only_the_part_that_was_lifted_late_belongs_to_the_lift(
    act: str, dice: tuple[int, ...], acts: list[tuple[str, int]], told: list[tuple[str, int]]
) -> None:
    scene = lowered(dice, act, *acts)
    found = {(f.code, f.effect_cents) for f in scene.audit().findings if f.wager == "W1"}
    assert found == set(told)
    assert scene.result("W1").difference_cents == sum(cents for _, cents in told)


def test_a_part_lifted_late_of_a_wager_that_is_never_settled() -> None:
    scene = lowered(LOSES, "WagerTakenDown")
    found = {(f.code, f.effect_cents) for f in scene.audit().findings if f.wager == "W1"}
    assert found == {("late_take_down", 500), ("wager_unsettled", 1_500)}
    assert scene.result("W1").difference_cents == 2_000


def test_more_than_it_wins_is_paid_on_a_wager_lifted_late() -> None:
    scene = sic_bo()
    scene.add("BettingOpened", 0)
    scene.wager(1, "Small Bet")
    roll(scene, 10, *WINS)
    scene.add("WagerTakenDown", 18, wager_id="W1", taken_cents=None)
    scene.won(20, "W1", 1_500)
    scene.add("LightsCleared", 30)
    found = {(f.code, f.effect_cents) for f in scene.audit().findings if f.wager == "W1"}
    assert found == {("late_take_down", 0), ("wager_overpaid", 500)}
