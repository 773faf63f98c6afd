"""Given, when, then: what the chapter makes of single facts, on both sides of each edge."""

from __future__ import annotations

from typing import Final

import pytest

from ledger.games import BY_KEY
from tests.games.facts import Table, ending, follow, told

ROOM: Final = BY_KEY["props_and_hops"]


def opened(*seats: str) -> Table:
    table = Table()
    for seat in seats:
        table("PositionTaken", position=seat)
    return table("DiceShaken")("BettingOpened")


def shaken(table: Table, position: str = "1", shakes: int = 3) -> Table:
    return table("NoMoreBetsAnnounced")("PlayerShook", position=position, shakes=shakes)


def last(table: Table) -> list[str]:
    return told(follow(ROOM, table.facts)[0][-1])


@pytest.mark.parametrize(
    ("shakes", "said"),
    [(3, ["Decided"]), (2, ["too_few_shakes 668a.3(f)", "Decided"])],
    ids=["668a.3(f)#2-three", "668a.3(f)#2-two"],
)
def test_the_player_shakes_at_least_three_times(shakes: int, said: list[str]) -> None:
    assert last(shaken(opened(), shakes=shakes)("DiceThrown", dice="1,2")) == said


@pytest.mark.parametrize(
    ("dice", "said"),
    [
        ("3,4", ["Decided"]),
        ("3,4/ON_A_DIE", ["Annulled"]),
        ("3,4/OUTSIDE_SHAKER", ["Annulled"]),
        ("3,4/ONE_SIDE_PROPPED", ["Annulled"]),
        ("3,?", ["Undecidable"]),
        ("3,4/UNRECOGNISED", ["Undecidable"]),
        ("1,2,3", ["wrong_number_of_dice 668a.3(a)", "Undecidable"]),
    ],
)
def test_how_the_dice_lie(dice: str, said: list[str]) -> None:
    assert last(shaken(opened())("DiceThrown", dice=dice)) == said


def test_668a_2_f_8_lammers_are_kept_over_rounds_and_cleared_by_a_seven() -> None:
    table = opened()("WagerPlaced", wager_id="W1", wager="Six Eight Shake", stake_cents=500)
    shaken(table)("DiceThrown", dice="5,1")
    assert follow(ROOM, table.facts)[1].lammers == {(1, 5)}
    shaken(table("DiceShaken")("BettingOpened"))("DiceThrown", dice="2,4/ON_A_DIE")
    assert follow(ROOM, table.facts)[1].lammers == {(1, 5)}
    table("NoRollCalled", reason="die on another die")("PlayerShook", position="1")
    table("DiceThrown", dice="3,4")
    assert follow(ROOM, table.facts)[1].lammers == frozenset()


def test_668a_2_f_8_the_last_take_down_ends_the_sequence() -> None:
    table = opened()("WagerPlaced", wager_id="W1", wager="Six Eight Shake", stake_cents=500)
    shaken(table)("DiceThrown", dice="5,1")("WagerTakenDown", wager_id="W1", taken_cents=100)
    assert follow(ROOM, table.facts)[1].lammers == {(1, 5)}
    table("WagerTakenDown", wager_id="W1", taken_cents=400)
    assert follow(ROOM, table.facts)[1].lammers == frozenset()


def test_668a_2_f_8_what_is_left_of_a_wager_handed_back_keeps_the_sequence() -> None:
    table = opened()("WagerPlaced", wager_id="W1", wager="Six Eight Shake", stake_cents=500)
    shaken(table)("DiceThrown", dice="5,1")("WagerReturned", wager_id="W1", returned_cents=100)
    assert follow(ROOM, table.facts)[1].lammers == {(1, 5)}
    table("WagerReturned", wager_id="W1", returned_cents=None)
    assert follow(ROOM, table.facts)[1].lammers == frozenset()


def test_without_a_six_eight_shake_no_lammer_lies() -> None:
    table = shaken(opened())("DiceThrown", dice="5,1")
    assert follow(ROOM, table.facts)[1].lammers == frozenset()


@pytest.mark.parametrize(
    ("rolled", "position", "said"),
    [
        ("6,6", "1", []),
        ("6,6", "4", ["wrong_shaker 668a.3(k)"]),
        ("3,4", "4", []),
        ("3,4", "1", ["wrong_shaker 668a.3(k)"]),
        ("3,4/ON_A_DIE", "1", []),
    ],
)
def test_668a_3_k_who_shakes_next(rolled: str, position: str, said: list[str]) -> None:
    table = shaken(opened("1", "4"))("DiceThrown", dice=rolled)
    if "/" in rolled:
        table("NoRollCalled", reason="die on another die")("PlayerShook", position=position)
    else:
        shaken(table("DiceShaken")("BettingOpened"), position)
    assert last(table) == said


def test_668a_3_k_from_the_last_seat_back_to_the_first() -> None:
    table = shaken(opened("2", "5"), "2")("DiceThrown", dice="3,4")
    shaken(table("DiceShaken")("BettingOpened"), "5")("DiceThrown", dice="3,4")
    assert follow(ROOM, table.facts)[1].due_to_shake() == "2"


@pytest.mark.parametrize("called", [True, False], ids=["called", "668a.3(h)#3-not-called"])
def test_a_no_roll_is_owed(called: bool) -> None:
    table = shaken(opened())("DiceThrown", dice="3,4/ON_A_DIE")
    if called:
        table("NoRollCalled", reason="die on another die")
    owed = [] if called else ["no_roll_not_called 668a.3(h)"]
    assert told(ending(ROOM, table.facts)) == owed


def test_668a_3_i_a_wager_handed_back_before_the_roll_was_not_settled() -> None:
    """Above the maximum and returned while the betting is open: the roll comes after no settlement."""
    table = opened()("WagerPlaced", wager_id="W1", wager="Field", stake_cents=500)
    shaken(table("WagerReturned", wager_id="W1", returned_cents=500))("DiceThrown", dice="1,2")
    assert last(table) == ["Decided"]


@pytest.mark.parametrize(
    ("settled", "said"),
    [("RETURNED", ["Decided"]), ("LOST", ["settled_before_result 668a.3(i)", "Decided"])],
)
def test_668a_3_i_settled_before_any_roll(settled: str, said: list[str]) -> None:
    table = opened()("WagerPlaced", wager_id="W1", wager="Field", stake_cents=500)
    shaken(table)("WagerSettled", wager_id="W1", outcome=settled)
    assert last(table("DiceThrown", dice="1,2")) == said


def test_668a_2_f_8_a_wager_moved_off_the_circles_ends_the_sequence() -> None:
    table = opened()("WagerPlaced", wager_id="W1", wager="Six Eight Shake", stake_cents=500)
    shaken(table)("DiceThrown", dice="5,1")
    table("DiceShaken")("BettingOpened")("WagerMoved", wager_id="W1", wager="Field", picks=())
    state = follow(ROOM, table.facts)[1]
    assert state.lammers == frozenset()
    assert state.stakes.lies("Field")
    assert not state.stakes.lies("Six Eight Shake")


def test_668a_2_f_8_a_wager_moved_onto_the_circles_joins_late() -> None:
    table = opened()("WagerPlaced", wager_id="W1", wager="Six Eight Shake", stake_cents=500)
    shaken(table)("DiceThrown", dice="5,1")("DiceShaken")("BettingOpened")
    table("WagerPlaced", wager_id="W2", wager="Field", stake_cents=500)
    table("WagerMoved", wager_id="W2", wager="Six Eight Shake", picks=())
    assert last(table) == ["shake_joined_late 668a.2(f)(8)", "Contested"]


def test_668a_2_c_a_player_stays_until_the_round_is_complete() -> None:
    table = opened("1", "4")(
        "WagerPlaced", wager_id="W1", wager="Field", position="4", stake_cents=500
    )
    shaken(table)
    assert last(table("PositionLeft", position="4")) == ["left_seat_during_round 668a.2(c)"]
    table.facts.pop()
    table("DiceThrown", dice="1,2")
    assert last(table("PositionLeft", position="1")) == []
    assert last(table("PositionLeft", position="4")) == ["Requires"]
