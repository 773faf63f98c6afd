"""What a wheel can show: where a clapper rests, and what a wheel must be when it is placed.

A list of sections is circular: any section may stand first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from ledger.events import Clapper, WheelPlaced, WheelSpun
from ledger.games.room import Picks
from ledger.kernel import Citation, Odds, parse_odds
from ledger.kernel.quick_dataclass import dataclass

Sections: TypeAlias = tuple[str, ...]

INCH: Final = 1_000
"""Diameters and revolutions are recorded in thousandths."""


@dataclass(frozen=True, slots=True)
class StopsOn:
    """The wheel stopped on a section with this number."""

    symbol: str

    def __call__(self, shown: str, picks: Picks) -> bool:
        return shown == self.symbol

    def __str__(self) -> str:
        return f"the clapper rests in a section with {self.symbol}"


def stops_on(symbol: str) -> StopsOn:
    """Return the condition that the wheel stopped on a section with this number."""
    return StopsOn(symbol)


@dataclass(frozen=True, slots=True)
class Multiplier:
    """A symbol that decides no wager and multiplies the odds of the number that follows."""

    symbol: str
    factor: int
    cite: Citation
    reading: str | None = None


# --- where the clapper rests -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BetweenSections:
    """The clapper rests between two sections; without a recorded place, two sections are named."""

    def __call__(self, spin: WheelSpun) -> bool:
        named = spin.between is not None and spin.section is None
        return spin.clapper is Clapper.BETWEEN_SECTIONS or (
            named and spin.clapper is not Clapper.IN_SECTION
        )

    def __str__(self) -> str:
        return "the clapper rests between two sections"


@dataclass(frozen=True, slots=True)
class FewerTurns:
    """The wheel made fewer than so many whole revolutions."""

    revolutions: int

    def __call__(self, spin: WheelSpun) -> bool:
        turned = spin.revolutions_thousandths
        return turned is not None and turned < self.revolutions * INCH

    def __str__(self) -> str:
        return f"the wheel made fewer than {self.revolutions} revolutions"


def touching(sections: Sections, two: tuple[int, ...]) -> bool:
    """Whether two sections are neighbors on the wheel; the last one and the first are.

    Args:
        sections: all sections of the wheel in order.
        two: the places of the two sections in that order, from 0.
    """
    around = len(sections)
    if len(two) != 2 or not all(0 <= index < around for index in two):
        return False
    return (two[0] - two[1]) % around in (1, around - 1)


# --- what a wheel is when it is placed ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AtLeastAcross:
    """The wheel measures at least so many inches across."""

    inches: int

    def __call__(self, wheel: WheelPlaced) -> bool | None:
        across = wheel.diameter_thousandths
        return None if across is None else across >= self.inches * INCH

    def seen(self, wheel: WheelPlaced) -> str:
        """The diameter, in inches, for people."""
        whole, rest = divmod(wheel.diameter_thousandths or 0, INCH)
        return f"{whole}.{rest:03d} inches".replace(".000", "")

    def __str__(self) -> str:
        return f"{self.inches} inches or more across"


@dataclass(frozen=True, slots=True)
class EquallySpaced:
    """The rim has so many sections, recorded as equally spaced."""

    sections: int

    def __call__(self, wheel: WheelPlaced) -> bool | None:
        return wheel.equally_spaced if len(wheel.sections) == self.sections else False

    def seen(self, wheel: WheelPlaced) -> str:
        """How many sections there are, for people."""
        spaced = ", not equally spaced" if wheel.equally_spaced is False else ""
        return f"{len(wheel.sections)} sections{spaced}"

    def __str__(self) -> str:
        return f"{self.sections} equally spaced sections"


@dataclass(frozen=True, slots=True)
class Showing:
    """So many sections show this number or symbol."""

    symbol: str
    count: int

    def __call__(self, wheel: WheelPlaced) -> bool | None:
        return wheel.sections.count(self.symbol) == self.count

    def seen(self, wheel: WheelPlaced) -> str:
        """How many sections show it, for people."""
        return f"{wheel.sections.count(self.symbol)} sections with {self.symbol}"

    def __str__(self) -> str:
        return f"{self.count} with {self.symbol}"


@dataclass(frozen=True, slots=True)
class InOrder:
    """The sections follow one another in this order, clockwise or counterclockwise."""

    order: Sections

    def __call__(self, wheel: WheelPlaced) -> bool | None:
        return same_circle(wheel.sections, self.order) or same_circle(
            wheel.sections[::-1], self.order
        )

    def seen(self, wheel: WheelPlaced) -> str:
        """The order on the wheel, for people."""
        return ", ".join(wheel.sections)

    def __str__(self) -> str:
        return "the order " + ", ".join(self.order)


@dataclass(frozen=True, slots=True)
class Clockwise:
    """The order runs clockwise; a wheel with another order altogether is not judged by this."""

    order: Sections

    def __call__(self, wheel: WheelPlaced) -> bool | None:
        forward = same_circle(wheel.sections, self.order)
        if not forward and not same_circle(wheel.sections[::-1], self.order):
            return True
        return None if wheel.read_clockwise is None else forward is wheel.read_clockwise

    def seen(self, _wheel: WheelPlaced) -> str:
        """The direction of the order, for people."""
        return "the order counterclockwise"

    def __str__(self) -> str:
        return "the order clockwise"


@dataclass(frozen=True, slots=True)
class HasClapper:
    """The wheel has a clapper."""

    def __call__(self, wheel: WheelPlaced) -> bool | None:
        return wheel.clapper

    def seen(self, _wheel: WheelPlaced) -> str:
        """That it has none, for people."""
        return "no clapper"

    def __str__(self) -> str:
        return "a clapper that picks out one section"


@dataclass(frozen=True, slots=True)
class WheelCheck:
    """What a wheel must be when it is placed, and the duty that is broken when it is not.

    ``holds`` returns None where the fact does not record it. ``duty`` is ``code#part``.
    """

    required: str
    holds: Holds
    duty: str


Holds: TypeAlias = AtLeastAcross | EquallySpaced | Showing | InOrder | Clockwise | HasClapper


def same_circle(first: Sections, other: Sections) -> bool:
    """Whether two lists name the same circle, wherever each begins.

    >>> same_circle(("1", "2", "5"), ("5", "1", "2"))
    True
    """
    if len(first) != len(other):
        return False
    doubled = first + first
    return any(doubled[start : start + len(other)] == other for start in range(len(first)))


def wrong_odds(
    wheel: WheelPlaced, due: tuple[tuple[str, Odds], ...], listed: Mapping[str, Odds]
) -> tuple[tuple[str, str, Odds], ...]:
    """Return the numbers beside which the wheel shows neither the odds due nor those listed.

    Args:
        wheel: what the wheel shows.
        due: each number with the odds that are offered.
        listed: the chapter's odds by number.

    Returns:
        For each such number: the number, what the wheel shows ("nothing" if no odds), the odds due.
    """
    shown: dict[str, list[str]] = {}
    for printed in wheel.odds_shown or ():
        shown.setdefault(printed.section, []).append(printed.odds)
    return tuple(
        (number, " and ".join(shown.get(number, ["nothing"])), odds)
        for number, odds in due
        if not shown.get(number)
        or not all(_says(text, odds) or _says(text, listed[number]) for text in shown[number])
    )


def _says(text: str, odds: Odds) -> bool:
    try:
        return parse_odds(text).ratio == odds.ratio
    except ValueError:  # "151 for 1", or no odds at all
        return False
