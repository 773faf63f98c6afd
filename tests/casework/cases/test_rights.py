"""Who may do what with a case: each role, each act, and each relation to the case."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ledger.casework.cases import RIGHTS, CaseAct, CaseRole, barred_from, roles_of
from ledger.casework.cases.decider import Ground
from ledger.casework.cases.terms import APART
from ledger.replay import Roster
from tests.casework.cases import scene

PAGE = Path(__file__).parents[3] / "infra/decisions/0025-an-act-is-proved.md"

# fmt: off
MATRIX = [
    #  act                     surv.  fin.   audit  super. admin  Board
    (CaseAct.SEE,            (True,  True,  True,  True,  False, True)),
    (CaseAct.OPEN,           (True,  True,  False, True,  False, False)),
    (CaseAct.NAME_SUBJECT,   (True,  False, False, True,  False, False)),
    (CaseAct.ASSIGN,         (False, False, False, True,  False, False)),
    (CaseAct.NOTE,           (True,  True,  True,  True,  False, False)),
    (CaseAct.SET_TASK,       (True,  False, False, True,  False, False)),
    (CaseAct.PIN,            (True,  True,  False, True,  False, False)),
    (CaseAct.HANDLE_MEDIA,   (True,  False, False, True,  False, False)),
    (CaseAct.HANDLE_FOOTAGE, (True,  False, False, True,  False, False)),
    (CaseAct.LINK,           (True,  True,  False, True,  False, False)),
    (CaseAct.ASSESS,         (True,  True,  False, True,  False, False)),
    (CaseAct.DECIDE,         (False, False, False, True,  False, False)),
    (CaseAct.CLOSE,          (False, False, False, True,  False, False)),
    (CaseAct.REOPEN,         (False, False, False, True,  False, False)),
    (CaseAct.PREPARE_LETTER, (True,  False, False, True,  False, False)),
    (CaseAct.APPROVE_LETTER, (False, False, False, True,  False, False)),
    (CaseAct.REVEAL,         (True,  True,  True,  True,  False, True)),
]
# fmt: on
"""Written by hand, apart from the table of the product."""


def test_the_matrix_has_each_act() -> None:
    assert [act for act, _ in MATRIX] == list(CaseAct)
    assert RIGHTS.keys() == set(CaseRole)


@pytest.mark.row_by_row
@pytest.mark.parametrize(("person", "roles"), [(row[0], row[4]) for row in scene.PEOPLE])
def test_roles_follow_from_department_and_rank(person: str, roles: set[CaseRole]) -> None:
    assert roles_of(scene.roster(), person, scene.AT) == roles


@pytest.mark.row_by_row
@pytest.mark.parametrize(("act", "row"), MATRIX)
@pytest.mark.parametrize(("person", "roles"), [(row[0], row[4]) for row in scene.PEOPLE])
def test_a_person_may_what_one_of_the_roles_may(
    person: str, roles: set[CaseRole], act: CaseAct, row: tuple[bool, ...]
) -> None:
    allowed = {role for role, is_allowed in zip(CaseRole, row, strict=True) if is_allowed}
    case = scene.case_after()
    barred = barred_from(case, act, person, scene.AT, scene.ground())
    assert (barred is None) is bool(roles & allowed), barred


@pytest.mark.row_by_row
@pytest.mark.parametrize("act", CaseAct)
@pytest.mark.parametrize("person", ["R-1", "E-1", "X-9"])
def test_without_a_valid_credential_nothing_is_allowed(person: str, act: CaseAct) -> None:
    barred = barred_from(scene.case_after(), act, person, scene.AT, scene.ground())
    assert barred == f"No valid credential for {person} on this date"


@pytest.mark.row_by_row
@pytest.mark.parametrize("act", CaseAct)
def test_without_a_roster_nothing_is_allowed(act: CaseAct) -> None:
    barred = barred_from(scene.case_after(), act, "V-1", scene.AT, Ground(roster=Roster()))
    assert barred is not None


@pytest.mark.row_by_row
@pytest.mark.parametrize("act", CaseAct)
@pytest.mark.parametrize("person", ["V-1", "v-1", "V1", "\uff36-1", "V-1B"])
def test_a_subject_may_nothing_by_whatever_credential(person: str, act: CaseAct) -> None:
    case = scene.case_after(subjects=(scene.staff("V-1"),))
    barred = barred_from(case, act, person, scene.AT, scene.ground())
    assert barred is not None
    assert "subject" in barred
    assert barred_from(case, act, "V-2", scene.AT, scene.ground()) is None or not any(
        act in RIGHTS[role] for role in (CaseRole.SUPERVISOR,)
    )


@pytest.mark.row_by_row
@pytest.mark.parametrize("act", CaseAct)
def test_who_stood_at_the_table_only_works_on_the_case(act: CaseAct) -> None:
    ground = replace(scene.ground(), concerned={"V-2": "supervised SB-01 then"})
    barred = barred_from(scene.case_after(), act, "V-2", scene.AT, ground)
    assert (barred is not None) is (act in APART)


def test_the_decision_page_has_the_matrix_as_it_is() -> None:
    rows = [
        f"| {act} | "
        + " | ".join("yes" if act in RIGHTS[role] else "no" for role in CaseRole)
        + f" | {'yes' if act in APART else 'no'} |"
        for act in CaseAct
    ]
    page = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line for line in page if line in rows] == rows
