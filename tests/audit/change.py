"""Single changes of honest facts, typed by their fields: every way in which one field can lie."""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from random import Random
from typing import Any, NamedTuple, Union, get_args, get_origin

from ledger.codec import NotAFact, frame
from ledger.events import Fact
from tests.games.facts import hints_of


class Change(NamedTuple):
    """One field of one fact, by its path (``dice.0.face``), and what it says now."""

    place: int
    path: str
    fact: Fact
    was: Any
    now: Any

    @property
    def field(self) -> str:
        """The path without the numbers of list items: ``dice.face``."""
        return ".".join(part for part in self.path.split(".") if not part.isdigit())

    @property
    def name(self) -> tuple[str, str]:
        """Which field of which event."""
        return type(self.fact).__name__, self.field

    def __str__(self) -> str:
        return f"{type(self.fact).__name__} {self.fact.stream}:{self.fact.seq} {self.path}: {self.was!r} -> {self.now!r}"


def changes(place: int, fact: Fact, chance: Random) -> Iterator[Change]:
    """Every single change of a fact; of long lists one item."""
    for path, was, now, made in _of_record(fact, chance):
        yield Change(place, path, made, was, now)


def _of_record(record: Any, chance: Random) -> Iterator[tuple[str, Any, Any, Any]]:
    hints = hints_of(type(record))
    for one in fields(record):
        was = getattr(record, one.name)
        for path, old, now, value in _of_value(was, hints[one.name], chance):
            name = f"{one.name}.{path}" if path else one.name
            yield name, old, now, replace(record, **{one.name: value})


def _of_value(was: Any, hint: Any, chance: Random) -> Iterator[tuple[str, Any, Any, Any]]:
    """Path below this field, old leaf, new leaf, new value of the field."""
    choices = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    if type(None) in choices and was is not None:
        yield "", was, None, None
    kind = next(one for one in choices if one is not type(None))
    if get_origin(kind) is tuple:
        yield from _of_list(was, kind, chance)
        return
    for now in _others(was, kind, chance):
        yield "", was, now, now


def _of_list(was: Any, kind: Any, chance: Random) -> Iterator[tuple[str, Any, Any, Any]]:
    inner = get_args(kind)[0]
    if not was:
        return
    place = chance.randrange(len(was))
    item = was[place]
    below = _of_record(item, chance) if is_dataclass(item) else _of_value(item, inner, chance)
    for path, old, now, value in below:
        name = f"{place}.{path}" if path else str(place)
        yield name, old, now, (*was[:place], value, *was[place + 1 :])


def _others(was: Any, kind: Any, chance: Random) -> Iterator[Any]:
    if kind is bool:
        yield from (True, False) if was is None else (not was,)
    elif kind is int:
        yield from (1,) if was is None else (was + 1, was - 1)
    elif isinstance(kind, type) and issubclass(kind, Enum):
        words = [word for word in kind if word is not was]
        yield chance.choice(words)
    elif kind is str:
        yield "X-1" if was is None else f"{was}9"


def framed(fact: Fact) -> bytes | None:
    """Its bytes; None where no terminal can send it, since the schema has no such value."""
    try:
        return frame(fact)
    except NotAFact:
        return None
