"""The register of readings: what the texts leave open, and what is decided until someone closes it.

A property may file another of a reading's options; the replay then uses that one and says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from ledger.kernel import UsageError
from ledger.kernel.quick_dataclass import dataclass
from ledger.law.data import read_toml

CONFIRM = "confirm before reliance"
"""What every reading that rests on a text from outside those held must say."""


class ReadingUnknown(UsageError):
    """No reading has that name, or it has no such option."""

    code = "reading_unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A question that the text leaves open, and our answer.

    Args:
        id: the name by which rows cite it.
        question: what the text leaves open.
        choice: the option that is used, a key of ``options``.
        options: each possible answer by its key; a property may file another one than ``choice``.
        effect: what the other answers would change.
        used: the sections that it bears on, also those of chapters that are not built.
        status: how far the question is settled.
        owner: who may settle it.
        source: "text", or "outside" where the answer rests on a text that is not held.
        address: where that outside text was read; None if it was not.
        read_on: the day it was read, where recorded.
        added: whether it was added to the list with which the project began.
    """

    id: str
    question: str
    choice: str
    options: Mapping[str, str]
    effect: str
    used: tuple[str, ...]
    status: str
    owner: str
    source: str
    address: str | None = None
    read_on: str | None = None
    added: bool = False

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The options that were not chosen."""
        return tuple(key for key in self.options if key != self.choice)

    @property
    def outside(self) -> bool:
        """Whether it rests on a text that is not held."""
        return self.source == "outside"


@lru_cache(maxsize=1)
def readings() -> Mapping[str, Reading]:
    """Return the register by id, in its own order.

    Raises:
        ValueError: the choice of an entry is not the first option that it lists.
    """
    return MappingProxyType({name: _reading(name, entry) for name, entry in _entries().items()})


def reading(name: str) -> Reading:
    """Return the reading of that name.

    Raises:
        ReadingUnknown: it is not in the register.
    """
    entry = readings().get(name)
    if entry is None:
        raise ReadingUnknown(f"there is no reading {name!r}", next_step="pitledger law readings")
    return entry


def _entries() -> dict[str, dict[str, Any]]:
    return read_toml("readings.toml")


def _reading(name: str, entry: dict[str, Any]) -> Reading:
    options: Mapping[str, str] = MappingProxyType(entry.pop("options"))
    reading = Reading(id=name, options=options, **{**entry, "used": tuple(entry["used"])})
    if next(iter(options)) != reading.choice:
        raise ValueError(
            f"readings.toml: {name}: the choice {reading.choice!r} is not its first option"
        )
    return reading
