"""How a game is played, and which duty each step has.

Law: §§ 577.2 to 577.9.
"""

from __future__ import annotations

from typing import Final

from ledger.events import BettingOpened, DiceThrownByHand
from ledger.games.breach_reporting import steps_of
from ledger.games.football_field import Result
from ledger.games.room import Duty, Step
from ledger.games.three_dice_football.terms import LAW, Phase
from ledger.kernel import Severity

LOW, MEDIUM, HIGH, CRITICAL = Severity.LOW, Severity.MEDIUM, Severity.HIGH, Severity.CRITICAL

# fmt: off
PHASES: Final = (       # § 577.6; where a throw that counts leads while the game goes on
    #    in phase       on fact            to phase
    Step(Phase.IDLE,    BettingOpened,     Phase.BEFORE),
    Step(Phase.BEFORE,  DiceThrownByHand,  Phase.BETWEEN),
    Step(Phase.BETWEEN, DiceThrownByHand,  Phase.BETWEEN),
    Step(Phase.EXTRA,   DiceThrownByHand,  Phase.OVER),
    Step(Phase.OVER,    DiceThrownByHand,  Phase.OVER),
)
DUTIES: Final = (       # by section; the sentence is that of the finding
    #    code                        severity  cite                 says when it was not kept                                                          reading
    Duty("law_not_held",             MEDIUM,   LAW["#1"],           reading="anniversary-day"),
    Duty("rules_submission_missing", HIGH,     LAW["#3"]),
    Duty("throw_after_game_over",    HIGH,     LAW[".1#touchdown-2"], "The dice were thrown again after the game had ended: {observed}.",               "touchdown-at-zero"),
    Duty("throw_after_game_over",    HIGH,     LAW[".6(c)(4)#1"],   "The dice were thrown again after the game had ended: {observed}."),
    Duty("throw_after_game_over",    HIGH,     LAW[".6(c)(5)"],     "The dice were thrown again after the game had ended: {observed}.",                 "trips-over-everything"),
    Duty("throw_after_game_over",    HIGH,     LAW[".6(e)(1)"],     "The dice were thrown again after the game had ended: {observed}.",                 "first-and-goal-at-once"),
    Duty("position_not_on_table",    MEDIUM,   LAW[".2(a)#2"],      "Position {observed} is not one of the 16 at the table."),
    Duty("layout_not_approved",      HIGH,     LAW[".2(b)#1"]),
    Duty("layout_odds_wrong",        MEDIUM,   LAW[".2(b)(3)#1"]),
    Duty("layout_odds_wrong",        MEDIUM,   LAW[".2(b)(3)#2"],   "Odds shown: {observed}; required: {expected}."),
    Duty("boxes_not_approved",       MEDIUM,   LAW[".2(c)"]),
    Duty("wager_not_in_chips",       MEDIUM,   LAW[".3(a)#2"],      reading="verbal-cash-wager"),
    Duty("wager_not_offered",        HIGH,     LAW[".3(d)"],        "{observed} is not an authorized wager."),
    Duty("wager_not_offered",        HIGH,     LAW[".3(b)(6)"],     "{observed} is not an authorized Game Length Wager; they are on 1 to 6 plays."),
    Duty("late_wager",               HIGH,     LAW[".3(c)#1"],      "A full game wager was placed or increased after the first throw of the game.",     "late-wager"),
    Duty("late_wager",               HIGH,     LAW[".3(e)#1"],      "A single play wager was placed after the throw.",                                  "late-wager"),
    Duty("late_take_down",           HIGH,     LAW[".3(c)#3"],      "A wager was lifted after the throw that locked it; it is judged where it lay.",    "late-take-down"),
    Duty("late_take_down",           HIGH,     LAW[".3(e)#2"],      "A wager was lifted after the throw that settles it; it is judged where it lay.",   "late-take-down"),
    Duty("unsettled_before_next_throw", MEDIUM, LAW[".5(h)#2"],     "The dice were thrown again before every wager decided by the last throw was settled."),
    Duty("dice_set_incomplete",      HIGH,     LAW[".4(a)#2"],      "Dice at the table: {observed}; four green and two red are required."),
    Duty("not_by_stickperson",       MEDIUM,   LAW[".4(a)#3"],      "{observed} called the roll, not the stickperson."),
    Duty("not_by_stickperson",       MEDIUM,   LAW[".5(c)"],        "{observed} called 'no roll', not the stickperson."),
    Duty("not_by_stickperson",       LOW,      LAW[".5(g)"],        "{observed} ruled on the disputed face, not the stickperson."),
    Duty("dice_offer_out_of_order",  MEDIUM,   LAW[".4(b)#1"],      "At the start of play the dice were offered to position {observed}; position {expected} comes first."),
    Duty("dice_offer_out_of_order",  MEDIUM,   LAW[".4(b)#2"],      "After a refusal the dice were offered to position {observed}; position {expected} comes next."),
    Duty("dice_offer_out_of_order",  MEDIUM,   LAW[".7(a)#2"],      "After the defense won, the dice were offered to position {observed}; position {expected} comes first."),
    Duty("dice_offer_out_of_order",  MEDIUM,   LAW[".7(a)#3"],      "After a refusal the dice were offered to position {observed}; position {expected} comes next."),
    Duty("wrong_quarterback",        HIGH,     LAW[".4(c)#1"],      "{observed}; {expected}."),
    Duty("wrong_quarterback",        MEDIUM,   LAW[".7(a)#1"],      "{observed} after a score; {expected}."),
    Duty("wrong_quarterback",        HIGH,     LAW[".7(b)#1"],      "{observed}; {expected}."),
    Duty("wrong_dice_thrown",        HIGH,     LAW[".4(c)#2"],      "Dice thrown that the Quarterback had not selected: {observed}."),
    Duty("wrong_dice_thrown",        HIGH,     LAW[".5(a)#1"],      "Dice thrown: {observed}; two green and one red are required."),
    Duty("dice_over_24_hours",       HIGH,     LAW[".4(d)#1"],      "Dice were used {observed} after they were placed; 24 hours are allowed.",          "dice-clock"),
    Duty("dice_not_changed_on_reopening", HIGH, LAW[".4(d)#2"],     "Dice from before the table closed were thrown after it reopened: {observed}."),
    Duty("lost_die_set_not_changed", HIGH,     LAW[".4(d)#3"],      "Die {observed} was lost, and the set was not changed."),
    Duty("unfit_dice_used",          CRITICAL, LAW[".4(d)#4"],      "Dice of a set with an unfit die ({observed}) were thrown."),
    Duty("improper_throw",           LOW,      LAW[".5(a)#2"],      "The dice {observed} the hand together, and the throw counted."),
    Duty("improper_throw",           LOW,      LAW[".5(a)#3"],      "A die {observed} the far end, and the throw counted."),
    Duty("invalid_roll_counted",     HIGH,     LAW[".5(b)#1"],      "A roll was counted although a die had gone off the table.",                        "invalid-is-rethrown"),
    Duty("invalid_roll_counted",     HIGH,     LAW[".5(b)#2"],      "A roll was counted although one die lay on another.",                              "invalid-is-rethrown"),
    Duty("invalid_roll_counted",     HIGH,     LAW[".5(f)#2"],      "A roll was counted although two sides of a die were propped."),
    Duty("no_roll_without_cause",    MEDIUM,   LAW[".5(c)"],        "'No roll' was called for {observed}, which is no ground for it.",             "groundless-no-roll"),
    Duty("no_roll_without_cause",    MEDIUM,   LAW[".5(d)"],        "'No roll' was called for {observed}; contact with chips is no ground for it.",             "groundless-no-roll"),
    Duty("cheating_suspected",       CRITICAL, LAW[".5(c)(5)"],     "'No roll' was called for a cheating, crooked or fixed device or technique."),
    Duty("roll_not_called",          MEDIUM,   LAW[".5(e)#1"],      "The numbers of a valid throw were not called."),
    Duty("wrong_call",               HIGH,     LAW[".5(e)#2"],      "The call was {observed}; the dice showed {expected}.",                               "dice-decide"),
    Duty("wrong_call",               HIGH,     LAW[".5(f)#1"],      "The call was {observed}; counting the cocked die, the dice showed {expected}.",           "dice-decide"),
    Duty("result_unknown",           MEDIUM,   LAW[".6"],           "The record does not show how the game went.",                                      "game-broken-off"),
    Duty("round_left_open",          HIGH,     LAW[".6"],           "The table closed with a game unfinished.",                                         "game-broken-off"),
    Duty("fact_out_of_order",        LOW,      LAW[".6"]),
    Duty("marker_misplaced",         MEDIUM,   LAW[".6(a)#1"],      "The markers were at {observed}; they belong at {expected}."),
    Duty("marker_misplaced",         MEDIUM,   LAW[".6(a)#2"],      "The markers were at {observed}; they belong at {expected}."),
    Duty("marker_misplaced",         MEDIUM,   LAW[".6(a)#3"],      "The markers were at {observed}; they belong at {expected}."),
    Duty("marker_misplaced",         MEDIUM,   LAW[".6(c)(1)#1"],   "The markers were at {observed}; they belong at {expected}."),
    Duty("marker_misplaced",         MEDIUM,   LAW[".6(c)(1)#2"],   "The markers were at {observed}; they belong at {expected}."),
    Duty("marker_misplaced",         MEDIUM,   LAW[".6(c)(2)#1"],   "The markers were at {observed}; they belong at {expected}."),
    Duty("marker_misplaced",         MEDIUM,   LAW[".6(c)(2)#2"],   "The markers were at {observed}; they belong at {expected}."),
    Duty("marker_misplaced",         MEDIUM,   LAW[".6(c)(3)"],     "The markers were at {observed}; they belong at {expected}."),
    Duty("marker_misplaced",         MEDIUM,   LAW[".6(c)(5)"],     "The markers were at {observed}; they belong at {expected}."),
    Duty("marker_misplaced",         MEDIUM,   LAW[".6(d)#3"],      "Announced {observed}; correct is {expected}."),
    Duty("player_without_wager",     MEDIUM,   LAW[".6(b)#1"],      "The Quarterback at position {observed} threw first without a wager."),
    Duty("announcement_missing",     LOW,      LAW[".6(d)#3"],      "The down and the distance to the end zone were not announced."),
    Duty("announcement_missing",     LOW,      LAW[".6(c)(4)#2"],   "The turnover was not announced."),
    Duty("wrong_outcome",            HIGH,     LAW[".6(d)#2"],      reading="dice-decide"),
    Duty("settled_before_result",    HIGH,     LAW[".3(e)#3"],      "A single play wager was settled before the throw that decides it."),
    Duty("settled_before_result",    HIGH,     LAW[".6(f)#1"],      "A full game wager was settled before the game was decided."),
    Duty("settlement_out_of_order",  LOW,      LAW[".6(f)(1)#1"],   "After a score, the {observed} wager was not collected first."),
    Duty("settlement_out_of_order",  LOW,      LAW[".6(f)(1)#2"],   "After a score, the {observed} wager was settled after wagers that come later."),
    Duty("settlement_out_of_order",  LOW,      LAW[".6(f)(1)#4"],   "The {observed} wager was settled before the extra point roll."),
    Duty("settlement_out_of_order",  LOW,      LAW[".6(f)(2)#1"],   "With no score, the {observed} wager was settled after wagers that come later."),
    Duty("extra_point_not_thrown",   HIGH,     LAW[".6(f)(1)#3"],   "An Extra Point Wager was open after a score, but no extra point roll was thrown."),
    Duty("stake_taken_wrong",        MEDIUM,   LAW[".6(f)"]),
    Duty("wager_unsettled",          HIGH,     LAW[".6(f)"]),
    Duty("stake_taken_wrong",        MEDIUM,   LAW[".6(d)#1"]),
    Duty("wager_unsettled",          HIGH,     LAW[".6(d)#1"]),
    Duty("wager_settled_twice",      HIGH,     LAW[".6(d)#1"]),
    Duty("wager_settled_twice",      HIGH,     LAW[".6(f)"]),
    Duty("settlement_corrected",     LOW,      LAW[".6(f)"]),
    Duty("settlement_corrected",     LOW,      LAW[".6(d)#1"]),
    Duty("wager_underpaid",          HIGH,     LAW[".6(g)#1"],      reading="breakage"),
    Duty("wager_overpaid",           HIGH,     LAW[".6(g)#2"],      reading="breakage"),
    Duty("wager_not_whole_cents",    LOW,      LAW[".6(g)"],        reading="breakage"),
    Duty("paytable_not_as_fixed",    HIGH,     LAW[".8(a)"],        reading="fixed-odds-filed-otherwise"),
    Duty("paytable_not_as_fixed",    HIGH,     LAW[".8(b)"],        reading="fixed-odds-filed-otherwise"),
    Duty("camera_missing",           HIGH,     LAW[".9(a)#1"],      "The dice were thrown with {observed}; two stationary cameras are required, one on each end."),
    Duty("understaffed",             HIGH,     LAW[".9(b)#1"],      "The dice were thrown with {observed}; three dealers are required."),
    Duty("no_stickperson",           HIGH,     LAW[".9(b)#2"],      "The dice were thrown with nobody assigned as stickperson."),
    Duty("floorperson_over_ratio",   MEDIUM,   LAW[".9(c)#1"],      "{expected} supervised {observed}: more than two tables of Three Dice Football."),
    Duty("floorperson_over_ratio",   MEDIUM,   LAW[".9(c)#2"],      "{expected} supervised {observed}: more or other games than one table beside this one."),
)
# fmt: on
STEPS: Final = steps_of(PHASES)
OVER_BY: Final = {
    Result.TOUCHDOWN: "throw_after_game_over@.1#touchdown-2",
    Result.TURNOVER: "throw_after_game_over@.6(c)(4)",
    Result.TRIPS_TD: "throw_after_game_over@.6(c)(5)",
    Result.ON_DOWNS: "throw_after_game_over@.6(e)(1)",
}
"""The duty broken by a throw after the game has ended in this way."""
DICE_CODES: Final = frozenset(
    {
        "dice_set_incomplete", "dice_over_24_hours", "dice_not_changed_on_reopening",
        "lost_die_set_not_changed", "unfit_dice_used",
    }
)  # fmt: skip
STAFF_CODES: Final = frozenset({"understaffed", "no_stickperson"})
CAMERA_CODES: Final = frozenset({"camera_missing"})
LASTING: Final = DICE_CODES | STAFF_CODES | CAMERA_CODES
"""Reported once until what they are about changes."""
