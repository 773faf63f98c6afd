"""Which of a day's two runs it is."""

from __future__ import annotations

from enum import StrEnum


class Phase(StrEnum):
    """Before the drop is counted, or after it; only a final one is signed."""

    PRELIMINARY = "preliminary"
    FINAL = "final"
