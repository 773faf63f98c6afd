"""What two green dice and a red one do on a football field: plays, downs, the end of a game.

A throw is (green, green, red). The field is that of § 577.2(b)(4): the marker starts at 20 and runs
to 0. Readings: touchdown-at-zero, first-and-goal-at-once, trips-over-everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Final, TypeAlias

from ledger.events import Down
from ledger.kernel.quick_dataclass import dataclass

Throw: TypeAlias = tuple[int, int, int]
"""Faces uppermost: green, green, red."""

GOAL_YARD: Final = 10
"""A 1st & Goal is earned at this yard line or nearer."""
TURNOVER_RED: Final = 6
TURNOVER_GREEN: Final = (2, 3)


class Kind(StrEnum):
    """What a play comes to; where several fit, the first one here decides."""

    TRIPS_TD = "Trips TD"
    TURNOVER = "turnover"
    PENALTY = "penalty"
    YARDS = "yards"


class Result(StrEnum):
    """How a game ends."""

    TOUCHDOWN = "touchdown"
    TRIPS_TD = "Trips TD"
    TURNOVER = "turnover"
    ON_DOWNS = "turnover on downs"


SCORES: Final = frozenset({Result.TOUCHDOWN, Result.TRIPS_TD})


class Extra(StrEnum):
    """What an extra point roll shows."""

    ONE = "one 1"
    TWO = "two 1s"
    THREE = "three 1s"
    OTHER_TRIPLE = "other triple"
    NOTHING = "no 1 and no triple"


@dataclass(frozen=True, slots=True)
class Play:
    """What one throw comes to: its kind, and by how many yards the marker moves (-1: back)."""

    kind: Kind
    yards: int = 0

    def __str__(self) -> str:
        if self.kind is not Kind.YARDS:
            return self.kind.value
        return f"{self.yards} yard{'' if self.yards == 1 else 's'}" if self.yards else "no gain"


@dataclass(frozen=True, slots=True)
class Spot:
    """Where the three markers lie for the next play.

    Args:
        yard: yards to the goal, 20 at the start.
        down: the down that the next play is.
        play: the number of the next play in its game, from 1.
    """

    yard: int
    down: Down
    play: int


@dataclass(frozen=True, slots=True)
class Ended:
    """A game that is over: how, and after how many plays."""

    result: Result
    plays: int

    @property
    def scored(self) -> bool:
        """Whether a touchdown or a Trips TD was scored."""
        return self.result in SCORES

    def __str__(self) -> str:
        return f"{self.result.value} on play {self.plays}"


@dataclass(frozen=True, slots=True)
class FieldShown:
    """What can be seen of a game: last play, end, extra point roll; None: not (yet) seen."""

    play: Play | None = None
    game: Ended | None = None
    extra: Extra | None = None


START: Final = Spot(20, Down.FIRST_DOWN, 1)

NEXT_DOWN: Final[Mapping[Down, Down | None]] = {
    Down.FIRST_DOWN: Down.SECOND_DOWN,
    Down.SECOND_DOWN: Down.THIRD_DOWN,
    Down.THIRD_DOWN: None,
    Down.FIRST_AND_GOAL: Down.SECOND_AND_GOAL,
    Down.SECOND_AND_GOAL: Down.THIRD_AND_GOAL,
    Down.THIRD_AND_GOAL: None,
}
"""The down after a down that earned nothing; None: the game is over."""

FIRST_SERIES: Final = frozenset({Down.FIRST_DOWN, Down.SECOND_DOWN, Down.THIRD_DOWN})


def play_of(throw: Throw) -> Play:
    """Return what a throw comes to on a down.

    >>> print(play_of((4, 4, 3)), play_of((2, 2, 2)), play_of((1, 1, 6)), sep="; ")
    5 yards; Trips TD; turnover
    """
    green, red = throw[0] + throw[1], throw[2]
    if throw[0] == throw[1] == red:
        return Play(Kind.TRIPS_TD)
    if red == TURNOVER_RED and green in TURNOVER_GREEN:
        return Play(Kind.TURNOVER)
    if green < red:
        return Play(Kind.PENALTY, -1)
    return Play(Kind.YARDS, green - red)


def extra_of(throw: Throw) -> Extra:
    """Return what a throw comes to as an extra point roll."""
    ones = throw.count(1)
    if ones:
        return (Extra.ONE, Extra.TWO, Extra.THREE)[ones - 1]
    return Extra.OTHER_TRIPLE if throw[0] == throw[1] == throw[2] else Extra.NOTHING


def advance(spot: Spot, play: Play) -> Spot | Ended:
    """Return where the markers lie after a play, or how the game ended.

    >>> advance(START, Play(Kind.YARDS, 10))
    Spot(yard=10, down=<Down.FIRST_AND_GOAL: 'FIRST_AND_GOAL'>, play=2)
    >>> print(advance(Spot(5, Down.THIRD_DOWN, 3), Play(Kind.YARDS, 5)))
    touchdown on play 3
    """
    if play.kind is Kind.TRIPS_TD:
        return Ended(Result.TRIPS_TD, spot.play)
    if play.kind is Kind.TURNOVER:
        return Ended(Result.TURNOVER, spot.play)
    yard = spot.yard - play.yards
    if yard <= 0:
        return Ended(Result.TOUCHDOWN, spot.play)
    if spot.down in FIRST_SERIES and yard <= GOAL_YARD:
        return Spot(yard, Down.FIRST_AND_GOAL, spot.play + 1)
    down = NEXT_DOWN[spot.down]
    return Ended(Result.ON_DOWNS, spot.play) if down is None else Spot(yard, down, spot.play + 1)


# --- every throw, every game ----------------------------------------------------------------------


def throws() -> Iterator[Throw]:
    """Yield all 216 throws of three dice, each as likely as any other."""
    yield from product(range(1, 7), repeat=3)


@lru_cache(maxsize=1)
def plays() -> Mapping[Play, Fraction]:
    """Return every play with its exact chance on one throw."""
    return {play: Fraction(n, 216) for play, n in Counter(map(play_of, throws())).items()}


@lru_cache(maxsize=1)
def extras() -> Mapping[Extra, Fraction]:
    """Return every extra point roll with its exact chance on one throw."""
    return {extra: Fraction(n, 216) for extra, n in Counter(map(extra_of, throws())).items()}


@lru_cache(maxsize=1)
def reachable() -> frozenset[Spot]:
    """Return every position of the markers that a game under way can have."""
    spots, new = {START}, [START]
    while new:
        spot = new.pop()
        for after in (advance(spot, play) for play in plays()):
            if isinstance(after, Spot) and after not in spots:
                spots.add(after)
                new.append(after)
    return frozenset(spots)


@lru_cache(maxsize=512)
def ends_from(spot: Spot | Ended) -> Mapping[Ended, Fraction]:
    """Return how a game ends from here on, with exact chances."""
    if isinstance(spot, Ended):
        return {spot: Fraction(1)}
    ends: dict[Ended, Fraction] = {}
    for play, chance in plays().items():
        for end, then in ends_from(advance(spot, play)).items():
            ends[end] = ends.get(end, Fraction(0)) + chance * then
    return ends


def games() -> Iterator[tuple[FieldShown, Fraction]]:
    """Yield every game by its first play, its end and its extra point roll, with its exact chance.

    A single play wager is placed on one play, a full game wager on the game: both are seen here.
    """
    for play, chance in plays().items():
        for end, then in ends_from(advance(START, play)).items():
            if not end.scored:
                yield FieldShown(play, end), chance * then
                continue
            for extra, rolled in extras().items():
                yield FieldShown(play, end, extra), chance * then * rolled
