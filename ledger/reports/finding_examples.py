"""One finding code with an example: a sentence that the audit really said, and where."""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.law.finding_codes import explain_text, law_explain

WIDTH: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A finding as it was once made: its sentence, its first section, and what made it."""

    sentence: str
    section: str
    said_by: str


@lru_cache(maxsize=1)
def examples() -> Mapping[str, Example]:
    """One example for each code."""
    text = files("ledger.reports").joinpath("examples.toml").read_text(encoding="utf-8")
    return MappingProxyType({code: Example(**one) for code, one in tomllib.loads(text).items()})


def explained_data(code: str) -> dict[str, object]:
    """A code as plain data.

    Raises:
        CodeUnknown: it is not in the table.
    """
    page = law_explain(code)
    example = examples().get(code)
    if page["example"] is None and example is not None:
        page["example"] = f"{example.sentence} § {example.section}"
    return page


def explained_text(code: str) -> str:
    """A code as a page for people.

    Raises:
        CodeUnknown: it is not in the table.
    """
    page = explain_text(code)
    example = examples().get(code)
    if "For example: " in page or example is None:
        return page
    line = f"For example: “{example.sentence}” § {example.section} ({example.said_by})"
    head, _, rest = page.partition("\nIt rests on:")
    wrapped = "\n".join(textwrap.wrap(line, WIDTH, break_on_hyphens=False))
    return f"{head.rstrip()}\n\n{wrapped}\n" + (f"\nIt rests on:{rest}" if rest else "")
