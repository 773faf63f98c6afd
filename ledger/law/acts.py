"""Who may decide what: the one table of acts, the rank each asks for, and whose people may."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from ledger.law.data import read_toml

RANKS: Final = ("member", "supervisor", "manager")
"""From the lowest to the highest."""
ADDRESSED: Final = "addressed"
ANY: Final = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act; ``departments`` holds names, ``ADDRESSED`` or ``ANY``.

    ``apart`` forbids it to the persons whom its subject concerns. ``second`` is ``no``,
    ``critical`` or ``always``.
    """

    name: str
    does: str
    rank: str
    departments: tuple[str, ...]
    apart: bool
    second: str
    cites: tuple[str, ...]


@lru_cache(maxsize=1)
def acts() -> Mapping[str, Act]:
    """Every act by its name.

    Raises:
        ValueError: a row names a rank or a second person that there is not.
    """
    rows = [
        Act(**{**row, "departments": tuple(row["departments"]), "cites": tuple(row["cites"])})
        for row in read_toml("acts.toml")["act"]
    ]
    for row in rows:
        if row.rank not in RANKS or row.second not in ("no", "critical", "always"):
            raise ValueError(f"acts.toml: {row.name} names no rank or no second person")
    return MappingProxyType({row.name: row for row in rows})


@lru_cache(maxsize=1)
def ranks_of_roles() -> Mapping[str, str]:
    """The rank that each role at a table has."""
    return MappingProxyType(dict(read_toml("acts.toml")["ranks"]))
