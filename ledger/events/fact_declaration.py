"""How a fact is declared: a frozen dataclass whose methods cost nothing until they are called.

The standard library writes and compiles six methods for each class, and for 246 classes that took
most of the time in which a command starts. Here a class shares the methods that need no code of
its own (equality, hash, repr, the guard against assignment) and compiles its ``__init__`` at the
first instance. ``fields``, ``replace``, ``is_dataclass`` and pickle treat it as a frozen dataclass
with slots.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final, Never, TypeVar, dataclass_transform

Event = TypeVar("Event")

_VALUES: Final[dict[type, Callable[[object], object]]] = {}
"""For each class that was compared or hashed: the function that reads all its fields."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
def declared(kind: type[Event]) -> type[Event]:
    """Declare a fact or a part of one: frozen, with slots, each field given by name.

        >>> @declared
        ... class Chip:
        ...     color: str
        >>> Chip(color="red")
        Chip(color='red')

    Raises:
        TypeError: a field has a default. A missing value is never filled in.
    """
    if any(name in vars(kind) for name in kind.__annotations__):
        raise TypeError(f"{kind.__name__}: a field of a fact has no default.")
    for name, method in _SHARED.items():
        setattr(kind, name, method)
    fields_only = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, kw_only=True)
    event = fields_only(kind)
    parameters: Any = getattr(event, "__dataclass_params__")  # noqa: B009
    parameters.init = parameters.repr = parameters.eq = parameters.frozen = True
    return event


def _names(kind: type) -> list[str]:
    return [field.name for field in dataclasses.fields(kind)]


def _values(kind: type) -> Callable[[object], object]:
    values = _VALUES.get(kind)
    if values is None:
        values = _VALUES[kind] = attrgetter(*_names(kind))
    return values


class _Methods:
    """What every fact can do."""

    def __init__(self, *positional: object, **values: object) -> None:
        kind: Any = type(self)
        names = _names(kind)
        scope = {f"set_{name}": getattr(kind, name).__set__ for name in names}
        source = [f"def __init__(self, *, {', '.join(names)}):"]
        source += [f"    set_{name}(self, {name})" for name in names]
        exec("\n".join(source), scope)  # noqa: S102
        kind.__init__ = scope["__init__"]
        kind.__init__(self, *positional, **values)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        values = _values(type(self))
        return bool(values(self) == values(other))

    def __hash__(self) -> int:
        return hash(_values(type(self))(self))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in _names(type(self)))
        return f"{type(self).__qualname__}({fields})"

    def __setattr__(self, name: str, attribute: object) -> Never:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> Never:
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

    def __getstate__(self) -> list[object]:
        return [getattr(self, name) for name in _names(type(self))]

    def __setstate__(self, state: list[object]) -> None:
        for name, attribute in zip(_names(type(self)), state, strict=True):
            object.__setattr__(self, name, attribute)


_SHARED: Final = {name: method for name, method in vars(_Methods).items() if callable(method)}
"""The methods, as each class gets them for its own."""


@declared
class Header:
    """The fields with which every fact begins."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None


# The standard library compiles a guard against assignment for every subclass of a frozen class.
# A fact has the shared guard already, so the header, of which there is no instance, is not frozen.
getattr(Header, "__dataclass_params__").frozen = False  # noqa: B009
