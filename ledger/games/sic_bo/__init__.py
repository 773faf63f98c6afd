"""Sic Bo: 58 Pa. Code § 539."""

from typing import Final

from ledger.games.room import Room
from ledger.games.sic_bo.decider import close, decide, evolve, is_over, outcomes
from ledger.games.sic_bo.equipment import APPROVALS, REQUIREMENTS, TRIALS
from ledger.games.sic_bo.house_advantage_by_reading import PRINTED
from ledger.games.sic_bo.outcome_words import outcome_words
from ledger.games.sic_bo.procedure import DUTIES, PHASES
from ledger.games.sic_bo.state import INITIAL
from ledger.games.sic_bo.terms import DICE, LAW
from ledger.games.sic_bo.validity import INVALID_ROLLS, TAINTS
from ledger.games.sic_bo.wagers import PAYOUTS, WAGERS

ROOM: Final = Room(
    key="sic_bo",
    game="Sic Bo",
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
    printed=PRINTED,
)

__all__ = ["ROOM"]
