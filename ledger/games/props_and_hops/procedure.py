"""How a round is played, and which duty each step has.

Law: §§ 668a.2, 668a.3, with 668a.1 and 668a.4 where they bind a step.
"""

from __future__ import annotations

from typing import Final

from ledger import events
from ledger.games.breach_reporting import steps_of
from ledger.games.props_and_hops.terms import LAW, Phase
from ledger.games.room import Duty, Step
from ledger.kernel import Severity

INFO, LOW, MEDIUM, HIGH, CRITICAL = (
    Severity.INFO,
    Severity.LOW,
    Severity.MEDIUM,
    Severity.HIGH,
    Severity.CRITICAL,
)
IDLE, BETTING, NO_MORE_BETS, SHAKEN = Phase.IDLE, Phase.BETTING, Phase.NO_MORE_BETS, Phase.SHAKEN
LIFTED, AT_REST, UNREAD, NO_ROLL = Phase.LIFTED, Phase.AT_REST, Phase.UNREAD, Phase.NO_ROLL

# fmt: off
PHASES: Final = (       # § 668a.3(e)-(i); a pair that is absent is out of order
    #    in phase       on fact              to phase       if broken
    Step(IDLE,          events.BettingOpened,       BETTING),
    Step(BETTING,       events.NoMoreBetsAnnounced, NO_MORE_BETS),
    Step(NO_MORE_BETS,  events.NoMoreBetsAnnounced, NO_MORE_BETS),
    Step(SHAKEN,        events.NoMoreBetsAnnounced, SHAKEN),
    Step(NO_MORE_BETS,  events.PlayerShook,         SHAKEN),
    Step(SHAKEN,        events.PlayerShook,         SHAKEN),
    Step(LIFTED,        events.PlayerShook,         SHAKEN),
    Step(NO_ROLL,       events.PlayerShook,         SHAKEN),
    Step(BETTING,       events.PlayerShook,         SHAKEN,        "no_more_bets_missing"),
    Step(SHAKEN,        events.DiceThrown,          AT_REST),
    Step(LIFTED,        events.DiceThrown,          NO_ROLL),
    Step(NO_MORE_BETS,  events.DiceThrown,          AT_REST,       "thrown_without_shaker"),
    Step(BETTING,       events.DiceThrown,          AT_REST,       "thrown_without_shaker"),
    Step(NO_ROLL,       events.DiceThrown,          AT_REST,       "thrown_without_shaker"),
    Step(NO_MORE_BETS,  events.DiceThrownByHand,    AT_REST,       "thrown_without_shaker"),
    Step(BETTING,       events.DiceThrownByHand,    AT_REST,       "thrown_without_shaker"),
    Step(SHAKEN,        events.DiceThrownByHand,    AT_REST,       "thrown_without_shaker"),
    Step(LIFTED,        events.DiceThrownByHand,    AT_REST,       "thrown_without_shaker"),
    Step(NO_ROLL,       events.DiceThrownByHand,    AT_REST,       "thrown_without_shaker"),
)
DUTIES: Final = (       # by section; the sentence is that of the finding
    #    code                        severity  cite                   says when it was not kept                                                            reading
    Duty("law_not_held",             MEDIUM,   LAW["#edition"]),
    Duty("position_not_on_table",    MEDIUM,   LAW[".1(a)#1"],        "A wager came from position {observed}; the table has positions 1 to 6."),
    Duty("layout_not_approved",      HIGH,     LAW[".1(b)#1"]),
    Duty("layout_odds_wrong",        MEDIUM,   LAW[".1(b)(6)#1"],     "The table shows {observed}; the odds are {expected}."),
    Duty("paytable_not_as_fixed",    HIGH,     LAW[".4#1"],            reading="fixed-odds-filed-otherwise"),
    Duty("boxes_not_approved",       LOW,      LAW[".1(c)#2"]),
    Duty("wager_not_offered",        HIGH,     LAW[".2(f)"]),
    Duty("wager_not_offered",        HIGH,     LAW[".1(b)(6)#3"],     "{observed} is not among the wagers that the filing offers."),
    Duty("wager_not_in_chips",       MEDIUM,   LAW[".2(b)#2"],        reading="verbal-cash-wager"),
    Duty("wager_by_unseated_patron", MEDIUM,   LAW[".2(c)#1"],        "A wager came from position {observed}, where nobody is seated."),
    Duty("left_seat_during_round",   LOW,      LAW[".2(c)#2"],        "A player who had wagered left the seat before the round of play was complete."),
    Duty("hop_groups_not_filed",     HIGH,     LAW[".2(f)(2)#1"],     "No approved filing says which combinations {observed} covers.",                     "hop-groups-are-filed"),
    Duty("hop_groups_not_filed",     HIGH,     LAW[".2(f)(3)#1"],     "No approved filing says which combinations {observed} covers.",                     "hop-groups-are-filed"),
    Duty("hop_groups_not_filed",     HIGH,     LAW[".2(f)(4)#1"],     "No approved filing says which combinations {observed} covers.",                     "hop-groups-are-filed"),
    Duty("hop_groups_not_filed",     HIGH,     LAW[".2(f)(5)#1"],     "No approved filing says which combinations {observed} covers.",                     "hop-groups-are-filed"),
    Duty("hop_group_too_generous",   MEDIUM,   LAW[".2(f)(2)#2"],     "The filed group {observed}; at most {expected} leave the house an edge.",           "hop-groups-are-filed"),
    Duty("hop_group_too_generous",   MEDIUM,   LAW[".2(f)(3)#2"],     "The filed group {observed}; at most {expected} leave the house an edge.",           "hop-groups-are-filed"),
    Duty("hop_group_too_generous",   MEDIUM,   LAW[".2(f)(4)#2"],     "The filed group {observed}; at most {expected} leave the house an edge.",           "hop-groups-are-filed"),
    Duty("hop_group_too_generous",   MEDIUM,   LAW[".2(f)(5)#2"],     "The filed group {observed}; at most {expected} leave the house an edge.",           "hop-groups-are-filed"),
    Duty("sequence_unknown",         MEDIUM,   LAW[".2(f)(8)#2"],     "Records are missing: the status of the Six Eight Shake cannot be shown."),
    Duty("take_down_refused",        MEDIUM,   LAW[".2(f)(8)#3"],     "A player asked for a Six Eight Shake back before a 7 and was refused."),
    Duty("late_take_down",           HIGH,     LAW[".2(f)(8)#4"],     "A wager was lifted when it could no longer be removed; it is judged where it lay.", "late-take-down"),
    Duty("shake_joined_late",        HIGH,     LAW[".2(f)(8)#6"],     "A Six Eight Shake was placed or raised with {observed} already collected.", "shake-joins-fresh"),
    Duty("rules_submission_missing", HIGH,     LAW[".4#1"]),
    Duty("wrong_number_of_dice",     CRITICAL, LAW[".3(a)#1"],        "{observed} used; two are required."),
    Duty("equipment_not_approved",   HIGH,     LAW[".3(b)#1"]),
    Duty("thrown_without_shaker",    HIGH,     LAW[".3(b)#2"],        "Dice showed a result that no player had shaken in the shaker."),
    Duty("dice_out_of_shaker",       MEDIUM,   LAW[".3(b)(1)#1"],     "Dice lay outside the shaker while it was not being shaken."),
    Duty("dice_over_24_hours",       HIGH,     LAW[".3(b)(1)#2"],     "Dice were at the table {observed} after they were placed; 24 hours are allowed.",           "dice-clock"),
    Duty("shaker_unattended",        HIGH,     LAW[".3(c)#2"],        "The shaker stood at the table with no dealer assigned."),
    Duty("dice_not_placed_by_floorperson", HIGH, LAW[".3(d)#2"],      "{observed}; a floorperson places the dice in the presence of the dealer."),
    Duty("dealer_shake_missing",     LOW,      LAW[".3(d)#3"],        "Betting opened before the dealer had shaken the covered shaker."),
    Duty("dealer_shake_missing",     LOW,      LAW[".3(j)"],          "The next round began before the dealer covered and shook the shaker."),
    Duty("no_more_bets_missing",     MEDIUM,   LAW[".3(e)#1"],        "The shaker was shaken before 'no more bets' was announced."),
    Duty("late_wager",               HIGH,     LAW[".3(e)#2"],        reading="late-wager"),
    Duty("wrong_shaker",             LOW,      LAW[".3(f)#1"],        "Position {observed} shook first; position {expected}, farthest to the dealer's left, was due."),
    Duty("wrong_shaker",             LOW,      LAW[".3(k)#1"],        "Position {observed} shook; position {expected}, which has not yet rolled a 7, was due."),
    Duty("wrong_shaker",             LOW,      LAW[".3(k)#2"],        "Position {observed} shook after the 7; position {expected}, next to the left, was due."),
    Duty("too_few_shakes",           MEDIUM,   LAW[".3(f)#2"],        "The player shook the covered shaker {observed}; at least three times is required.", "too-few-shakes"),
    Duty("player_uncovered_and_not_reshaken", HIGH, LAW[".3(f)#4"],   "The player took off the lid, and the dice were used without being shaken again."),
    Duty("shaker_covered_early",     MEDIUM,   LAW[".3(g)#2"],        "The shaker was covered before all wagers were settled."),
    Duty("no_roll_not_called",       HIGH,     LAW[".3(g)#3"],        "A die fell out ({observed}), but 'no roll' was not called."),
    Duty("no_roll_not_called",       HIGH,     LAW[".3(h)#3"],        "The dice did not lie flat side by side ({observed}), but 'no roll' was not called."),
    Duty("settled_on_no_roll",       CRITICAL, LAW[".3(f)#4"],        "A wager was {observed} on a roll that does not count; it stands and the dice are shaken again.", "no-roll-not-reshaken"),
    Duty("settled_on_no_roll",       CRITICAL, LAW[".3(g)#4"],        "A wager was {observed} on a roll that does not count; it stands and the dice are shaken again.", "no-roll-not-reshaken"),
    Duty("settled_on_no_roll",       CRITICAL, LAW[".3(h)#4"],        "A wager was {observed} on a roll that does not count; it stands and the dice are shaken again.", "no-roll-not-reshaken"),
    Duty("settled_before_result",    HIGH,     LAW[".3(i)#2"],        "A wager was settled before any roll was seen."),
    Duty("no_roll_without_cause",    HIGH,     LAW[".3(h)#5"],        "'No roll' was called although both dice lay flat ({observed}).",                     "groundless-no-roll"),
    Duty("wrong_call",               HIGH,     LAW[".3(h)#1"],        "The dealer announced {observed}; the dice showed {expected}.",                      "dice-decide"),
    Duty("result_unknown",           MEDIUM,   LAW[".3(h)#1"],        "The record does not show what the dice showed."),
    Duty("wrong_outcome",            HIGH,     LAW[".3(i)#3"],        reading="dice-decide"),
    Duty("paid_before_collecting",   LOW,      LAW[".3(i)#1"]),
    Duty("stake_taken_wrong",        HIGH,     LAW[".3(i)#3"]),
    Duty("wager_unsettled",          HIGH,     LAW[".3(i)#3"]),
    Duty("wager_settled_twice",      HIGH,     LAW[".3(i)#2"]),
    Duty("settlement_corrected",     LOW,      LAW[".3(i)#2"]),
    Duty("round_left_open",          HIGH,     LAW[".3(i)#3"]),
    Duty("lammer_wrong",             MEDIUM,   LAW[".3(i)#4"],        "The lammer of {observed} was collected; {expected}."),
    Duty("lammer_wrong",             MEDIUM,   LAW[".3(i)#6"],        "The lammer of {observed} was collected; {expected}."),
    Duty("wager_underpaid",          HIGH,     LAW[".3(i)#2"]),
    Duty("wager_overpaid",           HIGH,     LAW[".4#1"]),
    Duty("wager_not_whole_cents",    MEDIUM,   LAW[".4#14"],          reading="breakage"),
    Duty("wager_over_limit",         MEDIUM,   LAW[".4#13"],          "A wager of {observed} was accepted above the maximum of {expected}.",               "over-limit-stands"),
    Duty("fact_out_of_order",        LOW,      LAW[".3"]),
)
# fmt: on
STEPS: Final = steps_of(PHASES)
