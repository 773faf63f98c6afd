"""Checks that an itemised inspection can be held against: what was seen, item by item.

What was seen is a tuple of (name, value) pairs; the words are those of the schemas' conventions.
"""

from __future__ import annotations

from dataclasses import dataclass

Seen = tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class NamesAll:
    """Every name of a list was seen."""

    names: tuple[str, ...]

    def __call__(self, seen: Seen) -> bool:
        return not self.missing(seen)

    def missing(self, seen: Seen) -> tuple[str, ...]:
        """The names that were not seen; ``Total Value Bet 9`` counts for ``Total Value Bet``."""
        names = {name for name, _ in seen}
        return tuple(
            name
            for name in self.names
            if name not in names and not any(other.startswith(f"{name} ") for other in names)
        )

    def __str__(self) -> str:
        return "each of: " + ", ".join(self.names)


def names_all(names: tuple[str, ...]) -> NamesAll:
    """Every name of a list was seen."""
    return NamesAll(names)


@dataclass(frozen=True, slots=True)
class NamesAny:
    """At least one name of a list was seen."""

    names: tuple[str, ...]

    def __call__(self, seen: Seen) -> bool:
        return any(name in self.names for name, _ in seen)

    def __str__(self) -> str:
        return "at least one of: " + ", ".join(self.names)


def names_any(*names: str) -> NamesAny:
    """At least one name of a list was seen."""
    return NamesAny(names)


@dataclass(frozen=True, slots=True)
class OnDealerSide:
    """The box hangs on the dealer's side; that both are on opposite hands is judged on the pair."""

    side: str

    def __call__(self, seen: Seen) -> bool:
        sides = [value for name, value in seen if name == "side" and value is not None]
        return all(value.startswith(self.side) for value in sides)

    def __str__(self) -> str:
        return f"on the {self.side}, drop box and tip box on opposite hands of the dealer"


def on_opposite_sides(side: str) -> OnDealerSide:
    """The box hangs on that side."""
    return OnDealerSide(side)


@dataclass(frozen=True, slots=True)
class AtMost:
    """No more than so many were seen."""

    count: int

    def __call__(self, seen: Seen) -> bool:
        return len(seen) <= self.count

    def __str__(self) -> str:
        return f"at most {self.count}"


def at_most(count: int) -> AtMost:
    """No more than so many were seen."""
    return AtMost(count)
