"""A fact of which only some parts are known, and the parts of facts by which tables are asked.

A partial fact has the class of the fact and a slot for each of its fields, of which only those are
filled that the engine was seen to read; reading another one raises ``AttributeError``, whose name
is then filled in and the run begun again. So the parts on which a transition depends are found out
by running the readable engine, and are never listed by hand. A number that the engine only compares
with others is known by how it compares, and by no more; a moment at which what a fact records began
is known to lie between the fact before it and the fact itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, fields, is_dataclass
from functools import cache
from typing import Any, Final, Literal, NewType, TypeVar

from ledger.events import Fact
from ledger.kernel.quick_dataclass import dataclass
from ledger.rounds.in_order.unlooked import (
    COMPARED,
    AskedExactly,
    Began,
    Compared,
    Comparison,
    LookedInto,
    Moment,
    Unlooked,
    Within,
)

Output = TypeVar("Output")
Field = tuple[type[Any], str]
"""A field, by the class of the fact or of the part of it."""
Needed = frozenset[tuple[Field, Comparison | Literal["at all", "exactly"]]]
"""The fields that were read: at all (whether they are null), how they compare, or exactly."""
NOTHING: Final[Needed] = frozenset()
Parts = NewType("Parts", tuple[Any, ...])
"""The known parts of a fact, which can be compared and hashed."""

HIDDEN: Final = frozenset(
    {"stream", "seq", "event_time", "source", "recorded_by", "wager_id", "position", "patron"}
)
"""What tells one fact from another alike; a table that would have to know it knows nothing."""
IDENTITIES: Final = frozenset({"wager_id", "position", "patron"})
"""Of these, the fields with which the body of a fact may begin."""

BEGINNINGS: Final = frozenset({"started_time"})
"""When what a fact records began, which the fact states when it ended."""


class Body:
    """What a fact says beside the fields of ``HIDDEN``: all facts with the same bytes share one.

    Args:
        fact: any of these facts.
        shown: the fields of ``HIDDEN`` that all of them have alike.

    Attributes:
        position: the position that all of them name, where the wagers that lie there are known.
    """

    __slots__ = ("_parts", "fact", "kind", "position", "shown")

    def __init__(self, fact: Fact, shown: frozenset[str] = frozenset()) -> None:
        self.fact, self.shown = fact, shown
        self.kind = type(fact)
        self.position: str | None = None
        self._parts: dict[Needed, Parts] = {}

    def parts(self, needed: Needed) -> Parts:
        """Return the parts that are needed of it."""
        known = self._parts.get(needed)
        if known is None:
            known = self._parts[needed] = Parts((_parts(self.fact, needed),))
        return known


class WholeFact:
    """A fact of which everything is known: it stands for itself alone.

    Args:
        fact: it.
    """

    __slots__ = ("fact", "kind")

    def __init__(self, fact: Fact) -> None:
        self.fact, self.kind = fact, type(fact)

    def parts(self, _: Needed) -> Parts:
        """Return its key."""
        return Parts((self.fact.stream, self.fact.seq))


@dataclass(slots=True)
class Asking:
    """A run of the engine on a partial fact.

    Args:
        needed: the fields that are filled.

    Attributes:
        compared: the numbers that are known by how they compare.
        began: the moments at which what the fact records began.
    """

    needed: Needed
    compared: list[Compared] = field(default_factory=list)
    began: list[Began] = field(default_factory=list)

    def ends(self) -> Needed:
        """End the run, and return what was needed."""
        for moment in self.began:
            moment.is_over = True
        return self.needed | {
            ((number.kind, number.name), comparison)
            for number in self.compared
            for comparison in number.comparisons
        }


@cache
def has_fields(kind: Any) -> bool:
    """Whether values of a class are facts or parts of facts, of which each field is known apart."""
    return is_dataclass(kind)


@cache
def _plan(kind: type[Any], needed: Needed) -> tuple[tuple[str, tuple[Comparison, ...] | None], ...]:
    """The fields of a class that are needed, each with its comparisons; None: it is known exactly.

    A moment at which something began is known by no comparison.
    """
    asked: dict[str, set[Any]] = {}
    for (owner, name), how in needed:
        if owner is kind:
            asked.setdefault(name, set()).add(how)
    plan = []
    for name in [each.name for each in fields(kind) if each.name in asked]:
        ways = asked[name]
        exactly = "exactly" in ways and name not in BEGINNINGS
        plan.append((name, None if exactly else tuple(sorted(ways - {"at all", "exactly"}))))
    return tuple(plan)


def _parts(whole: Any, needed: Needed) -> Any:
    kind: Any = type(whole)
    if kind is tuple:
        return tuple([_parts(part, needed) for part in whole])
    if not has_fields(kind):
        return whole
    parts: list[Any] = [kind]
    for name, comparisons in _plan(kind, needed):
        part = getattr(whole, name)
        if comparisons is None:
            parts.append(_parts(part, needed))
        elif part is None:
            parts.append(None)
        else:
            parts.append(tuple([COMPARED[sign](part, other) for sign, other in comparisons]))
    return tuple(parts)


def partial(whole: Any, asking: Asking, moment: Moment | Within | Unlooked) -> Any:
    """Return a value of which only the needed fields are there, in itself and in its parts."""
    kind: Any = type(whole)
    if kind is tuple:
        return tuple([partial(part, asking, moment) for part in whole])
    if not has_fields(kind):
        return whole
    out: Any = object.__new__(kind)
    for name, comparisons in _plan(kind, asking.needed):
        part = getattr(whole, name)
        if comparisons is None:
            part = partial(part, asking, moment)
        elif part is not None and name in BEGINNINGS:
            part = Began(moment)
            asking.began.append(part)
        elif part is not None:
            part = Compared(kind, name, part)
            asking.compared.append(part)
        object.__setattr__(out, name, part)
    return out


def partial_fact(
    body: Body | WholeFact,
    asking: Asking,
    moment: Moment | Within | Unlooked,
    shown: frozenset[str] = frozenset(),
) -> Any:
    """Return a fact with the needed parts of a body; its key and its moment are not known.

    What tells it from others alike can be handed on where it is never null; where it may be null,
    even that cannot be asked. Of a whole fact all is known. What is ``shown`` is like other fields.
    """
    if isinstance(body, WholeFact):
        return body.fact
    out = partial(body.fact, asking, moment)
    for name in _handed_on(body.kind):
        if name not in shown:
            part = moment if name == "event_time" else Unlooked()
            object.__setattr__(out, name, part)
    return out


@cache
def _handed_on(kind: type[Any]) -> tuple[str, ...]:
    """The hidden fields of a class of facts that are never null."""
    return tuple(
        each.name for each in fields(kind) if each.name in HIDDEN and each.type in ("str", "int")
    )


def with_needed(
    run: Callable[[Asking], Output],
    needed: Needed,
    whole: Fact,
    shown: frozenset[str] = frozenset(),
) -> tuple[Needed, Output | None]:
    """Run on partial facts, each time with one field more, until no other field is read.

    Args:
        run: what is run; it is given the fields that are filled.
        needed: the fields to begin with.
        whole: the fact, of which only the fields outside of ``HIDDEN`` may be filled.
        shown: those of ``HIDDEN`` that may be filled as well.

    Returns:
        What is needed and the result; the result is None where the run looked into what no table
        knows.
    """
    while True:
        asking = Asking(needed)
        try:
            outcome = run(asking)
            return asking.ends(), outcome
        except AttributeError as missing:
            part = (type(missing.obj), str(missing.name))
            hidden = part[1] in HIDDEN and part[1] not in shown
            if hidden or is_needed(part, needed) or not _is_part_of(part[0], whole):
                return asking.ends(), None
            needed |= {(part, "at all" if _may_be_compared(part) else "exactly")}
        except AskedExactly as asked:
            needed |= {((asked.kind, asked.name), "exactly")}
        except (LookedInto, TypeError):  # such as a library that was handed what no table knows
            return asking.ends(), None
        finally:
            asking.ends()


def is_needed(part: Field, needed: Needed) -> bool:
    """Whether a field is needed at all."""
    return any(field_ == part for field_, _ in needed)


@cache
def _may_be_compared(part: Field) -> bool:
    """Whether a field is a number, or a moment at which something began."""
    kind, name = part
    return name in BEGINNINGS or any(
        each.name == name and each.type in ("int", "int | None") for each in fields(kind)
    )


def _is_part_of(kind: type[Any], whole: Any) -> bool:
    """Whether a fact is of a class, or has a part of it."""
    if type(whole) is tuple:
        return any(_is_part_of(kind, part) for part in whole)
    if not has_fields(whole.__class__):
        return False
    return type(whole) is kind or any(
        _is_part_of(kind, getattr(whole, each.name)) for each in fields(whole)
    )
