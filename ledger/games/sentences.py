"""The sentences of duties that several chapters have: what their findings say in each room.

A row of ``DUTIES`` that gives no sentence of its own has the one listed here for its code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# fmt: off
SENTENCES: Final[Mapping[str, str]] = {
    "boxes_not_approved": "The locations of the drop box and tip box were not approved.",
    "equipment_not_approved": "Used without approval by {expected}: {observed}.",
    "fact_out_of_order": "Out of order: {observed}; {expected}.",
    "late_wager": "A wager was accepted after 'no more bets'.",
    "law_not_held": "No edition of the chapter was in force on {observed}; nothing is judged.",
    "layout_not_approved": "The layout {observed} was not approved by the Bureau of Gaming Operations.",
    "layout_odds_wrong": "The layout prints {observed}; the odds offered are {expected}.",
    "paid_before_collecting": "A winning wager was paid before all losing wagers were collected.",
    "paytable_not_as_fixed": "{observed} is filed; the chapter fixes {expected}.",
    "round_left_open": "The table closed with a round of play open.",
    "rules_submission_missing": "The table opened with no approved Rules Submission for the game.",
    "settlement_corrected": "Corrected: {observed}; {expected}.",
    "stake_taken_wrong": "Stake collected: {observed}; should be {expected}.",
    "wager_not_in_chips": "The wager was made with {observed}, not with value chips or plaques.",
    "wager_not_offered": "{observed} is not a permitted wager.",
    "wager_not_whole_cents": "The winnings come to {expected}, and no rule for fractions is filed.",
    "wager_overpaid": "Paid {observed}, should be {expected}.",
    "wager_settled_twice": "The wager was settled a second time: {observed}.",
    "wager_underpaid": "Paid {observed}, should be {expected}.",
    "wager_unsettled": "The wager was never settled; it {expected}.",
    "wrong_outcome": "The house {observed}; the wager {expected}.",
}
# fmt: on
