"""Sic Bo, given, when, then: each rule on both sides of its edge."""

from __future__ import annotations

from typing import Any, Final

import pytest

from ledger.games import BY_KEY
from ledger.games.outcomes import DiceOutcome
from ledger.games.room import Decided, Requires, Returned, Undecidable, Unsure
from ledger.games.sic_bo.wagers import winning_areas
from tests.games.facts import Table, ending, follow, told

ROOM: Final = BY_KEY["sic_bo"]
AREAS: Final = tuple(sorted(winning_areas((1, 3, 4))))
PROPPED: Final = "1,3/ONE_SIDE_PROPPED,4"


def manual() -> Table:
    """A manual shaker and a wager on Small."""
    facts = Table()("ShakerPlaced", -10)
    return facts("BettingOpened", 0)(
        "WagerPlaced", 5, wager_id="W1", wager="Small Bet", stake_cents=500
    )


def automated() -> Table:
    """The same with an automated shaker."""
    facts = Table()("ShakerPlaced", -10, kind="AUTOMATED")
    return facts("BettingOpened", 0)(
        "WagerPlaced", 5, wager_id="W1", wager="Small Bet", stake_cents=500
    )


def covered() -> Table:
    return manual()("NoMoreBetsAnnounced", 10)("ShakerCovered")


def shaken(*shakes: int | None) -> Table:
    """Covered and shaken so often, three times if not said."""
    facts = covered()
    for count in shakes or (3,):
        facts("DiceShaken", shakes=count)
    return facts


def open_() -> Table:
    return shaken()("ShakerUncovered")


def thrown(dice: str = "1,3,4") -> Table:
    return open_()("DiceThrown", dice=dice)


def entered() -> Table:
    return thrown()("RollCalled", faces=(1, 3, 4))("ValuesEntered", faces=(1, 3, 4))


def lit() -> Table:
    return entered()("AreasLit", areas=AREAS)


def tossed() -> Table:
    """Closed and tossed by an automated shaker."""
    return automated()("NoMoreBetsAnnounced", 10)("DiceShaken", shakes=None)


def settled(facts: Table, outcome: str = "WON") -> Table:
    return facts("WagerSettled", wager_id="W1", outcome=outcome)


def broken(facts: Table, device: str = "ELECTRICAL_DEVICE") -> Table:
    return facts("DeviceFailed", device=device)


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("facts", "then"),
    [
        # § 539.1(d), (f), .2
        pytest.param(thrown(), ["Decided"], id="539.4(c)#1"),
        pytest.param(
            thrown("1,3"), ["wrong_number_of_dice 539.2(a)", "Undecidable"], id="539.2(a)#1-two"
        ),
        pytest.param(
            thrown("1,3,4,4"),
            ["wrong_number_of_dice 539.2(a)", "Undecidable"],
            id="539.2(a)#1-four",
        ),
        pytest.param(
            thrown("1,3,4,4")("RollCalled", faces=(1, 3, 4)),
            [],
            id="539.2(a)#1-no-call-differs-from-four",
        ),
        pytest.param(
            covered()("DiceThrown", dice="1,3,4"),
            ["Decided", "result_without_shake 539.1(d)"],
            id="539.1(d)#2",
        ),
        pytest.param(
            automated()("ShakerCovered"), ["automated_shaker_covered 539.5(e)"], id="539.5(e)#6"
        ),
        # § 539.5(b), (c)
        pytest.param(shaken(), [], id="539.5(b)#1-announced"),
        pytest.param(
            manual()("ShakerCovered")("DiceShaken"),
            ["no_more_bets_missing 539.5(b)"],
            id="539.5(b)#1-not-announced",
        ),
        pytest.param(
            automated()("DiceShaken", shakes=None),
            ["no_more_bets_missing 539.5(b)"],
            id="539.5(c)(2)-not-announced",
        ),
        pytest.param(
            manual()("NoMoreBetsAnnounced")("DiceShaken"),
            ["shaken_uncovered 539.5(c)(1)"],
            id="539.5(c)(1)#1-never-covered",
        ),
        pytest.param(
            covered()("ShakerUncovered")("DiceShaken"),
            ["shaken_uncovered 539.5(c)(1)"],
            id="539.5(c)(1)#1-uncovered-again",
        ),
        pytest.param(tossed(), [], id="539.5(c)(2)-has-no-cover"),
        pytest.param(open_(), [], id="539.5(c)(1)#2-three"),
        pytest.param(
            shaken(2)("ShakerUncovered"), ["too_few_shakes 539.5(c)(1)"], id="539.5(c)(1)#2-two"
        ),
        pytest.param(shaken(2, 1)("ShakerUncovered"), [], id="539.5(c)(1)#2-two-and-one"),
        pytest.param(
            shaken(None)("ShakerUncovered"),
            ["too_few_shakes 539.5(c)(1) ?"],
            id="539.5(c)(1)#2-unknown",
        ),
        pytest.param(
            shaken(2)("ShakerUncovered")("DiceThrown", dice="1,3,4"),
            ["Decided"],
            id="539.5(c)(1)#2-the-roll-stands",
        ),
        pytest.param(tossed()("DiceThrown", dice="1,3,4"), ["Decided"], id="539.5(c)(2)-no-count"),
        # § 539.5(d)
        pytest.param(
            shaken()("DiceThrown", dice="1,3,4")("RollCalled", faces=(1, 3, 4)),
            ["shaker_not_uncovered 539.5(d)"],
            id="539.5(d)#1",
        ),
        pytest.param(thrown()("RollCalled", faces=(4, 1, 3)), [], id="539.5(d)#2-in-any-order"),
        pytest.param(
            thrown()("RollCalled", faces=(1, 3, 5)), ["wrong_call 539.5(d)"], id="539.5(d)#2-other"
        ),
        pytest.param(thrown()("ValuesEntered", faces=(3, 1, 4)), [], id="539.5(d)#3-in-any-order"),
        pytest.param(
            thrown()("ValuesEntered", faces=(1, 3, 3)),
            ["entry_differs_from_dice 539.5(d)"],
            id="539.5(d)#3-other",
        ),
        pytest.param(lit(), [], id="539.5(d)#5-all-that-wins"),
        pytest.param(
            entered()("AreasLit", areas=AREAS[1:]),
            ["lights_wrong 539.5(d)"],
            id="539.5(d)#5-one-missing",
        ),
        pytest.param(
            entered()("AreasLit", areas=(*AREAS, "Big Bet")),
            ["lights_wrong 539.5(d)"],
            id="539.5(d)#5-one-too-many",
        ),
        pytest.param(entered()("AreasLit", areas=None), [], id="539.5(d)#5-not-recorded-which"),
        pytest.param(
            thrown()("AreasLit", areas=None),
            ["entry_missing 539.5(d)"],
            id="539.5(d)#4-lit-without-entry",
        ),
        pytest.param(
            settled(thrown()), ["entry_missing 539.5(d)"], id="539.5(d)#4-settled-without-entry"
        ),
        # § 539.5(e), (f)
        pytest.param(settled(lit()), [], id="539.5(e)#1-lit"),
        pytest.param(
            settled(entered()), ["settled_before_result 539.5(e)"], id="539.5(e)#1-not-lit"
        ),
        pytest.param(
            settled(shaken())("DiceThrown", dice="1,3,4"),
            ["settled_before_result 539.5(e)", "Decided"],
            id="539.4(c)#2-not-thrown",
        ),
        pytest.param(lit()("LightsCleared")("BettingOpened"), [], id="539.5(f)#2-cleared"),
        pytest.param(
            lit()("BettingOpened"), ["lights_not_cleared 539.5(f)"], id="539.5(f)#2-still-lit"
        ),
        pytest.param(lit()("LightsCleared"), ["Requires"], id="539.5(f)#1"),
        pytest.param(lit()("ShakerCovered"), ["Requires"], id="539.5(e)#5"),
        # § 539.7(a)
        pytest.param(thrown(PROPPED), ["Returned"], id="539.7(a)#1-leaning"),
        pytest.param(thrown("1,3/ON_A_DIE,4"), ["Returned"], id="539.7(a)#1-on-a-die"),
        pytest.param(thrown("1,3,4/OUTSIDE_SHAKER"), ["Returned"], id="539.7(a)#1-outside"),
        pytest.param(
            thrown("1,3/UNRECOGNISED,4"), ["Undecidable"], id="539.7(a)#1-how-it-lies-is-not-known"
        ),
        pytest.param(
            thrown("1/UNRECOGNISED,3/ON_A_DIE,4"),
            ["Returned"],
            id="539.7(a)#1-one-leans-whatever-the-other",
        ),
        pytest.param(thrown("1,?,4"), ["Undecidable"], id="539.4(c)#1-a-face-not-recorded"),
        pytest.param(thrown(PROPPED)("NoRollCalled"), [], id="539.7(a)#2-called"),
        pytest.param(
            thrown(PROPPED)("RollCalled", faces=(1, 3, 4)),
            ["no_roll_not_called 539.7(a)"],
            id="539.7(a)#2-called-as-a-roll",
        ),
        pytest.param(
            settled(thrown(PROPPED)), ["no_roll_not_called 539.7(a)"], id="539.7(a)#2-settled"
        ),
        pytest.param(
            settled(thrown(PROPPED)("NoRollCalled"), "RETURNED"), [], id="539.7(a)#3-returned"
        ),
        pytest.param(
            thrown()("NoRollCalled"), ["no_roll_without_cause 539.7(a)"], id="539.7(a)#4-flat"
        ),
        pytest.param(
            thrown()("RoundVoided"), ["no_roll_without_cause 539.7(a)"], id="539.7(a)#4-void"
        ),
        pytest.param(open_()("NoRollCalled"), ["Undecidable"], id="539.7(a)#4-dice-not-seen"),
        pytest.param(
            open_()("NoRollCalled")("DiceThrown", dice="1,3,4"),
            ["no_roll_without_cause 539.7(a)", "Decided"],
            id="539.7(a)#4-seen-later",
        ),
        pytest.param(
            open_()("NoRollCalled")("DiceThrown", dice=PROPPED),
            ["Returned"],
            id="539.7(a)#4-seen-later-leaning",
        ),
        pytest.param(
            open_()("NoRollCalled")("DiceThrown", dice=PROPPED)("DiceShaken"),
            ["shaken_uncovered 539.5(c)(1)", "reshaken_after_no_roll 539.7(a)"],
            id="539.7(a)#5-called-first",
        ),
        pytest.param(
            thrown(PROPPED)("NoRollCalled")("ShakerCovered")("DiceShaken"),
            ["reshaken_after_no_roll 539.7(a)"],
            id="539.7(a)#5-same-wagers",
        ),
        pytest.param(
            thrown(PROPPED)("NoRollCalled")("BettingOpened")("NoMoreBetsAnnounced")(
                "ShakerCovered"
            )("DiceShaken"),
            [],
            id="539.7(a)#5-new-round",
        ),
        # § 539.7(b)
        pytest.param(
            settled(broken(thrown())), ["device_fault_unsupervised 539.7(b)"], id="539.7(b)#2-alone"
        ),
        pytest.param(
            settled(broken(thrown())("SupervisorPresent")), [], id="539.7(b)#2-floorperson"
        ),
        pytest.param(
            settled(broken(thrown())("SupervisorPresent", role="CASINO_MANAGER")),
            [],
            id="539.7(b)#2-above",
        ),
        pytest.param(
            settled(broken(thrown())("SupervisorPresent", role="BOXPERSON")),
            ["device_fault_unsupervised 539.7(b)"],
            id="539.7(b)#2-below",
        ),
        pytest.param(
            broken(lit()("LightsCleared"))("BettingOpened"),
            ["play_resumed_before_repair 539.7(b)"],
            id="539.7(b)#3-not-fixed",
        ),
        pytest.param(
            broken(lit()("LightsCleared"))("DeviceFixed")("BettingOpened"),
            [],
            id="539.7(b)#3-fixed",
        ),
        pytest.param(
            broken(lit()("LightsCleared"), "DISPLAY_AREA")("BettingOpened"),
            ["play_resumed_before_repair 539.7(b)"],
            id="539.7(b)#3-area",
        ),
        # § 539.7(c), (d)
        pytest.param(
            broken(tossed(), "AUTOMATED_SHAKER"), ["Returned"], id="539.7(c)#1-malfunctions"
        ),
        pytest.param(
            broken(automated()("NoMoreBetsAnnounced"), "AUTOMATED_SHAKER"),
            ["Returned"],
            id="539.7(c)#1-does-not-run",
        ),
        pytest.param(
            broken(automated(), "AUTOMATED_SHAKER"), [], id="539.7(c)#1-before-it-is-activated"
        ),
        pytest.param(
            settled(broken(tossed(), "AUTOMATED_SHAKER")),
            ["round_not_voided 539.7(c)"],
            id="539.7(c)#1-settled",
        ),
        pytest.param(
            settled(broken(tossed(), "AUTOMATED_SHAKER"), "RETURNED"), [], id="539.7(c)#2-returned"
        ),
        pytest.param(
            shaken()("ShakerPlaced", shaker="S-2", kind="AUTOMATED")("ShakerCovered", shaker="S-1")(
                "DiceShaken"
            ),
            ["two_shakers_at_table 539.7(d)"],
            id="539.7(d)-both",
        ),
        pytest.param(
            tossed()("ShakerRemoved")("BettingOpened")("ShakerPlaced", shaker="S-2")(
                "NoMoreBetsAnnounced"
            )("ShakerCovered")("DiceShaken", shaker="S-2"),
            [],
            id="539.7(d)-removed-first",
        ),
        # order
        pytest.param(
            covered()("ValuesEntered", faces=(1, 3, 4)),
            ["fact_out_of_order 539.5"],
            id="539.5-entered-before-shaken",
        ),
        pytest.param(
            thrown()("DiceThrown", dice="1,1,1"),
            ["fact_out_of_order 539.5"],
            id="539.5-thrown-twice",
        ),
    ],
)
def test_the_last_fact(facts: Table, then: list[str]) -> None:
    assert told(follow(ROOM, facts.facts)[0][-1]) == then


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("facts", "then"),
    [
        pytest.param(settled(lit()), [], id="539.5-in-order"),
        pytest.param(
            thrown(PROPPED), ["no_roll_not_called 539.7(a)"], id="539.7(a)#2-never-called"
        ),
        pytest.param(thrown(PROPPED)("NoRollCalled"), [], id="539.7(a)#2-called"),
        pytest.param(settled(thrown(PROPPED)), [], id="539.7(a)#2-told-already"),
        pytest.param(
            settled(thrown()), ["call_missing 539.5(d)"], id="539.5(d)#4-told-already-never-called"
        ),
        pytest.param(
            settled(thrown()("RollCalled", faces="1,3,4")), [], id="539.5(d)#4-told-already"
        ),
        pytest.param(
            settled(shaken())("DiceThrown", dice="1,3,4"),
            ["call_missing 539.5(d)", "entry_missing 539.5(d)"],
            id="539.5(d)#4-never-entered",
        ),
        pytest.param(
            settled(broken(thrown()("RollCalled", faces="1,3,4"))("SupervisorPresent")),
            [],
            id="539.7(b)#1-device-failed",
        ),
    ],
)
def test_the_end(facts: Table, then: list[str]) -> None:
    assert told(ending(ROOM, facts.facts)) == then


# --- the dice decide, and what stands for them ------------------------------------------------------


def last(facts: Table) -> Any:
    return follow(ROOM, facts.facts)[0][-1][-1]


def test_539_4_c_the_faces_are_sorted() -> None:
    ruling = last(thrown("4,1,3"))
    assert isinstance(ruling, Decided)
    assert (ruling.shown, ruling.detail, ruling.factor) == (
        (1, 3, 4), DiceOutcome(faces=(1, 3, 4)), 1,
    )  # fmt: skip


def test_539_4_c_announcement_and_entry_stand_for_dice_that_were_not_seen() -> None:
    called = open_()("RollCalled", faces=(4, 1, 3))
    assert isinstance(last(called), Decided)
    assert isinstance(last(called("ValuesEntered", faces=(1, 3, 4))), Decided)


def test_539_4_c_but_not_when_they_differ() -> None:
    facts = open_()("RollCalled", faces=(4, 1, 3))("ValuesEntered", faces=(1, 3, 3))
    assert isinstance(last(facts), Undecidable)


@pytest.mark.parametrize(
    ("facts", "section"),
    [(thrown(PROPPED), "539.7(a)"), (broken(tossed(), "AUTOMATED_SHAKER"), "539.7(c)")],
)
def test_539_7_wagers_go_back(facts: Table, section: str) -> None:
    ruling = last(facts)
    assert isinstance(ruling, Returned)
    assert ruling.cite.section == section


@pytest.mark.parametrize(("fact", "done"), [("LightsCleared", "all"), ("ShakerCovered", "winners")])
def test_539_5_e_f_what_must_be_settled_first(fact: str, done: str) -> None:
    ruling = last(lit()(fact))
    assert isinstance(ruling, Requires)
    assert ruling.done == done


# --- what is known ----------------------------------------------------------------------------------


def test_betting_is_open_until_the_call() -> None:
    assert [follow(ROOM, facts.facts)[1].betting_open for facts in (manual(), covered())] == [
        True,
        False,
    ]


def test_nothing_can_be_known_under_the_cover() -> None:
    known = [
        follow(ROOM, facts.facts)[1].knowable
        for facts in (covered(), shaken(), open_(), thrown(), thrown(PROPPED))
    ]
    assert known == [False, False, True, True, True]


def test_after_a_gap_shaker_and_cover_are_unknown() -> None:
    state = ROOM.evolve(follow(ROOM, shaken().facts)[1], Unsure("T-01"))
    assert (state.shakers, state.covered, state.device_known) == (None, None, False)


def test_539_1_the_device_lights_what_wins() -> None:
    assert winning_areas((1, 3, 4)) == {
        "Total Value Bet 8", "Two Dice Combination 1 3", "Two Dice Combination 1 4", "Two Dice Combination 3 4",
        "Small Bet", "One of a Kind 1", "One of a Kind 3", "One of a Kind 4",
    }  # fmt: skip
    assert winning_areas((2, 2, 2)) == {
        "Three of a Kind 2", "Two of a Kind 2", "Any Three of a Kind", "Total Value Bet 6", "One of a Kind 2",
    }  # fmt: skip
