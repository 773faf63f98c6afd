"""What a play or a game came to, as data and in words.

Law: §§ 577.1, 577.6(d), (e), (f).
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.games.football_field import Ended, Extra, Play, Throw
from ledger.games.outcomes import OutcomeDetail, OutcomeUnknown
from ledger.games.three_dice_football.terms import LAW
from ledger.games.three_dice_football.validity import words
from ledger.kernel import value_type


@value_type
class PlayOutcome:
    """One play, and the dice that made it."""

    play: Play
    faces: Throw

    @property
    def data(self) -> Mapping[str, object]:
        """The play, its yards and the dice, for JSON."""
        return {
            "play": self.play.kind.name,
            "yards": self.play.yards,
            "faces": list(self.faces),
        }


@value_type
class GameOutcome:
    """How a game ended.

    Args:
        end: the end of the game.
        extra_rolled: whether an extra point roll was thrown.
        extra: what it showed; None if it was not thrown or is not known.
    """

    end: Ended
    extra_rolled: bool = False
    extra: Extra | None = None

    @property
    def data(self) -> Mapping[str, object]:
        """The end of the game, how many plays it had, and the extra point roll, for JSON."""
        return {
            "end": self.end.result.name,
            "plays": self.end.plays,
            "extra_rolled": self.extra_rolled,
            "extra": self.extra.name if self.extra is not None else None,
        }


def outcome_words(detail: OutcomeDetail) -> str:
    """Print a play or a game: "2 yards by green 1 3, red 2", "touchdown on play 4, one 1".

    Raises:
        OutcomeUnknown: it is none of this game.
    """
    match detail:
        case PlayOutcome(play=play, faces=faces):
            return f"{play} by {words(faces)}"
        case GameOutcome(end=end, extra_rolled=False):
            return str(end)
        case GameOutcome(end=end, extra=extra):
            return f"{end}, {extra.value if extra else 'extra point roll not known'}"
        case _:
            raise OutcomeUnknown(LAW.name, detail)
