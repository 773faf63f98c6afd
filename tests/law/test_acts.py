"""The table of acts: what it says is what the decision page says, and each section is held."""

from __future__ import annotations

from pathlib import Path

from ledger.events import Role
from ledger.law import RANKS, acts, ranks_of_roles, sections

PAGE = Path(__file__).parents[2] / "infra/decisions/0013-nobody-decides-about-himself.md"


def test_each_act_cites_sections_that_are_held() -> None:
    for act in acts().values():
        assert act.cites
        assert all(cite.partition("(")[0] in sections() for cite in act.cites), act.name


def test_each_role_at_a_table_has_a_rank_or_is_no_employee() -> None:
    assert {role.value for role in Role} - set(ranks_of_roles()) == {"PATRON", "UNRECOGNISED"}
    assert set(ranks_of_roles().values()) <= set(RANKS)


def test_the_decision_page_has_the_table_as_it_is() -> None:
    rows = [
        f"| {act.name} | {act.rank} | {', '.join(act.departments)} |"
        f" {'yes' if act.apart else 'no'} | {act.second} | {', '.join(act.cites)} |"
        for act in acts().values()
    ]
    page = PAGE.read_text(encoding="utf-8").splitlines()
    assert [line for line in page if line in rows] == rows
