"""Asia Poker: 58 Pa. Code § 575."""

from typing import Final

from ledger.games.asia_poker.decider import close, decide, evolve, is_over, outcomes
from ledger.games.asia_poker.equipment import (
    APPROVALS,
    REQUIREMENTS,
    TRIALS,
    adapt,
    judge_filing,
)
from ledger.games.asia_poker.hands import HANDS
from ledger.games.asia_poker.law_page_tables import PRINTED
from ledger.games.asia_poker.outcome_words import HandOutcome, PositionsOutcome, outcome_words
from ledger.games.asia_poker.procedure import DUTIES, PHASES
from ledger.games.asia_poker.state import INITIAL
from ledger.games.asia_poker.terms import DICE, LAW, MAIN
from ledger.games.asia_poker.validity import INVALID_HANDS, TAINTS
from ledger.games.asia_poker.wager_dependence import WAGER_DEPENDENCE
from ledger.games.asia_poker.wagers import PAYOUTS, WAGERS, HandShown
from ledger.games.room import Room

ROOM: Final = Room(
    key="asia_poker",
    game="Asia Poker",
    law=LAW,
    wagers=WAGERS,
    payouts=PAYOUTS,
    invalid=INVALID_HANDS,
    requirements=REQUIREMENTS,
    trials=TRIALS,
    approvals=APPROVALS,
    duties=DUTIES,
    phases=PHASES,
    taints=TAINTS,
    initial=INITIAL,
    decide=decide,
    evolve=evolve,
    close=close,
    is_over=is_over,
    outcomes=outcomes,
    outcome_words=outcome_words,
    dice=DICE,
    dice_must_go=True,
    adapt=adapt,
    judge_filing=judge_filing,
    unpriced=(MAIN,),
    printed=PRINTED,
    wager_dependence=WAGER_DEPENDENCE,
    hands=HANDS,
    outcome_kinds=(HandOutcome, HandShown, PositionsOutcome),
)

__all__ = ["ROOM"]
