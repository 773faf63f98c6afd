"""Findings against the truth: what agrees, and each way in which they can disagree."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from ledger.floor import TruthRow
from ledger.kernel import Certainty, FactRef, Finding, Severity
from ledger.law import SIC_BO
from ledger.reports import TruthMalformed, compare, truth_rows

FINDING = Finding(
    code="wager_underpaid",
    severity=Severity.HIGH,
    certainty=Certainty.BROKEN,
    sentence="Paid $0.00, should be $50.00.",
    citations=(SIC_BO[".6(b)"],),
    gaming_day=date(2021, 3, 15),
    stream="SB-01",
    facts=(FactRef("SB-01", 8), FactRef("SB-01", 16)),
    round="SB-01:6",
    effect_cents=-5_000,
)
ROW: TruthRow = {
    "kind": "underpaid",
    "gaming_day": "2021-03-15",
    "round": "SB-01:6",
    "stream": "SB-01",
    "seq": [16],
    "code": "wager_underpaid",
    "cite": "539.6(b)",
    "detectable": True,
    "why": None,
}


def row(**change: Any) -> TruthRow:
    return {**ROW, **change}  # type: ignore[typeddict-item]


def test_found_and_none_invented() -> None:
    done = compare([ROW], [FINDING], [])
    assert done.agrees
    assert [match.finding for match in done.matches] == [FINDING]


@pytest.mark.parametrize(
    "change",
    [
        {"code": "wager_overpaid"},
        {"seq": [17]},
        {"seq": [16, 17]},
        {"stream": "SB-02"},
        {"round": "SB-01:1"},
        {"detectable": False},
    ],
    ids=str,
)
def test_a_row_that_is_not_quite_it(change: dict[str, Any]) -> None:
    assert not compare([row(**change)], [FINDING], []).agrees


@pytest.mark.parametrize("change", [{"round": None}, {"seq": [8, 16]}, {"seq": [8]}], ids=str)
def test_a_row_may_say_less(change: dict[str, Any]) -> None:
    assert compare([row(**change)], [FINDING], []).agrees


def test_each_finding_stands_for_one_row() -> None:
    assert not compare([ROW, ROW], [FINDING], []).agrees
    assert not compare([ROW], [FINDING, FINDING], []).agrees
    assert compare([ROW, ROW], [FINDING, FINDING], []).agrees


def test_one_missed_and_one_invented_are_named() -> None:
    other = replace(FINDING, code="wrong_call")
    done = compare([ROW], [other], [])
    assert [match.row for match in done.missed] == [ROW]
    assert done.invented == (other,)


def test_a_finding_may_look_back_from_the_opening_of_its_round() -> None:
    late = replace(FINDING, round="SB-01:20", facts=(FactRef("SB-01", 16), FactRef("SB-01", 20)))
    assert compare([ROW], [late], []).agrees
    assert not compare([ROW], [replace(late, round="SB-01:21")], []).agrees


def test_what_cannot_be_seen_must_not_be_found() -> None:
    hidden = row(detectable=False, seq=[], why="nobody records it")
    assert compare([hidden], [], []).agrees
    assert not compare([hidden], [FINDING], []).agrees


def test_rounds_beside_a_lost_fact_must_be_unknown() -> None:
    lost = row(unknown_rounds=["SB-01:6"])
    assert compare([lost], [FINDING], ["SB-01:6"]).agrees
    done = compare([lost], [FINDING], [])
    assert not done.agrees
    assert done.rounds_not_unknown == ("SB-01:6",)


@pytest.mark.parametrize("value", [None, {}, [1], [{}], [{**ROW, "seq": "16"}], [{**ROW, "round": 6}], [{**ROW, "seq": [True]}]], ids=str)  # fmt: skip
def test_what_is_no_truth(value: Any) -> None:
    with pytest.raises(TruthMalformed):
        truth_rows(value)
    assert truth_rows([ROW]) == [ROW]
