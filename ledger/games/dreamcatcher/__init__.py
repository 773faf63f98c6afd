"""Dreamcatcher: 58 Pa. Code § 689."""

from typing import Final

from ledger.games.dreamcatcher.decider import close, decide, evolve, is_over, outcomes
from ledger.games.dreamcatcher.equipment import APPROVALS, REQUIREMENTS, TRIALS
from ledger.games.dreamcatcher.law_page_tables import PRINTED
from ledger.games.dreamcatcher.outcome_words import outcome_words
from ledger.games.dreamcatcher.procedure import DUTIES, PHASES
from ledger.games.dreamcatcher.state import INITIAL
from ledger.games.dreamcatcher.terms import LAW
from ledger.games.dreamcatcher.validity import INVALID_SPINS, TAINTS, invalid_spin
from ledger.games.dreamcatcher.wager_dependence import WAGER_DEPENDENCE
from ledger.games.dreamcatcher.wagers import PAYOUTS, WAGERS
from ledger.games.room import Room

ROOM: Final = Room(
    key="dreamcatcher",
    game="Dreamcatcher",
    law=LAW,
    wagers=WAGERS,
    payouts=PAYOUTS,
    invalid=INVALID_SPINS,
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
    printed=PRINTED,
    wager_dependence=WAGER_DEPENDENCE,
    invalid_spin=invalid_spin,
)

__all__ = ["ROOM"]
