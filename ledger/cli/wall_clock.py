"""The one place where the command line reads the clock."""

from __future__ import annotations

from time import time_ns


def read_clock() -> int:
    """Microseconds since 1970, UTC."""
    return time_ns() // 1_000
