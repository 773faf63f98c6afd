"""A play of a table taken twice: a copy that goes its own way, and whether two have become one.

What never changes (facts, rulings, findings, a room's state, the rules, the office) is shared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ledger.events import EVENTS
from ledger.games.room import Room, Rules
from ledger.house import Office

if TYPE_CHECKING:
    from ledger.rounds.play import TablePlay

Value = TypeVar("Value")

STATE: Final = (
    *("room", "game", "state", "house", "round", "late", "pending", "doubts", "told"),
    *("capture", "facts", "days", "carried", "posts"),
)
"""What a play knows at a moment, apart from what hangs on coupons."""

SHARED: Final = (Office, Room, Rules)
FACTS: Final[frozenset[type[Any]]] = frozenset(EVENTS.values())
ASIDE: Final = frozenset(
    {"facts", "last_fact", "findings", "_rules", "_until", "rules", "office", "lookup"}
)
"""What two plays may differ in and yet rule the same from here on."""

MOMENT: Final = 100_000_000_000_000
"""Numbers above are moments in microseconds, of 1973 and after."""


def fresh(play: TablePlay) -> TablePlay:
    """A play of the same table that has told nothing yet, in one order alone."""
    copy = object.__new__(type(play))
    copy.__dict__.update(play.__dict__)
    copy.findings, copy.lanes = [], None
    return copy


def begun(play: TablePlay, room: Room) -> TablePlay:
    """A copy of a play that waits for a game to open, as if it were this room's."""
    copy = forked(play)
    for _ in copy.begin(room):
        pass  # what was played there is told when the game is known
    return copy


def forked(play: TablePlay) -> TablePlay:
    """A copy of a play; what one takes from here on, the other does not."""
    copy = fresh(play)
    memo: dict[int, Any] = {id(play.desk.lookup): play.desk.lookup}
    for name in (*STATE, "desk"):
        setattr(copy, name, _copied(getattr(play, name), memo))
    return copy


def state_of(play: TablePlay) -> dict[str, Any]:
    """What a play knows, by name, for a state that is kept."""
    return {name: getattr(play, name) for name in STATE}


def agree(one: TablePlay, other: TablePlay) -> bool:
    """Whether two plays will rule the same of whatever comes, as far as their clocks can tell.

    Facts are the same by their keys, and moments that no clock of the table can tell apart.
    """
    if one.room is not other.room or one.game != other.game or one.capture is not other.capture:
        return False
    names = ["state", "round", "late", "house", "doubts", "carried", "desk"]
    if one.room is None:
        names.append("pending")
    return all(alike(getattr(one, n), getattr(other, n), one.reach) for n in names)


def copied(value: Value) -> Value:
    """A copy of a value that can change, with all in it that can."""
    copy: Value = _copied(value, {})
    return copy


_FIXED: Final[set[type[Any]]] = {str, int, bool, type(None), tuple, frozenset}
"""The kinds that never change, as far as they were met."""
_PARTS: Final[dict[type[Any], tuple[str, ...]]] = {}


def _parts(kind: Any) -> tuple[str, ...]:
    """The fields of a kind that can change; none for one that cannot."""
    made = getattr(kind, "__dataclass_params__", None)
    if made is None or made.frozen or made.unsafe_hash or issubclass(kind, SHARED):
        _FIXED.add(kind)
        return ()
    return _PARTS.setdefault(kind, tuple(field.name for field in fields(kind)))


def _copied(value: Any, memo: dict[int, Any]) -> Any:
    kind: Any = type(value)
    if kind in _FIXED:
        return value
    if kind is dict:
        return {
            key: item if type(item) in _FIXED else _copied(item, memo)
            for key, item in value.items()
        }
    if kind is list:
        return [item if type(item) in _FIXED else _copied(item, memo) for item in value]
    if kind is set:
        return set(value)
    parts = _PARTS.get(kind) or _parts(kind)
    known = memo.get(id(value)) if parts else value
    if known is None:
        known = memo[id(value)] = object.__new__(kind)
        for name in parts:
            item = getattr(value, name)
            setattr(known, name, item if type(item) in _FIXED else _copied(item, memo))
    return known


@cache
def _compared(kind: Any) -> Callable[[Any], tuple[Any, ...]] | None:
    """What two values of a kind are compared by; None where the values themselves say it."""
    if kind in FACTS:
        return attrgetter("stream", "seq")
    if not hasattr(kind, "__dataclass_fields__"):
        return None
    names = [field.name for field in fields(kind) if field.name not in ASIDE and field.compare]
    if len(names) < 2:
        return lambda value: tuple([getattr(value, name) for name in names])
    return attrgetter(*names)


def alike(one: Any, other: Any, reach: int) -> bool:
    """Whether two values say the same, but for moments that lie within ``reach``."""
    if one is other:
        return True
    kind: Any = type(one)
    if kind is not type(other):
        return False
    if kind is int:
        near = one > MOMENT and other > MOMENT and abs(one - other) <= reach
        return near or bool(one == other)
    if kind is dict:
        return one.keys() == other.keys() and all(
            alike(item, other[key], reach) for key, item in one.items()
        )
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(alike, one, other, [reach] * len(one)))
    parts = _compared(one.__class__)
    if parts is None:
        return bool(one == other)
    return alike(parts(one), parts(other), reach)
