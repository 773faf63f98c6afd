"""The index of sections: every section of the texts that are held, to its finest subsection."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from ledger.kernel import Citation
from ledger.law.chapters import CHAPTERS
from ledger.law.checklist import obligations_of
from ledger.law.data import read_tsv

INDEX: Final = ("section", "heading")


@cache
def sections_of(chapter: str) -> Mapping[str, str]:
    """Return the sections of a chapter with a short heading of ours, in the order of its text.

    Args:
        chapter: its number, such as "668a"; "L" for the Ledger contract.

    Raises:
        LawTableMissing: the chapter has no index.
        ValueError: a section stands twice.
    """
    rows = read_tsv(f"index/{chapter}.tsv", INDEX)
    headings = {row["section"]: row["heading"] for row in rows}
    if len(headings) != len(rows):
        raise ValueError(f"index/{chapter}.tsv holds a section twice")
    return MappingProxyType(headings)


@cache
def sections() -> Mapping[str, str]:
    """Return every section of every chapter with its heading, in the order of the texts.

    Raises:
        LawTableMissing: a chapter has no index.
    """
    headings: dict[str, str] = {}
    for chapter in CHAPTERS:
        headings |= sections_of(chapter.edition.chapter)
    return MappingProxyType(headings)


def heading(section: str) -> str:
    """Return the heading of a section, "539.6(b)".

    Raises:
        LawTableMissing: its chapter has no index.
        KeyError: the index does not hold the section.
    """
    return sections_of(chapter_of(section))[section]


def known(citation: Citation) -> bool:
    """Whether a citation names an edition and a section that are held, and a part of that section.

    Raises:
        LawTableMissing: its chapter has no index.
    """
    if all(chapter.edition != citation.edition for chapter in CHAPTERS):
        return False
    chapter = chapter_of(citation.section)
    if citation.section not in sections_of(chapter):
        return False
    return not citation.part or (citation.section, citation.part) in _parts(chapter)


def chapter_of(section: str) -> str:
    """Return the number of the chapter of a section: "539" of "539.6(b)"."""
    return section.partition(".")[0]


@cache
def _parts(chapter: str) -> frozenset[tuple[str, str]]:
    return frozenset((row.section, row.part) for row in obligations_of(chapter))
