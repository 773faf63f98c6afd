"""What was told live, whatever came late and whenever the watch was killed, is what the night finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from ledger.audit import dates, read_office
from ledger.events import Fact, GamingDayClosed
from ledger.log.signed_file_index import Seals
from ledger.replay import Replay
from ledger.watch import Change, FloorWatch, Notice, Told
from ledger.watch.table_watch import BUSY, QUIET
from ledger.watch.told import keep_told, read_told
from tests.analytics import given
from tests.engine import of_tables
from tests.watch.growing import audited, parted

PLANTS = ("overpaid:2@SB-01", "underpaid@DC-01", "late_wager@SB-01", "lost_event@DC-01")
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(1, 12))]


def batches(sent: list[Fact], rng: Random) -> Iterator[list[Fact]]:
    """The facts of a day in batches of random size; one in fifty comes up to the day's end late."""
    first, rest = parted(sent)
    late: list[tuple[int, Fact]] = []
    on_time: list[Fact] = []
    for place, fact in enumerate(rest):
        if rng.random() < 0.02 and type(fact) is not GamingDayClosed:
            late.append((rng.randrange(place, len(rest) + 1), fact))
        else:
            on_time.append(fact)
    yield first
    place = 0
    while place < len(on_time):
        size = rng.choice((30, 200, 400))
        batch = on_time[place : place + size]
        place += size
        batch += [fact for due, fact in late if due <= place]
        late = [(due, fact) for due, fact in late if due > place]
        yield batch
    for _, fact in late:  # after the day was closed
        yield [fact]


def heard_by_id(notices: list[Notice]) -> dict[str, Notice]:
    """What stands for who keeps of each finding the highest telling."""
    heard: dict[str, Notice] = {}
    for notice in notices:
        if notice.id not in heard or notice.telling > heard[notice.id].telling:
            heard[notice.id] = notice
    return {name: notice for name, notice in heard.items() if notice.change is not Change.WITHDRAWN}


def assert_read_on_as_from_nothing(replay: Replay) -> None:
    """What a watch knows of days and of the ends of streams is what reading all of them says."""
    clock = read_office(replay).clock
    streams = [stream for streams in replay.tables().values() for stream in streams]
    assert dates._held_by_tables(replay, clock) == dates.days_held(replay, clock, streams)
    for stream in streams:
        last, before = replay.last_times(stream, BUSY)
        is_busy = before is not None and last - before <= QUIET
        assert is_busy == (replay.facts_between(stream, last - QUIET, last + 1) >= BUSY)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_told_live_is_what_the_night_finds(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    sent = of_tables(given.facts(*PLANTS, scale=0.03, coupons=True), "SB-01", "DC-01")
    folder = given.ledger(tmp_path / "ledger", [])
    seals = Seals.of(folder)
    watch, notices = FloorWatch(folder, Told(), audits_later=True), list[Notice]()
    for batch in batches([*sent], rng):
        given.append(folder, batch)
        is_sliced = rng.random() < 0.5
        tick = watch.audit_on(0.0) if is_sliced and watch.is_auditing else watch.tick()
        is_killed, is_noted = rng.random() < 0.3, rng.random() < 0.5
        if is_noted or not is_killed:  # nothing is said before it is noted
            assert keep_told(watch.memory, folder / "cache", seals)
            notices += () if tick is None else tick.notices
        if is_killed:
            watch = FloorWatch(folder, read_told(folder / "cache", seals), audits_later=True)
        elif watch.replay is not None:
            assert_read_on_as_from_nothing(watch.replay)
    anew = FloorWatch(folder, watch.memory, audits_later=True)
    ticks = [anew.tick()]
    while anew.is_auditing:
        ticks.append(anew.audit_on(0.0))
    notices += (notice for tick in ticks if tick is not None for notice in tick.notices)
    standing = heard_by_id(notices)
    assert {name: notice.sentence for name, notice in standing.items()} == audited(folder)
    assert {notice.code for notice in standing.values()} >= {"wager_overpaid", "late_wager"}
    changed = [notice for notice in notices if notice.change is not Change.FOUND]
    assert changed
    assert all(notice.because for notice in changed)
    assert len({notice.key for notice in notices}) == len(notices)
