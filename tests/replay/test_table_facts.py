"""The columns of a table's facts are what a walk hands out, or there are none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ledger import events
from ledger.kernel import table_of
from ledger.replay import FactStep, Replay
from tests.engine import floor_day, log_of, of_tables

TABLE = "SB-01"
FOREVER = 1 << 62


def day() -> list[events.Fact]:
    """The offices and one table on a short day."""
    return list(of_tables(floor_day(scale=0.03)[0], TABLE))


def both(facts: Any, stated: dict[str, int] | None = None) -> tuple[list[Any] | None, list[Any]]:
    """The columns' steps (None where there are no columns) and those of the walk."""
    replay = Replay(log_of(facts))
    streams = replay.tables()[TABLE]
    columns = replay.table_facts(streams, 0, FOREVER, stated or {})
    steps = None if columns is None else [columns.step(row) for row in range(len(columns))]
    return steps, list(replay.walk(streams, stated=stated))


def test_they_are_the_steps_of_the_walk_in_its_order() -> None:
    steps, walked = both(day())
    assert steps == walked
    assert len(walked) > 400


def test_the_bytes_before_who_recorded_a_fact_are_counted_right() -> None:
    replay = Replay(log_of(day()))
    columns = replay.table_facts(replay.tables()[TABLE], 0, FOREVER, {})
    assert columns is not None
    for row in range(len(columns)):
        packed = columns.bundle(columns.position[row] // 256)
        place = columns.offset[row] + columns.begins[row]
        person = columns.fact(row).recorded_by
        written = b"\0" if person is None else b"\x02" + bytes([2 * len(person)]) + person.encode()
        assert packed[place : place + len(written)] == written


def _of_table(facts: list[events.Fact]) -> list[int]:
    return [number for number, one in enumerate(facts) if one.stream == TABLE]


def test_facts_at_one_moment_come_by_stream_and_number() -> None:
    facts = day()
    near = [n for n, one in enumerate(facts) if table_of(one.stream) == TABLE]
    near = near[len(near) // 3 : len(near) // 3 + 30]
    at = facts[near[-1]].event_time
    for number in near:
        facts[number] = replace(facts[number], event_time=at)
    steps, walked = both(facts)
    assert steps == walked


@pytest.mark.parametrize(
    "irregular", ["missing", "contested", "back in time", "two sources", "stated"]
)
def test_there_are_none_where_a_walk_hands_out_more(irregular: str) -> None:
    facts, stated = day(), {}
    place = _of_table(facts)[60]
    fact = facts[place]
    match irregular:
        case "missing":
            del facts[place]
        case "contested":
            facts.insert(place + 1, replace(fact, recorded_by="E-other"))
        case "back in time":
            facts[place] = replace(fact, event_time=facts[_of_table(facts)[58]].event_time - 1)
        case "two sources":
            facts[place] = replace(fact, source="T-other")
        case "stated":
            stated = {TABLE: 1_000_000}
    steps, walked = both(facts, stated)
    assert steps is None
    assert irregular in ("two sources", "back in time") or not all(
        isinstance(step, FactStep) for step in walked
    )
