"""Any events of cases in any order give a state: nothing raises, and nothing unlawful counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import events
from ledger.casework.cases import CaseFile, CaseStatus
from ledger.casework.cases.case_file import evolve, opened_file, set_aside
from ledger.casework.cases.decider import refusal
from ledger.casework.cases.terms import KINDS, CaseEvent
from tests.casework.cases import scene
from tests.strategies import facts

PERSONS = st.sampled_from([row[0] for row in scene.PEOPLE] + ["V-1B", "R-1", "E-1", "X-9"])


@st.composite
def plausible(draw: st.DrawFn) -> CaseEvent:
    """An act by somebody of the scene, in order in itself."""
    fact: CaseEvent = scene.act(draw(st.sampled_from(sorted(KINDS))), draw(PERSONS))
    if isinstance(fact, events.CaseTaskSet):
        fact = replace(fact, task=draw(st.integers(1, 3)))
    if isinstance(fact, events.CaseMediaHandled):
        fact = replace(fact, act=draw(st.sampled_from(events.MediaAct)))
    if isinstance(fact, events.CaseFootageHandled):
        fact = replace(fact, state=draw(st.sampled_from(events.FootageState)))
    if isinstance(fact, events.CaseSubjectAdded):
        fact = replace(fact, subject=scene.staff(draw(PERSONS)))
    return fact


ANY: st.SearchStrategy[Any] = st.one_of(plausible(), plausible(), facts(*sorted(KINDS)))


def follow(sent: list[CaseEvent]) -> tuple[CaseFile, list[CaseEvent]]:
    """The case after all of them, and those that counted."""
    case, counted = scene.case_after(), []
    for fact in sent:
        why = refusal(case, fact, scene.ground())
        case = evolve(case, fact) if why is None else set_aside(case, fact, why)
        counted += [fact] if why is None else []
    return case, counted


@settings(max_examples=40, deadline=None)
@given(st.lists(ANY, max_size=14))
def test_any_sequence_gives_a_state(sent: list[CaseEvent]) -> None:
    case, counted = follow(sent)
    assert len(case.idle) + len(counted) == len(sent)
    assert all(one.why for one in case.idle)


@settings(max_examples=40, deadline=None)
@given(st.lists(plausible(), max_size=14))
def test_what_is_closed_was_decided_by_another_person(sent: list[CaseEvent]) -> None:
    case, counted = follow(sent)
    if case.status is not CaseStatus.CLOSED:
        return
    assert case.closed is not None
    assert case.decision is not None
    people = scene.roster()
    assert not people.are_one(case.closed.closed_by, case.decision.decided_by)
    assert not people.are_one(case.closed.closed_by, case.opened.opened_by)
    assert case.closed in counted


@settings(max_examples=30, deadline=None)
@given(st.lists(facts(*sorted(KINDS)), max_size=6))
def test_hostile_events_turn_pages_without_raising(sent: list[CaseEvent]) -> None:
    case = opened_file(scene.act("CaseOpened", "S-1"))
    for fact in sent:
        case = evolve(case, fact)
    assert case.number == scene.NUMBER
    assert case.held() is not None
    assert case.matters is not None
