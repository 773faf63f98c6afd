"""Which subject the findings of a code share, whose business it is, and how a title counts them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from ledger.kernel.quick_dataclass import dataclass

DEPARTMENTS: Final = (
    "surveillance",
    "table games",
    "finance",
    "marketing",
    "compliance",
    "information technology",
)
"""Whose business an action can be."""
KINDS: Final = frozenset(
    {
        *("paytable", "dealer", "person", "equipment", "dice", "shaker", "wheel", "deck", "role"),
        *("series", "form", "provider", "service", "filing", "source", "stream"),
    }
)
"""What findings can be folded by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """How findings of a code are folded.

    ``of`` are kinds of subjects in order of preference, ``role`` what is named where the kind is
    a role; ``lasting`` says that no rest ends the period within a gaming day.
    """

    code: str
    of: tuple[str, ...]
    department: str
    role: str = ""
    lasting: bool = False
    singular: str = ""
    plural: str = ""

    def counted(self, count: int) -> str:
        """So many findings in words: "812 wagers underpaid"; "too few shakes, 14 times"."""
        if self.singular:
            return f"{count:,} {self.singular if count == 1 else self.plural}"
        label = self.code.replace("_", " ")
        return label if count == 1 else f"{label}, {count:,} times"


@lru_cache(maxsize=1)
def causes() -> Mapping[str, Cause]:
    """The table, by code.

    Raises:
        ValueError: a code stands in it twice, or a line names what there is not.
    """
    entry = tomllib.loads(files("ledger.casework").joinpath("causes.toml").read_text("utf-8"))
    words = entry["words"]
    causes_by_code: dict[str, Cause] = {}
    for group in entry["cause"]:
        unknown = set(group["of"]) - KINDS
        if unknown or group["department"] not in DEPARTMENTS:
            raise ValueError(f"causes.toml: {sorted(unknown)}, {group['department']!r}")
        for code in group["codes"]:
            if code in causes_by_code:
                raise ValueError(f"causes.toml: {code} stands in two groups")
            singular, plural = words.get(code, ("", ""))
            causes_by_code[code] = Cause(
                code=code,
                of=tuple(group["of"]),
                department=group["department"],
                role=group.get("role", ""),
                lasting=group.get("lasting", False),
                singular=singular,
                plural=plural,
            )
    if set(words) - set(causes_by_code):
        raise ValueError(f"causes.toml: words for {sorted(set(words) - set(causes_by_code))}")
    return MappingProxyType(causes_by_code)
