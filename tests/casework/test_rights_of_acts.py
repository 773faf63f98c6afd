"""Each act of the table of acts, for each role: written by hand, apart from the table."""

from __future__ import annotations

from typing import Final

import pytest

from ledger.law import acts
from tests.casework.cases import scene

# fmt: off
MAY: Final = {
    # surveillance S-1, its supervisor V-1; finance F-1, its supervisor F-9; auditor A-1, supervisor
    # of compliance A-2; supervisors at tables V-2, V-3; administrators I-1 (supervisor), I-2 (no
    # rank); Board agents B-1, B-2 (a supervisor there); a dealer D-1; a manager of marketing K-1
    "take":                {"S-1", "V-1"},
    "note":                {"S-1", "V-1", "F-1", "F-9", "A-1", "A-2", "V-2", "V-3", "I-1", "I-2", "D-1", "K-1"},
    "close":               {"V-1"},
    "suppress":            {"V-1"},
    "correct":             {"S-1", "V-1", "F-1", "F-9", "A-1", "A-2", "V-2", "V-3", "I-1", "I-2", "D-1", "K-1"},
    "approve":             {"V-1", "F-9", "A-2", "V-2", "V-3", "I-1", "K-1"},
    "observe":             {"S-1", "V-1"},
    "confirm observation": {"V-1"},
    "prepare report":      {"S-1", "V-1", "F-1", "F-9", "A-1", "A-2", "V-2", "V-3", "I-1", "I-2", "D-1", "K-1"},
    "approve report":      {"V-1", "F-9", "A-2", "V-2", "V-3", "I-1", "K-1"},
    "sign form":           {"F-9", "K-1"},
    "hold":                {"S-1", "V-1", "F-1", "F-9", "A-1", "A-2", "I-1", "I-2"},
    "release":             {"V-1", "A-2"},
    "forget":              {"F-9", "I-1"},
    "describe property":   {"A-2", "I-1"},
}
# fmt: on
"""An act that is addressed is addressed to surveillance here."""
APART: Final = {
    *("take", "close", "suppress", "approve", "observe", "confirm observation"),
    *("prepare report", "approve report", "release", "forget"),
}


def test_each_act_is_here() -> None:
    assert MAY.keys() == acts().keys()


@pytest.mark.row_by_row
@pytest.mark.parametrize("act", MAY)
def test_each_role_may_what_the_table_gives_it(act: str) -> None:
    bars = {
        person: scene.roster().bar(acts()[act], person, scene.AT, department="surveillance")
        for person, *_ in scene.PEOPLE
    }
    assert {person for person, bar in bars.items() if bar is None} == MAY[act]


@pytest.mark.row_by_row
@pytest.mark.parametrize("act", MAY)
@pytest.mark.parametrize("person", ["R-1", "E-1", "X-9"])
def test_nobody_does_it_without_a_valid_credential(act: str, person: str) -> None:
    bar = scene.roster().bar(acts()[act], person, scene.AT, department="surveillance")
    assert bar is not None
    assert not bar.holds


@pytest.mark.row_by_row
@pytest.mark.parametrize("act", MAY)
def test_whom_it_is_about_does_not_do_it_where_it_is_apart(act: str) -> None:
    roster = scene.roster()
    for person in MAY[act]:
        own = {person: "is whom this is about"}
        bar = roster.bar(
            acts()[act], person, scene.AT, department="surveillance", concerned=own
        )  # fmt: skip
        assert (bar is not None) is (act in APART), person


@pytest.mark.parametrize("person", ["B-1", "B-2"])
def test_a_board_agent_is_told_to_read_only(person: str) -> None:
    bar = scene.roster().bar(acts()["note"], person, scene.AT)
    assert bar is not None
    assert bar.why == f"{person} is an agent of the Board, who reads only"
