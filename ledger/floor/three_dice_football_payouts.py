"""What a throw and a game of Three Dice Football win, as this floor's dealers learned it.

Typed from the layout on the table, apart from the rules engine. Law: 58 Pa. Code §§ 577.1, 577.3,
577.6, 577.8.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ledger.events import Down
from ledger.floor.sic_bo_payouts import Area
from ledger.kernel.quick_dataclass import dataclass

NAME: Final = "Three Dice Football"
TOUCHDOWN: Final = "Touchdown"
DEFENSE: Final = "Defense"
EXTRA_POINT: Final = "Extra Point"
QUICK_STRIKE: Final = "Quick Strike TD"
GAME_CHANGER: Final = "Game Changer"
GAME_LENGTH: Final = "Game Length"
TRIPS: Final = "Trips TD"
PENALTY: Final = "Penalty"
TURNOVER: Final = "Turnover"
COVER_THREE: Final = "Cover Three"
NO_GAIN: Final = "No Gain"
BIG_PLAY: Final = "Big Play"
OVER_FOUR: Final = "Over Four Yards"
UNDER_FOUR: Final = "Under Four Yards"

FULL_GAME: Final = (TOUCHDOWN, DEFENSE, EXTRA_POINT, QUICK_STRIKE, GAME_CHANGER, GAME_LENGTH)
SINGLE_PLAY: Final = (
    TRIPS, PENALTY, TURNOVER, COVER_THREE, NO_GAIN, BIG_PLAY, OVER_FOUR, UNDER_FOUR,
)  # fmt: skip
WAGERS: Final = (*FULL_GAME, *SINGLE_PLAY)
DICE_COLOURS: Final = ("green", "green", "green", "green", "red", "red")
DOWN_AREAS: Final = (
    "1st Down", "2nd Down", "3rd Down", "1st & Goal", "2nd & Goal", "3rd & Goal", "Extra Point",
)  # fmt: skip

Row = tuple[str, str | None]
Throw = tuple[int, int, int]
"""Two green faces and the red one."""

# fmt: off
ODDS: Final[dict[Row, tuple[int, int]]] = {     # exactly these
    (TOUCHDOWN, None): (1, 1), (DEFENSE, None): (4, 5),
    (EXTRA_POINT, "one 1"): (1, 1), (EXTRA_POINT, "two 1s"): (10, 1),
    (EXTRA_POINT, "three 1s"): (50, 1), (EXTRA_POINT, "other triple"): (10, 1),
    (QUICK_STRIKE, "1"): (8, 1), (QUICK_STRIKE, "2"): (5, 1), (QUICK_STRIKE, "3"): (3, 1), (QUICK_STRIKE, "4"): (1, 1),
    (GAME_CHANGER, None): (5, 1),
    (GAME_LENGTH, "1"): (22, 1), (GAME_LENGTH, "2"): (22, 1), (GAME_LENGTH, "3"): (6, 5),
    (GAME_LENGTH, "4"): (5, 1), (GAME_LENGTH, "5"): (3, 1), (GAME_LENGTH, "6"): (6, 1),
    (TRIPS, None): (30, 1), (PENALTY, None): (9, 1), (TURNOVER, None): (60, 1), (COVER_THREE, None): (7, 1),
    (NO_GAIN, None): (5, 1), (BIG_PLAY, None): (4, 1),
    (OVER_FOUR, None): (1, 1), (OVER_FOUR, "Trips TD"): (7, 1), (UNDER_FOUR, None): (1, 1),
}
# fmt: on
_NEXT: Final = {
    Down.FIRST_DOWN: Down.SECOND_DOWN,
    Down.SECOND_DOWN: Down.THIRD_DOWN,
    Down.FIRST_AND_GOAL: Down.SECOND_AND_GOAL,
    Down.SECOND_AND_GOAL: Down.THIRD_AND_GOAL,
}


@dataclass(frozen=True, slots=True)
class Field:
    """Where the markers lie; ``end`` says how a game ended, None while it goes on."""

    yard: int = 20
    down: Down = Down.FIRST_DOWN
    play: int = 1
    end: str | None = None

    @property
    def scored(self) -> bool:
        """A touchdown or a Trips TD ended the game."""
        return self.end in (TOUCHDOWN, TRIPS)

    def after(self, throw: Throw) -> Field:
        """Where they lie after a throw that counts."""
        play = play_of(throw)
        if play in (TRIPS, TURNOVER):
            return replace(self, end=play)
        yard = self.yard + 1 if play == PENALTY else self.yard - yards(throw)
        if yard <= 0:
            return replace(self, yard=0, end=TOUCHDOWN)
        if yard <= 10 and self.down in (Down.FIRST_DOWN, Down.SECOND_DOWN, Down.THIRD_DOWN):
            return Field(yard, Down.FIRST_AND_GOAL, self.play + 1)
        if self.down not in _NEXT:
            return replace(self, yard=yard, end="on downs")
        return Field(yard, _NEXT[self.down], self.play + 1)


def yards(throw: Throw) -> int:
    """By how much the green dice exceed the red one."""
    return throw[0] + throw[1] - throw[2]


def play_of(throw: Throw) -> str | None:
    """A Trips TD goes before a turnover, a turnover before a penalty; None: yards or no gain."""
    if throw[0] == throw[1] == throw[2]:
        return TRIPS
    if throw[2] == 6 and throw[0] + throw[1] in (2, 3):
        return TURNOVER
    return PENALTY if yards(throw) < 0 else None


def play_row(wager: str, throw: Throw) -> Row | None:
    """The row by which a single play wager is paid on a throw; None: it loses."""
    play, gained = play_of(throw), yards(throw)
    if play == TRIPS:
        if wager == OVER_FOUR:
            return OVER_FOUR, "Trips TD"
        return (wager, None) if wager in (TRIPS, COVER_THREE, BIG_PLAY) else None
    lost = play is not None
    wins = {
        TRIPS: False,
        PENALTY: lost,
        TURNOVER: play == TURNOVER,
        COVER_THREE: lost,
        NO_GAIN: lost or gained == 0,
        BIG_PLAY: not lost and gained >= 7,
        OVER_FOUR: not lost and gained >= 5,
        UNDER_FOUR: lost or gained <= 3,
    }
    return (wager, None) if wins[wager] else None


def game_row(area: Area, end: Field, extra: Throw | None) -> Row | None:
    """The row by which a full game wager is paid when the game is over; None: it loses.

    Args:
        area: on the layout.
        end: the field when the game is over.
        extra: the throw for the extra point; None: there was none.
    """
    wager, picks = area
    match wager:
        case "Touchdown":
            wins = end.scored
        case "Defense":
            wins = not end.scored
        case "Extra Point":
            return extra_row(extra) if end.scored and extra is not None else None
        case "Quick Strike TD":
            return (wager, str(end.play)) if end.scored and end.play <= 4 else None
        case "Game Changer":
            wins = end.end in (TRIPS, TURNOVER)
        case _:
            return (GAME_LENGTH, str(end.play)) if picks == (end.play,) else None
    return (wager, None) if wins else None


def extra_row(extra: Throw) -> Row | None:
    """The row by which Extra Point Wagers are paid on an extra point roll."""
    ones = extra.count(1)
    if ones:
        return EXTRA_POINT, ("one 1", "two 1s", "three 1s")[ones - 1]
    return (EXTRA_POINT, "other triple") if len(set(extra)) == 1 else None


def due(row: Row | None, stake: int) -> int:
    """What a row pays on a stake, in cents: stakes leave no fraction; -1 where nothing is won."""
    if row is None:
        return -1
    pays, on = ODDS[row]
    cents, left = divmod(stake * pays, on)
    assert left == 0, "every stake is a multiple of the smallest chip"
    return cents


EVEN: Final[tuple[Area, ...]] = ((TOUCHDOWN, ()), (DEFENSE, ()))
MIDDLE: Final[tuple[Area, ...]] = (
    (EXTRA_POINT, ()), (QUICK_STRIKE, ()), *((GAME_LENGTH, (plays,)) for plays in range(3, 7)),
)  # fmt: skip
LONG: Final[tuple[Area, ...]] = ((GAME_CHANGER, ()), (GAME_LENGTH, (1,)), (GAME_LENGTH, (2,)))
SINGLES: Final = (OVER_FOUR, UNDER_FOUR, OVER_FOUR, UNDER_FOUR, NO_GAIN, BIG_PLAY, *SINGLE_PLAY)
"""What patrons choose from between throws: the even ones more often."""
