"""What a round came to, in detail and as data: what marts read, and what a room puts into words.

What wagers are asked on stands beside it (``Decided.shown``): this is as much as people want to
know of it, the dice, the sections of the wheel, the hands, and never a sentence. Rooms whose
outcomes have another form add a class of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final, Protocol

from ledger.kernel import Citation, LedgerError, value_type


class OutcomeDetail(Protocol):
    """What every detail of an outcome can be asked."""

    @property
    def data(self) -> Mapping[str, Any]:
        """Strings, whole numbers, flags, None and lists of these, by name; no sentence."""


class OutcomeUnknown(LedgerError):
    """An outcome that its game cannot have, or that nobody said how to read.

    Args:
        game: the game of the round.
        detail: what the round is said to have come to.
    """

    code = "outcome_unknown"
    exit_code = 4

    def __init__(self, game: str, detail: object) -> None:
        super().__init__(
            f"{game} has no outcome {detail}",
            next_step="add it to the tables of the game's room, or correct the room",
        )
        self.game = game
        self.detail = detail


@value_type
class DiceOutcome:
    """The dice of one roll, rising; ``as_stated``: as they were called, none being recorded."""

    faces: tuple[int, ...]
    as_stated: bool = False

    @property
    def data(self) -> Mapping[str, Any]:
        """The faces, and whether they rest on a call."""
        return {"faces": list(self.faces), "as_stated": self.as_stated}


@value_type
class WheelOutcome:
    """The sections of a wheel's valid spins in order: multipliers, then the one that decided.

    ``factor`` is what the multipliers come to together, 1 without any.
    """

    sections: tuple[str, ...]
    factor: int = 1

    @property
    def data(self) -> Mapping[str, Any]:
        """The sections and the factor."""
        return {"sections": list(self.sections), "factor": self.factor}


@value_type
class WagersReturned:
    """Nothing was decided and every wager goes back; ``cause`` as the room's row names it.

    Two that name the same cause are equal: a cause may stand in more sections than one.
    """

    cause: str
    cite: Citation = field(compare=False)

    @property
    def data(self) -> Mapping[str, Any]:
        """The section by which the wagers go back."""
        return {"returned_by": self.cite.section}


SHARED_KINDS: Final = (DiceOutcome, WheelOutcome, WagersReturned)
"""The classes of details that every room may use without naming them."""
