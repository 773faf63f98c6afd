"""Properties of every audit: unrelated tables do not touch, and money is accounted for to the cent."""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.audit import rounds_of
from ledger.events import Fact, WagerSettled
from ledger.floor import FIRST_DAY
from ledger.kernel import table_of
from ledger.replay import Replay
from tests.engine import floor_day, judged, log_of, ref, table_day

MONEY = {
    "wager_underpaid", "wager_overpaid", "wrong_outcome", "stake_taken_wrong", "wager_overtaken",
    "wager_settled_twice", "wager_unsettled", "payout_limit_not_applied", "settled_on_void_spin",
}  # fmt: skip
PLANTS = ("overpaid:2", "underpaid:2", "losing_wager_not_taken:2", "winner_taken:2", "settled_twice", "wager_left_unsettled:2")  # fmt: skip


def test_a_table_is_judged_as_if_it_stood_alone() -> None:
    """Of the planted floor, the findings and rounds of one table are those of the table alone."""
    whole = judged(floor_day(*PLANTS, scale=0.05)[0])
    captured = {line.table: line for line in whole.capture}
    for table in ("SB-01", "SB-02", "SB-03", "DC-01", "DC-02"):
        alone = judged(table_day(table, *PLANTS, scale=0.05))
        assert list(alone.findings) == [f for f in whole.findings if table_of(f.stream) == table]
        assert alone.capture == (captured[table],)


@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_tables_commute(chance: Random) -> None:
    """However the tables' facts interleave, each stream in its own order, the day is the same."""
    facts, _ = floor_day(*PLANTS, scale=0.05)
    streams: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        streams[fact.stream].append(fact)
    names = sorted(streams)
    chance.shuffle(names)
    assert judged(f for name in names for f in streams[name]).digest == judged(facts).digest


@pytest.mark.parametrize("seed", [1, 2])
def test_effects_are_what_the_house_lost(seed: int) -> None:
    """The effects of the broken settlements add up to paid minus owed, wager by wager.

    Paid is summed here from the facts themselves, twice settled wagers included.
    """
    facts, truth = floor_day(*PLANTS, seed=seed, scale=0.05)
    replay = Replay(log_of(facts))
    audit = judged(facts)
    assert len(truth) == 11
    settled: Counter[tuple[str, str]] = Counter()
    current: dict[str, str] = {}
    for fact in sorted(facts, key=lambda f: (f.event_time, f.stream, f.seq)):
        if type(fact).__name__ == "BettingOpened":
            current[table_of(fact.stream)] = str(ref(fact))
        elif isinstance(fact, WagerSettled):
            net = fact.winnings_cents - fact.stake_taken_cents
            settled[(current[table_of(fact.stream)], fact.wager_id)] += net
    lost = 0
    for result in rounds_of(replay, FIRST_DAY):
        for wager in result.wagers:
            owed = (wager.expected.winnings_cents or 0) - (wager.expected.stake_taken_cents or 0)
            lost += settled[(result.round, wager.wager_id)] - owed
    told = [f for f in audit.findings if f.code in MONEY and f.certainty == "broken"]
    assert all(f.effect_cents is not None for f in told)
    assert sum(f.effect_cents or 0 for f in told) == lost != 0


def test_an_honest_day_owes_nothing() -> None:
    """Every wager comes to what the house did, to the cent, and every one has both sides."""
    facts, _ = floor_day(scale=0.05)
    for result in rounds_of(Replay(log_of(facts)), FIRST_DAY):
        for wager in result.wagers:
            due, done = wager.expected, wager.observed
            if done is None:
                lasts = wager.wager == "Six Eight Shake"
                assert due.outcome == "returned" or (lasts and due.outcome == "stands")
                continue
            assert (due.outcome, due.winnings_cents, due.stake_taken_cents) == (
                done.outcome, done.winnings_cents, done.stake_taken_cents,
            )  # fmt: skip
            assert due.outcome != "lost" or due.stake_taken_cents == wager.stake_cents


def test_each_finding_can_be_acted_on() -> None:
    """It has a sentence, a citation, a fact, and stands on the day and in the stream of its last fact."""
    audit = judged(floor_day(*PLANTS, "late_wager", "lost_event", "unapproved_sign", scale=0.05)[0])
    assert len(audit.findings) > 12
    for found in audit.findings:
        assert found.citations
        assert found.facts
        assert found.stream == found.facts[-1].stream
        assert found.gaming_day == FIRST_DAY
        assert "{" not in found.sentence
        assert "None" not in found.sentence
    assert list(audit.findings) == sorted(
        audit.findings, key=lambda f: (f.stream.encode(), f.facts[-1].seq, f.code)
    )
