"""A copy of what a play knows: what can change is copied, what never changes is shared."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final, TypeVar

from ledger.games.room import Room, Rules
from ledger.house import Office

Value = TypeVar("Value")

SHARED: Final = (Office, Room, Rules)
"""What many plays share, though it could change: no play changes it."""


def copied(value: Value, *shared: Any) -> Value:
    """A copy of a value that can change, with all in it that can but what is ``shared``."""
    copy: Value = _copied(value, {id(part): part for part in shared})
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
