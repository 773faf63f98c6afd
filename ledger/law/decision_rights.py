"""Who may decide what: the one table of acts, the rank each asks for, and whose people may."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from ledger.kernel.quick_dataclass import dataclass
from ledger.law.data import read_toml

RANKS: Final = ("member", "supervisor", "manager")
"""The ranks of credentials, from the lowest to the highest."""
ADDRESSED: Final = "addressed"
ANY: Final = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One act by which a person decides about findings and facts, and who may perform it.

    Args:
        name: the act's key, "close".
        does: the act in words, "take up an action".
        rank: the least rank that the credential must have on that date, one of ``RANKS``.
        departments: those whose people may; ``ADDRESSED`` stands for the department to which the
            action is addressed, ``ANY`` for all.
        apart: nobody may perform it on a matter that concerns him.
        second: whether a second person must do the same: ``no``, ``critical`` (on what is critical)
            or ``always``.
        cites: the sections that name the rank.
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
    """Return every act by its name.

    Raises:
        ValueError: a row names an unknown rank or an unknown rule for the second person.
    """
    rows = [
        Act(**{**row, "departments": tuple(row["departments"]), "cites": tuple(row["cites"])})
        for row in read_toml("decision_rights.toml")["act"]
    ]
    for row in rows:
        if row.rank not in RANKS or row.second not in ("no", "critical", "always"):
            raise ValueError(f"decision_rights.toml: {row.name} names no rank or no second person")
    return MappingProxyType({row.name: row for row in rows})


@lru_cache(maxsize=1)
def ranks_of_roles() -> Mapping[str, str]:
    """Return the rank of each role at a table, by the role's name."""
    return MappingProxyType(dict(read_toml("decision_rights.toml")["ranks"]))
