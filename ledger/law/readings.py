"""The register of readings: what the texts leave open, and what we decided until it is closed.

A property may file another of a reading's options; the replay then uses that one and says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from ledger.kernel import UsageError
from ledger.law.data import read_toml

CONFIRM = "confirm before reliance"
"""What every reading from outside the texts held must say."""


class ReadingUnknown(UsageError):
    """There is no reading of that name, or it has no such option."""

    code = "reading_unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A question of the text and our answer.

    ``choice`` is a key of ``options``, as is what a property may file in its place. ``used`` are
    sections, those of chapters not yet built too. ``source`` is "text", or "outside" where the
    answer rests on a text that we do not hold: then ``address`` and, where recorded, ``read_on``
    say what was read and when. ``added`` marks those beyond the list that we started from.
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
        """The options that we did not choose."""
        return tuple(key for key in self.options if key != self.choice)

    @property
    def outside(self) -> bool:
        """Whether it rests on a text that we do not hold."""
        return self.source == "outside"


@lru_cache(maxsize=1)
def readings() -> Mapping[str, Reading]:
    """The register, in its own order.

    Raises:
        ValueError: an entry chooses an option that it does not list.
    """
    return MappingProxyType({name: _reading(name, entry) for name, entry in _entries().items()})


def reading(name: str) -> Reading:
    """One reading.

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
