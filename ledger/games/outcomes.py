"""What a round came to, as data: what marts read, and what a room puts into words.

What wagers are settled on stands beside it (``Decided.shown``). This is as much of it as people
want to know: the dice, the sections of the wheel, the hands; never a sentence. Rooms whose outcomes
have another form add a class of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final, Protocol

from ledger.kernel import Citation, LedgerError, value_type


class OutcomeDetail(Protocol):
    """What every detail of an outcome can say."""

    @property
    def data(self) -> Mapping[str, object]:
        """Strings, whole numbers, flags, None and lists of these, by name; no sentence."""


class OutcomeUnknown(LedgerError):
    """An outcome that its game cannot have, or that its room cannot put into words.

    Args:
        game: the game of the round.
        detail: what the round is recorded to have come to.
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
    """The faces of one roll, rising; ``as_stated``: as they were called, none being recorded."""

    faces: tuple[int, ...]
    as_stated: bool = False

    @property
    def data(self) -> Mapping[str, object]:
        """The faces, and whether they rest on a call alone."""
        return {"faces": list(self.faces), "as_stated": self.as_stated}


@value_type
class WheelOutcome:
    """The sections of a wheel's valid spins in order: multipliers, then the one that decided.

    ``factor`` is the product of the multipliers, 1 without any.
    """

    sections: tuple[str, ...]
    factor: int = 1

    @property
    def data(self) -> Mapping[str, object]:
        """The sections and the factor."""
        return {"sections": list(self.sections), "factor": self.factor}


@value_type
class WagersReturned:
    """Nothing was decided and every wager goes back; ``cause`` is what the room's row calls it.

    Two with the same cause are equal: a cause may be named by more than one section.
    """

    cause: str
    cite: Citation = field(compare=False)

    @property
    def data(self) -> Mapping[str, object]:
        """The section by which the wagers go back."""
        return {"returned_by": self.cite.section}


SHARED_KINDS: Final = (DiceOutcome, WheelOutcome, WagersReturned)
"""The classes of details that every room may use without naming them."""
