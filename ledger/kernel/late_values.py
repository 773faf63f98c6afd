"""Values of a dict, and fields of an object, that are read when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from threading import RLock
from typing import Final, Protocol, TypeVar

READING: Final = RLock()
"""Held while something is read late, whichever it is."""
K = TypeVar("K")
V = TypeVar("V")
Unread = dict[str, tuple[tuple[str, ...], Callable[[], Iterable[object]]]]
"""By name, fields that are read when somebody asks for one of them: all that are read with it, and
what gives them in order."""


class WithUnread(Protocol):
    """An object some of whose fields may still be unread; its ``__getattr__`` is ``late_field``."""

    unread: Unread


def read_later(
    owner: WithUnread, names: tuple[str, ...], read: Callable[[], Iterable[object]]
) -> None:
    """Have fields of an object read when somebody asks for one; ``read`` gives them in order."""
    for name in names:
        delattr(owner, name)
        owner.unread[name] = names, read


def late_field(owner: WithUnread, name: str) -> object:
    """Return a field that an object does not have yet: it is read first, with its companions.

    Raises:
        AttributeError: it is no field that is read late.
    """
    with READING:  # of two threads that ask, both get the same value
        if name != "unread" and name in owner.unread:
            names, read = owner.unread[name]
            for late, content in zip(names, read(), strict=True):
                setattr(owner, late, content)
                del owner.unread[late]
    return object.__getattribute__(owner, name)


class LateValues(MutableMapping[K, V]):
    """Values by key, of which those that nobody asked for are still as they were kept.

    Its keys are there at once, in the order of ``unread``. Pickles as a dict of all its values.

    Args:
        unread: by key, what is kept of its value.
        read: makes the value of it.

    >>> squares = LateValues({2: "2", 3: "3"}, lambda kept: int(kept) ** 2)
    >>> list(squares), squares[3], 4 in squares
    ([2, 3], 9, False)
    """

    __slots__ = ("_read", "_values")

    def __init__(self, unread: Mapping[K, object], read: Callable[..., V]) -> None:
        self._values: dict[K, V | _Unread] = {
            key: _Unread(content) for key, content in unread.items()
        }
        self._read = read

    def __getitem__(self, key: K) -> V:
        content = self._values[key]
        if not isinstance(content, _Unread):
            return content
        with READING:  # of two threads that ask, both get the same value
            content = self._values[key]
            if isinstance(content, _Unread):
                content = self._values[key] = self._read(content.content)
            return content

    def __setitem__(self, key: K, content: V) -> None:
        self._values[key] = content

    def __delitem__(self, key: K) -> None:
        del self._values[key]

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[K]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> tuple[type[dict[K, V]], tuple[dict[K, V]]]:
        return dict, (dict(self),)


class _Unread:
    """What is kept of a value that nobody asked for yet."""

    __slots__ = ("content",)

    def __init__(self, content: object) -> None:
        self.content = content
