"""A fact of which only some parts are known, and the parts of facts by which tables are asked.

A partial fact has the class of the fact and a slot for each of its fields, of which only those are
filled that the engine was seen to read; reading another one raises ``AttributeError``, whose name
is then filled in and the run begun again. So the parts on which a transition depends are found out
by running the readable engine, and are never listed by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, Final, NewType, TypeVar

from ledger.events import Fact
from ledger.rounds.in_order.unlooked import LookedInto, Unlooked, Within

Output = TypeVar("Output")
Needed = frozenset[tuple[type[Any], str]]
"""The fields that were read, by the class of the fact or of the part of it."""
NOTHING: Final[Needed] = frozenset()
Parts = NewType("Parts", tuple[Any, ...])
"""The known parts of a fact, which can be compared and hashed."""

HIDDEN: Final = frozenset(
    {"stream", "seq", "event_time", "source", "recorded_by", "wager_id", "position", "patron"}
)
"""What tells one fact from another alike; a table that would have to know it knows nothing."""
IDENTITIES: Final = frozenset({"wager_id", "position", "patron"})
"""Of these, the fields with which the body of a fact may begin."""


class Body:
    """What a fact says beside the fields of ``HIDDEN``: all facts with the same bytes share one.

    Args:
        fact: any of these facts.
    """

    __slots__ = ("_parts", "fact", "kind")

    def __init__(self, fact: Fact) -> None:
        self.fact = fact
        self.kind = type(fact)
        self._parts: dict[Needed, Parts] = {}

    def parts(self, needed: Needed) -> Parts:
        """Return the parts that are needed of it."""
        known = self._parts.get(needed)
        if known is None:
            known = self._parts[needed] = Parts((_parts(self.fact, needed),))
        return known


def _parts(whole: Any, needed: Needed) -> Any:
    kind = type(whole)
    if kind is tuple:
        return tuple([_parts(part, needed) for part in whole])
    if not is_dataclass(kind):
        return whole
    names = [field.name for field in fields(kind) if (kind, field.name) in needed]
    return (kind, *[_parts(getattr(whole, name), needed) for name in names])


def partial(whole: Any, needed: Needed) -> Any:
    """Return a value of which only the needed fields are there, in itself and in its parts."""
    kind = type(whole)
    if kind is tuple:
        return tuple([partial(part, needed) for part in whole])
    if not is_dataclass(kind):
        return whole
    out: Any = object.__new__(kind)
    for field in fields(kind):
        if (kind, field.name) in needed:
            object.__setattr__(out, field.name, partial(getattr(whole, field.name), needed))
    return out


def partial_fact(body: Body, needed: Needed, moment: Within | Unlooked) -> Any:
    """Return a fact with the needed parts of a body; its key and its moment are not known.

    What tells it from others alike can be handed on where it is never null; where it may be null,
    even that cannot be asked.
    """
    out = partial(body.fact, needed)
    for field in fields(out):
        if field.name in HIDDEN and field.type in ("str", "int"):  # one that is never null
            part = moment if field.name == "event_time" else Unlooked()
            object.__setattr__(out, field.name, part)
    return out


def with_needed(
    run: Callable[[Needed], Output], needed: Needed, whole: Fact
) -> tuple[Needed, Output] | None:
    """Run on partial facts, each time with one field more, until no other field is read.

    Args:
        run: what is run; it is given the fields that are filled.
        needed: the fields to begin with.
        whole: the fact, of which only the fields outside of ``HIDDEN`` may be filled.

    Returns:
        The fields and the result; None where the run looked into what no table knows.
    """
    while True:
        try:
            return needed, run(needed)
        except AttributeError as missing:
            part = (type(missing.obj), missing.name)
            if missing.name in HIDDEN or part in needed or not _is_part_of(part[0], whole):
                return None
            needed |= {(part[0], str(missing.name))}
        except LookedInto:
            return None


def _is_part_of(kind: type[Any], whole: Any) -> bool:
    """Whether a fact is of a class, or has a part of it."""
    if type(whole) is tuple:
        return any(_is_part_of(kind, part) for part in whole)
    if not is_dataclass(type(whole)):
        return False
    return type(whole) is kind or any(
        _is_part_of(kind, getattr(whole, field.name)) for field in fields(whole)
    )
