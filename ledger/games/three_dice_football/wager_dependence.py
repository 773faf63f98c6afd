"""Full game wagers are decided by the game, single play wagers each by its own throw.

Law: §§ 577.3(b), (d), 577.6(d)-(f).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ledger.games.football_field import Extra, FieldShown
from ledger.games.three_dice_football.wagers import FULL_GAME, SINGLE_PLAY
from ledger.games.wager_dependence import DecidedBy, Part, WagerDependence


def of_the_game(shown: FieldShown) -> FieldShown:
    """Return the end of a game, without the play.

    A score without an extra point roll counts as one that showed nothing: no wager depended on it.
    """
    unrolled = shown.extra is None and shown.game is not None and shown.game.scored
    return replace(shown, play=None, extra=Extra.NOTHING if unrolled else shown.extra)


def of_the_play(shown: FieldShown) -> FieldShown:
    """Return the play alone."""
    return FieldShown(play=shown.play)


GAME: Final = Part(name="full game wagers", wagers=FULL_GAME, hangs_on=of_the_game)
PLAYS: Final = Part(
    name="single play wagers",
    wagers=SINGLE_PLAY,
    decided_by=DecidedBy.THROW,
    hangs_on=of_the_play,
)
WAGER_DEPENDENCE: Final = WagerDependence(parts=(GAME, PLAYS))
