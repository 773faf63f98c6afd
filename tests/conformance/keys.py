"""Reading a case's words strictly: every key is taken once, and what is left over is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

_ABSENT = object()


ASIDE: Final = ("by", "why", "reason", "round", "game", "position", "patron")
"""Words that any fact may have: where nobody takes them, no section asks for them."""


class NotTranslatable(Exception):
    """The case says something that cannot be said in facts, or that this translator cannot read."""


def plain(word: str) -> str:
    """Words in one spelling: lower case, underscores."""
    return re.sub(r"[^a-z0-9]+", "_", word.lower().replace("×", "x")).strip("_")


class Keys:
    """A JSON object whose keys are taken one by one; ``finish`` names those that nobody took.

    Args:
        data: the object.
        where: what it is, for the reason: "fact 3 (thrown)".
    """

    def __init__(self, data: Mapping[str, Any], where: str) -> None:
        if not isinstance(data, Mapping):
            raise NotTranslatable(f"{where}: not an object: {data!r}")
        self._left = dict(data)
        self.where = where

    def take(self, *names: str, default: Any = None) -> Any:
        """The value under the first of these names that is there, else the default."""
        for name in names:
            value = self._left.pop(name, _ABSENT)
            if value is not _ABSENT:
                return value
        return default

    def need(self, *names: str) -> Any:
        """As ``take``, but one of the names must be there."""
        if not self.has(*names):
            raise NotTranslatable(f"{self.where}: {names[0]} is missing")
        return self.take(*names)

    def has(self, *names: str) -> bool:
        """Whether one of the names is still there."""
        return any(name in self._left for name in names)

    def peek(self, name: str) -> Any:
        """The value without taking it, None when it is not there."""
        return self._left.get(name)

    def part(self, name: str) -> Keys | None:
        """A nested object, None when it is absent or null."""
        value = self.take(name)
        return None if value is None else Keys(value, f"{self.where}, {name}")

    def rest(self) -> dict[str, Any]:
        """Everything that is left, taken."""
        left, self._left = self._left, {}
        return left

    def finish(self, *aside: str) -> None:
        """Refuse what was not understood, but for words that may stand aside."""
        unknown = sorted(self._left.keys() - set(aside))
        if unknown:
            raise NotTranslatable(f"{self.where}: unknown words: {', '.join(unknown)}")


def whole(value: Any, where: str) -> int:
    """A whole number, and no truth value."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise NotTranslatable(f"{where}: not a whole number: {value!r}")
    return value


def whole_or_none(value: Any, where: str) -> int | None:
    """A whole number or null."""
    return None if value is None else whole(value, where)


def truth_or_none(value: Any, where: str) -> bool | None:
    """True, false or null."""
    if value is None or isinstance(value, bool):
        return value
    raise NotTranslatable(f"{where}: neither true nor false: {value!r}")


def text_or_none(value: Any, where: str) -> str | None:
    """Words or null."""
    if value is None or isinstance(value, str):
        return value
    raise NotTranslatable(f"{where}: not words: {value!r}")
