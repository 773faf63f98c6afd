"""Moments, told from other whole numbers by their declared type."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias, get_args

UNIT: Final = "microseconds since 1970-01-01 UTC"
Instant: TypeAlias = Annotated[int, UNIT]
"""A moment in microseconds since 1970; to the type checker a whole number."""


def holds_instants(hint: object) -> bool:
    """Whether whole numbers in a value of a declared type are moments.

    Args:
        hint: the type as ``get_type_hints`` gives it, with extras. What a class declares for
            fields of its own is asked of that class.

    >>> holds_instants(dict[str, tuple[Instant, str]])
    True
    >>> holds_instants(dict[str, int])
    False
    """
    return UNIT in getattr(hint, "__metadata__", ()) or any(map(holds_instants, get_args(hint)))
