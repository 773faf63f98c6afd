"""The lists of obligations: whole, and each row either carried by something or given a reason."""

import ast
from functools import cache
from pathlib import Path

from ledger import reports
from ledger.events import EVENTS
from ledger.law import (
    CHAPTERS,
    Carried,
    Evidence,
    Status,
    coverage,
    finding_codes,
    obligations,
    readings,
    sections,
)
from tests.law.source import rows

ROOT = Path(__file__).parents[2]
ROWS = {
    "521": 46, "525": 213, "528": 58, "539": 116, "575": 221, "577": 171, "668a": 125, "689": 80,
}  # fmt: skip
OWN = {"575.11(e)#4", "575.11(h)#3", "577.3(e)#3", "577.6(f)#1"}
"""Rows of the project's own, which the lists that it was given do not have."""
NOT_GIVEN = "Not in the shared list: "
NO_SECTION = {"539.1(e)"}  # the text's own gap in its letters
KINDS = {
    "definition",
    "wager",
    "payout",
    "outcome",
    "validity",
    "procedure",
    "equipment",
    "staffing",
}
KINDS |= {
    "surveillance",
    "record",
    "approval",
    "notice",
    "limit",
    "coupon",
    "report",
    "out-of-scope",
}


def test_the_lists_are_whole():
    given = [row for row in obligations() if row.id not in OWN]
    counts = {chapter: sum(row.chapter == chapter for row in given) for chapter in ROWS}
    assert counts == ROWS
    assert len({row.id for row in given}) == sum(ROWS.values())


def test_a_row_of_our_own_is_named_as_such_and_says_why():
    named = {entry.obligation.id for entry in coverage() if entry.why.startswith(NOT_GIVEN)}
    assert named == OWN
    reasons = [
        entry.why.removeprefix(NOT_GIVEN) for entry in coverage() if entry.obligation.id in OWN
    ]
    assert all(reasons)


def test_each_row_stands_in_a_section_of_the_index():
    assert {row.section for row in obligations()} - set(sections()) == NO_SECTION


def test_each_section_of_the_chapters_has_an_obligation_in_or_below_it():
    for section in sections():
        if not section.startswith(("L", "603a")):  # our own contract; a text not held
            assert any(row.section.startswith(section) for row in obligations()), section


def test_each_row_is_of_a_known_kind_and_names_known_readings():
    assert {row.kind for row in obligations()} <= KINDS
    assert {name for row in obligations() for name in row.readings} - set(readings()) == set()


@cache
def cited() -> frozenset[str]:
    """Rows by their citation: "539.6(b)#total-9"."""
    return frozenset(
        f"{row.cite.section}#{row.cite.part}" if row.cite.part else row.cite.section
        for row in rows()
    )


def exists(name: str) -> bool:
    kind, _, what = name.partition(":")
    match kind:
        case "row":
            return what in cited()
        case "finding":
            return what in finding_codes()
        case "fact":
            return what in EVENTS
        case "reading":
            return what in readings()
        case "report":
            return what in reports.__all__
        case "edition" | "index":
            return what in {chapter.edition.chapter for chapter in CHAPTERS}
    return False


def test_obligations_are_carried_by_what_exists_or_say_why_not():
    unknown = [
        (entry.obligation.id, name) for entry in coverage() for name in entry.by if not exists(name)
    ]
    assert unknown == []
    assert [entry.obligation.id for entry in coverage() if not is_answered(entry)] == []


def is_answered(entry: Carried) -> bool:
    """Whether a modelled row has carriers and a kind of evidence, and any other a reason alone."""
    if entry.status is Status.MODELLED:
        return bool(entry.by) and entry.evidence in (Evidence.COMPUTED, Evidence.ATTESTED)
    return bool(entry.why) and entry.evidence is None


@cache
def functions_of(path: str) -> frozenset[str]:
    module = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(module) if isinstance(node, ast.FunctionDef))


def test_every_test_that_the_coverage_names_exists():
    missing = []
    for entry in coverage():
        for test in entry.tests:
            path, _, name = test.partition("::")
            bare = name.partition("[")[0]
            if not (ROOT / path).is_file() or bare not in functions_of(path):
                missing.append(f"{entry.obligation.id}: {test}")
    assert missing == []
