"""The marts as data: what each holds, what its columns mean, what must always be true of it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from ledger.kernel.quick_dataclass import dataclass

STAGED: Final = (
    *("days", "captures", "rounds", "wagers", "settlements", "findings", "table_days"),
    *("throws", "spins", "hands", "stays", "coverage", "equipment", "coupons"),
    "marks",
)
"""The tables of staging, each made by ``staging/<name>.sql``."""

MARTS: Final = (
    *("rounds", "wagers", "settlements", "outcomes", "findings", "throws", "spins", "hands"),
    *("coupons", "table_days", "table_captures", "dealer_shifts", "equipment_days"),
    *("staff_coverage", "marks"),
)
"""The marts, each made by ``marts/<name>.sql`` and told of by the ``.toml`` beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: its type in DuckDB, the unit of its values, and what they mean."""

    name: str
    type: str
    unit: str
    meaning: str

    @property
    def about(self) -> str:
        """What its values mean, with their unit."""
        return f"{self.meaning} ({self.unit})" if self.unit else self.meaning


@dataclass(frozen=True, slots=True, kw_only=True)
class Invariant:
    """What must be true of a mart; ``sql`` gives the rows for which it is not."""

    name: str
    says: str
    sql: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mart:
    """A published table: its grain, key, columns in order, and invariants; ``select`` makes it."""

    name: str
    grain: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    invariants: tuple[Invariant, ...]
    select: str

    @property
    def has_day(self) -> bool:
        """Whether each of its rows is of a gaming day."""
        return any(column.name == "gaming_day" for column in self.columns)


@lru_cache(maxsize=1)
def marts() -> tuple[Mart, ...]:
    """All marts.

    Raises:
        ValueError: a ``.toml`` does not tell of its mart.
    """
    return tuple(_mart(name) for name in MARTS)


def staging_statements() -> Iterator[str]:
    """The statements that make the empty tables of staging."""
    for name in STAGED:
        yield _text("staging", f"{name}.sql")


def _mart(name: str) -> Mart:
    entry: dict[str, Any] = tomllib.loads(_text("marts", f"{name}.toml"))
    if entry["name"] != name:
        raise ValueError(f"marts/{name}.toml tells of {entry['name']}")
    columns = tuple(Column(**column) for column in entry["columns"])
    invariants = tuple(Invariant(name=n, **rest) for n, rest in entry["invariants"].items())
    return Mart(
        name=name,
        grain=entry["grain"],
        key=tuple(entry["key"]),
        columns=columns,
        invariants=invariants,
        select=_text("marts", f"{name}.sql"),
    )


def _text(folder: str, name: str) -> str:
    return files("ledger.analytics").joinpath(folder, name).read_text(encoding="utf-8")
