"""Whether plays of one table in two orders have become one: they rule the same from here on."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Final, get_type_hints

from ledger.events import EVENTS, Fact
from ledger.kernel.instant import holds_instants
from ledger.rounds.play import TablePlay

FACTS: Final[frozenset[type[Fact]]] = frozenset(EVENTS.values())


def agree(first: TablePlay, second: TablePlay, reach: int) -> bool:
    """Whether two plays will rule the same of whatever comes.

    Args:
        first: a play.
        second: another one of the same table.
        reach: as far as its clocks can be off, in microseconds; moments that near are the same.
    """
    known, other = first.state, second.state
    if known.room is not other.room:
        return False
    waiting = known.room is None  # which game its facts are of will be told by the next opening
    return alike(known, other, reach) and not (
        waiting and not alike(known.pending, other.pending, reach)
    )


@cache
def compared(kind: Any) -> dict[str, bool] | None:
    """The fields by which two values of a kind are compared, and whether each holds moments.

    Facts are the same by their keys. A field that declares ``compare=False`` bears on no ruling to
    come. None: the values themselves say whether they are the same.
    """
    if kind in FACTS:
        return {"stream": False, "seq": False}
    if is_dataclass(kind):
        names = [field.name for field in fields(kind) if field.compare]
    elif issubclass(kind, tuple) and hasattr(kind, "_fields"):
        names = list(kind._fields)
    else:
        return None
    hints = get_type_hints(kind, include_extras=True)
    return {name: holds_instants(hints[name]) for name in names}


def alike(first: Any, second: Any, reach: int, slack: int = 0) -> bool:
    """Whether two values say the same, but for moments that lie within ``reach``.

    Args:
        first: a value.
        second: another.
        reach: how far apart moments may lie, in microseconds.
        slack: how far apart whole numbers may lie that stand here outside of any declared field:
            ``reach`` for those of a field that holds moments, else 0.
    """
    if first is second:
        return True
    kind: Any = type(first)
    if kind is not type(second):
        return False
    if kind is int:
        return bool(abs(first - second) <= slack)
    if kind is dict:
        return first.keys() == second.keys() and all(
            alike(part, second[key], reach, slack) for key, part in first.items()
        )
    if kind is list or kind is tuple:
        return len(first) == len(second) and all(
            alike(part, other, reach, slack) for part, other in zip(first, second, strict=True)
        )
    declared = compared(first.__class__)
    if declared is None:
        return bool(first == second)
    return all(
        alike(getattr(first, name), getattr(second, name), reach, reach if moments else 0)
        for name, moments in declared.items()
    )
