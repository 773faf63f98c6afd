"""What dice can show: conditions on faces, and how a die may lie.

Faces are the numbers showing uppermost, as a tuple in rising order.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Final, TypeAlias

from ledger.events import Die, Rest
from ledger.games.room import Picks
from ledger.kernel.quick_dataclass import dataclass

Faces: TypeAlias = tuple[int, ...]

FACES: Final[tuple[Picks, ...]] = tuple((face,) for face in range(1, 7))
"""Picks of one number, 1 to 6."""

PAIRS: Final[tuple[Picks, ...]] = tuple((a, b) for a in range(1, 7) for b in range(a + 1, 7))
"""Picks of two different numbers, the smaller first."""


@dataclass(frozen=True, slots=True)
class ShowsPick:
    """The number picked shows on as many dice as one of ``counts`` says.

    >>> three = shows_pick(3)
    >>> three((4, 4, 4), (4,)), three((3, 4, 4), (4,))
    (True, False)
    >>> print(shows_pick(2, 3))
    the number picked shows on 2 or 3 dice
    """

    counts: tuple[int, ...]

    def __call__(self, shown: Faces, picks: Picks) -> bool:
        return shown.count(picks[0]) in self.counts

    def __str__(self) -> str:
        dice = "die" if self.counts[-1] == 1 else "dice"
        return f"the number picked shows on {' or '.join(map(str, self.counts))} {dice}"


def shows_pick(*counts: int) -> ShowsPick:
    """Return the condition that the number picked shows on one of these counts of dice."""
    return ShowsPick(counts)


@dataclass(frozen=True, slots=True)
class ShowsBoth:
    """Both numbers picked show."""

    def __call__(self, shown: Faces, picks: Picks) -> bool:
        return picks[0] in shown and picks[1] in shown

    def __str__(self) -> str:
        return "both numbers picked show"


@dataclass(frozen=True, slots=True)
class Triple:
    """All dice show the same number."""

    def __call__(self, shown: Faces, picks: Picks) -> bool:
        return shown[0] == shown[-1]

    def __str__(self) -> str:
        return "all three dice show the same number"


TRIPLE: Final = Triple()


@dataclass(frozen=True, slots=True)
class Total:
    """The dice add up to one of ``totals``, unless ``exception`` holds.

    >>> small = total(4, 5, 6, 7, 8, 9, 10).but_not(TRIPLE)
    >>> small((1, 2, 5), ()), small((2, 2, 2), ())
    (True, False)
    """

    totals: tuple[int, ...]
    exception: Triple | None = None

    def __call__(self, shown: Faces, picks: Picks) -> bool:
        return sum(shown) in self.totals and not (self.exception and self.exception(shown, picks))

    def but_not(self, exception: Triple) -> Total:
        """Return the same totals, except where the exception holds."""
        return Total(self.totals, exception)

    def __str__(self) -> str:
        listed = ", ".join(map(str, self.totals))
        return f"the total is {listed}" + (
            f", but not when {self.exception}" if self.exception else ""
        )


def total(*totals: int) -> Total:
    """Return the condition that the dice add up to one of these."""
    return Total(totals)


@dataclass(frozen=True, slots=True)
class TotalPicked:
    """The dice add up to the number picked, unless ``but_not`` holds."""

    but_not: Triple | None = None

    def __call__(self, shown: Faces, picks: Picks) -> bool:
        return sum(shown) == picks[0] and not (self.but_not and self.but_not(shown, picks))

    def __str__(self) -> str:
        exception = f", but not when {self.but_not}" if self.but_not else ""
        return f"the total is the number picked{exception}"


@dataclass(frozen=True, slots=True)
class Picked:
    """The pick was this number."""

    number: int

    def __call__(self, shown: Faces, picks: Picks) -> bool:
        return picks == (self.number,)

    def __str__(self) -> str:
        return f"a pick of {self.number}"


def picked(number: int) -> Picked:
    """Return the condition that the pick was this number."""
    return Picked(number)


@dataclass(frozen=True, slots=True)
class NotAllFlat:
    """At least one die does not lie flat where it belongs."""

    def __call__(self, dice: tuple[Die, ...]) -> bool:
        return any(die.rest is not Rest.FLAT for die in dice)

    def __str__(self) -> str:
        return "at least one die is not flat on the bottom"


def rolls(dice: int) -> Iterator[tuple[Faces, Fraction]]:
    """Yield every set of faces of so many fair dice with its exact probability.

    >>> list(rolls(1))[0]
    ((1,), Fraction(1, 6))
    """
    counts: dict[Faces, int] = dict.fromkeys(combinations_with_replacement(range(1, 7), dice), 0)
    for roll in product(range(1, 7), repeat=dice):
        counts[tuple(sorted(roll))] += 1
    for faces, count in counts.items():
        yield faces, Fraction(count, 6**dice)
