"""Whether two plays of one table have become the same: they rule the same from here on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, Final

from ledger.events import EVENTS
from ledger.rounds.play import TablePlay

FACTS: Final[frozenset[type[Any]]] = frozenset(EVENTS.values())

MOMENT: Final = 100_000_000_000_000
"""Whole numbers above this are moments in microseconds UTC, of 1973 and after."""


def agree(first: TablePlay, second: TablePlay, reach: int) -> bool:
    """Whether two plays of a table will rule the same whatever comes.

    Facts are the same if their keys are.

    Args:
        first: a play.
        second: another one of the same table.
        reach: how far the table's clocks can be off, in microseconds; moments that lie no farther
            apart count as the same.
    """
    known, other = first.state, second.state
    if known.room is not other.room:
        return False
    waiting = known.room is None  # the next opening will say of which game its facts are
    return alike(known, other, reach) and not (
        waiting and not alike(known.pending, other.pending, reach)
    )


@cache
def _compared(kind: Any) -> Callable[[Any], tuple[Any, ...]] | None:
    """Return what two values of a type are compared by; None: by themselves."""
    if kind in FACTS:
        return attrgetter("stream", "seq")
    if not hasattr(kind, "__dataclass_fields__"):
        return None
    names = [field.name for field in fields(kind) if field.compare]
    if len(names) < 2:
        return lambda value: tuple([getattr(value, name) for name in names])
    return attrgetter(*names)


def alike(first: Any, second: Any, reach: int) -> bool:
    """Whether two values are the same, except for moments up to ``reach`` microseconds apart."""
    if first is second:
        return True
    kind: Any = type(first)
    if kind is not type(second):
        return False
    if kind is int:
        near = first > MOMENT and second > MOMENT and abs(first - second) <= reach
        return near or bool(first == second)
    if kind is dict:
        return first.keys() == second.keys() and all(
            alike(item, second[key], reach) for key, item in first.items()
        )
    if isinstance(first, (list, tuple)):
        return len(first) == len(second) and all(map(alike, first, second, [reach] * len(first)))
    parts = _compared(first.__class__)
    if parts is None:
        return bool(first == second)
    return alike(parts(first), parts(second), reach)
