"""The words of the chapter.

Law: 58 Pa. Code § 668a (46 Pa.B. 5540).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from ledger.games.dice import Faces
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import PROPS_AND_HOPS

LAW: Final = PROPS_AND_HOPS

DICE: Final = 2
"""Props & Hops is played with two dice (§ 668a.3(a))."""

SHAKES: Final = 3
"""The player shakes the covered shaker at least this often (§ 668a.3(f))."""

SEVEN: Final = 7
"""The total that ends a Six Eight Shake and the player's turn (§§ 668a.2(f)(8), 668a.3(k))."""

POSITIONS: Final = tuple(map(str, range(1, 7)))
"""Six betting positions (§ 668a.1(a)), from the dealer's left to the dealer's right."""

LAMMERS: Final[frozenset[Faces]] = frozenset({(1, 5), (2, 4), (3, 3), (2, 6), (3, 5), (4, 4)})
"""The combinations of 6 and of 8, each with its red lammer (§ 668a.3(e))."""


class Sequence(StrEnum):
    """The state of a Six Eight Shake sequence after a roll."""

    GOES_ON = "goes on"
    COMPLETED = "completed"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Roll:
    """What a valid roll showed: two faces in rising order, and what became of the sequence."""

    faces: Faces
    sequence: Sequence


class Phase(StrEnum):
    """The phase of a round of play."""

    IDLE = "no round"
    BETTING = "wagers may be placed"
    NO_MORE_BETS = "no more bets"
    SHAKEN = "shaken"
    LIFTED = "lid lifted by the player"
    AT_REST = "dice seen"
    UNREAD = "dice seen that cannot be read"
    NO_ROLL = "no roll"
    LOST = "facts lost"
