"""The house's side of a table taken apart, and put together from only those parts that are known.

What a fact does there depends on few of the parts and changes fewer. As for facts, which ones these
are is found by running the readable code: a part that was not filled in raises ``AttributeError``
when it is read, is filled in, and the run begun again. So a row made in one state of the house
holds in every state that has the same in those parts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, Final

from ledger.house import Office, TableHouse
from ledger.rounds.copying import copied, is_mutable
from ledger.rounds.in_order.rows_of_kind import Part
from ledger.rounds.in_order.unlooked import LookedInto

Path = tuple[str, ...]
"""The names of the fields that lead to a part."""
UNSET: Final = object()
"""Stands for a part that was not filled in, nor written."""
LEFT_OUT: Final = frozenset({("office",), ("patrons",), ("patrons_known",), ("staff", "people")})
"""Fields of the house that are no parts: the office, which no fact changes, who sits and who works
there."""

BY_STAFF: Final = ("staff", "contradicted")
"""The fields of the house that facts about who works there may read."""


@cache
def groups() -> Mapping[str, type[Any]]:
    """The fields of a house that hold parts of their own, with the class that has these."""
    house = TableHouse(table="", room=None, office=Office())  # type: ignore[arg-type]
    out = {}
    for field in fields(TableHouse):
        kind = type(getattr(house, field.name))
        if (field.name,) not in LEFT_OUT and is_mutable(kind):
            out[field.name] = kind
    return out


@cache
def paths() -> tuple[Path, ...]:
    """Where the parts of a house stand."""
    out: list[Path] = []
    for field in fields(TableHouse):
        if field.name in groups():
            out += [(field.name, inner.name) for inner in fields(groups()[field.name])]
        else:
            out.append((field.name,))
    return tuple(path for path in out if path not in LEFT_OUT)


@cache
def places() -> Mapping[Path, int]:
    """The number of each path, as ``paths`` counts."""
    return {path: number for number, path in enumerate(paths())}


@cache
def beside_staff() -> tuple[int, ...]:
    """The numbers of the parts that facts about who works there may read; no row changes them."""
    return tuple(number for number, path in enumerate(paths()) if path[0] in BY_STAFF)


def side_of_staff(house: TableHouse) -> Any:
    """Return a house of which only these parts are there, and who works there: its own ones."""
    side = partial_house((), (), house.office)
    for name in BY_STAFF:
        setattr(side, name, getattr(house, name))
    return side


@cache
def _getter() -> attrgetter[tuple[Any, ...]]:
    return attrgetter(*map(".".join, paths()))


def whole(house: TableHouse) -> tuple[Any, ...]:
    """Return what stands in each place of a house."""
    return _getter()(house)


def contents(house: TableHouse) -> Iterator[Any]:
    """Yield what stands in each place of a partial house; ``UNSET`` where nothing does."""
    holders = {name: getattr(house, name) for name in groups()}
    for path in paths():
        yield getattr(house if len(path) == 1 else holders[path[0]], path[-1], UNSET)


def partial_house(parts: tuple[Part, ...], looked: Collection[int], office: Office) -> Any:
    """Return a house of which only some parts are there, as copies of their own.

    Args:
        parts: of the whole house, as ``paths`` counts.
        looked: the numbers of those that are filled in.
        office: of the property.
    """
    house: Any = object.__new__(TableHouse)
    house.office = office
    for name, kind in groups().items():
        setattr(house, name, object.__new__(kind))
    for number in looked:
        *group, name = paths()[number]
        whole = getattr(house, group[0]) if group else house
        setattr(whole, name, copied(parts[number].content, office))
    return house


def missing_part(house: Any, missing: AttributeError) -> int | None:
    """Return which part of a partial house was read and is not there; None: another value's."""
    if missing.obj is house:
        return places().get((str(missing.name),))
    for name in groups():
        if missing.obj is getattr(house, name):
            return places().get((name, str(missing.name)))
    return None


def check_apart(house: TableHouse) -> None:
    """See that no two parts share a value that can change: each may be known by itself then.

    Raises:
        LookedInto: two do.
    """
    seen: set[int] = set()
    for part in whole(house):
        own = {id(value) for value in _changing(part)}
        if own & seen:
            raise LookedInto
        seen |= own


def _changing(part: Any) -> Iterator[Any]:
    kind: Any = type(part)
    if kind is dict or kind is list or kind is set:
        yield part
        for inner in part.values() if kind is dict else part:
            yield from _changing(inner)
    elif kind is tuple:
        for inner in part:
            yield from _changing(inner)
    elif is_mutable(kind):
        yield part
        for field in fields(kind):
            yield from _changing(getattr(part, field.name))
