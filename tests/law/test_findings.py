"""The table of finding codes: complete for the source and for the lists, and fit to be read."""

import re

import pytest

from ledger.floor.plant_kinds import KINDS
from ledger.law import CodeUnknown, explain, finding_codes, obligations, sections
from ledger.reports.law.finding_codes import chapters_of
from tests.law.source import LEDGER, codes_written, rows


def test_every_code_that_the_source_writes_is_in_the_table():
    missing = [
        f"{code} ({where})" for code, where in codes_written() if code not in finding_codes()
    ]
    assert missing == []


def test_every_code_of_a_row_is_in_the_table():
    codes = {row.code for row in rows() if hasattr(row, "code")}
    assert codes - set(finding_codes()) == set()


def test_every_code_of_the_lists_is_in_the_table():
    codes = {code for row in obligations() for code in row.when_broken}
    assert codes - set(finding_codes()) == set()


def test_every_code_that_the_simulated_floor_plants_is_in_the_table_and_its_section_in_the_index():
    assert {kind.code for kind in KINDS.values()} - set(finding_codes()) == set()
    assert {kind.cite for kind in KINDS.values()} - set(sections()) == set()


def test_the_codes_of_the_ledger_contract_stand_under_the_sections_that_the_audit_cites():
    cited = re.findall(
        r'_finding\(\s*day,\s*"(\w+)",\s*"(\.\d+)"',
        (LEDGER / "audit/ledger_contract.py").read_text()
        + (LEDGER / "audit/approvals.py").read_text(),
    )
    assert len(cited) >= 8
    wrong = [pair for pair in cited if f"L{pair[1]}" not in finding_codes()[pair[0]].chapters]
    assert wrong == []


def test_no_code_lists_a_chapter_that_its_rows_and_obligations_show():
    shown: dict[str, set[str]] = {}
    for row in rows():
        if hasattr(row, "code"):
            shown.setdefault(row.code, set()).add(row.cite.edition.chapter)
    for row in obligations():
        for code in row.when_broken:
            shown.setdefault(code, set()).add(row.chapter)
    for code, entry in finding_codes().items():
        assert not shown.get(code, set()) & set(entry.chapters), code
        assert set(chapters_of(entry)) == shown.get(code, set()) | set(entry.chapters), code


def test_each_code_can_be_read():
    for code, entry in finding_codes().items():
        assert re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", code)
        assert entry.means.endswith("."), code
        assert entry.do.endswith("."), code
        assert chapters_of(entry), code
        assert set(chapters_of(entry)) <= set(sections()), code


def test_a_code_is_explained():
    entry = explain("too_few_shakes")
    assert entry.means == "A manual shaker was shaken fewer than three times."
    assert "539" in chapters_of(entry)


def test_an_unknown_code_is_refused_with_one_that_is_near():
    with pytest.raises(CodeUnknown) as refused:
        explain("underpaid")
    assert refused.value.exit_code == 2
    assert refused.value.next_step == "did you mean wager_underpaid?"
