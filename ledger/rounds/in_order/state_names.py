"""Names of states: two states have one name if the engine cannot tell them apart.

What a state holds of facts that no table knows (``unlooked.py``) is named by the order in which it
stands there, and by whether the last fact brought it, so that two references to one fact stay two
references to one fact.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Final, TypeVar

from ledger.events import EVENTS
from ledger.games.room import Room, Rules
from ledger.house import Office
from ledger.house.office import Submission
from ledger.rounds.in_order.unlooked import (
    Began,
    LookedInto,
    Moment,
    StakesUnasked,
    Unlooked,
    Within,
    WriteOnly,
)

State = TypeVar("State")
UNSTATED: Final = object()
"""Stands for a field that a partial fact has not."""
FACTS: Final = frozenset(EVENTS.values())
LOOKED_UP: Final = (Office, Room, Rules, Submission)
"""What a state refers to and no fact of a table changes; it is told apart by identity."""


@cache
def _compared(kind: Any) -> tuple[str, ...] | None:
    """The fields by which values of a class are compared; None for a class without fields."""
    if not is_dataclass(kind):
        return None
    return tuple(field.name for field in fields(kind) if field.compare)


PLAIN: Final = frozenset({str, int, bool, type(None)})
UNKNOWN: Final = frozenset({Began, Moment, Unlooked, Within})
"""What stands for values that no table knows."""


class _Names:
    """Gives names within one state."""

    def __init__(self, fresh: Collection[int], *, by_key: bool) -> None:
        self.fresh, self.by_key = fresh, by_key
        self.places: dict[int, int] = {}

    def of(self, part: Any) -> Any:
        kind: Any = type(part)
        if kind in PLAIN:
            return (kind, part)
        if kind in UNKNOWN:
            part = part.origin if kind is Within else part
            place = self.places.setdefault(id(part), len(self.places))
            return (kind, place, id(part) in self.fresh)
        if issubclass(kind, tuple):
            return (kind, *[self.of(inner) for inner in part])
        if kind is list:
            return (kind, *[self.of(inner) for inner in part])
        if kind is dict:
            return (kind, *[(self.of(key), self.of(inner)) for key, inner in part.items()])
        if kind is set or kind is frozenset:
            return (kind, frozenset(self.of(inner) for inner in part))
        if kind is WriteOnly or kind is StakesUnasked:
            return kind
        if issubclass(kind, LOOKED_UP):
            return (kind, id(part))
        names = _compared(kind)
        if names is None:
            return (kind, part)
        if self.by_key and kind in FACTS and type(getattr(part, "seq", None)) is int:
            return (kind, part.stream, part.seq)  # no two facts have one key
        inner = [getattr(part, name, UNSTATED) for name in names]
        return (kind, *[one if one is UNSTATED else self.of(one) for one in inner])


def name_of(state: Any, fresh: Collection[object] = (), *, by_key: bool = False) -> Any:
    """Return the name of a state, which can be compared and hashed.

    It holds as long as the state is kept.

    Args:
        state: of a room, or of the house's side of a table.
        fresh: what the last fact brought that no table knows.
        by_key: all states that are compared are of one ledger, where no two facts have one key.

    Raises:
        LookedInto: it holds what has no name.
    """
    return name_and_unknowns(state, fresh, by_key=by_key)[0]


def name_and_unknowns(
    state: Any, fresh: Collection[object] = (), *, by_key: bool = False
) -> tuple[Any, int]:
    """Return the name of a state, and how many values are in it that no table knows.

    Arguments and errors as those of ``name_of``.
    """
    if type(state) in PLAIN:
        return (type(state), state), 0
    names = _Names({id(part) for part in fresh}, by_key=by_key)
    name = names.of(state)
    try:
        hash(name)
    except TypeError:
        raise LookedInto from None
    return name, len(names.places)


def is_partial(content: Any) -> bool:
    """Whether a value holds what nobody may ask, or part of a fact of which not all is there."""
    kind: Any = type(content)
    if kind is StakesUnasked:
        return True
    if issubclass(kind, tuple) or kind is frozenset:
        return any(map(is_partial, content))
    names = _compared(kind)
    if names is None or issubclass(kind, LOOKED_UP):
        return False
    inner = [getattr(content, name, UNSTATED) for name in names]
    return any(part is UNSTATED or is_partial(part) for part in inner)


def is_as_before(before: Any, after: Any) -> bool:
    """Whether nothing in a copy was changed since it was made; False also where that is not plain.

    Args:
        before: what was copied by ``ledger.rounds.copying``; what never changes is shared.
        after: the copy.
    """
    if after is before:
        return True
    kind: Any = type(before)
    if type(after) is not kind:
        return False
    if kind is dict:
        return len(before) == len(after) and all(
            key is other and is_as_before(part, new)
            for (key, part), (other, new) in zip(before.items(), after.items(), strict=True)
        )
    if kind is list:
        return len(before) == len(after) and all(map(is_as_before, before, after))
    if kind is set:
        return bool(before == after)
    if not is_dataclass(kind) or kind in FACTS:
        return False
    return all(
        is_as_before(getattr(before, part.name), getattr(after, part.name)) for part in fields(kind)
    )


def kept_state(states: dict[Any, State], name: Any, make: Callable[[], State], most: int) -> State:
    """Return the state that is kept under a name; make and keep it where there is none.

    Args:
        states: those kept, by name.
        name: as ``name_of`` gives it.
        make: makes the state.
        most: how many may be kept.

    Raises:
        LookedInto: there are as many already.
    """
    known = states.get(name)
    if known is None:
        if len(states) >= most:
            raise LookedInto
        known = states[name] = make()
    return known
