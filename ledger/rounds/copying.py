"""A copy of what a play knows: what can change is copied, what never changes is shared."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final, TypeVar

from ledger.games.room import Room, Rules
from ledger.house import Office

Value = TypeVar("Value")

SHARED: Final = (Office, Room, Rules)
"""Mutable values that many plays share, because no play changes them."""


def copied(original: Value, *shared: object) -> Value:
    """Return a copy of a mutable value, with all mutable values in it copied too.

    Args:
        original: the value. What is immutable in it is shared with the copy.
        shared: mutable values in it that the copy shares.
    """
    copy: Value = _copied(original, {id(part): part for part in shared})
    return copy


_FIXED: Final[set[type[object]]] = {str, int, bool, type(None), tuple, frozenset}
"""The immutable types, as far as any was met."""
_PARTS: Final[dict[type[object], tuple[str, ...]]] = {}


def _parts(kind: Any) -> tuple[str, ...]:
    """Return the fields of a mutable type; none for an immutable one."""
    params = getattr(kind, "__dataclass_params__", None)
    if params is None or params.frozen or params.unsafe_hash or issubclass(kind, SHARED):
        _FIXED.add(kind)
        return ()
    return _PARTS.setdefault(kind, tuple(field.name for field in fields(kind)))


def is_mutable(kind: type[object]) -> bool:
    """Whether a copy has its own values of a class, which has fields that can be set."""
    if kind in _FIXED or kind in (dict, list, set):
        return False
    return bool(_PARTS.get(kind) or _parts(kind))


def _copied(original: Any, memo: dict[int, Any]) -> Any:
    kind: Any = type(original)
    if kind in _FIXED:
        return original
    if kind is dict:
        return {
            key: item if type(item) in _FIXED else _copied(item, memo)
            for key, item in original.items()
        }
    if kind is list:
        return [item if type(item) in _FIXED else _copied(item, memo) for item in original]
    if kind is set:
        return set(original)
    parts = _PARTS.get(kind) or _parts(kind)
    known = memo.get(id(original)) if parts else original
    if known is None:
        known = memo[id(original)] = object.__new__(kind)
        for name in parts:
            part = getattr(original, name)
            setattr(known, name, part if type(part) in _FIXED else _copied(part, memo))
    return known
