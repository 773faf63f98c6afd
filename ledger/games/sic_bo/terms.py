"""The words of the chapter.

Law: 58 Pa. Code § 539 (40 Pa.B. 1740).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from ledger.events import Device, Role
from ledger.law import SIC_BO

LAW: Final = SIC_BO

DICE: Final = 3
"""Sic Bo is played with three dice (§ 539.2(a))."""

SHAKES: Final = 3
"""A manual shaker is shaken at least this often (§ 539.5(c)(1))."""

SUPERVISORS: Final = frozenset(
    {Role.FLOORPERSON, Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.CASINO_MANAGER}
)
"""A floorperson or above (§ 539.7(b); reading floorperson-or-above)."""

LIGHTING: Final = frozenset({Device.ELECTRICAL_DEVICE, Device.DISPLAY_AREA})
"""What must be fixed before play goes on (§ 539.7(b))."""


class Phase(StrEnum):
    """Where a round of play stands."""

    IDLE = "no round"
    BETTING = "wagers may be placed"
    NO_MORE_BETS = "no more bets"
    SHAKEN = "shaken"
    AT_REST = "dice seen"
    ENTERED = "values entered"
    LIT = "winning areas lit"
    NO_ROLL = "no roll"
    VOID = "void"
