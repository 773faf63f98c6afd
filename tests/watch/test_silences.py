"""Tables that fall silent, fall behind or come back, with clocks that run ahead and without."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ledger.codec import frame
from ledger.events import Fact, GamingDayClosed
from ledger.log import Arrival, open_log
from ledger.log.signed_file_index import Seals
from ledger.replay import Replay
from ledger.reports.watch_output import silence_text
from ledger.watch import ALL_TABLES, FloorWatch, Told
from ledger.watch.told import keep_told, read_told
from tests.analytics import given
from tests.engine import of_tables
from tests.house.test_staleness import registered

MINUTE: int = 60_000_000


@pytest.fixture(scope="module")
def facts() -> list[Fact]:
    """Two tables on a short day that is not closed."""
    drawn = of_tables(given.facts(scale=0.03), "SB-01", "SB-02")
    return [fact for fact in drawn if type(fact) is not GamingDayClosed]


def silences(watch: FloorWatch) -> list[tuple[str, str]]:
    """What a tick says of tables: which, and silent, behind or heard."""
    tick = watch.tick()
    return [] if tick is None else [
        (one.table, "heard" if one.is_over else "behind" if one.is_behind else "silent")
        for one in tick.silences
    ]  # fmt: skip


def of_table(facts: list[Fact], table: str) -> list[Fact]:
    """The facts of one table, and of the house for the first."""
    return [fact for fact in facts if fact.stream.partition("/")[0] == table]


def test_a_table_that_falls_behind_is_told_once_and_when_it_caught_up(
    facts: list[Fact], tmp_path: Path
) -> None:
    """Facts of SB-01 come with every look, half an hour late; then all that is missing comes."""
    mine, others = of_table(facts, "SB-01"), of_table(facts, "SB-02")
    rest = [fact for fact in facts if fact not in (*mine, *others)]
    earlier = others[0].event_time - mine[0].event_time
    others = [replace(fact, event_time=fact.event_time - earlier) for fact in others]
    third = len(others) // 3
    at = others[third].event_time
    late = [fact for fact in mine if fact.event_time > at]
    folder = given.ledger(tmp_path / "ledger", [*rest, *others[:third]])
    given.append(folder, [fact for fact in mine if fact.event_time <= at])
    watch = FloorWatch(folder, Told())
    silent_after = [silences(watch)]
    chunk = third // 4
    for number in range(4):
        given.append(folder, others[third + number * chunk : third + (number + 1) * chunk])
        given.append(folder, late[number : number + 1])
        silent_after.append(silences(watch))
        seals = Seals.of(folder)
        assert keep_told(watch.memory, folder / "cache", seals)
        assert read_told(folder / "cache", seals) == watch.memory
    given.append(folder, late[4:])
    silent_after.append(silences(watch))
    of_mine = [[change for table, change in tick if table == "SB-01"] for tick in silent_after]
    assert of_mine == [[], [], ["behind"], [], [], ["heard"]]


def test_a_table_that_was_behind_and_stops_is_silent(facts: list[Fact], tmp_path: Path) -> None:
    mine, others = of_table(facts, "SB-01"), of_table(facts, "SB-02")
    half = len(others) // 2
    rest = [f for f in facts if f not in (*mine, *others)]
    folder = given.ledger(tmp_path / "ledger", [*rest, *mine[:200], *others[:150]])
    watch = FloorWatch(folder, Told())
    silences(watch)
    given.append(folder, [*others[150:half], *mine[200:210]])
    assert silences(watch) == [("SB-01", "behind")]
    given.append(folder, others[half:])
    assert silences(watch) == [("SB-01", "silent")]


@pytest.mark.parametrize(
    ("stream", "expected"), [("house", [("SB-01", "silent")]), ("SB-01/limits", [])]
)
def test_a_limit_counts_from_an_office_alone(
    facts: list[Fact], tmp_path: Path, stream: str, expected: list[tuple[str, str]]
) -> None:
    """Two minutes of silence, of half a minute allowed: a table's terminal allows itself nothing."""
    mine, others = of_table(facts, "SB-01"), of_table(facts, "SB-02")
    rest = [fact for fact in facts if fact not in (*mine, *others)]
    earlier = others[0].event_time - mine[0].event_time
    others = [replace(fact, event_time=fact.event_time - earlier) for fact in others]
    at = mine[200].event_time
    limit = replace(
        registered(1, 0, 30, table="SB-01"), stream=stream, event_time=at,
        seq=1 + max((fact.seq for fact in facts if fact.stream == stream), default=0),
    )  # fmt: skip
    before = [fact for fact in (*mine, *others) if fact.event_time <= at]
    folder = given.ledger(tmp_path / "ledger", [*rest, *before, limit])
    watch = FloorWatch(folder, Told())
    assert silences(watch) == []
    given.append(folder, [f for f in others if at < f.event_time <= at + 2 * MINUTE])
    assert silences(watch) == expected


def test_a_clock_that_runs_ahead_makes_no_table_silent(facts: list[Fact], tmp_path: Path) -> None:
    """A year ahead of when it was recorded: the others go on, and are not told to be silent."""
    folder = given.ledger(tmp_path / "ledger", facts[:-400])
    watch = FloorWatch(folder, Told())
    assert silences(watch) == []
    last = facts[-400]
    ahead = replace(last, event_time=given.RECORDED_AT + 365 * 24 * 60 * MINUTE)
    with open_log(folder) as log:
        log.append(
            (Arrival(frame(fact)) for fact in (ahead, *facts[-399:-390])), facts[-390].event_time
        )
    assert silences(watch) == []


def test_nothing_that_comes_from_an_open_floor_is_told_by_the_wall_clock(
    facts: list[Fact], tmp_path: Path
) -> None:
    """The broker is away: nothing arrives, so only the clock of the watch can tell."""
    half = len(facts) // 2
    folder = given.ledger(tmp_path / "ledger", facts[:half])
    watch = FloorWatch(folder, Told())
    assert watch.idle(given.RECORDED_AT) is None
    silences(watch)
    assert watch.idle(given.RECORDED_AT + 4 * MINUTE) is None
    idle = watch.idle(given.RECORDED_AT + 60 * MINUTE)
    assert idle is not None
    assert watch.clock is not None
    text = silence_text(idle, watch.clock)
    assert "SILENT every table  nothing reached the ledger since " in text
    assert watch.idle(given.RECORDED_AT + 61 * MINUTE) is None
    given.append(folder, facts[half : half + 50])
    assert (ALL_TABLES, "heard") in silences(watch)


def test_a_closed_floor_may_be_quiet(facts: list[Fact], tmp_path: Path) -> None:
    folder = given.ledger(tmp_path / "ledger", facts)
    watch = FloorWatch(folder, Told())
    silences(watch)
    assert Replay.open(folder).tables()
    assert watch.idle(given.RECORDED_AT + 60 * MINUTE) is None
    given.append(folder, [])
    assert silences(watch) == []
