"""The index of sections: every section that we hold, to its finest subsection."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from ledger.kernel import Citation
from ledger.law.chapters import CHAPTERS
from ledger.law.checklist import obligations
from ledger.law.data import read_tsv


@lru_cache(maxsize=1)
def sections() -> Mapping[str, str]:
    """Every section with a short heading of ours, in the order of the texts.

    Raises:
        ValueError: a section stands twice.
    """
    rows = [
        row
        for chapter in CHAPTERS
        for row in read_tsv(f"index/{chapter.edition.chapter}.tsv", ("section", "heading"))
    ]
    headings = {row["section"]: row["heading"] for row in rows}
    if len(headings) != len(rows):
        raise ValueError("the index of sections holds a section twice")
    return MappingProxyType(headings)


def heading(section: str) -> str:
    """The heading of a section that the index holds."""
    return sections()[section]


def known(citation: Citation) -> bool:
    """Whether a citation names a section and an edition that we hold, and a part that it has."""
    if citation.section not in sections():
        return False
    if all(chapter.edition != citation.edition for chapter in CHAPTERS):
        return False
    return not citation.part or (citation.section, citation.part) in _parts()


@lru_cache(maxsize=1)
def _parts() -> frozenset[tuple[str, str]]:
    return frozenset((row.section, row.part) for row in obligations())
