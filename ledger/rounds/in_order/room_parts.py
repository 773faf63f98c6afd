"""A state of a room taken apart: which of its fields a rule reads is found by watching it read.

The state that a rule is given for a trial run has the class of the state, with a stand-in in each
field. Reading a field by its name notes that and gives what stands there; a field that is only
handed on, as all others are when a state is made anew, is not read. A stand-in refuses every
question, so nothing can be read of a field by another way. What a field holds of facts that no
table knows stands there as values of its own, so two fields never share one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from ledger.games.room import Room, Throws
from ledger.games.stakes_on_layout import NO_STAKES, StakesOnLayout
from ledger.games.standing_stakes import StandingStakes
from ledger.rounds.in_order.rows_of_kind import Part
from ledger.rounds.in_order.stakes_seen import UNSIGNED, Became, StakesSeen
from ledger.rounds.in_order.state_names import FACTS, UNKNOWN, name_and_unknowns
from ledger.rounds.in_order.unlooked import (
    STAKES_UNASKED,
    Began,
    LookedInto,
    Moment,
    Unlooked,
    refuse_to_look,
)


class StandIn:
    """Stands in a field of a state that a rule is given for a trial run.

    Args:
        number: of the field.
        content: what stands there.
        looked: takes the numbers of the fields that are read.
        shows: what a last throw shows that stands there; None where it is read itself.
    """

    __slots__ = ("content", "looked", "number", "shows")

    def __init__(
        self, number: int, content: Any, looked: set[int], shows: Shows | None = None
    ) -> None:
        self.number, self.content, self.looked, self.shows = number, content, looked, shows


class Shows(NamedTuple):
    """What a last throw shows (``Throws``), each with its number behind the fields of the state.

    Attributes:
        parts: by property of the state.
        compared: whether the fact of the trial run agrees with it, by the method that tells.
        fact: of the trial run.
    """

    parts: Mapping[str, tuple[int, Any]]
    compared: Mapping[str, tuple[int, bool]]
    fact: Any


refuse_to_look(StandIn)


def _reader(number: int) -> property:
    def read(state: Any) -> Any:
        part = tuple.__getitem__(state, number)
        if type(part) is not StandIn:
            return part
        if type(part.content) is StandingStakes:  # nobody may ask, so it is not read
            return STAKES_UNASKED
        if type(part.content) is StakesSeen:  # it notes by itself what is asked of it
            return part.content
        part.looked.add(number)
        return part.content

    return property(read)


def _last_throw(state: Any, place: int) -> StandIn | None:
    """What stands for the last throw as it was before the fact, where what it shows is known."""
    part = tuple.__getitem__(state, place)
    is_there = type(part) is StandIn and part.number == place and part.shows is not None
    return part if is_there else None


def _shower(kind: Any, place: int, name: str) -> property:
    def read(state: Any) -> Any:
        last = _last_throw(state, place)
        if last is None or last.shows is None:
            return getattr(kind, name).fget(state)
        if name not in last.shows.parts:  # it is passed on
            return PASSED_ON
        number, content = last.shows.parts[name]
        last.looked.add(number)
        return content

    return property(read)


def _comparer(kind: Any, place: int, name: str) -> Any:
    def compare(state: Any, fact: Any) -> Any:
        last = _last_throw(state, place)
        if last is None or last.shows is None:
            return getattr(kind, name)(state, fact)
        if name not in last.shows.compared or fact is not last.shows.fact:
            raise LookedInto
        number, answer = last.shows.compared[name]
        last.looked.add(number)
        return answer

    return compare


PASSED_ON: Final = Unlooked()
"""What a throw shows where rulings only pass it on."""


@cache
def _watched(kind: Any, throws: Throws | None) -> type[Any]:
    """The class of states of a room whose fields are watched."""
    readers = {name: _reader(number) for number, name in enumerate(kind._fields)}
    if throws is not None:
        place = kind._fields.index(throws.last)
        for name in (*throws.shown, *throws.passed_on):
            readers[name] = _shower(kind, place, name)
        for name in throws.compared.values():
            readers[name] = _comparer(kind, place, name)
    return type(kind.__name__, (kind,), {"__slots__": (), **readers})


def watched(
    room: Room,
    parts: tuple[Part, ...],
    looked: set[int],
    stakes: StakesSeen = UNSIGNED,
    shows: Shows | None = None,
) -> Any:
    """Return a state for a trial run.

    Args:
        room: of the state.
        parts: what stands in its fields.
        looked: takes the numbers of the fields that are read.
        stakes: stands for the wagers on the layout.
        shows: what a last throw shows; None where the field that keeps it is read itself.
    """
    kind: Any = type(room.initial)
    stand_ins = [
        StandIn(number, stakes if part.content is NO_STAKES else part.content, looked, shows)
        for number, part in enumerate(parts)
    ]
    return tuple.__new__(_watched(kind, room.throws), stand_ins)


KEPT: Final = object()
"""Stands in a field for the fact of the trial run, which the room keeps as it was recorded."""
BACK: Final = Unlooked()
"""Stands for a whole state to which the room may go back."""


def written(after: Any, fact: object = None, kept_in: int | None = None) -> list[tuple[int, Any]]:
    """Return the fields of a state that a trial run wrote, by number, with what stands there now.

    Args:
        after: the state.
        fact: of the trial run.
        kept_in: the field in which the room keeps it; None where it keeps none.

    Raises:
        LookedInto: what stood in one field was handed on to another unread.
    """
    out = []
    kind: Any = type(after)
    for number, part in enumerate(tuple.__iter__(after)):
        if type(part) is StandIn:
            if part.number != number:
                raise LookedInto
        elif type(part) is StakesSeen:
            if number not in stakes_fields(kind):
                raise LookedInto
        elif part is fact and number == kept_in:
            out.append((number, KEPT))
        elif type(part) is kind:
            out.append((number, BACK))
        elif part is not STAKES_UNASKED:
            out.append((number, part))
    return out


@cache
def stakes_fields(kind: Any) -> frozenset[int]:
    """Return the numbers of the fields that hold wagers on the layout, of which a room asks."""
    first = kind._field_defaults
    return frozenset(
        number
        for number, name in enumerate(kind._fields)
        if isinstance(first.get(name), StakesOnLayout)
    )


def noted(after: Any) -> tuple[int, ...] | None:
    """Return what a room noted with a wager that a trial run made; None where it made none."""
    kind: Any = type(after)
    for number in stakes_fields(kind):
        part = tuple.__getitem__(after, number)
        if type(part) is StakesSeen and part.became in (("placed",), ("moved",)):
            return part.noted
    return None


def is_as_expected(after: Any, became: Became | None, leaves: frozenset[str]) -> bool:
    """Whether a trial run left the wagers on the layout as whoever gives signs has them.

    Args:
        after: the state.
        became: what became of them with the fact; None: none is left.
        leaves: the names of the wagers that a decision leaves.
    """
    kind: Any = type(after)
    for number in stakes_fields(kind):
        part = tuple.__getitem__(after, number)
        part = part.content if type(part) is StandIn else part
        here = part.became if type(part) is StakesSeen else None  # None: none are left
        if kind._fields[number] == STAKES:
            if here != became or (here == ("kept",) and part.kept_names != leaves):
                return False
        elif here and (here != ("fresh",) or became != ("kept",)):
            return False
    return True


STAKES: Final = "stakes"
"""The field of a state that holds all wagers on the layout."""


def without_stakes(content: Any) -> Any:
    """Return what stands in a field, or what stands for the wagers on any layout."""
    return NO_STAKES if type(content) is StakesOnLayout else content


def whole(kind: type[Any], parts: tuple[Part, ...]) -> Any:
    """Return the state that these parts make."""
    return tuple.__new__(kind, [part.content for part in parts])


def with_own_unknowns(content: Any) -> Any:
    """Return a value in which each value that no table knows is another one than before."""
    return _renewed(content, {})


def _renewed(content: Any, renewed: dict[int, Any]) -> Any:
    kind: Any = type(content)
    if kind in UNKNOWN:
        known = renewed.get(id(content))
        if known is None:
            known = renewed[id(content)] = _another(content)
        return known
    if issubclass(kind, tuple):
        return tuple.__new__(kind, [_renewed(part, renewed) for part in content])
    if kind in FACTS:
        return _renewed_fact(content, renewed)
    if is_dataclass(kind) and name_and_unknowns(content)[1]:
        raise LookedInto
    return content


def _renewed_fact(content: Any, renewed: dict[int, Any]) -> Any:
    kind = type(content)
    out: Any = object.__new__(kind)
    for field in fields(kind):
        if hasattr(content, field.name):
            part = _renewed(getattr(content, field.name), renewed)
            object.__setattr__(out, field.name, part)
    return out


def _another(unknown: Any) -> Any:
    if type(unknown) is Unlooked:
        return Unlooked()
    if type(unknown) is Moment:
        return Moment()
    if type(unknown) is not Began:
        raise LookedInto
    began = Began(Moment())
    began.is_over = True
    return began
