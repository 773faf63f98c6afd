"""The order of the groups of tests: each test once, a group with one worker, the long ones first."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from tests.shared_fixtures import SWEEP_SECONDS, keeps_what_it_made, pytest_itemcollected
from tests.work_order import FIRST, LongGroupsFirst, ranked, sparing

TESTS = [
    *(f"tests/a/test_small.py::test_small[{number}]" for number in range(40)),
    *(f"tests/b/test_shared.py::test_part[{number}]@shared" for number in range(5)),
    *(f"tests/c/test_many.py::test_part[{number}]@many" for number in range(9)),
    f"{FIRST[1]}/test_long.py::test_long",
    *(f"tests/log/test_topics.py::test_topic[{number}]@{FIRST[0]}" for number in range(3)),
]


class Worker:
    """A worker that runs a test once it knows the next, as those of xdist do."""

    def __init__(self) -> None:
        self.sent: list[int] = []
        self.run: list[int] = []
        self.shutting_down = False
        self.gateway = SimpleNamespace(id="worker")

    def send_runtest_some(self, places: list[int]) -> None:
        self.sent.extend(places)

    def shutdown(self) -> None:
        self.shutting_down = True

    @property
    def ready(self) -> bool:
        """Whether it can run its next test."""
        return len(self.sent) - len(self.run) > (0 if self.shutting_down else 1)


class Config:
    """What the scheduler asks a run for."""

    option: Any = None

    def getvalue(self, name: str) -> Any:
        return ["popen"] * 3


@pytest.fixture
def scheduler() -> LongGroupsFirst:
    started = LongGroupsFirst(Config())  # type: ignore[arg-type]
    add(started, 3)
    return started


def add(scheduler: LongGroupsFirst, count: int) -> None:
    """Add workers that have collected, and send what they need."""
    for _ in range(count):
        worker: Any = Worker()
        scheduler.add_node(worker)
        scheduler.add_node_collection(worker, TESTS)
    scheduler.schedule()


def step(scheduler: LongGroupsFirst) -> bool:
    """Let each worker run a test, and end as a session does; whether one could."""
    able: list[Any] = [worker for worker in scheduler.nodes if worker.ready]
    for worker in able:
        place = worker.sent[len(worker.run)]
        worker.run.append(place)
        scheduler.mark_test_complete(worker, place)
    if scheduler.tests_finished:
        for worker in scheduler.nodes:
            worker.shutdown()
    return bool(able)


def test_each_test_is_run_once_and_a_group_by_one_worker(scheduler: LongGroupsFirst) -> None:
    while step(scheduler):
        pass
    workers: list[Any] = scheduler.nodes
    assert sorted(place for worker in workers for place in worker.run) == [*range(len(TESTS))]
    for group in ("shared", "many", FIRST[0]):
        places = {place for place, name in enumerate(TESTS) if name.endswith(f"@{group}")}
        assert len([worker for worker in workers if places & {*worker.run}]) == 1
    assert scheduler.tests_finished
    assert not scheduler.has_pending
    assert all(worker.shutting_down for worker in workers)


def test_what_takes_long_is_sent_first_then_what_is_most(scheduler: LongGroupsFirst) -> None:
    workers: list[Any] = scheduler.nodes
    first = [TESTS[worker.sent[0]].partition("::")[0] for worker in workers]
    assert first == ["tests/log/test_topics.py", f"{FIRST[1]}/test_long.py", "tests/c/test_many.py"]
    names = ranked({"few": {"1": False}, "more": {"2": False, "3": False}, FIRST[-1]: {"4": False}})
    assert names == [FIRST[-1], "more", "few"]


def test_what_a_worker_left_is_run_by_its_successor(scheduler: LongGroupsFirst) -> None:
    for _ in range(4):
        step(scheduler)
    lost: Any = scheduler.nodes[0]
    crashed = scheduler.remove_node(lost)
    assert crashed == TESTS[lost.sent[len(lost.run)]]
    add(scheduler, 1)
    while step(scheduler):
        pass
    workers: list[Any] = [lost, *scheduler.nodes]
    assert sorted(place for worker in workers for place in worker.run) == [*range(len(TESTS))]


def test_fewer_groups_than_workers_leave_workers_out() -> None:
    small = LongGroupsFirst(Config())  # type: ignore[arg-type]
    workers: list[Any] = [Worker() for _ in range(3)]
    for worker in workers:
        small.add_node(worker)
        small.add_node_collection(worker, TESTS[40:45])
    small.schedule()
    assert [len(worker.sent) for worker in workers] == [5, 0, 0]
    assert all(worker.shutting_down for worker in workers)


@pytest.mark.parametrize(
    ("marks", "seconds"),
    [
        ([pytest.mark.full], SWEEP_SECONDS),
        ([pytest.mark.full, pytest.mark.timeout(600)], 600),
        ([], None),
    ],
)
def test_a_long_sweep_has_the_time_of_a_busy_machine(
    request: pytest.FixtureRequest, marks: list[pytest.MarkDecorator], seconds: int | None
) -> None:
    sweep = pytest.Function.from_parent(
        request.node.getparent(pytest.Module), name="test_sweep", callobj=lambda: None
    )
    for mark in marks:
        sweep.add_marker(mark)
    pytest_itemcollected(sweep)
    limit = sweep.get_closest_marker("timeout")
    assert (limit.args[0] if limit else None) == seconds


def test_all_that_is_shown_is_sent() -> None:
    sent: list[tuple[str, Any]] = []
    send = sparing(lambda name, **message: sent.append((name, message.get("data"))))
    reports = [
        {"when": when, "outcome": outcome, "sections": sections}
        for when in ("setup", "call", "teardown")
        for outcome in ("passed", "failed", "skipped")
        for sections in ([], [("Captured stdout call", "words")])
    ]
    others = ("logstart", "logfinish", "runtest_protocol_complete", "workerfinished")
    for name in others:
        send(name)
    for report in reports:
        send("testreport", data=report)
    assert [name for name, data in sent if data is None] == list(others[1:])
    unsent = [report for report in reports if ("testreport", report) not in sent]
    assert unsent == [
        {"when": when, "outcome": "passed", "sections": []} for when in ("setup", "teardown")
    ]


def test_tests_that_make_something_once_in_a_process_go_to_one_worker() -> None:
    def is_kept(**names: Any) -> bool:
        module = SimpleNamespace(obj=SimpleNamespace(**names), stash=pytest.Stash())
        first = keeps_what_it_made(module)  # type: ignore[arg-type]
        assert keeps_what_it_made(module) is first  # type: ignore[arg-type]
        return first

    assert is_kept(day=cache(ranked), number=1)
    assert not is_kept(day=ranked, number=1)
    assert not is_kept(words=cache(str))
    assert not keeps_what_it_made(None)
