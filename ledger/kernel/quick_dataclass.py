"""Dataclasses whose methods cost nothing until they are called.

``dataclasses.dataclass`` writes and compiles up to six methods for each class while its module is
loaded: for four hundred classes a seventh of the time in which a command answers. Here a class with
slots shares the methods that need no code of its own (equality, hash, repr, the guard against
assignment). Its fields are made by that library when somebody asks for them, and its ``__init__``
is compiled at the first instance. ``fields``, ``replace``, ``asdict``, ``is_dataclass`` and pickle
treat it as what the standard library makes of its fields.
A class without slots, with bases, or with a method of these of its own is left to that library.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field
from operator import attrgetter
from reprlib import recursive_repr
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, Never, TypeVar

Kind = TypeVar("Kind")
Values = Callable[[object], object]

OPTIONS: Final = frozenset({"frozen", "slots", "kw_only", "unsafe_hash"})
_COMPARED: Final[dict[type, Values]] = {}
"""For each class that was compared: the function that reads all that its equality looks at."""
_LATE: Final = ("__dataclass_fields__", "__dataclass_params__", "__match_args__")
_FINISHING: Final = RLock()
_ITS_PLACES: Final = ("__dict__", "__weakref__")
"""What a class without slots has for its instances' own."""
_HASHED: Final[dict[type, Values]] = {}
"""For each class that was hashed: the function that reads all that its hash is made of."""


def _quick(kind: type[Kind] | None = None, /, **options: bool) -> Any:
    if kind is None:
        return lambda decorated: _quick(decorated, **options)
    is_plain = options.get("slots") and options.keys() <= OPTIONS and kind.__bases__ == (object,)
    if not is_plain or not {"__init__", *_FROZEN}.isdisjoint(vars(kind)):
        return dataclasses.dataclass(**options)(kind)
    chosen = {name: options.get(name, False) for name in ("frozen", "kw_only", "unsafe_hash")}
    return with_shared_methods(kind, **chosen)


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _quick


def with_shared_methods(
    kind: type[Kind], *, frozen: bool, kw_only: bool, unsafe_hash: bool = False
) -> type[Kind]:
    """Make a class with slots a dataclass with the shared methods.

    Args:
        kind: the class; it has none of these methods of its own.
        frozen: whether its fields stay as they are.
        kw_only: whether each field is given by name.
        unsafe_hash: whether it is hashed by its fields though these may change.
    """

    def __init__(self: object, *positional: object, **named: object) -> None:  # noqa: N807
        whole: Any = finished
        whole.__init__ = _init_of(whole, frozen)
        whole.__init__(self, *positional, **named)

    own = [name for name, hint in _annotations(kind).items() if not _is_of_class(hint)]
    inherited = {name for base in kind.__mro__[1:] for name in vars(base).get("__slots__", ())}
    parts = {name: part for name, part in vars(kind).items() if name not in (*own, *_ITS_PLACES)}
    parts |= _FROZEN if frozen else _SHARED
    if unsafe_hash:
        parts["__hash__"] = _FROZEN["__hash__"]
    parts["__init__"], parts["__doc__"] = __init__, kind.__doc__ or kind.__name__
    parts["__slots__"] = tuple(name for name in own if name not in inherited)

    def finish() -> None:
        if not isinstance(vars(finished)[_LATE[-1]], _Late):
            return  # another thread did while this one waited
        options = {"init": False, "repr": False, "eq": False, "kw_only": kw_only}
        plain: Any = dataclasses.dataclass(**options)(kind)
        parameters = plain.__dataclass_params__
        parameters.init = parameters.repr = parameters.eq = True
        parameters.frozen, parameters.unsafe_hash = frozen, unsafe_hash
        fields = {field.name for field in dataclasses.fields(plain)}
        assert fields >= {*own}, f"{kind.__qualname__}: not every field is a plain one"
        for name in _LATE:
            setattr(finished, name, vars(plain)[name])

    parts |= {name: _Late(name, finish) for name in _LATE}
    of_kind: Any = type(kind)
    finished: type[Kind] = of_kind(kind.__name__, kind.__bases__, parts)
    finished.__qualname__ = kind.__qualname__
    return finished


class _Late:
    """What the standard library keeps of a dataclass, made when somebody asks for it."""

    __slots__ = ("_finish", "_name")

    def __init__(self, name: str, finish: Callable[[], None]) -> None:
        self._name = name
        self._finish = finish

    def __get__(self, instance: object, owner: type) -> object:
        with _FINISHING:  # the library takes defaults out of a class, and cannot do so twice
            self._finish()
        return getattr(owner, self._name)


def _annotations(kind: type) -> Mapping[str, object]:
    hints: Mapping[str, object] = vars(kind).get("__annotations__", {})
    return hints


def _is_of_class(hint: object) -> bool:
    """Whether what is annotated so belongs to the class, and is no field."""
    return str(hint).removeprefix("typing.").startswith("ClassVar")


def _init_of(kind: Any, frozen: bool) -> Callable[..., None]:
    """Compile ``__init__``, as the standard library writes it."""
    scope: dict[str, Any] = {"MISSING": MISSING}
    positional: list[str] = []
    named: list[str] = []
    lines: list[str] = []
    for field in dataclasses.fields(kind):
        name = field.name
        scope[f"set_{name}"] = getattr(kind, name).__set__
        scope[f"default_{name}"] = field.default
        scope[f"make_{name}"] = field.default_factory
        is_made = field.default_factory is not MISSING
        if field.init:
            (named if field.kw_only else positional).append(_parameter(field))
            content = f"make_{name}() if {name} is MISSING else {name}" if is_made else name
        elif is_made or field.default is not MISSING:
            content = f"make_{name}()" if is_made else f"default_{name}"
        else:  # ``__post_init__`` gives it
            continue
        lines.append(f"set_{name}(self, {content})" if frozen else f"self.{name} = {content}")
    if hasattr(kind, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = ", ".join(["self", *positional, *(["*", *named] if named else [])])
    exec("\n    ".join([f"def __init__({parameters}):", *(lines or ["pass"])]), scope)  # noqa: S102
    compiled: Callable[..., None] = scope["__init__"]
    compiled.__qualname__ = f"{kind.__qualname__}.__init__"
    return compiled


def _parameter(field: Field[Any]) -> str:
    """A field as a parameter of ``__init__``."""
    if field.default is not MISSING:
        return f"{field.name}=default_{field.name}"
    return field.name if field.default_factory is MISSING else f"{field.name}=MISSING"


def _reader(fields: Iterable[Field[Any]]) -> Values:
    names = [field.name for field in fields]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda instance: tuple(getattr(instance, name) for name in names)


def _compared(kind: Any) -> Values:
    values = _COMPARED.get(kind)
    if values is None:
        fields = (field for field in dataclasses.fields(kind) if field.compare)
        values = _COMPARED[kind] = _reader(fields)
    return values


def _hashed(kind: Any) -> Values:
    values = _HASHED.get(kind)
    if values is None:
        fields = dataclasses.fields(kind)
        chosen = (each for each in fields if (each.compare if each.hash is None else each.hash))
        values = _HASHED[kind] = _reader(chosen)
    return values


class _Shared:
    """The methods that every such class has."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        values = _compared(type(self))
        return bool(values(self) == values(other))

    @recursive_repr()
    def __repr__(self) -> str:
        fields: Any = dataclasses.fields(self)  # type: ignore[arg-type]
        shown = (f"{each.name}={getattr(self, each.name)!r}" for each in fields if each.repr)
        return f"{type(self).__qualname__}({', '.join(shown)})"

    __hash__ = None  # type: ignore[assignment]


class _Frozen:
    """The further methods of those whose fields stay as they are."""

    def __hash__(self) -> int:
        return hash(_hashed(type(self))(self))

    def __setattr__(self, name: str, attribute: object) -> Never:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> Never:
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

    def __getstate__(self) -> list[object]:
        fields: Any = dataclasses.fields(self)  # type: ignore[arg-type]
        return [getattr(self, each.name) for each in fields]

    def __setstate__(self, state: list[object]) -> None:
        fields: Any = dataclasses.fields(self)  # type: ignore[arg-type]
        for each, attribute in zip(fields, state, strict=True):
            object.__setattr__(self, each.name, attribute)


def _methods(kind: type) -> dict[str, Any]:
    names = ("__eq__", "__repr__", "__hash__", "__setattr__", "__delattr__")
    own = vars(kind)
    return {name: own[name] for name in (*names, "__getstate__", "__setstate__") if name in own}


_SHARED: Final = _methods(_Shared)
_FROZEN: Final = _SHARED | _methods(_Frozen)

__all__ = ["dataclass", "with_shared_methods"]
