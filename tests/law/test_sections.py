"""The index of sections: each subsection of the texts once, and nothing that they do not have."""

import shutil
from collections.abc import Iterator
from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest

from ledger.kernel import Citation, Edition, EditionStatus
from ledger.law import (
    CHAPTERS,
    DREAMCATCHER,
    LEDGER_CONTRACT,
    SIC_BO,
    LawTableMissing,
    coverage,
    coverage_of,
    data,
    heading,
    known,
    obligations,
    obligations_of,
    sections,
    sections_of,
)
from ledger.law.checklist import COVERAGE, OBLIGATION, listed
from ledger.law.sections import _parts
from ledger.reports import show_text
from tests.law.source import rows

# Taken from Annex A of 40 Pa.B. 1740 and of 50 Pa.B. 6778, line by line: under each section the
# markers that open a line of it, in their order. 539.1 has no (e); 521.6 has no subsection;
# 525.21(l) is printed as a second (1) under (k).
MARKERS = {
    "521.4": "(1) (1)(i) (1)(ii) (1)(iii) (1)(iv) (2) (3) (4)",
    "521.6": "",
    "521.7": "(a) (b) (c) (d)",
    "521.8": "(a) (b) (c) (c)(1) (c)(2) (c)(2)(i) (c)(2)(ii) (c)(2)(iii) (d)",
    "521.9": "(a) (b) (c) (d) (e) (f)",
    "525.21": "(a) (b) (b)(1) (b)(2) (c) (c)(1) (c)(2) (c)(3) (c)(4) (c)(5) (c)(6) (d) (e) (f) (f)(1)"
    " (f)(2) (f)(3) (f)(4) (g) (g)(1) (g)(2) (g)(3) (g)(4) (g)(5) (h) (h)(1) (h)(2) (h)(3) (h)(4) (i)"
    " (j) (j)(1) (j)(2) (j)(3) (j)(4) (j)(5) (j)(6) (j)(7) (j)(8) (k) (l) (l)(1) (l)(2) (l)(3) (l)(4)"
    " (l)(5) (m) (m)(1) (m)(2) (m)(3) (m)(4) (n) (o) (p) (q) (q)(1) (q)(2) (q)(2)(i) (q)(2)(ii)"
    " (q)(2)(iii) (q)(2)(iv) (q)(2)(v) (q)(3) (q)(4) (q)(5) (q)(6) (q)(7) (r) (r)(1) (r)(2) (r)(3)",
    "525.22": "(a) (b) (c) (c)(1) (c)(2) (c)(3) (d) (e)",
    "528.1": "(1) (2) (3)",
    "528.2": "(a) (a)(1) (a)(2) (a)(3) (a)(4) (b) (b)(1) (b)(2) (c)",
    "528.3": "(a) (a)(1) (a)(2) (a)(3) (b) (c) (c)(1) (c)(2) (c)(3) (c)(4) (c)(5) (d) (d)(1) (d)(2) (e)",
    "528.4": "(a) (b) (c)",
    "528.5": "(1) (2)",
    "528.6": "",
    "528.7": "(1) (2) (3) (4)",
    "528.8": "(a) (a)(1) (a)(2) (a)(3) (a)(4) (b) (c)",
    "528.9": "(a) (b) (c)",
    "539.1": "(a) (b) (c) (c)(1) (c)(2) (c)(3) (d) (d)(1) (d)(1)(i) (d)(1)(ii) (d)(1)(iii)"
    " (d)(2) (d)(2)(i) (d)(2)(ii) (f)",
    "539.2": "(a) (b)",
    "539.3": "(1) (2) (3) (4) (5) (6) (7) (8)",
    "539.4": "(a) (b) (c)",
    "539.5": "(a) (a)(1) (a)(2) (b) (c) (c)(1) (c)(2) (d) (e) (f)",
    "539.6": "(a) (b) (c) (c)(1) (c)(2) (c)(3)",
    "539.7": "(a) (b) (c) (d)",
    "689.1": "(a) (b) (c) (d) (e) (f) (g) (g)(1) (g)(2) (g)(3) (g)(4)",
    "689.2": "(a) (b) (c) (d) (e) (f)",
    "689.3": "(a) (b) (c)",
    "577.1": "",
    "577.2": "(a) (b) (b)(1) (b)(2) (b)(3) (b)(4) (b)(5) (b)(5)(i) (b)(5)(ii) (b)(5)(iii) (b)(5)(iv)"
    " (b)(5)(v) (b)(5)(vi) (b)(5)(vii) (b)(6) (c)",
    "577.3": "(a) (b) (b)(1) (b)(2) (b)(3) (b)(3)(i) (b)(3)(ii) (b)(4) (b)(5) (b)(6) (b)(6)(i) (b)(6)(ii)"
    " (b)(6)(iii) (b)(6)(iv) (b)(6)(v) (b)(6)(vi) (c) (d) (d)(1) (d)(2) (d)(3) (d)(4) (d)(5) (d)(6)"
    " (d)(7) (d)(8) (e)",
    "577.4": "(a) (b) (c) (d)",
    "577.5": "(a) (b) (c) (c)(1) (c)(2) (c)(3) (c)(4) (c)(5) (c)(6) (d) (e) (f) (g) (h)",
    "577.6": "(a) (b) (c) (c)(1) (c)(2) (c)(3) (c)(4) (c)(5) (d) (e) (e)(1) (e)(2) (f) (f)(1) (f)(2) (g)",
    "577.7": "(a) (b)",
    "577.8": "(a) (b)",
    "577.9": "(a) (b) (c)",
    "668a.1": "(a) (b) (b)(1) (b)(2) (b)(3) (b)(4) (b)(5) (b)(6) (c)",
    "668a.2": "(a) (b) (c) (d) (d)(1) (d)(2) (d)(3) (d)(4) (d)(5) (d)(6) (e) (e)(1) (e)(2) (e)(3) (e)(4)"
    " (e)(5) (e)(6) (e)(7) (e)(8) (e)(9) (e)(10) (e)(11) (e)(12) (e)(13) (e)(14) (e)(15) (f) (f)(1)"
    " (f)(2) (f)(3) (f)(4) (f)(5) (f)(6) (f)(7) (f)(8)",
    "668a.3": "(a) (b) (b)(1) (b)(2) (b)(3) (c) (d) (e) (f) (g) (h) (i) (j) (k)",
    "668a.4": "",
    "575.1": "",
    "575.2": "(a) (b) (b)(1) (b)(2) (b)(3) (b)(4) (b)(5) (b)(6) (b)(7) (c) (c)(1) (c)(1)(i)"
    " (c)(1)(ii) (c)(1)(iii) (c)(2) (c)(3) (d) (e)",
    "575.3": "(a) (b) (b)(1) (b)(2) (b)(3) (b)(4) (c) (c)(1) (c)(2)",
    "575.4": "(a) (b) (c) (d) (e)",
    "575.5": "(a) (b) (b)(1) (b)(2) (c) (d) (e) (f) (g) (g)(1) (g)(1)(i) (g)(1)(ii) (g)(1)(iii)"
    " (g)(1)(iv) (g)(2) (g)(3) (h)",
    "575.6": "(a) (b) (b)(1) (b)(2) (b)(3) (b)(4) (b)(5) (b)(6) (b)(7) (b)(8) (b)(9) (c) (d)"
    " (d)(1) (d)(2) (d)(3) (d)(4) (d)(5) (d)(6) (d)(7) (d)(8) (d)(9) (d)(10) (d)(11)",
    "575.7": "(a) (b) (c) (d) (e) (f)",
    "575.8": "(a) (b) (c) (d) (e) (f)",
    "575.9": "(a) (a)(1) (a)(2) (a)(3) (b) (c) (d) (e)",
    "575.10": "(a) (a)(1) (a)(2) (b) (c) (d) (e)",
    "575.11": "(a) (a)(1) (a)(2) (a)(3) (b) (c) (d) (e) (f) (f)(1) (f)(1)(i) (f)(1)(ii)"
    " (f)(1)(iii) (f)(1)(iv) (f)(1)(v) (f)(2) (g) (h) (h)(1) (h)(2) (i)",
    "575.12": "(a) (b) (c)",
    "575.13": "(a) (b) (c) (d) (e) (f) (g) (h) (i) (j) (k) (l) (m) (n)",
}
OUTSIDE = ["603a", "603a.21", "603a.21(d)"]
"""Cited from a text that is not held."""
CONTRACT = ["L", *(f"L.{number}" for number in range(1, 12))]


def in_the_texts() -> list[str]:
    listed: list[str] = []
    for section, markers in MARKERS.items():
        chapter = section.partition(".")[0]
        listed += [] if chapter in listed else [chapter]
        listed += [section, *(section + marker for marker in markers.split())]
    return listed


def test_every_subsection_of_the_texts_stands_in_the_index_once_and_in_order():
    """Of each chapter that was typed above; a further chapter brings a test of its own."""
    typed = [*in_the_texts(), *OUTSIDE, *CONTRACT]
    chapters = {section.partition(".")[0] for section in typed}
    assert [each for each in sections() if each.partition(".")[0] in chapters] == typed


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The tables of the law in a folder where a test may take one away."""
    caches = (
        sections,
        sections_of,
        _parts,
        coverage,
        coverage_of,
        obligations,
        obligations_of,
        listed,
    )
    shutil.copytree(str(files("ledger.law")), tmp_path / "law")
    monkeypatch.setattr(data, "files", lambda _package: tmp_path / "law")
    for cached in caches:
        cached.cache_clear()
    yield tmp_path / "law"
    for cached in caches:
        cached.cache_clear()


@pytest.mark.parametrize("folder", ["index", "coverage"])
def test_a_missing_table_of_a_chapter_is_refused_by_name_and_breaks_no_other_page(
    tables: Path, folder: str
):
    before = show_text("dreamcatcher")
    (tables / folder / "539.tsv").unlink()
    for cached in (sections_of, coverage_of):
        cached.cache_clear()
    with pytest.raises(LawTableMissing) as refused:
        show_text("sic_bo")
    assert refused.value.where == f"ledger/law/{folder}/539.tsv"
    assert "add the file: first a line with" in str(refused.value)
    assert show_text("dreamcatcher") == before
    assert known(DREAMCATCHER[".2(b)"])


def test_a_list_of_obligations_counts_as_soon_as_it_lies_there(tables: Path):
    (tables / "obligations/999.tsv").write_text(
        "\t".join(OBLIGATION) + "\n999.1(a)\tduty\tx\t\t\t\n"
    )
    (tables / "coverage/999.tsv").write_text("\t".join(COVERAGE) + "\n")
    assert [row.id for row in obligations() if row.chapter == "999"] == ["999.1(a)"]
    with pytest.raises(ValueError, match=r"coverage/999\.tsv"):
        coverage()


def test_each_section_has_a_heading_of_its_own_words():
    assert [s for s in sections() if len(heading(s)) < 5 or heading(s) != heading(s).strip()] == []


def test_every_citation_of_a_row_is_known():
    unknown = [f"{row.cite} #{row.cite.part}: {row}" for row in rows() if not known(row.cite)]
    assert unknown == []


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("citation", "expected"),
    [
        (SIC_BO[".6(b)"], True),
        (SIC_BO[".6(b)#total-9"], True),
        (SIC_BO[".6(b)#total-3"], False),
        (SIC_BO[".1(e)"], False),
        (SIC_BO[".6(d)"], False),
        (SIC_BO[""], True),
        (DREAMCATCHER["#edition#3"], True),
        (LEDGER_CONTRACT[".9"], True),
        (LEDGER_CONTRACT[".10"], True),
        (LEDGER_CONTRACT[".11"], True),
        (LEDGER_CONTRACT[".12"], False),
        (Citation(Edition("539", "another text", date(2010, 4, 3)), "539.6(b)"), False),
    ],
    ids=str,
)
def test_a_citation_is_known_by_section_part_and_edition(citation: Citation, expected: bool):
    assert known(citation) is expected


def test_a_part_is_kept_and_not_printed():
    citation = SIC_BO[".6(b)#total-9"]
    assert (citation.section, citation.part) == ("539.6(b)", "total-9")
    assert str(citation) == "§ 539.6(b) (40 Pa.B. 1740)"


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("chapter", "day", "expected"),
    [
        ("539", date(2010, 4, 2), EditionStatus.NOT_YET),
        ("539", date(2010, 4, 3), EditionStatus.IN_FORCE),
        ("539", date(2012, 4, 2), EditionStatus.IN_FORCE),
        ("539", date(2012, 4, 3), EditionStatus.CONTINUED),  # reading: anniversary-day
        ("521", date(2012, 4, 3), EditionStatus.CONTINUED),
        ("525", date(2012, 7, 12), EditionStatus.NOT_YET),
        ("525", date(2012, 7, 13), EditionStatus.IN_FORCE),
        ("525", date(2014, 1, 31), EditionStatus.IN_FORCE),
        ("525", date(2014, 2, 1), EditionStatus.CONTINUED),
        ("603a", date(2014, 1, 31), EditionStatus.NOT_YET),
        ("603a", date(2014, 2, 1), EditionStatus.IN_FORCE),
        ("528", date(2010, 4, 2), EditionStatus.NOT_YET),
        ("528", date(2010, 4, 3), EditionStatus.IN_FORCE),
        ("528", date(2012, 4, 2), EditionStatus.IN_FORCE),
        ("528", date(2012, 4, 3), EditionStatus.LAPSED),
        ("528", date(2012, 5, 11), EditionStatus.LAPSED),
        ("528", date(2012, 5, 12), EditionStatus.CONTINUED),
        ("689", date(2020, 11, 27), EditionStatus.NOT_YET),
        ("689", date(2020, 11, 28), EditionStatus.IN_FORCE),
        ("689", date(2022, 11, 27), EditionStatus.IN_FORCE),
        ("689", date(2022, 11, 28), EditionStatus.LAPSED),  # readings: anniversary-day, lapse-gap
        ("689", date(2024, 5, 24), EditionStatus.LAPSED),
        ("689", date(2024, 5, 25), EditionStatus.CONTINUED),
    ],
)
def test_each_edition_holds_from_its_first_day_to_its_last(
    chapter: str, day: date, expected: EditionStatus
):
    edition = next(c.edition for c in CHAPTERS if c.edition.chapter == chapter)
    assert edition.standing(day) is expected


def test_the_tables_are_data_of_the_package():
    inside = files("ledger.law")
    names = ["findings.toml", "readings.toml", "index/539.tsv", "obligations/689.tsv"]
    assert [name for name in names if not inside.joinpath(name).is_file()] == []
