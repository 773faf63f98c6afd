"""The obligations of each chapter, row by row, and what carries each of them.

Law: the lists under ``obligations/`` are a line-by-line reading of the texts, in our own words;
where list and text differ, the text wins. ``coverage/`` says of each row whether it is modelled.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from typing import Final

from ledger.kernel.quick_dataclass import dataclass
from ledger.law.data import read_tsv, table_names

OBLIGATION: Final = ("id", "kind", "what", "when_broken", "severity", "reading")
COVERAGE: Final = ("id", "status", "evidence", "by", "tests", "why")


@dataclass(frozen=True, slots=True, kw_only=True)
class Obligation:
    """One statement of a section, in words of our own.

    Args:
        chapter: number, "539".
        id: "539.6(b)#total-9" or "689 edition#1".
        kind: what sort of statement it is, as the list names it.
        what: the statement.
        when_broken: the codes of the findings that show it broken.
        severity: how much a breach matters; None where the list gives none.
        readings: the open questions on whose answer it rests.
    """

    chapter: str
    id: str
    kind: str
    says: str
    when_broken: tuple[str, ...]
    severity: str | None
    readings: tuple[str, ...]

    @property
    def section(self) -> str:
        """The section as a citation names it: "539.6(b)"."""
        return _place(self.id)[0]

    @property
    def part(self) -> str:
        """The part of that section as a citation names it: "total-9"; empty for all of it."""
        return _place(self.id)[1]


class Status(StrEnum):
    """Whether some part of the program carries an obligation."""

    MODELLED = "modelled"
    NOT_MODELLED = "not modelled"


class Evidence(StrEnum):
    """What a modelled obligation rests on."""

    COMPUTED = "computed"  # derived from independent facts
    ATTESTED = "attested"  # a person recorded it; we check who, when, and that it is not overdue


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What carries an obligation, and the tests that would fail without it.

    Args:
        obligation: the row of the list.
        status: whether it is modelled.
        evidence: what it rests on; None where it is not modelled.
        by: what carries it, each word ``kind:name``: ``finding:late_wager``, ``row:539.3(1)``,
            ``fact:WagerPlaced``, ``reading:floors``, ``report:law_odds``. A row is named by its
            citation, part included.
        tests: the tests that would fail without it.
        why: the reason where it is not modelled, or a remark.
    """

    obligation: Obligation
    status: Status
    evidence: Evidence | None
    by: tuple[str, ...]
    tests: tuple[str, ...]
    why: str


@cache
def listed() -> tuple[str, ...]:
    """Return the numbers of the chapters whose obligations are listed, in alphabetical order."""
    return table_names("obligations")


@cache
def obligations_of(chapter: str) -> tuple[Obligation, ...]:
    """Return a chapter's obligations in the order of its text; none where it has no list.

    Raises:
        ValueError: the list has other columns than ``OBLIGATION``.
    """
    if chapter not in listed():
        return ()
    return tuple(
        Obligation(
            chapter=chapter,
            id=row["id"],
            kind=row["kind"],
            says=row["what"],
            when_broken=tuple(row["when_broken"].split()),
            severity=row["severity"] or None,
            readings=tuple(row["reading"].split()),
        )
        for row in read_tsv(f"obligations/{chapter}.tsv", OBLIGATION)
    )


@cache
def obligations() -> tuple[Obligation, ...]:
    """Return every obligation of every list, chapter after chapter."""
    return tuple(row for chapter in listed() for row in obligations_of(chapter))


@cache
def coverage_of(chapter: str) -> tuple[Carried, ...]:
    """Return what carries each obligation of a chapter, in the order of its list.

    Raises:
        LawTableMissing: the chapter has a list and no coverage.
        ValueError: the two do not name the same rows in the same order.
    """
    demands = obligations_of(chapter)
    rows = read_tsv(f"coverage/{chapter}.tsv", COVERAGE) if demands else ()
    if [row["id"] for row in rows] != [row.id for row in demands]:
        raise ValueError(f"coverage/{chapter}.tsv and the obligations do not name the same rows")
    return tuple(
        Carried(
            obligation=obligation,
            status=Status(row["status"]),
            evidence=Evidence(row["evidence"]) if row["evidence"] else None,
            by=tuple(row["by"].split()),
            tests=tuple(row["tests"].split()),
            why=row["why"],
        )
        for obligation, row in zip(demands, rows, strict=True)
    )


@cache
def coverage() -> tuple[Carried, ...]:
    """Return what carries each obligation of every list, chapter after chapter.

    Raises:
        LawTableMissing: a chapter has a list and no coverage.
        ValueError: the two do not name the same rows in the same order.
    """
    return tuple(carried for chapter in listed() for carried in coverage_of(chapter))


def _place(row: str) -> tuple[str, str]:
    """Split "539.6(b)#total-9" into section and part; a space or a comma starts a part too."""
    section = re.split(r"[#\s,]|-(?=\d)", row, maxsplit=1)[0]
    rest = row[len(section) :]
    if "." in section and rest and not rest.startswith("#"):
        return section.partition(".")[0], row  # a range of sections that we do not hold
    return section, rest[1:]
