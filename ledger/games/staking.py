"""Which wagers one outcome decides together, and how much of it they hang on: asked by detections.

By default one outcome decides all wagers of a round, and all of it matters.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Final

from ledger.games.rows import Shown


def whole(shown: Shown) -> Shown:
    """All of an outcome."""
    return shown


class DecidedBy(StrEnum):
    """What decides the wagers of a part of a game."""

    ROUND = "the outcome of the round"
    THROW = "each throw those on it"
    POSITION = "the cards of each position, all from one deck"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Wagers of a game that one outcome decides, apart from its other wagers.

    ``wagers`` None: all of them. ``hangs_on`` is as much of an outcome as they hang on.
    """

    name: str = ""
    wagers: frozenset[str] | None = None
    decided_by: DecidedBy = DecidedBy.ROUND
    hangs_on: Callable[[Shown], Shown] = whole

    def has(self, wager: str) -> bool:
        """Whether a wager is of this part."""
        return self.wagers is None or wager in self.wagers


class Ended(StrEnum):
    """How a wager that stood over many rounds was decided."""

    WON = "won"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingWager:
    """A wager that stands over rounds, and what each makes of it.

    ``collected`` is how far it has come, at first ``start``; ``chance`` is that it wins from
    there, ``after`` what an outcome makes of it. ``is_over`` says of an outcome that it decided the
    wager. ``unknown`` and ``joined`` are sentences: how far it had come is not known; it was laid
    when one was under way.
    """

    wager: str
    start: Hashable
    chance: Callable[[Hashable], Fraction]
    after: Callable[[Hashable, Shown], Hashable | Ended]
    is_over: Callable[[Shown], bool]
    unknown: str
    joined: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Staking:
    """How the wagers of a game are decided.

    A round without any variable counts under the first of ``parts``. ``multipliers`` is the chance
    that a spin or throw multiplies the odds by a factor, after which another one follows; empty
    where odds are never multiplied.
    """

    parts: tuple[Part, ...] = (Part(),)
    multipliers: Mapping[int, Fraction] = field(default_factory=dict)
    standing: StandingWager | None = None


AT_ONCE: Final = Staking()
"""One outcome decides every wager of a round."""
