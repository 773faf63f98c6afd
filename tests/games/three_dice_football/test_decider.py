"""Each rule on both sides of its edge."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.games.three_dice_football import ROOM
from ledger.games.three_dice_football.decider import closed_to
from tests.games.facts import Table, ending, follow, told

DAY = 24 * 3600


def crew(table: Table | None = None, *, stick: bool = True, ends: str = "AB") -> Table:
    table = table or Table()
    table("StaffAssigned", 0, role="DEALER", person="D1")
    table("StaffAssigned", 0, role="DEALER", person="D2")
    table("StaffAssigned", 0, role="STICKPERSON" if stick else "DEALER", person="S1")
    for name, end in zip(("C1", "C2"), ends, strict=True):
        table("CameraDescribed", 0, camera=name, stationary="yes", covers=f"end {end}")
    return table("DiceAccepted", 0, position="5")


def game(*wagers: str, table: Table | None = None) -> Table:
    table = (table or crew())("BettingOpened")
    for number, wager in enumerate(wagers or ("Defense",), 1):
        table("WagerPlaced", wager_id=f"W{number}", wager=wager, stake_cents=500, position="5")
    return table


def play(table: Table, dice: str, at: int | None = None, **said: Any) -> Table:
    table("DiceThrownByHand", at, dice=dice, **said)
    faces = ",".join(part[1] for part in dice.split(",") if part[1].isdigit())
    return table("RollCalled", faces=faces, called_by="S1")


def said(table: Table) -> list[str]:
    rulings, _ = follow(ROOM, table.facts)
    return [line for each in rulings for line in told(each) if " " in line]


DOWN, GAIN, TURNOVER = "g1,g2,r3", "g5,g6,r1", "g1,g1,r6"


def placed(serials: str, at: int, table: Table, colours: str = "ggggrr") -> Table:
    from ledger.events import DieIdentity

    names = {"g": "green", "r": "red"}
    dice = tuple(
        DieIdentity(serial=f"{serials}{n}", colour=names[c]) for n, c in enumerate(colours)
    )
    return table("DiceSetPlaced", at, dice=dice)


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("table", "then"),
    [
        pytest.param(play(game(), DOWN), [], id="577.6-in-order"),
        pytest.param(play(game(table=crew(stick=False)), DOWN), ["no_stickperson 577.9(b)"], id="577.9(b)#2"),
        pytest.param(play(game(table=crew()("StaffRelieved", role="DEALER", person="D2")), DOWN), ["understaffed 577.9(b)"], id="577.9(b)#1"),
        pytest.param(play(game(table=crew(ends="AA")), DOWN), ["camera_missing 577.9(a)"], id="577.9(a)-one-end"),
        pytest.param(play(game(table=crew()("CameraLost", camera="C2")), DOWN), ["camera_missing 577.9(a)"], id="577.9(a)-lost"),
        pytest.param(play(game(table=crew()("CameraLost", camera="C2")("CameraRestored", camera="C2")), DOWN), [], id="577.9(a)-restored"),
        pytest.param(play(game(), DOWN, position="6"), ["wrong_quarterback 577.4(c)"], id="577.4(c)#1"),
        pytest.param(play(game(), "g1,r2,r3"), ["wrong_dice_thrown 577.5(a)"], id="577.5(a)#1-two-red"),
        pytest.param(play(game(), DOWN, released_together="no"), ["improper_throw 577.5(a)"], id="577.5(a)#2"),
        pytest.param(play(game(), DOWN, struck_far_end="no"), ["improper_throw 577.5(a)"], id="577.5(a)#3"),
        pytest.param(play(placed("A", 0, game()), DOWN, DAY), [], id="577.4(d)#1-exactly-24-hours"),
        pytest.param(play(placed("A", 0, game()), DOWN, DAY + 1), ["dice_over_24_hours 577.4(d)"], id="577.4(d)#1"),
        pytest.param(play(placed("A", 5, game(), "gggrr"), DOWN), ["dice_set_incomplete 577.4(a)"], id="577.4(a)#2"),
        pytest.param(play(placed("A", 5, game())("DieLost", die="A1"), DOWN), ["lost_die_set_not_changed 577.4(d)"], id="577.4(d)#3"),
        pytest.param(play(placed("A", 5, game())("DieLost", die="A1")("DieFound", die="A1"), DOWN), [], id="577.4(d)#3-found"),
        pytest.param(play(placed("A", 5, game())("ItemInspected", subject="DICE", subject_id="A1", item="condition", found="no", inspected_by="S1"), DOWN), ["unfit_dice_used 577.4(d)"], id="577.4(d)#4"),
        pytest.param(game()("MarkersPlaced", yard=20, down="FIRST_DOWN", play=1), [], id="577.6(a)-in-place"),
        pytest.param(game()("MarkersPlaced", yard=19, down="FIRST_DOWN", play=1), ["marker_misplaced 577.6(a)"], id="577.6(a)#2"),
        pytest.param(play(game(), GAIN)("MarkersPlaced", yard=10, down="FIRST_AND_GOAL", play=2), [], id="577.6(e)-at-ten"),
        pytest.param(play(game(), GAIN)("MarkersPlaced", yard=10, down="SECOND_DOWN", play=2), ["marker_misplaced 577.6(c)(1)"], id="577.6(e)-not-goal"),
        pytest.param(play(game(), "g1,g2,r5")("MarkersPlaced", yard=21, down="SECOND_DOWN", play=2), [], id="577.6(c)(2)"),
        pytest.param(play(game(), "g1,g2,r5")("MarkersPlaced", yard=22, down="SECOND_DOWN", play=2), ["marker_misplaced 577.6(c)(2)"], id="577.6(c)(2)-by-the-dice"),
        pytest.param(play(game(), GAIN)("DownAnnounced", down="FIRST_AND_GOAL", distance_yards=9), ["marker_misplaced 577.6(d)"], id="577.6(d)#3-wrong"),
        pytest.param(play(play(game(), GAIN)("DownAnnounced", down="FIRST_AND_GOAL", distance_yards=10), DOWN), [], id="577.6(d)#3-said"),
        pytest.param(play(play(game(), GAIN), DOWN), ["announcement_missing 577.6(d)"], id="577.6(d)#3"),
        pytest.param(play(game(), "g1,g2,r5")("TurnoverAnnounced"), ["marker_misplaced 577.6(d)"], id="577.6(d)#3-no-turnover"),
        pytest.param(play(game(), TURNOVER)("TurnoverAnnounced"), [], id="577.6(c)(4)#2"),
        pytest.param(play(play(game(), TURNOVER), DOWN), ["throw_after_game_over 577.6(c)(4)"], id="577.6(c)(4)#1"),
        pytest.param(game()("DiceThrownByHand", dice=DOWN)("RollCalled", faces="1,2,3", called_by="D1"), ["not_by_stickperson 577.4(a)"], id="577.4(a)#3"),
        pytest.param(game()("DiceThrownByHand", dice=DOWN)("NoRollCalled", reason="improper throw", called_by="S1"), [], id="577.5(c)(6)"),
        pytest.param(game()("DiceThrownByHand", dice=DOWN)("NoRollCalled", reason="improper throw", called_by="D1"), ["not_by_stickperson 577.5(c)"], id="577.5(c)-dealer"),
        pytest.param(game()("DiceThrownByHand", dice=DOWN)("NoRollCalled", reason="far end not struck", called_by="S1"), ["no_roll_without_cause 577.5(c)"], id="577.5(c)(2)-struck"),
        pytest.param(game()("DiceThrownByHand", dice=DOWN, struck_far_end="no")("NoRollCalled", reason="far end not struck", called_by="S1"), [], id="577.5(c)(2)"),
        pytest.param(game()("DiceThrownByHand", dice="g1,g2,r3/ON_RAIL")("NoRollCalled", reason="die on a rail", called_by="S1"), [], id="577.5(c)(4)"),
        pytest.param(game()("DiceThrownByHand", dice=DOWN)("NoRollCalled", reason="cheating", called_by="S1"), ["cheating_suspected 577.5(c)(5)"], id="577.5(c)(5)"),
        pytest.param(game()("DiceThrownByHand", dice="g1,g2,r3/ON_CHIPS")("NoRollCalled", reason="bad luck", called_by="S1"), ["no_roll_without_cause 577.5(d)"], id="577.5(d)"),
        pytest.param(play(game(), "g1,g2,r3/OFF_TABLE"), ["invalid_roll_counted 577.5(b)"], id="577.5(b)#1"),
        pytest.param(play(game(), "g1,g2,r3/TWO_SIDES_PROPPED"), ["invalid_roll_counted 577.5(f)"], id="577.5(f)#2"),
        pytest.param(game()("DiceThrownByHand", dice=DOWN)("RollCalled", faces="1,3,3", called_by="S1")("MarkersPlaced"), ["wrong_call 577.5(e)"], id="577.5(e)#2"),
        pytest.param(game()("DiceThrownByHand", dice="g1,g?/ONE_SIDE_PROPPED@5,r3")("RollCalled", faces="2,1,3", called_by="S1")("MarkersPlaced"), [], id="577.5(f)#1"),
        pytest.param(game()("WagerPlaced", wager_id="W9", wager="Defense", stake_cents=5, position="17"), ["position_not_on_table 577.2(a)"], id="577.2(a)#2"),
        pytest.param(play(crew()("BettingOpened")("WagerPlaced", wager_id="W1", wager="Defense", stake_cents=5, position="6"), DOWN), ["player_without_wager 577.6(b)"], id="577.6(b)#1"),
    ],
)  # fmt: skip
def test_a_rule_on_both_sides_of_its_edge(table: Table, then: list[str]) -> None:
    assert said(table) == then


def test_full_game_wagers_close_with_the_first_valid_throw_and_no_sooner() -> None:
    def row(table: Table, wager: str) -> str | None:
        return closed_to(follow(ROOM, table.facts)[1], wager)

    invalid = game()("DiceThrownByHand", dice="g1,g2,r3/OFF_TABLE")
    assert row(invalid, "Touchdown") is None
    assert row(play(game(), DOWN), "Touchdown") == "late_wager@.3(c)#1"
    assert row(play(game(), DOWN), "Penalty") is None
    assert row(game()("DiceThrownByHand", dice=DOWN), "Penalty") == "late_wager@.3(e)#1"
    assert row(play(game(), TURNOVER), "Penalty") == "late_wager@.3(e)#1"


def test_the_end_shows_what_never_came() -> None:
    turnover = game()("DiceThrownByHand", dice=TURNOVER)
    assert told(ending(ROOM, turnover.facts))[-2:] == [
        "roll_not_called 577.5(e)", "announcement_missing 577.6(c)(4)",
    ]  # fmt: skip
    as_a_down = turnover("RollCalled", faces="1,1,6", called_by="S1")("DownAnnounced")
    assert told(ending(ROOM, as_a_down.facts)) == ["announcement_missing 577.6(c)(4)"]
    scored = play(game("Extra Point"), "g3,g3,r3")
    assert told(ending(ROOM, scored.facts))[0] == "extra_point_not_thrown 577.6(f)(1)"
    assert told(ending(ROOM, play(game("Touchdown"), "g3,g3,r3").facts)) == []


@pytest.mark.parametrize(
    ("offers", "then"),
    [
        (["9"], []),
        (["12"], ["dice_offer_out_of_order 577.7(a)"]),
        (["9", "12"], []),
        (["9", "5"], ["dice_offer_out_of_order 577.7(a)"]),
    ],
)
def test_the_dice_go_left_after_the_defense_won(offers: list[str], then: list[str]) -> None:
    table = crew()
    for position in ("5", "9", "12"):
        table("PositionTaken", position=position)
    play(game(table=table), TURNOVER)("TurnoverAnnounced")
    for number, position in enumerate(offers):
        table("DiceOffered", position=position)
        if number + 1 < len(offers):
            table("DiceRefused", position=position)
    assert said(table) == then
