"""Records of many values of which a fact changes a few: a room's state, made anew at most facts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeVar

Record = TypeVar("Record", bound=NamedTuple)
new = tuple.__new__


@cache
def _places(kind: type[Any]) -> dict[str, int]:
    """Where the values of such a record stand, by name."""
    return {name: place for place, name in enumerate(kind._fields)}


def replace(record: Record, /, **changes: Any) -> Record:
    """The record with some of its values changed: as ``_replace`` does, in a third of the time.

    Raises:
        KeyError: the record has no value of that name.
    """
    kind = type(record)
    places = _places(kind)
    values = [*record]
    for name, value in changes.items():
        values[places[name]] = value
    return new(kind, values)


def setter(kind: type[Record], name: str) -> Callable[[Record, Any], Record]:
    """Changes one value, in three quarters of the time of ``replace``: for what most facts change."""
    place = _places(kind)[name]

    def changed(record: Record, value: Any) -> Record:
        values = [*record]
        values[place] = value
        return new(kind, values)

    return changed
