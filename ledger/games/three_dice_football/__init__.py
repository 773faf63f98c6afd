"""Three Dice Football: 58 Pa. Code § 577."""

from typing import Final

from ledger.events import DiceThrownByHand, RollCalled
from ledger.games.football_field import FieldShown
from ledger.games.room import Apart, Room, Throws
from ledger.games.three_dice_football.calls import judge_caller
from ledger.games.three_dice_football.chances import games_played
from ledger.games.three_dice_football.decider import (
    close,
    closed_to,
    decide,
    evolve,
    is_over,
    outcomes,
)
from ledger.games.three_dice_football.equipment import (
    APPROVALS,
    REQUIREMENTS,
    TRIALS,
    judge_dice,
    judge_watch,
)
from ledger.games.three_dice_football.law_page_tables import PRINTED
from ledger.games.three_dice_football.outcome_words import GameOutcome, PlayOutcome, outcome_words
from ledger.games.three_dice_football.procedure import DUTIES, PHASES
from ledger.games.three_dice_football.state import INITIAL
from ledger.games.three_dice_football.supervision import over_ratio
from ledger.games.three_dice_football.terms import DICE, GAME, LAW
from ledger.games.three_dice_football.validity import INVALID_ROLLS, TAINTS
from ledger.games.three_dice_football.wager_dependence import WAGER_DEPENDENCE
from ledger.games.three_dice_football.wagers import EXTRA_POINT, PAYOUTS, WAGERS

REPORTED: Final = frozenset({"reported", "lasting_reported"})
DICE_AT_TABLE: Final = frozenset(
    {"selected", "dice", "dice_sure", "first_placings", "lost", "unfit"}
)
WATCH: Final = frozenset({"cameras", "cameras_sure", "staff", "staff_sure"})
ROOM: Final = Room(
    key="three_dice_football",
    game=GAME,
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
    closed_to=closed_to,
    over_ratio=over_ratio,
    chain=games_played,
    printed=PRINTED,
    wager_dependence=WAGER_DEPENDENCE,
    outcome_kinds=(FieldShown, GameOutcome, PlayOutcome),
    apart={
        DiceThrownByHand: (
            Apart(judge_dice, DICE_AT_TABLE | REPORTED),
            Apart(judge_watch, WATCH | REPORTED),
        ),
        RollCalled: (Apart(judge_caller, frozenset({"staff"}) | REPORTED),),
    },
    throws=Throws(
        pending="throw",
        last="thrown",
        shown=("thrown_play", "thrown_extra", "thrown_well"),
        passed_on=frozenset({"thrown_faces"}),
        compared={RollCalled: "agrees_with"},
    ),
    rolled_for=EXTRA_POINT,
)

__all__ = ["ROOM"]
