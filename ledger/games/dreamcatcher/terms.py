"""The words of the chapter, and the wheel it describes.

Law: 58 Pa. Code § 689 (50 Pa.B. 6778).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from ledger.law import DREAMCATCHER

LAW: Final = DREAMCATCHER

NUMBERS: Final = ("1", "2", "5", "10", "20", "40")
"""The numbers: what can be wagered on, and what ends a round (§§ 689.1(g)(2), 689.2(e))."""

# fmt: off
ORDER: Final = (        # § 689.1(b), clockwise
    "7x", "2", "1", "5", "1", "2", "5", "1", "2", "10", "1", "2", "1", "20", "1", "2", "1", "2",
    "1", "5", "1", "2", "10", "1", "5", "1", "2", "2x", "1", "5", "1", "40", "2", "1", "2", "1",
    "10", "2", "1", "5", "1", "2", "1", "5", "2", "1", "20", "1", "2", "1", "10", "1", "2", "1",
)
# fmt: on

SECTIONS: Final = 54
"""Sections of the rim (§ 689.1(a))."""

INCHES: Final = 60
"""The least diameter, five feet (§ 689.1(a))."""

REVOLUTIONS: Final = 3
"""The least whole turns of a valid spin (§ 689.2(b))."""


class Phase(StrEnum):
    """Where a round of play stands."""

    IDLE = "no round"
    BETTING = "wagers may be placed"
    NO_MORE_BETS = "no more bets"
    VOID = "the last spin is void and the wheel must be spun again"
    BONUS = "a multiplier was shown and a bonus spin is due"
    UNREAD = "the wheel was spun and its section was not recorded"
    DECIDED = "a number decided"
    OVERRULED = "the number that had decided was declared void"
    RESPUN = "the wheel was spun again after a number had decided"
    UNDECIDABLE = "the record cannot show what decides"
    LOST = "facts were lost"
