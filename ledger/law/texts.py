"""The text of each section, word for word as it was published by the Commonwealth.

It is shown beside our rows, so that whoever checks them needs no other page. Nothing is judged by
it; where it differs from the official publication, that one rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from ledger.law.data import read_tsv, table_names

TEXT: Final = ("section", "text")
_LINE_END: Final = "\\n"
"""What stands for the end of a line within a section: the tables are one section a line."""


@cache
def texts_of(chapter: str) -> Mapping[str, tuple[str, ...]]:
    """Return the lines of each section of a chapter, in order; empty where no text is held.

    Args:
        chapter: its number, such as "668a".

    Raises:
        ValueError: a section stands twice.
    """
    if chapter not in table_names("texts"):
        return MappingProxyType({})
    rows = read_tsv(f"texts/{chapter}.tsv", TEXT)
    texts = {row["section"]: tuple(row["text"].split(_LINE_END)) for row in rows}
    if len(texts) != len(rows):
        raise ValueError(f"texts/{chapter}.tsv holds a section twice")
    return MappingProxyType(texts)
