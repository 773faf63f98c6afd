"""Props & Hops: 58 Pa. Code § 668a."""

from typing import Final

from ledger.games.props_and_hops.chances import shakes_played
from ledger.games.props_and_hops.decider import close, decide, evolve, is_over
from ledger.games.props_and_hops.equipment import APPROVALS, REQUIREMENTS, TRIALS
from ledger.games.props_and_hops.law_page_tables import PRINTED
from ledger.games.props_and_hops.outcome_words import outcome_words
from ledger.games.props_and_hops.procedure import DUTIES, PHASES
from ledger.games.props_and_hops.state import INITIAL
from ledger.games.props_and_hops.terms import DICE, LAW, Roll
from ledger.games.props_and_hops.validity import INVALID_ROLLS, TAINTS
from ledger.games.props_and_hops.wager_dependence import WAGER_DEPENDENCE
from ledger.games.props_and_hops.wagers import (
    LASTING,
    PAYOUTS,
    WAGERS,
    adapt,
    judge_filing,
    outcomes,
)
from ledger.games.room import Room

ROOM: Final = Room(
    key="props_and_hops",
    game="Props & Hops",
    law=LAW,
    wagers=WAGERS,
    payouts=PAYOUTS,
    invalid=INVALID_ROLLS,
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
    outlive=LASTING,
    removable=LASTING,
    adapt=adapt,
    judge_filing=judge_filing,
    chain=shakes_played,
    outcome_kinds=(Roll,),
    printed=PRINTED,
    wager_dependence=WAGER_DEPENDENCE,
)

__all__ = ["ROOM"]
