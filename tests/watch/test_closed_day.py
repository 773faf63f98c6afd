"""A day that closes is audited over several looks: the same in the end, and nobody waits for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from ledger.analytics import JudgedTables
from ledger.audit.carried import CarriedStates
from ledger.events import ClockChecked, Fact, GamingDayClosed
from ledger.rounds import InEveryOrder
from ledger.watch import FloorWatch, Notice, Told
from tests.analytics import given
from tests.engine import of_tables
from tests.watch.growing import audited, standing

TABLES: tuple[str, ...] = ("DC-01", "SB-01", "SB-02")


@pytest.fixture(scope="module")
def facts() -> list[Fact]:
    """A short day of three tables, its closing last."""
    return of_tables(given.facts("overpaid@SB-01", scale=0.02), *TABLES)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tables that are judged whole, in order."""
    names: list[str] = []
    judge = JudgedTables.judge

    def noted(tables: JudgedTables, table: str, *words: object) -> object:
        names.append(table)
        return judge(tables, table, *words)  # type: ignore[arg-type]

    monkeypatch.setattr(JudgedTables, "judge", noted)
    return names


def told(watch: FloorWatch, notices: list[Notice]) -> None:
    for tick in (watch.tick(), watch.audit_on(0.0)):
        notices += () if tick is None else tick.notices


def to_the_end(watch: FloorWatch, notices: list[Notice]) -> None:
    """Look until nothing is left; as many looks as tables are enough, and one for what came."""
    for _ in range(2 * len(TABLES) + 1):
        if not watch.is_auditing:
            break
        told(watch, notices)
    assert not watch.is_auditing
    assert watch.tick() is None


def parted(facts: list[Fact]) -> tuple[list[Fact], list[Fact]]:
    """The closings, and all else."""
    closings = [fact for fact in facts if type(fact) is GamingDayClosed]
    return closings, [fact for fact in facts if type(fact) is not GamingDayClosed]


def test_one_table_in_a_look(facts: list[Fact], tmp_path: Path, judged: list[str]) -> None:
    folder = given.ledger(tmp_path / "ledger", facts)
    watch, notices = FloorWatch(folder, Told(), audits_later=True), list[Notice]()
    for number in range(1, len(TABLES)):
        told(watch, notices)
        assert judged == list(TABLES[:number])
        assert watch.is_auditing
        assert watch.memory.size < watch.judged
        assert notices == []
    told(watch, notices)
    assert not watch.is_auditing
    assert watch.memory.size == watch.judged
    assert standing(notices) == audited(folder) != {}


def day_after(facts: list[Fact]) -> list[Fact]:
    """What happened at SB-01, a day later."""
    day = 24 * 3_600_000_000
    last = {stream: max(f.seq for f in facts if f.stream == stream) for stream in
            {fact.stream for fact in facts}}  # fmt: skip
    mine = [fact for fact in facts if fact.stream.startswith("SB-01")]
    return [
        replace(fact, seq=last[fact.stream] + fact.seq, event_time=fact.event_time + day)
        for fact in mine
    ]


def checks_after(facts: list[Fact]) -> list[Fact]:
    """All clocks are checked a day later, and found as they were."""
    last = max(fact.seq for fact in facts if fact.stream == "house")
    checks = [fact for fact in facts if type(fact) is ClockChecked]
    return [
        replace(fact, seq=last + number, event_time=fact.event_time + 24 * 3_600_000_000)
        for number, fact in enumerate(checks, 1)
    ]


def test_the_next_day_goes_on_from_the_walk_of_the_closed_one(
    facts: list[Fact], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was judged before the closing is not judged again, though the audit has yet to come, and
    though all clocks are checked in the same look.
    """
    load, loaded = CarriedStates.load, list[tuple[date, bool]]()

    def noted(
        carried: CarriedStates, orders: InEveryOrder, streams: Iterable[str], day: date, at: int
    ) -> bool:
        loaded.append((day, load(carried, orders, streams, day, at)))
        return loaded[-1][1]

    closings, played = parted(facts)
    folder = given.ledger(tmp_path / "ledger", played)
    watch, notices = FloorWatch(folder, Told(), audits_later=True), list[Notice]()
    monkeypatch.setattr(CarriedStates, "load", noted)
    for batch in ([], closings, checks_after(facts) + day_after(facts)):
        given.append(folder, batch)
        loaded.clear()
        tick = watch.tick()
        notices += () if tick is None else tick.notices
    assert loaded == [(date(2021, 6, 13), True)]
    assert all(day > date(2021, 6, 12) for table, day in watch._tables if table == "SB-01")
    to_the_end(watch, notices)
    anew = FloorWatch(folder, Told(), since=date(2021, 6, 12)).tick()
    assert anew is not None
    assert standing(notices) == standing(list(anew.notices))


def test_other_findings_do_not_wait_for_it(facts: list[Fact], tmp_path: Path) -> None:
    """The next day is played while the day before is audited."""
    folder = given.ledger(tmp_path / "ledger", facts)
    again = day_after(facts)
    watch, notices = FloorWatch(folder, Told(), audits_later=True), list[Notice]()
    told(watch, notices)
    given.append(folder, again)
    told(watch, notices)
    assert watch.is_auditing
    assert {notice.gaming_day for notice in notices} == {date(2021, 6, 13)}
    assert any(notice.code == "wager_overpaid" for notice in notices)
    to_the_end(watch, notices)
    assert {notice.gaming_day for notice in notices} >= {date(2021, 6, 12)}


def test_what_comes_between_two_looks_is_judged(
    facts: list[Fact], tmp_path: Path, judged: list[str]
) -> None:
    """Late facts of a table that was judged already, and of one that was not."""
    late = [[f for f in facts if f.stream == name][40:60] for name in ("DC-01", "SB-02")]
    on_time = [fact for fact in facts if not any(fact in some for some in late)]
    folder = given.ledger(tmp_path / "ledger", on_time)
    watch, notices = FloorWatch(folder, Told(), audits_later=True), list[Notice]()
    told(watch, notices)
    assert judged == ["DC-01"]
    for some in late:
        given.append(folder, some)
        told(watch, notices)
    to_the_end(watch, notices)
    assert judged.count("DC-01") == 2
    assert standing(notices) == audited(folder)
    anew = FloorWatch(folder, Told()).tick()
    assert anew is not None
    assert standing(list(anew.notices)) == standing(notices)


def test_a_restart_goes_on_with_the_next_table(
    facts: list[Fact], tmp_path: Path, judged: list[str]
) -> None:
    folder = given.ledger(tmp_path / "ledger", facts)
    told(FloorWatch(folder, Told(), audits_later=True), [])
    watch, notices = FloorWatch(folder, Told()), list[Notice]()
    told(watch, notices)
    assert sorted(judged) == list(TABLES)
    assert standing(notices) == audited(folder)


def test_a_closing_that_is_not_there_any_more_is_not_audited(
    facts: list[Fact], tmp_path: Path
) -> None:
    """Nothing is left to look at once the day is as old as what is forgotten."""
    folder = given.ledger(tmp_path / "ledger", facts)
    watch = FloorWatch(folder, Told(), audits_later=True)
    told(watch, [])
    assert watch.memory.begins is not None
    watch.memory.begins = watch.memory.begins.replace(year=2050)
    told(watch, [])
    assert not watch.is_auditing
