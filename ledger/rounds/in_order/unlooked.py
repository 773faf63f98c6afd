"""Values that may be handed on and kept, and never looked into.

The readable engine is run once on a fact of which only some parts are known. Whatever else the fact
has stands there as a value of this module, or is missing altogether. If the run ends, then nothing
that was not known can have mattered, and its result holds for every fact with the same known parts.
If it looks into such a value, or reads a missing field, it is broken off, and the fact falls back.

A value can be passed on, stored, and compared with None by identity: the fields that such values
stand for are never null. Everything else that Python can ask of a value is refused here.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import eq, ge, gt, le, lt, ne
from typing import Any, Final, Never

from ledger.games.standing_stakes import StandingStakes


class LookedInto(Exception):
    """The engine asked for what a table does not know; the fact goes to the readable path."""


class AskedExactly(Exception):
    """The engine asked more of a number than how it compares; it is filled in, and run again.

    Args:
        kind, name: the class of the fact, or of the part of it, and the field.
    """

    def __init__(self, kind: type[Any], name: str) -> None:
        super().__init__(kind, name)
        self.kind, self.name = kind, name


def _refuse(*_: object, **__: object) -> Never:
    raise LookedInto


LOOKS: Final = (
    *("__bool__", "__len__", "__iter__", "__contains__", "__getitem__", "__hash__", "__int__"),
    *("__index__", "__str__", "__repr__", "__format__", "__eq__", "__ne__", "__lt__", "__le__"),
    *("__gt__", "__ge__", "__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__"),
    *("__floordiv__", "__rfloordiv__", "__mod__", "__rmod__", "__divmod__", "__rdivmod__"),
    *("__neg__", "__abs__", "__and__", "__rand__", "__or__", "__ror__", "__xor__", "__rxor__"),
    *("__truediv__", "__rtruediv__", "__pow__", "__rpow__", "__float__", "__bytes__", "__call__"),
    *("__next__", "__reversed__", "__round__", "__trunc__", "__floor__", "__ceil__", "__enter__"),
    *("__lshift__", "__rlshift__", "__rshift__", "__rrshift__", "__invert__", "__pos__"),
    *("__getattr__", "__copy__", "__deepcopy__", "__reduce_ex__", "__complex__", "__matmul__"),
    *("__setitem__", "__delitem__", "__exit__", "__await__", "__aiter__", "__anext__"),
)
"""What Python can ask of a value by its type."""


class Unlooked:
    """A value of which nothing is known: a stream, a sequence number, a moment, a count."""

    __slots__ = ()


class WriteOnly:
    """A set to which facts add and from which they take, and which nobody asks.

    ``is_written`` tells that a fact did so: it must be done for real as well.
    """

    __slots__ = ("is_written",)

    def __init__(self) -> None:
        self.is_written = False

    def add(self, _: object) -> None:
        """Note that something was added."""
        self.is_written = True

    def discard(self, _: object) -> None:
        """Note that something was taken away."""
        self.is_written = True


class Within:
    """A moment of which only the bounds are known, microseconds UTC, both included.

    Two moments, or a moment and a number, are compared where all that they may be compares alike.
    ``origin`` is the fact's own moment from which this one was reckoned.
    """

    __slots__ = ("first", "last", "origin")

    def __init__(self, first: int, last: int, origin: Within | None = None) -> None:
        self.first, self.last = first, last
        self.origin: Within = self if origin is None else origin

    def __add__(self, micros: int) -> Within:
        if type(micros) is not int:
            raise LookedInto
        return Within(self.first + micros, self.last + micros, self.origin)

    def __sub__(self, micros: int) -> Within:
        if type(micros) is not int:
            raise LookedInto
        return Within(self.first - micros, self.last - micros, self.origin)

    def __lt__(self, moment: int) -> bool:
        return self._alike(self.first < moment, self.last < moment, moment)

    def __le__(self, moment: int) -> bool:
        return self._alike(self.first <= moment, self.last <= moment, moment)

    def __gt__(self, moment: int) -> bool:
        return self._alike(self.first > moment, self.last > moment, moment)

    def __ge__(self, moment: int) -> bool:
        return self._alike(self.first >= moment, self.last >= moment, moment)

    @staticmethod
    def _alike(at_first: bool, at_last: bool, moment: object) -> bool:
        if type(moment) is not int or at_first is not at_last:
            raise LookedInto
        return at_first


class Moment:
    """The moment of a fact, of which nothing is known but that it came after those before it.

    It compares with nothing but a moment at which a later fact began (``Began``), which is later.
    """

    __slots__ = ()

    def __lt__(self, other: object) -> bool:
        return self._is_before(other)

    def __le__(self, other: object) -> bool:
        return self._is_before(other)

    def __gt__(self, other: object) -> bool:
        return not self._is_before(other)

    def __ge__(self, other: object) -> bool:
        return not self._is_before(other)

    def _is_before(self, other: object) -> bool:
        if type(other) is not Began or other.is_over or other.own is self:
            raise LookedInto
        return True


class Began:
    """When what a fact records began: after every fact before it (``Reading.strange`` sees to it).

    Once the fact was taken it compares with nothing: later facts come after it.

    Args:
        own: the moment of the fact itself.
    """

    __slots__ = ("is_over", "own")

    def __init__(self, own: object) -> None:
        self.own, self.is_over = own, False


class StakesUnasked(StandingStakes):
    """Wagers of which it is not known whether any stands; what befalls them is not asked."""

    __slots__ = ()

    def after(self, _event: object) -> StandingStakes:
        """Return the same: a fact of a wager befell them."""
        return BEFALLEN


Comparison = tuple[str, int]
"""How a number was compared, and with what."""
COMPARED: Final[dict[str, Callable[[int, int], bool]]] = {
    "__lt__": lt,
    "__le__": le,
    "__gt__": gt,
    "__ge__": ge,
    "__eq__": eq,
    "__ne__": ne,
}


class Compared:
    """A number of a fact of which no more is known than how it compares with other numbers.

    Args:
        kind, name: the class of the fact, or of the part of it, and the field.
        number: it.

    Attributes:
        comparisons: those that were asked for.
    """

    __slots__ = ("comparisons", "kind", "name", "number")

    def __init__(self, kind: type[Any], name: str, number: int) -> None:
        self.kind, self.name, self.number = kind, name, number
        self.comparisons: set[Comparison] = set()

    def ask(self, sign: str, other: object) -> bool:
        """Return how it compares with a number, and note that this was asked."""
        if type(other) is not int:
            raise AskedExactly(self.kind, self.name)
        self.comparisons.add((sign, other))
        return COMPARED[sign](self.number, other)


def _comparing(sign: str) -> Callable[[Compared, object], bool]:
    return lambda self, other: self.ask(sign, other)


def _ask_exactly(self: Compared, *_: object, **__: object) -> Never:
    raise AskedExactly(self.kind, self.name)


def refuse_to_look(kind: type) -> None:
    """Let values of a class refuse everything that Python can ask of a value."""
    _guard(kind, frozenset())


def _guard(kind: type, allowed: frozenset[str]) -> None:
    for name in LOOKS:
        if name not in allowed:
            setattr(kind, name, _refuse)


_guard(Unlooked, frozenset())
_guard(WriteOnly, frozenset())
_guard(Moment, frozenset({"__lt__", "__le__", "__gt__", "__ge__"}))
_guard(Began, frozenset())
_guard(StakesUnasked, frozenset())
for _name in LOOKS:
    setattr(Compared, _name, _comparing(_name) if _name in COMPARED else _ask_exactly)
STAKES_UNASKED: Final = object.__new__(StakesUnasked)
"""Stands for the stakes of a state while a fact is taken."""
BEFALLEN: Final = object.__new__(StakesUnasked)
"""Stands for stakes that a fact of a wager befell."""
_guard(Within, frozenset({"__add__", "__sub__", "__lt__", "__le__", "__gt__", "__ge__"}))
