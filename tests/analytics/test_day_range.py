"""A range of days has one manifest hash however it was judged, and who alters results is caught."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given as drawn_from
from hypothesis import strategies as st

from ledger import events
from ledger.analytics.day_range import (
    DaysReversed,
    InTurn,
    RangeEmpty,
    ResultFalse,
    TaskKey,
    TaskResult,
    audit_range,
    chance_of_catching,
)
from ledger.analytics.day_range import tasks as range_tasks
from ledger.analytics.day_range.errors import WorkerRefused, WorkersLost
from ledger.analytics.day_range.kept_results import FOLDER, KIND, KeptResults
from ledger.analytics.day_range.manifest import RangeManifest
from ledger.analytics.day_range.result_sample import drawn
from ledger.analytics.day_range.runners import in_processes
from ledger.analytics.day_range.tasks import RangeGround, TaskRefusal, written
from ledger.analytics.judged_tables import JudgedTable, packed
from ledger.audit import audit_day, day_of
from ledger.kernel import LedgerError
from ledger.replay import Replay
from tests.analytics import given
from tests.analytics.range_given import (
    FIRST,
    LAST,
    TABLES,
    Elsewhere,
    judged,
    lie,
    serial,
    two_tables,
)
from tests.engine import of_tables

ALL = Fraction(1)
NONE = Fraction(0)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tables on two days; nobody may append to it or keep anything beside it."""
    return two_tables(tmp_path_factory.mktemp("range") / "ledger")


@pytest.fixture(scope="module")
def manifest(floor: Path) -> RangeManifest:
    """What judging it in one process gives."""
    return serial(floor).manifest


@pytest.fixture
def own(floor: Path, tmp_path: Path) -> Path:
    """A copy of the ledger, beside which results may be kept."""
    return Path(shutil.copytree(floor, tmp_path / "ledger"))


def elsewhere(
    folder: Path, share: Fraction = ALL, **how: object
) -> tuple[Elsewhere, Callable[[], RangeManifest]]:
    """Other machines, and the range judged by them with results that are kept."""
    tables = judged(folder, kept=True)
    runner = Elsewhere(RangeGround.of(judged(folder)), **how)  # type: ignore[arg-type]

    def run() -> RangeManifest:
        return audit_range(
            tables, FIRST, LAST, runner, cache=folder / "cache", share=share
        ).manifest

    return runner, run


def received(folder: Path) -> KeptResults:
    return KeptResults(Replay.open(folder), folder / "cache")


def test_the_manifest_has_the_digest_of_each_day(floor: Path, manifest: RangeManifest) -> None:
    replay = Replay.open(floor)
    audits = [audit_day(replay, entry.day) for entry in manifest.days]
    assert [entry.day for entry in manifest.days] == [FIRST, LAST]
    assert [entry.digest for entry in manifest.days] == [audit.digest for audit in audits]
    assert [entry.findings for entry in manifest.days] == [len(one.findings) for one in audits]
    assert all(entry.is_closed for entry in manifest.days)
    assert all(sorted(entry.tables) == sorted(TABLES) for entry in manifest.days)
    assert (manifest.tree_size, manifest.root) == (replay.size, replay.root.hex())


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.full)])
def test_the_order_in_which_tasks_end_changes_nothing(
    own: Path, manifest: RangeManifest, seed: int
) -> None:
    runner, run = elsewhere(own, random=Random(seed))
    assert run().content() == manifest.content()
    assert len(runner.done) == 4
    assert not list((own / "cache" / FOLDER).iterdir())


def test_a_sample_is_judged_again_by_the_readable_engine(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_bulk: list[object] = []
    judge = range_tasks.judge

    def noted(*args: Any, **settings: object) -> JudgedTable:
        in_bulk.append(settings["in_bulk"])
        return judge(*args, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr(range_tasks, "judge", noted)
    elsewhere(own)[1]()
    assert in_bulk == [True] * 4 + [False] * 4


@pytest.mark.full
def test_several_processes_give_the_same_hash(floor: Path, manifest: RangeManifest) -> None:
    tables = judged(floor)
    with in_processes(RangeGround.of(tables), 2) as runner:
        audited = audit_range(tables, FIRST, LAST, runner)
    assert audited.manifest.hash == manifest.hash
    assert audited.sample is None


def test_what_stands_in_the_store_is_taken_from_there(own: Path, manifest: RangeManifest) -> None:
    _, run = elsewhere(own)
    run()
    tables = judged(own, kept=True)
    again = audit_range(tables, FIRST, LAST, InTurn(RangeGround.of(tables)))
    assert (again.manifest.hash, again.judged) == (manifest.hash, 0)
    assert tables.check().difference is None


def test_states_are_handed_on_from_day_to_day(own: Path) -> None:
    runner, run = elsewhere(own)
    asked: list[tuple[TaskKey, list[str]]] = []
    start = runner.start

    def noted(key: TaskKey, task: bytes) -> None:
        asked.append((key, sorted(range_tasks.read_task(task).states)))
        start(key, task)

    runner.start = noted  # type: ignore[method-assign]
    run()
    of_second_day = [states for key, states in asked if key.day == LAST]
    assert [key.day for key, states in asked if not states] == [FIRST, FIRST]
    assert all(states[-1].startswith(str(LAST)) for states in of_second_day)


def test_an_open_day_is_marked(tmp_path: Path) -> None:
    sent = of_tables(given.facts(days=1, scale=0.01), "DC-01")
    still = [fact for fact in sent if not isinstance(fact, events.GamingDayClosed)]
    (entry,) = serial(given.ledger(tmp_path / "ledger", still)).manifest.days
    assert not entry.is_closed


def test_days_reversed_are_refused(floor: Path) -> None:
    with pytest.raises(DaysReversed) as refusal:
        serial(floor, LAST, FIRST)
    assert f"--from {FIRST} --to {LAST}" in str(refusal.value)


@pytest.mark.parametrize(
    ("begins", "ends"),
    [(date(1, 1, 1), date(2021, 6, 1)), (date(2022, 1, 1), date(9999, 12, 31))],
)
def test_a_range_without_a_fact_is_refused(floor: Path, begins: date, ends: date) -> None:
    with pytest.raises(RangeEmpty, match=r"no fact .*(?s:.*)2021-06-12 to 2021-06-1"):
        serial(floor, begins, ends)


@pytest.mark.full
def test_the_widest_range_is_that_of_the_facts(floor: Path, manifest: RangeManifest) -> None:
    widest = serial(floor, date(1, 1, 1), date(9999, 12, 31)).manifest
    assert widest.days == manifest.days


# --- what was received and not yet believed -------------------------------------------------------


def test_a_scheduler_that_goes_away_loses_nothing(own: Path, manifest: RangeManifest) -> None:
    runner, run = elsewhere(own, stop_after=3)
    with pytest.raises(ConnectionError):
        run()
    assert is_nothing_believed(own, runner)
    later, again = elsewhere(own)
    assert again().hash == manifest.hash
    assert len(later.done) == 1


def is_nothing_believed(folder: Path, runner: Elsewhere) -> bool:
    """Whether nothing of what a runner sent stands in the judged store."""
    tables = judged(folder, kept=True)
    spans = [(key.table, day_of(tables.record.clock, key.day)) for key in runner.done]
    return bool(spans) and not any(tables.kept_judgment(table, span) for table, span in spans)


def _cut(stored: bytes) -> bytes:
    return stored[: len(stored) // 2]


def _flipped(stored: bytes) -> bytes:
    return stored[:99] + bytes([stored[99] ^ 1]) + stored[100:]


@pytest.mark.parametrize("harm", [_cut, pytest.param(_flipped, marks=pytest.mark.full)])
def test_a_half_written_result_is_judged_again(
    own: Path, manifest: RangeManifest, harm: Callable[[bytes], bytes]
) -> None:
    _, run = elsewhere(own, stop_after=1)
    with pytest.raises(ConnectionError):
        run()
    (path,) = (own / "cache" / FOLDER).iterdir()
    path.write_bytes(harm(path.read_bytes()))
    later, again = elsewhere(own)
    assert again().hash == manifest.hash
    assert len(later.done) == 4


def test_a_result_that_is_not_what_its_address_says_is_judged_again(
    own: Path, manifest: RangeManifest
) -> None:
    runner, run = elsewhere(own, stop_after=1)
    with pytest.raises(ConnectionError):
        run()
    kept = received(own).read(runner.done[0])
    assert kept is not None
    false = replace(kept, result=replace(kept.result, address="0" * 64))
    sealed = Replay.open(own).sealed(own / "cache" / FOLDER, KIND)
    assert sealed is not None
    (name,) = sealed.names()
    assert sealed.write(name, [written(false)])
    assert received(own).read(runner.done[0]) is None
    later, again = elsewhere(own)
    assert again().hash == manifest.hash
    assert len(later.done) == 4


@pytest.mark.full
def test_without_the_key_results_are_kept_in_memory(own: Path, manifest: RangeManifest) -> None:
    (own / "keys" / "signer").unlink()
    _, run = elsewhere(own)
    assert run().hash == manifest.hash
    assert not (own / "cache" / FOLDER).exists()


# --- workers that lie -----------------------------------------------------------------------------


def other_state(result: TaskResult) -> TaskResult:
    """The right result, with another state for the next day."""
    return replace(result, states={name: state + b"\0" for name, state in result.states.items()})


@pytest.mark.parametrize("alter", [lie, pytest.param(other_state, marks=pytest.mark.full)])
def test_a_worker_that_lies_is_caught_and_nothing_of_it_is_kept(
    own: Path, alter: Callable[[TaskResult], TaskResult]
) -> None:
    runner, run = elsewhere(own, alter=alter)
    with pytest.raises(ResultFalse) as refusal:
        run()
    assert refusal.value.code == "worker_result_false"
    assert not list((own / "cache" / FOLDER).iterdir())
    assert is_nothing_believed(own, runner)


@pytest.mark.full
def test_without_a_sample_a_lie_is_believed(own: Path, manifest: RangeManifest) -> None:
    """What the sample is for: nothing else catches it."""
    _, run = elsewhere(own, share=NONE, alter=lie)
    assert run().hash != manifest.hash


@pytest.mark.parametrize(
    "answer",
    [b"", b"\0" * 40, b"no result", written(TaskRefusal(key=TaskKey(day=FIRST, table="?"), code="c", problem="p", where=None))],
    ids=["nothing", "zeros", "text", "refusal"],
)  # fmt: skip
def test_bytes_that_are_no_result_are_refused(own: Path, answer: bytes) -> None:
    _, run = elsewhere(own, alter=lambda _result: answer)
    with pytest.raises((ResultFalse, WorkerRefused)):
        run()


@pytest.mark.full
def test_a_result_of_other_facts_or_another_task_is_refused(own: Path) -> None:
    def of_other_facts(result: TaskResult) -> TaskResult:
        honest = result.judged
        assert honest is not None
        false = replace(honest, made_from=bytes(32))
        return replace(
            result,
            judgment=packed(false),
            address=range_tasks.address_of(false),
        )

    def of_another(result: TaskResult) -> TaskResult:
        return replace(result, key=replace(result.key, day=result.key.day + timedelta(days=1)))

    for alter in (of_other_facts, of_another):
        _, run = elsewhere(own, alter=alter)
        with pytest.raises(ResultFalse):
            run()


KEYS = [TaskKey(day=FIRST + timedelta(days=n), table=t) for n in range(10) for t in TABLES]


@drawn_from(
    share=st.fractions(0, 1), of=st.integers(0, 20), altered=st.integers(1, 20), seed=st.binary()
)
def test_the_chance_is_no_less_than_stated(
    share: Fraction, of: int, altered: int, seed: bytes
) -> None:
    sample = drawn(share, KEYS[:of], "0" * 64, seed)
    assert sample == drawn(share, KEYS[:of][::-1], "0" * 64, seed)
    assert len(set(sample.keys)) == len(sample.keys) >= share * of
    if altered <= of:
        chance = chance_of_catching(len(sample.keys), of, altered)
        assert 1 >= chance >= 1 - (1 - share) ** altered


def test_a_lie_is_drawn_as_often_as_stated() -> None:
    """Three false results of twenty, a tenth drawn: over a thousand secrets."""
    false, draws = set(KEYS[3:6]), 1000
    secrets = (number.to_bytes(4, "big") for number in range(draws))
    caught = sum(
        bool(false & set(drawn(Fraction(1, 10), KEYS, "ab", secret).keys)) for secret in secrets
    )
    expected = chance_of_catching(2, len(KEYS), len(false))
    assert abs(Fraction(caught, draws) - expected) < Fraction(5, 100)


def test_a_worker_that_cannot_is_named(floor: Path) -> None:
    tables = judged(floor)
    ground = RangeGround.of(judged(floor))

    class Broken(InTurn):
        def __init__(self) -> None:
            super().__init__(replace(ground, replay=_Refusing()))  # type: ignore[arg-type]

    with pytest.raises(WorkerRefused, match=r"SB-01|DC-01"):
        audit_range(tables, FIRST, LAST, Broken())


class _Refusing:
    def __getattr__(self, name: str) -> object:
        raise LedgerError("It cannot be read.")


@pytest.mark.full
def test_a_process_that_is_killed_is_named(floor: Path) -> None:
    tables = judged(floor)
    with in_processes(RangeGround.of(tables), 1) as runner:
        start = runner.start

        def killing(key: TaskKey, task: bytes) -> None:
            start(key, task)
            for process in runner._pool._processes.values():
                process.kill()

        runner.start = killing  # type: ignore[method-assign]
        with pytest.raises(WorkersLost):
            audit_range(tables, FIRST, LAST, runner)
