"""A serial number as a place in its series, as it is written; ranges of it can be compared."""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = re.compile(r"(.*?)(\d+)\D*", re.DOTALL)


def serial_place(serial: str) -> tuple[str, int] | None:
    """A serial as its series and its number there; None if it has no number."""
    match = _NUMBER.fullmatch(serial)
    return (match[1], int(match[2])) if match else None
