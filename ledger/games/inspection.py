"""Conditions on an itemized inspection: what was seen, item by item.

What was seen is a tuple of (name, value) pairs; the words are those of the schemas' conventions.
"""

from __future__ import annotations

from ledger.kernel.quick_dataclass import dataclass

Seen = tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class NamesAll:
    """Every name of a list was seen.

    >>> NamesAll(("Total Value Bet", "Small Bet")).missing((("Total Value Bet 9", None),))
    ('Small Bet',)
    """

    names: tuple[str, ...]

    def __call__(self, seen: Seen) -> bool:
        return not self.missing(seen)

    def missing(self, seen: Seen) -> tuple[str, ...]:
        """Return the names not seen; ``Total Value Bet 9`` counts for ``Total Value Bet``."""
        names = {name for name, _ in seen}
        return tuple(
            name
            for name in self.names
            if name not in names and not any(other.startswith(f"{name} ") for other in names)
        )

    def __str__(self) -> str:
        return "each of: " + ", ".join(self.names)


def names_all(names: tuple[str, ...]) -> NamesAll:
    """Return the condition that every name of a list was seen."""
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
    """Return the condition that at least one of these names was seen."""
    return NamesAny(names)


@dataclass(frozen=True, slots=True)
class OnDealerSide:
    """The box hangs on this side of the dealer.

    That drop box and tip box hang on opposite hands is judged on the pair of them. An inspection
    that states no side meets the condition.
    """

    side: str

    def __call__(self, seen: Seen) -> bool:
        sides = [value for name, value in seen if name == "side" and value is not None]
        return all(value.startswith(self.side) for value in sides)

    def __str__(self) -> str:
        return f"on the {self.side}, drop box and tip box on opposite hands of the dealer"


def on_opposite_sides(side: str) -> OnDealerSide:
    """Return the condition that the box hangs on that side of the dealer."""
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
    """Return the condition that no more than so many items were seen."""
    return AtMost(count)
