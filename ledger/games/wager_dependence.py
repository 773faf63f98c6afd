"""Which wagers one outcome decides together, and how much of it matters to them: for detections.

By default one outcome decides all wagers of a round, and all of it matters.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import field
from enum import StrEnum
from fractions import Fraction
from typing import Final

from ledger.games.rows import Shown
from ledger.kernel.quick_dataclass import dataclass


def whole(shown: Shown) -> Shown:
    """Return all of an outcome."""
    return shown


class DecidedBy(StrEnum):
    """What decides the wagers of a part of a game."""

    ROUND = "the outcome of the round"
    THROW = "each throw those on it"
    POSITION = "the cards of each position, all from one deck"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Wagers of a game that one outcome decides, separately from its other wagers.

    Args:
        name: the part's name; empty where the game has one part.
        wagers: the names of its wagers; None for all.
        decided_by: what decides them.
        hangs_on: takes an outcome and returns as much of it as these wagers depend on.
    """

    name: str = ""
    wagers: frozenset[str] | None = None
    decided_by: DecidedBy = DecidedBy.ROUND
    hangs_on: Callable[[Shown], Shown] = whole

    def has(self, wager: str) -> bool:
        """Whether a wager of this name belongs to the part."""
        return self.wagers is None or wager in self.wagers


class Ended(StrEnum):
    """How a wager that stood over many rounds was decided."""

    WON = "won"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingWager:
    """A wager that stays on the layout over several rounds, and how each round changes it.

    Args:
        wager: its name.
        start: how far it has come when it is laid.
        chance: the exact chance that it wins, by how far it has come.
        after: how far it has come after an outcome, or how it ended.
        is_over: whether an outcome decided the wager.
        unknown: the sentence for a wager of which it is not known how far it had come.
        joined: the sentence for a wager that was laid when another one was under way.
    """

    wager: str
    start: Hashable
    chance: Callable[[Hashable], Fraction]
    after: Callable[[Hashable, Shown], Hashable | Ended]
    is_over: Callable[[Shown], bool]
    unknown: str
    joined: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerDependence:
    """How the wagers of a game are decided.

    Args:
        parts: the parts that outcomes decide; a round without any variable counts under the first.
        multipliers: the chance that one spin or throw multiplies the odds by a factor, after which
            another one follows; empty where odds are never multiplied.
        standing: the wager that stands over rounds; None where none does.
    """

    parts: tuple[Part, ...] = (Part(),)
    multipliers: Mapping[int, Fraction] = field(default_factory=dict)
    standing: StandingWager | None = None


AT_ONCE: Final = WagerDependence()
"""One outcome decides every wager of a round."""
