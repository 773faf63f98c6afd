"""Every kind of planted irregularity is found by its own code and section, and nothing is invented."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from ledger.audit import DayAudit, audit_day
from ledger.floor import FIRST_DAY, KINDS, TruthRow
from ledger.floor.tables import TABLES
from ledger.kernel import FactRef, Finding
from ledger.replay import Replay
from tests.engine import floor_day, judged, log_of, of_tables, said

SIC_BO_BY_OUTCOME = next(spec for spec in TABLES if spec.name == "SB-03")
DOUBTS = {"lost_event": "gap", "conflicting_event": "conflict"}
SCALE = 0.3
"""Kinds that change limits with patrons playing need longer days."""
LONG = {name for name, kind in KINDS.items() if kind.notice is not None} | {"dice_over_24_hours", "shaker_unattended", "table_closed_with_open_round", "wager_left_unsettled"}  # fmt: skip


def matched(truth: Sequence[TruthRow], *audits: DayAudit) -> tuple[list[TruthRow], list[Finding]]:
    """The rows that nothing was found of, and the findings that no row tells."""
    left = [finding for audit in audits for finding in audit.findings]
    missed = []
    for row in truth:
        named = {FactRef(row["stream"], seq) for seq in row["seq"]}
        fits = [
            f
            for f in left
            if f.code == row["code"]
            and named <= set(f.facts)
            and f.citations[0].section == row["cite"]
        ]
        if not row["detectable"]:
            continue
        if fits:
            left.remove(fits[0])
        else:
            missed.append(row)
    return missed, left


def check(*plants: str, seed: int, scale: float, doubted: bool = False) -> None:
    facts, truth = floor_day(*plants, seed=seed, scale=scale)
    days = sorted({FIRST_DAY} | {date.fromisoformat(row["gaming_day"]) for row in truth})
    replay = Replay(log_of(facts))  # a filing on the eve is a finding of the eve
    missed, invented = matched(truth, *(audit_day(replay, day) for day in days))
    assert missed == []
    if doubted:
        invented = [f for f in invented if f.certainty != "unknown"]
    assert said(invented) == []


SAMPLE = [
    kind if number % 24 == 0 or kind in DOUBTS else pytest.param(kind, marks=pytest.mark.full)
    for number, kind in enumerate(sorted(KINDS))
]
"""The normal run takes one kind of twenty-four alone; the demonstration has them all in one day."""


@pytest.mark.parametrize("kind", SAMPLE)
def test_a_plant_is_found(kind: str) -> None:
    scale = SCALE if kind in LONG else 0.1
    check(kind, seed=1, scale=scale, doubted=kind in DOUBTS)


def test_several_kinds_in_one_day() -> None:
    kinds = ("overpaid:3", "underpaid", "late_wager", "wrong_result_called", "settled_twice", "two_revolutions", "over_limit", "inspection_missing")  # fmt: skip
    check(*kinds, seed=1, scale=0.2)


@pytest.mark.full
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_plant_is_found_by_another_seed(kind: str) -> None:
    scale = SCALE if kind in LONG else 0.1
    check(kind, seed=2, scale=scale, doubted=kind in DOUBTS)


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", [1, 2])
def test_all_kinds_together(seed: int) -> None:
    check(*sorted(KINDS), seed=seed, scale=1.0, doubted=True)


@pytest.mark.parametrize("seed", [1])
def test_an_honest_day_has_no_finding(seed: int) -> None:
    honest(seed, 0.25)


@pytest.mark.full
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_honest_long_day_has_no_finding(seed: int) -> None:
    honest(seed, 1.0)


def honest(seed: int, scale: float) -> None:
    facts, truth = floor_day(seed=seed, scale=scale)
    audit = judged(facts)
    assert truth == ()
    assert said(audit.findings) == []
    assert audit.unknown_rounds == 0
    assert audit.events == len(facts)
    assert audit.rounds == sum(type(fact).__name__ == "BettingOpened" for fact in facts)
    assert audit.wagers == sum(type(fact).__name__ == "WagerPlaced" for fact in facts)


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "kind", sorted(k for k, v in KINDS.items() if v.wagers and v.game(SIC_BO_BY_OUTCOME))
)
def test_what_the_capture_level_hides_is_no_finding(kind: str) -> None:
    """Planted at a table of level OUTCOME: neither found nor unknown, and the truth says why."""
    facts, truth = floor_day(f"{kind}@SB-03", scale=0.1)
    audit = judged(of_tables(facts, "SB-03"))
    assert [row["detectable"] for row in truth] == [False]
    assert audit.findings == ()
    line = next(line for line in audit.capture if line.table == "SB-03")
    assert line.level == "outcome"
    assert "settlements" in line.not_covered
