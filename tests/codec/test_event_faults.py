"""All faults of an event at once: the first refusal is among them, and a fact has none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.codec import NotAFact, faults_of, from_plain, registry, sample_of, to_plain
from tests.strategies import facts

WRONG: list[Any] = [None, True, 1.5, -1, "", "x", [], {}, [{}], ["\ud800"]]


def wager(**changed: Any) -> dict[str, Any]:
    sample = sample_of(registry().by_name("WagerPlaced"))
    assert sample is not None
    return {**sample, **changed}


@given(facts())
def test_a_fact_has_no_fault(fact: Any) -> None:
    assert faults_of(to_plain(fact)) == []


@given(facts(), st.data())
def test_every_spoiled_field_is_named(fact: Any, data: st.DataObject) -> None:
    values = to_plain(fact)
    fields = [name for name in values if name not in ("event", "version")]
    spoiled = data.draw(st.sets(st.sampled_from(fields), min_size=1, max_size=4))
    for name in spoiled:
        values[name] = object()
    assert {fault.path for fault in faults_of(values)} == spoiled


@given(facts(), st.data())
def test_what_is_refused_has_that_fault_and_what_is_taken_has_none(
    fact: Any, data: st.DataObject
) -> None:
    values = to_plain(fact)
    for name in data.draw(st.sets(st.sampled_from(list(values)), max_size=3)):
        if data.draw(st.booleans()):
            values[name] = data.draw(st.sampled_from(WRONG))
        else:
            del values[name]
    named = [(fault.reason, fault.path) for fault in faults_of(values)]
    refused = None
    try:
        from_plain(values)
    except NotAFact as refusal:
        refused = (refusal.reason, refusal.path)
    assert refused in named if refused else named == []


@pytest.mark.parametrize(
    ("values", "faults"),
    [
        ([], [("not_an_object", "")]),
        ({}, [("missing_field", "event")]),
        ({"event": "Wager"}, [("unknown_event", "event")]),
        (wager(version=99), [("unknown_version", "version")]),
        (wager(seq=0, stake_cents="25"), [("out_of_range", "seq"), ("wrong_type", "stake_cents")]),
        (wager(stream="\x07"), [("bad_text", "stream")]),
        (
            wager(picks=[9, "9", None], coupons=[{"serial": 4}]),
            [
                *(("wrong_type", "picks[1]"), ("wrong_type", "picks[2]")),
                *(("wrong_type", "coupons[0].serial"), ("missing_field", "coupons[0].chips_cents")),
            ],
        ),
    ],
)
def test_the_faults_of_an_event(values: object, faults: list[tuple[str, str]]) -> None:
    assert [(str(fault.reason), fault.path) for fault in faults_of(values)] == faults
