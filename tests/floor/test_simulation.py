"""The floor's promises about its facts: the same every time, in order, complete."""

from __future__ import annotations

import hashlib
import itertools
import os
import subprocess
import sys
from collections import defaultdict
from datetime import date

import pytest

from ledger.events import Fact, GamingDayClosed, SourceRegistered, TableOpened
from ledger.floor import Plant, simulate
from ledger.floor.tables import TABLES
from ledger.kernel import PropertyClock, UsageError, table_of

CLOCK = PropertyClock("America/New_York", 360)
SCRIPT = """
import hashlib
from ledger.floor import Plant, simulate
s = simulate(5, days=2, plants=[Plant.parse("overpaid:2"), Plant.parse("lost_event")], scale=0.1)
h = hashlib.sha256()
for fact in s.facts:
    h.update(repr(fact).encode())
h.update(repr(s.truth).encode())
print(h.hexdigest())
"""


def digest(facts: object) -> str:
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def test_the_same_seed_gives_the_same_facts_in_any_process() -> None:
    seen = set()
    for hash_seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        seen.add(run.stdout)
    assert len(seen) == 1


def test_another_seed_gives_other_facts() -> None:
    assert digest(tuple(simulate(1, scale=0.05).facts)) != digest(
        tuple(simulate(2, scale=0.05).facts)
    )


def test_a_day_is_large_enough_and_a_short_day_small(honest: tuple[Fact, ...]) -> None:
    assert len(honest) >= 40_000
    assert 1_000 <= sum(1 for _ in simulate(1, scale=0.02).facts) <= 8_000


def test_numbers_have_no_holes_and_times_rise_in_each_stream(week: tuple[Fact, ...]) -> None:
    last: dict[str, Fact] = {}
    for fact in week:
        before = last.get(fact.stream)
        assert fact.seq == (1 if before is None else before.seq + 1)
        assert before is None or fact.event_time > before.event_time
        last[fact.stream] = fact


def test_streams_interleave_in_the_order_of_arrival(honest: tuple[Fact, ...]) -> None:
    back = [
        b.event_time - a.event_time
        for a, b in itertools.pairwise(honest)
        if b.event_time < a.event_time
    ]
    assert len(back) > 100, "other streams overtake"
    assert min(back) > -30_000_000, "by seconds, not by minutes"


def test_facts_of_one_table_are_never_too_close_for_its_clocks(honest: tuple[Fact, ...]) -> None:
    times = defaultdict(list)
    for fact in honest:
        times[table_of(fact.stream)].append(fact.event_time)
    for moments in times.values():
        moments.sort()
        assert all(b - a >= 50_000 for a, b in itertools.pairwise(moments))


def test_every_stream_has_its_registered_source(honest: tuple[Fact, ...]) -> None:
    registered = {
        f.registered_stream: f.registered_source for f in honest if isinstance(f, SourceRegistered)
    }
    assert {f.stream: f.source for f in honest} == registered


def test_control_totals_name_every_stream_of_the_day(week: tuple[Fact, ...]) -> None:
    last: dict[str, dict[str, int]] = defaultdict(dict)
    closed = []
    for fact in week:
        day = CLOCK.day_of(fact.event_time).isoformat()
        last[day][fact.stream] = fact.seq
        if isinstance(fact, GamingDayClosed):
            closed.append(fact)
            assert fact.gaming_day == day
            assert {end.stream: end.last_seq for end in fact.streams} == last[day]
    assert [fact.gaming_day for fact in closed] == [
        date(2021, 6, 12 + n).isoformat() for n in range(8)
    ]


def test_what_is_standing_is_stated_once(week: tuple[Fact, ...]) -> None:
    names = [type(fact).__name__ for fact in week]
    for once in ("PropertyDescribed",):
        assert names.count(once) == 1
    for per_table in ("RulesSubmissionFiled", "RulesSubmissionApproved", "LayoutApproved"):
        assert names.count(per_table) == len(TABLES)
    assert names.count("WheelPlaced") == 2
    assert sum(isinstance(fact, TableOpened) for fact in week) == len(TABLES) * 8


@pytest.mark.parametrize(("days", "scale"), [(0, 1.0), (1, 0.0), (1, 1.5), (10**6, 1.0)])
def test_senseless_arguments_are_refused(days: int, scale: float) -> None:
    with pytest.raises(UsageError):
        simulate(1, days=days, scale=scale)


def test_both_clock_changes(honest: tuple[Fact, ...]) -> None:
    for day in (date(2021, 3, 13), date(2021, 11, 6)):
        facts = list(simulate(3, first_day=day, scale=0.3).facts)
        assert {CLOCK.day_of(fact.event_time) for fact in facts} == {day}


def test_truth_waits_for_the_last_fact() -> None:
    simulation = simulate(1, plants=[Plant("overpaid")], scale=0.1)
    with pytest.raises(RuntimeError):
        _ = simulation.truth
    assert sum(1 for _ in simulation.facts)
    assert len(simulation.truth) == 1
