"""Make a named tuple of many values anew when an event changes a few of them.

``replace`` and ``renewed`` do what ``_replace`` and a constructor do. They build the tuple
directly, because a room's state of sixty values is made anew at most events; no room has to do so
itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple, TypeVar

Record = TypeVar("Record", bound=NamedTuple)


@cache
def _places(kind: type[NamedTuple]) -> dict[str, int]:
    """Where the values of such a record stand, by name."""
    return {name: place for place, name in enumerate(kind._fields)}


@cache
def _first_values(kind: type[NamedTuple]) -> tuple[object, ...]:
    """The values of a record of which nothing is known yet, each by its default."""
    return tuple(kind._field_defaults[name] for name in kind._fields)


def replace(record: Record, /, **changes: object) -> Record:
    """Return the record with some of its values changed.

    Raises:
        KeyError: the record has no value of that name.
    """
    kind = type(record)
    places = _places(kind)
    values = [*record]
    for name, changed in changes.items():
        values[places[name]] = changed
    return tuple.__new__(kind, values)


def renewed(record: Record, kept: Iterable[str], /, **changes: object) -> Record:
    """Return a record of default values, except those ``kept`` from this one and ``changes``.

    Args:
        record: the record as it was.
        kept: the names of the values that are taken over from it.
        changes: values that are set, by name.

    Raises:
        KeyError: the record has no value of that name, or one of its values has no default.
    """
    kind = type(record)
    places = _places(kind)
    values = [*_first_values(kind)]
    for name in kept:
        values[places[name]] = record[places[name]]
    for name, changed in changes.items():
        values[places[name]] = changed
    return tuple.__new__(kind, values)
