"""The night takes what was judged before, and its issue is that of a night from nothing."""

from __future__ import annotations

import gc
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any
from weakref import ref

import pytest

from ledger import events
from ledger.analytics import JudgedTables, judged_tables
from ledger.analytics.judged_tables import JudgedTable
from ledger.audit import day_of, gaming_days
from ledger.kernel.cyclic_garbage import collected_seldom
from ledger.night import run_night, step_run
from ledger.replay import Replay
from tests.analytics import given
from tests.engine import of_tables
from tests.night import scene
from tests.night.scene import DAY

Tables = Callable[[], list[str]]


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Tables:
    """Returns the tables that were judged since it was asked last, in order."""
    names: list[str] = []
    real = judged_tables.judge

    def judge(*args: object, **settings: object) -> JudgedTable:
        names.append(str(args[2]))
        return real(*args, **settings)  # type: ignore[arg-type]

    def since() -> list[str]:
        tables, names[:] = sorted(names), []
        return tables

    monkeypatch.setattr(judged_tables, "judge", judge)
    return since


def issue(ledger: Path, out: Path, *, from_nothing: bool = False) -> dict[str, bytes]:
    """The files of a day's first issue in a new folder, but for the seal."""
    outcome = run_night(ledger, DAY, out=out, processes=1, from_nothing=from_nothing)
    return {
        path.relative_to(outcome.issue.path).as_posix(): path.read_bytes()
        for path in sorted(outcome.issue.path.rglob("*"))
        if path.is_file() and path.name != "manifest.index"
    }


def test_a_table_is_judged_once_for_all_nights(tmp_path: Path, judged: Tables) -> None:
    ledger = scene.ledger(tmp_path / "ledger")
    first = issue(ledger, tmp_path / "first")
    assert judged() == ["DC-01", "SB-01"]
    assert issue(ledger, tmp_path / "second") == first
    assert judged() == []
    assert issue(ledger, tmp_path / "nothing", from_nothing=True) == first
    assert judged() == ["DC-01", "SB-01"]


def test_a_fact_that_came_since_judges_its_own_table_again(tmp_path: Path, judged: Tables) -> None:
    sent = scene.facts()
    late = next(fact for fact in sent if isinstance(fact, events.WagerSettled))
    ledger = given.ledger(tmp_path / "ledger", [fact for fact in sent if fact is not late])
    incomplete = issue(ledger, tmp_path / "before")
    judged()
    given.append(ledger, [late])
    restated = issue(ledger, tmp_path / "after")
    assert judged() == ["SB-01"]
    assert restated["audit.json"] != incomplete["audit.json"]
    assert restated == issue(ledger, tmp_path / "nothing", from_nothing=True)


def test_what_a_question_judged_is_judged_once_more_for_its_rounds(
    tmp_path: Path, judged: Tables
) -> None:
    """No judgment keeps the rounds that detections look at; rows and findings are the same."""
    ledger = scene.ledger(tmp_path / "ledger")
    replay = Replay.open(ledger)
    tables = JudgedTables(replay, ledger / "cache")
    tables.tables(day_of(tables.record.clock, DAY))
    assert judged() == ["DC-01", "SB-01"]
    from_store = issue(ledger, tmp_path / "out")
    assert judged() == ["DC-01", "SB-01"]
    assert from_store == issue(ledger, tmp_path / "nothing", from_nothing=True)


def test_a_question_after_the_night_judges_nothing(tmp_path: Path, judged: Tables) -> None:
    ledger = scene.ledger(tmp_path / "ledger")
    issue(ledger, tmp_path / "out")
    judged()
    replay = Replay.open(ledger)
    kept = JudgedTables(replay, ledger / "cache").audit(DAY)
    assert judged() == []
    assert kept == JudgedTables(replay, None).audit(DAY)


def test_a_part_of_another_table_or_judgment_is_made_again(tmp_path: Path, judged: Tables) -> None:
    """Its file is sealed, and still stands for its own judgment alone."""
    ledger = scene.ledger(tmp_path / "ledger")
    first = issue(ledger, tmp_path / "first")
    parts = sorted((ledger / "cache" / "table-nights").iterdir())
    assert len(parts) == 2
    one, other = (path.read_bytes() for path in parts)
    parts[0].write_bytes(other)
    parts[1].write_bytes(one[:-1])
    judged()
    assert issue(ledger, tmp_path / "second") == first
    assert judged() == ["DC-01", "SB-01"]


@pytest.mark.parametrize(
    ("seed", "tables"),
    [
        pytest.param(10, ("SB-02", "AP-02"), id="two tables"),
        *(pytest.param(seed, (), marks=pytest.mark.full, id=f"{seed}") for seed in range(1, 9)),
    ],
)
def test_nights_over_random_batches_are_those_from_nothing(
    tmp_path: Path, seed: int, tables: tuple[str, ...]
) -> None:
    """Two days with plants come in random parts, a tenth of the facts late; a night after each.

    Of seed 10 four streams lack facts between the two days; of seed 8 the openings of some rounds
    are missing while their wagers are there. No table: all of the floor.
    """
    chance = Random(seed)
    sent = given.facts(*given.PLANTS, days=2, scale=0.02, coupons=True)
    sent = of_tables(sent, *tables) if tables else sent
    last = {fact.stream: fact.seq for fact in sent}
    late = {
        id(fact)
        for fact in sent
        if chance.random() < 0.1 and fact.seq < last[fact.stream] and fact.stream != "house"
    }
    order = [fact for fact in sent if id(fact) not in late]
    kept = [fact for fact in sent if id(fact) in late]
    chance.shuffle(kept)
    order += kept
    cuts = sorted(chance.sample(range(len(order) // 2, len(order)), 1 if tables else 2))
    ledger = given.ledger(tmp_path / "ledger", [])
    for number, (begins, ends) in enumerate(pairwise([0, *cuts, len(order)])):
        given.append(ledger, order[begins:ends])
        for day in gaming_days(Replay.open(ledger)):
            out = tmp_path / f"{number}-{day}"
            outcome = run_night(ledger, day, out=out / "store", processes=1)
            nothing = run_night(ledger, day, out=out / "nothing", processes=1, from_nothing=True)
            assert outcome.issue.digest == nothing.issue.digest
            assert outcome.issue.manifest["outputs"] == nothing.issue.manifest["outputs"]


class Circle:
    """Refers to itself."""

    def __init__(self) -> None:
        self.own = self


def test_what_a_process_keeps_is_looked_through_once_and_goes_with_its_ledger(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(step_run, "_GROUND", [])
    monkeypatch.setattr(step_run, "Ground", lambda replay, *_: replay)
    ground: list[Any] = [Circle(), Circle()]
    kept = [ref(one) for one in ground]
    with collected_seldom():
        step_run.begin(ground.pop(), tmp_path)
        assert gc.get_freeze_count() > 0
        step_run.begin(ground.pop(), tmp_path)
        assert [one() is None for one in kept] == [False, True]
        gc.unfreeze()
