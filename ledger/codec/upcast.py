"""Old to new: what a fact of an older version says in the words of the next one.

One row for each version that is no longer the newest. A step takes and gives the plain values
(dicts, lists, words, numbers) and may only say what the old fact said: what was not recorded then
is null, "not recorded", and never a guess.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

Step = Callable[[dict[str, Any]], dict[str, Any]]


def _relieved_by_not_recorded(values: dict[str, Any]) -> dict[str, Any]:
    """StaffRelieved 2 adds who took over; version 1 did not record it."""
    return {**values, "relieved_by": None}


# fmt: off
UPCASTS: Final[dict[tuple[str, int], Step]] = {
    # event, from version     to the next version
    ("StaffRelieved", 1):     _relieved_by_not_recorded,
}
# fmt: on


def upcast(name: str, version: int, newest: int, values: dict[str, Any]) -> dict[str, Any]:
    """The values in the words of the newest version, step by step."""
    for step in range(version, newest):
        values = UPCASTS[name, step](values)
    return values
