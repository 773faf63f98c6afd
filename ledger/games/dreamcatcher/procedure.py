"""How a round is dealt, and which duty each step has.

Law: § 689.2, with §§ 689.1 and 689.3 where they bind a step. A spin leads to one of four phases,
by where the clapper rests: the step names the first of them, the decider chooses.
"""

from __future__ import annotations

from typing import Final

from ledger import events
from ledger.games.breach_reporting import steps_of
from ledger.games.dreamcatcher.terms import LAW, Phase
from ledger.games.room import Duty, Step
from ledger.kernel import Severity

LOW, MEDIUM, HIGH, CRITICAL = Severity.LOW, Severity.MEDIUM, Severity.HIGH, Severity.CRITICAL
IDLE, BETTING, NO_MORE_BETS = Phase.IDLE, Phase.BETTING, Phase.NO_MORE_BETS
VOID, BONUS, UNREAD, DECIDED = Phase.VOID, Phase.BONUS, Phase.UNREAD, Phase.DECIDED
OVERRULED, RESPUN, UNDECIDABLE = Phase.OVERRULED, Phase.RESPUN, Phase.UNDECIDABLE

# fmt: off
PHASES: Final = (       # § 689.2; a pair that is absent is out of order
    #    in phase       on fact              to phase       if broken
    Step(IDLE,          events.BettingOpened,       BETTING),
    Step(BETTING,       events.NoMoreBetsAnnounced, NO_MORE_BETS),
    Step(NO_MORE_BETS,  events.NoMoreBetsAnnounced, NO_MORE_BETS),   # a repeated call breaks nothing (.2(a)#4)
    Step(VOID,          events.NoMoreBetsAnnounced, VOID),
    Step(BONUS,         events.NoMoreBetsAnnounced, BONUS),
    Step(UNREAD,        events.NoMoreBetsAnnounced, UNREAD),
    Step(DECIDED,       events.NoMoreBetsAnnounced, DECIDED),
    Step(OVERRULED,     events.NoMoreBetsAnnounced, OVERRULED),
    Step(RESPUN,        events.NoMoreBetsAnnounced, RESPUN),
    Step(UNDECIDABLE,   events.NoMoreBetsAnnounced, UNDECIDABLE),
    Step(BETTING,       events.WheelSpun,           DECIDED,       "no_more_bets_missing"),
    Step(NO_MORE_BETS,  events.WheelSpun,           DECIDED),
    Step(VOID,          events.WheelSpun,           DECIDED),
    Step(BONUS,         events.WheelSpun,           DECIDED),
    Step(UNREAD,        events.WheelSpun,           UNDECIDABLE),
    Step(DECIDED,       events.WheelSpun,           RESPUN,        "spin_out_of_order"),
    Step(OVERRULED,     events.WheelSpun,           RESPUN),                          # reported when it was declared void
    Step(RESPUN,        events.WheelSpun,           RESPUN,        "spin_out_of_order"),
    Step(UNDECIDABLE,   events.WheelSpun,           UNDECIDABLE),
    Step(VOID,          events.SpinCalled,          VOID),
    Step(BONUS,         events.SpinCalled,          BONUS),
    Step(UNREAD,        events.SpinCalled,          DECIDED),
    Step(DECIDED,       events.SpinCalled,          DECIDED),
    Step(OVERRULED,     events.SpinCalled,          OVERRULED),
    Step(RESPUN,        events.SpinCalled,          RESPUN),
    Step(UNDECIDABLE,   events.SpinCalled,          UNDECIDABLE),
    Step(VOID,          events.SpinVoided,          VOID),
    Step(BONUS,         events.SpinVoided,          BONUS,         "valid_spin_voided"),
    Step(UNREAD,        events.SpinVoided,          UNREAD),
    Step(DECIDED,       events.SpinVoided,          OVERRULED,     "valid_spin_voided"),
    Step(OVERRULED,     events.SpinVoided,          OVERRULED),
    Step(RESPUN,        events.SpinVoided,          RESPUN),
    Step(UNDECIDABLE,   events.SpinVoided,          UNDECIDABLE),
)
DUTIES: Final = (       # by section; of rows with one code the first is the general one
    #    code                        severity  cite                    says when it was not kept                                                       reading
    Duty("law_not_held",             MEDIUM,   LAW["#edition#1"],      "The chapter was not in force on this gaming day."),
    Duty("rules_submission_missing", HIGH,     LAW["#edition#3"]),
    Duty("wheel_too_small",          MEDIUM,   LAW[".1(a)#1"],         "The wheel has {observed}; required: {expected}."),
    Duty("wheel_sections_wrong",     CRITICAL, LAW[".1(a)#2"],         "The wheel has {observed}; required: {expected}."),
    Duty("wheel_sections_wrong",     CRITICAL, LAW[".1(a)#3"],         "The wheel has {observed}; required: {expected}."),
    Duty("wheel_sections_wrong",     CRITICAL, LAW[".1(a)#4"],         "The wheel has {observed}; required: {expected}."),
    Duty("wheel_sections_wrong",     CRITICAL, LAW[".1(a)#5"],         "The wheel has {observed}; required: {expected}."),
    Duty("wheel_sections_wrong",     CRITICAL, LAW[".1(a)#6"],         "The wheel has {observed}; required: {expected}."),
    Duty("wheel_sections_wrong",     CRITICAL, LAW[".1(a)#7"],         "The wheel has {observed}; required: {expected}."),
    Duty("wheel_sections_wrong",     CRITICAL, LAW[".1(a)#8"],         "The wheel has {observed}; required: {expected}."),
    Duty("wheel_sections_wrong",     CRITICAL, LAW[".1(a)#9"],         "The wheel has {observed}; required: {expected}."),
    Duty("wheel_sections_wrong",     CRITICAL, LAW[".1(a)#10"],        "The wheel has {observed}; required: {expected}."),
    Duty("wheel_order_wrong",        HIGH,     LAW[".1(b)#1"],         "The wheel has {observed}; required: {expected}."),
    Duty("wheel_order_wrong",        HIGH,     LAW[".1(b)#2"],         "The wheel has {observed}; required: {expected}."),
    Duty("wrong_call",               CRITICAL, LAW[".1(b)#3"],         "The dealer announced {observed}; the wheel showed {expected}.",               "wheel-decides"),
    Duty("clapper_missing",          HIGH,     LAW[".1(e)"],           "The wheel has {observed}; required: {expected}."),
    Duty("drop_or_tip_box_misplaced", LOW,     LAW[".1(f)#1"],         "Drop box and tip box are not on opposite sides of the dealer: {observed}."),
    Duty("boxes_not_approved",       MEDIUM,   LAW[".1(f)#2"]),
    Duty("layout_not_approved",      HIGH,     LAW[".1(g)#1"]),
    Duty("wager_not_offered",        HIGH,     LAW[".1(g)(2)#2"]),
    Duty("layout_odds_wrong",        MEDIUM,   LAW[".1(g)(3)"]),
    Duty("layout_odds_wrong",        MEDIUM,   LAW[".1(c)#1"],         "The wheel shows {observed}; the odds in force are {expected}.",                        "odds-shown-on-the-wheel"),
    Duty("layout_incomplete",        MEDIUM,   LAW[".1(g)(4)#3"],      "A payout limit of {expected} is filed, but the layout does not state it.",        "payout-limit"),
    Duty("wager_over_limit",         MEDIUM,   LAW[".1(g)(4)#2"],      "A wager of {observed} was accepted above the maximum of {expected}.",         "over-limit-stands"),
    Duty("wager_under_limit",        MEDIUM,   LAW[".1(g)(4)#2a"],     "A wager of {observed} was accepted below the minimum of {expected}.",         "over-limit-stands"),
    Duty("payout_limit_not_applied", HIGH,     LAW[".1(g)(4)#4"],      "Paid {observed}; under the payout limit {expected} is due.",                  "payout-limit"),
    Duty("no_more_bets_missing",     MEDIUM,   LAW[".2(a)#1"],         "The wheel was spun before 'no more bets' was announced.",                "one-no-more-bets"),
    Duty("late_wager",               HIGH,     LAW[".2(a)#2"],         reading="late-wager"),
    Duty("late_wager",               CRITICAL, LAW[".2(a)#3"],         "A wager was accepted between two spins of the round.",                        "late-wager"),
    Duty("late_wager",               CRITICAL, LAW[".3(b)#3"],         "A wager was accepted after a multiplier; only the original wagers take part.", "late-wager"),
    Duty("spun_by_other",            HIGH,     LAW[".2(b)#1"],         "The wheel was spun by {observed}, not by the dealer."),
    Duty("settled_on_void_spin",     HIGH,     LAW[".2(b)#3"],         "A wager was settled on a void spin: {observed}.",                             "short-spin"),
    Duty("settled_on_void_spin",     HIGH,     LAW[".2(d)#1"],         "A wager was settled on a void spin: {observed}.",                             "void-spin-wagers-stand"),
    Duty("void_spin_not_respun",     HIGH,     LAW[".2(b)#4"],         "After a void spin ({observed}) the wheel was not spun again for the wagers that stood.","short-spin"),
    Duty("void_spin_not_respun",     HIGH,     LAW[".2(d)#2"],         "After a void spin ({observed}) the wheel was not spun again for the wagers that stood.","void-spin-wagers-stand"),
    Duty("spin_validity_unknown",    MEDIUM,   LAW[".2(b)#5"],         "The revolutions of a spin were not recorded; three are required."),
    Duty("wrong_outcome",            CRITICAL, LAW[".2(c)#1"],         "The house {observed}; by the wheel the wager {expected}.",                    "wheel-decides"),
    Duty("settled_before_result",    MEDIUM,   LAW[".2(c)#2"],         "A wager was settled before the clapper had come to rest."),
    Duty("settled_before_result",    HIGH,     LAW[".2(f)#2"],         "A wager was settled on a multiplier ({observed}); the number of the bonus spin decides."),
    Duty("spin_out_of_order",        HIGH,     LAW[".2(c)#3"],         "The wheel was spun again although {expected} had decided the round.",         "valid-spin-stands"),
    Duty("late_take_down",           HIGH,     LAW[".2(c)#4"],         "A wager was lifted after betting closed; it is judged where it lay.",         "late-take-down"),
    Duty("result_unknown",           MEDIUM,   LAW[".2(c)#5"],         "The record does not show where the clapper came to rest."),
    Duty("fact_contradictory",       LOW,      LAW[".2(d)#0"],         "The spin is recorded between sections that do not touch: {observed}."),
    Duty("fact_contradictory",       LOW,      LAW[".1(b)#3"],         "The spin is recorded as {observed}; on this wheel that is {expected}.",       "wheel-decides"),
    Duty("valid_spin_voided",        CRITICAL, LAW[".2(d)#4"],         "A valid spin ({observed}) was declared void; its result stays.",              "valid-spin-stands"),
    Duty("paid_before_collecting",   MEDIUM,   LAW[".2(e)#1"],         reading="collect-first-in-bonus"),
    Duty("wager_underpaid",          HIGH,     LAW[".2(e)#2"],         reading="floors"),
    Duty("wager_underpaid",          HIGH,     LAW[".3(b)#1"],         "Paid {observed}, should be {expected} with the multiplier.",                  "multipliers-multiply"),
    Duty("wager_underpaid",          HIGH,     LAW[".3(c)#2"],         "Paid {observed}, should be {expected} with the multipliers.",                 "multipliers-multiply"),
    Duty("wager_overtaken",          HIGH,     LAW[".2(e)#3"],         "Losing stake of {expected}: {observed} collected."),
    Duty("stake_taken_wrong",        HIGH,     LAW[".2(e)#3"]),
    Duty("wager_unsettled",          MEDIUM,   LAW[".2(e)#4"]),
    Duty("wager_settled_twice",      HIGH,     LAW[".2(e)"]),
    Duty("settlement_corrected",     LOW,      LAW[".2(e)"]),
    Duty("round_left_open",          HIGH,     LAW[".2(e)"]),
    Duty("bonus_spin_missing",       HIGH,     LAW[".1(d)#2"],         "The wheel stopped on {observed} and no further spin came."),
    Duty("bonus_spin_missing",       HIGH,     LAW[".3(c)#1"],         "The bonus spin stopped on {observed} and no further spin came."),
    Duty("paytable_below_floor",     CRITICAL, LAW[".3(a)#7"],         "{observed} is filed; the odds are no less than {expected}.",                  "below-floor-filing"),
    Duty("wager_overpaid",           MEDIUM,   LAW[".3(a)#8"],         reading="floors"),
    Duty("wager_overpaid",           HIGH,     LAW[".3(b)#2"],         "Paid {observed}, should be {expected}: the multiplier works on the odds.",    "multipliers-multiply"),
    Duty("wager_overpaid",           HIGH,     LAW[".3(c)#3"],         "Paid {observed}, should be {expected}: multipliers stack within a round and end with it.", "multipliers-end-with-the-round"),
    Duty("wager_not_whole_cents",    LOW,      LAW[".3(a)"],           reading="breakage"),
    Duty("fact_out_of_order",        LOW,      LAW[".2"]),
)
# fmt: on
STEPS: Final = steps_of(PHASES)
