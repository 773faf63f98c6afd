"""What comes late, from another ledger or out of its time: what stands is what is told from nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from ledger.analytics import JudgedTables
from ledger.audit import audit_day, gaming_days
from ledger.events import Fact, GamingDayClosed
from ledger.log.signed_file_index import Seals
from ledger.replay import Replay
from ledger.watch import FloorWatch, Notice, Told
from ledger.watch.told import keep_told, read_told
from tests.analytics import given
from tests.engine import of_tables
from tests.watch.growing import standing

YEAR: int = 365 * 24 * 3_600_000_000


@pytest.fixture(scope="module")
def facts() -> list[Fact]:
    """A short day of a table with a wrong payment, before it is closed."""
    drawn = of_tables(given.facts("overpaid@SB-01", scale=0.03), "SB-01")
    return [fact for fact in drawn if type(fact) is not GamingDayClosed]


def _followed(folder: Path, batches: list[list[Fact]]) -> dict[str, str]:
    """What stands after these batches; it must be what stands for a watch from nothing."""
    watch, notices = FloorWatch(folder, Told()), list[Notice]()
    for batch in batches:
        given.append(folder, batch)
        tick = watch.tick()
        notices += [] if tick is None else tick.notices
    anew = FloorWatch(folder, Told(), since=watch.memory.begins).tick()
    assert anew is not None
    assert standing(notices) == standing(list(anew.notices))
    _equal_digests(folder)
    return standing(notices)


def _equal_digests(folder: Path) -> None:
    """The audits from what was kept are those from nothing."""
    fresh = Replay.open(folder, from_entries=True)
    for day in gaming_days(fresh):
        kept = JudgedTables(Replay.open(folder), folder / "cache").audit(day)
        assert kept.digest == audit_day(fresh, day).digest


def test_many_late_facts_at_once(facts: list[Fact], tmp_path: Path) -> None:
    folder = given.ledger(tmp_path / "ledger", [])
    late = [fact for fact in facts if fact.stream == "SB-01/chips"]
    on_time = [fact for fact in facts if fact.stream != "SB-01/chips"]
    half = len(on_time) // 2
    stands = _followed(folder, [on_time[:half], on_time[half:], late])
    assert any("paid" in sentence.lower() for sentence in stands.values())


@pytest.mark.full
def test_ten_thousand_late_facts_at_once(tmp_path: Path) -> None:
    """All but the dice of several tables come when their day is played to its end."""
    names = ("SB-01", "SB-02", "DC-01")
    drawn = of_tables(given.facts("overpaid@SB-01", scale=1.0), *names)
    drawn = [fact for fact in drawn if type(fact) is not GamingDayClosed]
    late = [fact for fact in drawn if fact.stream in names][:10_000]
    assert len(late) == 10_000
    known = {id(fact) for fact in late}
    folder = given.ledger(tmp_path / "ledger", [])
    _followed(folder, [[fact for fact in drawn if id(fact) not in known], late])


def test_each_line_of_the_page_names_tests_that_are_there() -> None:
    tests = Path(__file__).parent.parent
    page = (tests.parent / "infra" / "docs" / "watch.md").read_text(encoding="utf-8")
    lines = page[page.index("|---|---|---|") :].splitlines()[1:]
    assert len(lines) > 15
    for line in lines:
        named = re.findall(r"`(\S+\.py)::(\w+)`", line)
        assert named, line
        for file, name in named:
            assert f"def {name}(" in (tests / file).read_text(encoding="utf-8"), line


@pytest.mark.parametrize("by", [-YEAR, 60_000_000, YEAR], ids=["year-late", "minute", "year-early"])
def test_a_clock_that_jumps(by: int, facts: list[Fact], tmp_path: Path) -> None:
    folder = given.ledger(tmp_path / "ledger", [])
    at = len(facts) * 2 // 3
    odd = replace(facts[at], event_time=facts[at].event_time + by)
    _followed(folder, [facts[: at - 40], [*facts[at - 40 : at], odd], facts[at + 1 :]])


def test_what_another_ledger_remembers_says_nothing(facts: list[Fact], tmp_path: Path) -> None:
    folders = [given.ledger(tmp_path / name, facts) for name in ("mine", "other")]
    seals = [Seals.of(folder) for folder in folders]
    assert keep_told(Told(size=7, pace=1.0), folders[1] / "cache", seals[1])
    path = Path("watch") / "told"
    (folders[0] / "cache" / "watch").mkdir(parents=True)
    (folders[0] / "cache" / path).write_bytes((folders[1] / "cache" / path).read_bytes())
    assert read_told(folders[0] / "cache", seals[0]) == Told()
    assert read_told(folders[1] / "cache", seals[1]).size == 7


def test_where_nothing_can_be_written_nothing_is_remembered(
    facts: list[Fact], tmp_path: Path
) -> None:
    folder = given.ledger(tmp_path / "ledger", facts)
    (folder / "cache" / "watch").parent.mkdir(exist_ok=True)
    (folder / "cache" / "watch").write_bytes(b"a file in its place")
    watch = FloorWatch(folder, Told())
    tick = watch.tick()
    assert tick is not None
    assert tick.notices
    assert not keep_told(watch.memory, folder / "cache", Seals.of(folder))
