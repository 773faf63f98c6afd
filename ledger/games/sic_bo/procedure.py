"""How a round is dealt, and which duty each step has.

Law: §§ 539.4, 539.5, 539.7, with 539.1(d), (f), 539.2 and 539.6 where they bind a step.
"""

from __future__ import annotations

from typing import Final

from ledger import events
from ledger.games.breach_reporting import steps_of
from ledger.games.room import Duty, Step
from ledger.games.sic_bo.terms import LAW, Phase
from ledger.kernel import Severity

LOW, MEDIUM, HIGH, CRITICAL = Severity.LOW, Severity.MEDIUM, Severity.HIGH, Severity.CRITICAL
IDLE, BETTING, NO_MORE_BETS, SHAKEN = Phase.IDLE, Phase.BETTING, Phase.NO_MORE_BETS, Phase.SHAKEN
AT_REST, ENTERED, LIT = Phase.AT_REST, Phase.ENTERED, Phase.LIT
NO_ROLL, VOID = Phase.NO_ROLL, Phase.VOID

# fmt: off
PHASES: Final = (       # § 539.5(b)-(e); a pair that is absent is out of order
    #    in phase       on fact              to phase       if broken
    Step(IDLE,          events.BettingOpened,       BETTING),
    Step(BETTING,       events.NoMoreBetsAnnounced, NO_MORE_BETS),
    Step(NO_MORE_BETS,  events.NoMoreBetsAnnounced, NO_MORE_BETS),
    Step(SHAKEN,        events.NoMoreBetsAnnounced, SHAKEN),
    Step(AT_REST,       events.NoMoreBetsAnnounced, AT_REST),
    Step(NO_ROLL,       events.NoMoreBetsAnnounced, NO_ROLL),
    Step(VOID,          events.NoMoreBetsAnnounced, VOID),
    Step(NO_MORE_BETS,  events.DiceShaken,          SHAKEN),
    Step(SHAKEN,        events.DiceShaken,          SHAKEN),
    Step(BETTING,       events.DiceShaken,          SHAKEN,        "no_more_bets_missing"),
    Step(NO_ROLL,       events.DiceShaken,          NO_ROLL,       "reshaken_after_no_roll"),
    Step(VOID,          events.DiceShaken,          VOID),
    Step(SHAKEN,        events.DiceThrown,          AT_REST),
    Step(NO_MORE_BETS,  events.DiceThrown,          AT_REST,       "result_without_shake"),
    Step(BETTING,       events.DiceThrown,          AT_REST,       "result_without_shake"),
    Step(NO_ROLL,       events.DiceThrown,          NO_ROLL),
    Step(VOID,          events.DiceThrown,          VOID),
    Step(AT_REST,       events.ValuesEntered,       ENTERED),
    Step(ENTERED,       events.ValuesEntered,       ENTERED),
    Step(LIT,           events.ValuesEntered,       LIT),
    Step(SHAKEN,        events.ValuesEntered,       SHAKEN),
    Step(NO_ROLL,       events.ValuesEntered,       NO_ROLL),
    Step(VOID,          events.ValuesEntered,       VOID),
    Step(ENTERED,       events.AreasLit,            LIT),
    Step(LIT,           events.AreasLit,            LIT),
    Step(SHAKEN,        events.AreasLit,            SHAKEN),
    Step(AT_REST,       events.AreasLit,            LIT,           "entry_missing"),
    Step(NO_ROLL,       events.AreasLit,            NO_ROLL),
    Step(VOID,          events.AreasLit,            VOID),
)
DUTIES: Final = (       # by section; the sentence is that of the finding
    Duty("law_not_held",             MEDIUM,   LAW["#1"],             reading="anniversary-day"),
    Duty("device_missing",           HIGH,     LAW[".1(b)#1"],        "Wagers were settled although the {observed} had failed before the result.",   "failure-before-the-result"),
    #    code                        severity  cite                   says when it was not kept                                                      reading
    Duty("boxes_not_approved",       LOW,      LAW[".1(a)#2"]),
    Duty("layout_not_approved",      MEDIUM,   LAW[".1(c)#1"]),
    Duty("layout_odds_wrong",        MEDIUM,   LAW[".1(c)(3)"]),
    Duty("rules_submission_missing", HIGH,     LAW[".6(b)#1"]),
    Duty("equipment_not_approved",   HIGH,     LAW[".1(d)#1"]),
    Duty("result_without_shake",     HIGH,     LAW[".1(d)#2"],        "The dice showed a result, but no shake was recorded in the round."),
    Duty("automated_shaker_covered", MEDIUM,   LAW[".5(e)#6"],        "An automated shaker was covered; it stays uncovered at all times."),
    Duty("shaker_unattended",        HIGH,     LAW[".1(f)#2"],        "The shaker stood at the table with no dealer assigned."),
    Duty("wrong_number_of_dice",     HIGH,     LAW[".2(a)#1"],        "{observed} used; three are required."),
    Duty("dice_over_24_hours",       HIGH,     LAW[".2(b)"],          "Dice were used {observed} after they were placed; 24 hours are allowed.",          "dice-clock"),
    Duty("wager_not_offered",        MEDIUM,   LAW[".3#1"]),
    Duty("wager_not_in_chips",       MEDIUM,   LAW[".4(a)#2"],        "The wager was made with {observed}, not with gaming chips or plaques.",           "verbal-cash-wager"),
    Duty("wrong_outcome",            HIGH,     LAW[".4(c)#1"],        reading="dice-decide"),
    Duty("wrong_outcome",            HIGH,     LAW[".7(a)#3"],        "The house {observed}; after a no roll the wager {expected}."),
    Duty("wrong_outcome",            HIGH,     LAW[".7(c)#2"],        "The house {observed}; in a void round the wager {expected}."),
    Duty("result_unknown",           MEDIUM,   LAW[".4(c)#1"],        "The record does not show what the dice showed."),
    Duty("settled_before_result",    MEDIUM,   LAW[".5(e)#1"],        "A wager was settled before the winning areas were lit."),
    Duty("late_take_down",           CRITICAL, LAW[".4(c)#3"],        "A wager was lifted after betting closed; it is judged where it lay.",             "late-take-down"),
    Duty("inspection_missing",       HIGH,     LAW[".5(a)#1"],        "The table opened without an inspection of the {observed}."),
    Duty("inspection_by_wrong_person", MEDIUM, LAW[".5(a)#2"],        "The {observed} was inspected by {expected}, not by the floorperson assigned to the table."),
    Duty("opened_with_fault",        HIGH,     LAW[".5(a)#3"],        "The table opened although the inspection found the {observed} at fault."),
    Duty("inspection_incomplete",    MEDIUM,   LAW[".5(a)(1)#1"],     "The inspection of the {observed} is incomplete: {expected}."),
    Duty("no_more_bets_missing",     MEDIUM,   LAW[".5(b)#1"],        "The dice were shaken before 'no more bets' was announced."),
    Duty("late_wager",               HIGH,     LAW[".5(b)#2"],        reading="late-wager"),
    Duty("shaken_uncovered",         HIGH,     LAW[".5(c)(1)#1"],     "The manual shaker was shaken without its cover."),
    Duty("too_few_shakes",           MEDIUM,   LAW[".5(c)(1)#2"],     "The manual shaker was shaken {observed}; at least three times is required.",             "too-few-shakes"),
    Duty("shaker_not_uncovered",     MEDIUM,   LAW[".5(d)#1"],        "The result was announced while the cover was still on."),
    Duty("wrong_call",               HIGH,     LAW[".5(d)#2"],        "The dealer announced {observed}; the dice showed {expected}.",                    "dice-decide"),
    Duty("call_missing",             Severity.INFO, LAW[".5(d)#2"],   "The values of the dice were not announced."),
    Duty("entry_differs_from_dice",  HIGH,     LAW[".5(d)#3"],        "The dealer entered {observed}; the dice showed {expected}."),
    Duty("entry_missing",            MEDIUM,   LAW[".5(d)#4"],        "The values of the dice were not entered into the electrical device."),
    Duty("lights_wrong",             HIGH,     LAW[".5(d)#5"],        "The device lit {observed}; the values entered win {expected}."),
    Duty("paid_before_collecting",   LOW,      LAW[".5(e)#2"]),
    Duty("stake_taken_wrong",        MEDIUM,   LAW[".5(e)#3"]),
    Duty("wager_unsettled",          HIGH,     LAW[".5(e)#4"]),
    Duty("wager_settled_twice",      HIGH,     LAW[".5(e)"]),
    Duty("settlement_corrected",     LOW,      LAW[".5(e)"]),
    Duty("round_left_open",          HIGH,     LAW[".5(e)"]),
    Duty("shaker_covered_early",     MEDIUM,   LAW[".5(e)#5"],        "The manual shaker was covered before all winning wagers were paid."),
    Duty("lights_cleared_early",     LOW,      LAW[".5(f)#1"],        "The lit areas were cleared before all wagers were collected and paid."),
    Duty("lights_not_cleared",       LOW,      LAW[".5(f)#2"],        "The next round began with the winning areas still lit."),
    Duty("odds_stated_with_for",     LOW,      LAW[".6(a)#1"],        "The layout states odds with the word 'for': {observed}."),
    Duty("wager_underpaid",          HIGH,     LAW[".6(b)#1"],        reading="floors"),
    Duty("wager_overpaid",           MEDIUM,   LAW[".6(b)#1"],        reading="floors"),
    Duty("wager_not_whole_cents",    LOW,      LAW[".6(b)#3"],        reading="breakage"),
    Duty("paytable_below_floor",     HIGH,     LAW[".6(b)#2"],        "{observed} is filed; the odds are no less than {expected}.",                      "below-floor-filing"),
    Duty("paytable_not_as_fixed",    MEDIUM,   LAW[".6(c)#1"],        reading="fixed-odds-filed-otherwise"),
    Duty("no_roll_not_called",       HIGH,     LAW[".7(a)#2"],        "Not all dice were flat ({observed}), but 'no roll' was not called.",                "not-all-flat"),
    Duty("no_roll_without_cause",    HIGH,     LAW[".7(a)#4"],        "'No roll' was called although all three dice lay flat ({observed}).",               "groundless-no-roll"),
    Duty("reshaken_after_no_roll",   HIGH,     LAW[".7(a)#5"],        "The dice were shaken again after a no roll without a new round."),
    Duty("device_fault_unsupervised", HIGH,    LAW[".7(b)#2"],        "Wagers were settled after the {observed} failed with no floorperson or above present."),
    Duty("play_resumed_before_repair", HIGH,   LAW[".7(b)#3"],        "A new round began before the {observed} was fixed."),
    Duty("round_not_voided",         HIGH,     LAW[".7(c)#1"],        "The automated shaker failed, but the round was settled instead of voided."),
    Duty("two_shakers_at_table",     MEDIUM,   LAW[".7(d)"],          "A manual shaker was used while an automated one was at the table."),
    Duty("fact_out_of_order",        LOW,      LAW[".5"]),
)
# fmt: on
STEPS: Final = steps_of(PHASES)
