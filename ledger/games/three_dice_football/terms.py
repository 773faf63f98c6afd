"""The words of the chapter.

Law: 58 Pa. Code § 577 (42 Pa.B., 28 July 2012).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from ledger.events import Down, Role
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import THREE_DICE_FOOTBALL

LAW: Final = THREE_DICE_FOOTBALL

GAME: Final = "Three Dice Football"
NOT_BESIDE: Final = frozenset({"baccarat", "midibaccarat", "craps", "minicraps", "paigow"})
"""Games of which a floorperson may not supervise a table beside one of this (§ 577.9(c))."""

DICE: Final = 3
"""Two Offensive Dice and one Defensive Die are thrown (§ 577.5(a))."""

GREEN: Final = "green"
RED: Final = "red"
THROWN_COLOURS: Final = (GREEN, GREEN, RED)
SET_COLOURS: Final = (GREEN, GREEN, GREEN, GREEN, RED, RED)
"""The set at the table (§ 577.4(a))."""

POSITIONS: Final = 16
"""The most wagering locations at a table (§ 577.2(a))."""
DEALERS: Final = 3
"""Dealers at a table, one of them the stickperson (§ 577.9(b))."""
CAMERAS: Final = 2
"""Stationary cameras, one for each end (§ 577.9(a))."""
DICE_HOURS_MICROS: Final = 24 * 3600 * 1_000_000
"""How long a set may be used, in microseconds (§ 577.4(d))."""
OPPOSITE: Final = 7
"""Opposite faces of a die add up to this."""


class Phase(StrEnum):
    """The phase of a game."""

    IDLE = "no game"
    BEFORE = "before the first throw"
    BETWEEN = "between two throws"
    EXTRA = "an extra point roll is due"
    OVER = "the game is over"


DOWN_WORDS: Final = {
    Down.FIRST_DOWN: "1st Down",
    Down.SECOND_DOWN: "2nd Down",
    Down.THIRD_DOWN: "3rd Down",
    Down.FIRST_AND_GOAL: "1st & Goal",
    Down.SECOND_AND_GOAL: "2nd & Goal",
    Down.THIRD_AND_GOAL: "3rd & Goal",
    Down.EXTRA_POINT: "Extra Point",
}
"""Downs as the layout names them (§ 577.2(b)(5))."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera on the table.

    Args:
        name: its name.
        covers: the end that it covers, None if not recorded.
        stationary: whether it is stationary, None if not recorded.
        lost: whether it has no picture.
    """

    name: str
    covers: str | None = None
    stationary: bool | None = None
    lost: bool = False


def number(position: str | None) -> int | None:
    """Return a position as a number, None if it is not one."""
    return (
        int(position)
        if position is not None and position.isascii() and position.isdigit()
        else None
    )


def ends_covered(cameras: tuple[Camera, ...]) -> tuple[int, int]:
    """Return how many ends have a stationary camera: at least, and at most."""
    here = [camera for camera in cameras if not camera.lost and camera.stationary is not False]
    surely = {c.covers for c in here if c.stationary and c.covers is not None}
    ends = {c.covers for c in here if c.covers is not None}
    return len(surely), len(ends) + sum(c.covers is None for c in here)


def dealers_of(staff: frozenset[tuple[Role, str]]) -> frozenset[str]:
    """Return who deals at a table; the stickperson is one of them (§ 577.9(b))."""
    return frozenset(who for role, who in staff if role in (Role.DEALER, Role.STICKPERSON))


def is_full_crew(staff: frozenset[tuple[Role, str]]) -> bool:
    """Whether § 577.9(b) is met: three dealers, a stickperson among them."""
    stick = any(role is Role.STICKPERSON for role, _ in staff)
    return stick and len(dealers_of(staff)) >= DEALERS
