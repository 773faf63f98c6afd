"""How a round of play ended."""

from __future__ import annotations

from enum import StrEnum


class RoundStatus(StrEnum):
    """How a round ended: decided, annulled with every wager returned, or not known."""

    SETTLED = "settled"
    VOID = "void"
    UNKNOWN = "unknown"
