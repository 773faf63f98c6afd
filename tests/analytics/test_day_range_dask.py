"""A range on a real scheduler with real workers: the same hash, whatever happens to them."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest

from ledger.analytics.day_range import RangeAudit, ResultFalse, SchedulerAddress, audit_range
from ledger.analytics.day_range import dask_runner as runners
from ledger.analytics.day_range.dask_runner import OnDask, on_dask
from ledger.analytics.day_range.dask_worker import ServedLedger, resource_of
from ledger.analytics.day_range.errors import (
    AddressWrong,
    CredentialsUnusable,
    NoWorkerFits,
    SchedulerLost,
    SchedulerUnreachable,
    SchedulerUnsecured,
)
from ledger.analytics.day_range.manifest import RangeManifest
from ledger.analytics.day_range.scheduler_address import Credentials
from ledger.analytics.day_range.tasks import (
    TableTask,
    TaskKey,
    TaskRefusal,
    program_version,
    read_answer,
    written,
)
from ledger.replay import Replay
from tests.analytics.dask_given import LIAR, OF_OTHER_CODE, Cluster, cluster, end
from tests.analytics.range_given import FIRST, LAST, TABLES, judged, serial, two_tables
from tests.certificates import write_certificate
from tests.kafka_broker import free_ports

ALL = Fraction(1)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tables on two days; nobody may append to it or keep anything beside it."""
    return two_tables(tmp_path_factory.mktemp("dask") / "ledger")


@pytest.fixture(scope="module")
def two_workers(floor: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler and two workers that are not harmed."""
    with cluster(floor, tmp_path_factory.mktemp("cluster")) as made:
        yield made


def on(
    made: Cluster,
    *,
    share: Fraction = ALL,
    cache: Path | None = None,
    credentials: Credentials | None = None,
    progress: Callable[[int, int], None] | None = None,
    patience_seconds: float = 30.0,
) -> RangeAudit:
    """The range on these workers."""
    tables = judged(made.folder)
    with on_dask(made.address, credentials, patience_seconds=patience_seconds) as runner:
        return audit_range(tables, FIRST, LAST, runner, cache=cache, share=share, progress=progress)


def test_two_workers_give_the_same_hash(floor: Path, two_workers: Cluster) -> None:
    audited = on(two_workers)
    assert audited.manifest.content() == serial(floor).manifest.content()
    assert audited.sample is not None
    assert len(audited.sample.keys) == audited.judged == 4


def test_a_worker_of_another_version_is_given_no_work(
    two_workers: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runners, "program_version", lambda: "another")
    with pytest.raises(NoWorkerFits) as refusal:
        on(two_workers, patience_seconds=0.5)
    assert str(refusal.value).count(f"has {program_version()}") == 2


def test_nothing_that_a_worker_sends_is_unpickled(two_workers: Cluster) -> None:
    with on_dask(two_workers.address) as runner:
        client = runner._client
        assert client.submit(bytes, 3, pure=False).result(timeout=20) == bytes(3)
        with pytest.raises(TypeError):
            client.submit(Path, "x", pure=False).result(timeout=20)


# --- addresses ------------------------------------------------------------------------------------


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "text",
    ["", "8786", "127.0.0.1:8786", "http://127.0.0.1:1", "tcp://", "tcp://h", "tcp://h:x", "tcp://h:0", "tcp://h:99999", "tcp://a@h:1", "tcp://h:1/x", "tcp://[::1", "inproc://h:1"],
)  # fmt: skip
def test_a_text_that_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(AddressWrong):
        SchedulerAddress.parse(text)


@pytest.mark.parametrize(
    "text",
    ["tcp://192.0.2.1:8786", "tcp://scheduler.example:8786", "tcp://0.0.0.0:8786", "tcp://[::]:8786", "tcp://127.0.0.1.example:8786", "tls://127.0.0.1:8786", "tls://192.0.2.1:8786"],
)  # fmt: skip
def test_beyond_this_machine_both_sides_need_certificates(text: str) -> None:
    with pytest.raises(SchedulerUnsecured) as refusal, on_dask(SchedulerAddress.parse(text)):
        pass
    assert refusal.value.code == "scheduler_unsecured"


@pytest.mark.parametrize("text", ["tcp://127.0.0.1:1", "tcp://localhost:1", "tcp://[::1]:1"])
def test_on_this_machine_none_is_needed(text: str) -> None:
    address = SchedulerAddress.parse(text)
    address.check(None)
    assert str(address) == text


def test_certificates_with_tcp_or_that_are_none_are_refused(tmp_path: Path) -> None:
    nothing = Credentials(
        authority=tmp_path / "ca", certificate=tmp_path / "cert", key=tmp_path / "key"
    )
    with pytest.raises(SchedulerUnsecured):
        SchedulerAddress.parse("tcp://127.0.0.1:1").check(nothing)
    with pytest.raises(CredentialsUnusable):
        SchedulerAddress.parse("tls://192.0.2.1:1").check(nothing)


def test_a_scheduler_that_is_not_there_is_named() -> None:
    address = SchedulerAddress.parse(f"tcp://127.0.0.1:{free_ports(1)[0]}")
    with pytest.raises(SchedulerUnreachable), on_dask(address, connect_seconds=0.5):
        pass


def test_a_scheduler_that_says_nothing_is_waited_for_only_so_long() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        address = SchedulerAddress.parse(f"tcp://127.0.0.1:{silent.getsockname()[1]}")
        began = time.monotonic()
        with pytest.raises(SchedulerUnreachable), on_dask(address, connect_seconds=0.5):
            pass
        assert time.monotonic() - began < 20


# --- what a worker refuses ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"code": "another"}, "worker_of_other_code"),
        ({"tree_size": 1 << 40}, "worker_ledger_differs"),
        ({"root": bytes(32)}, "worker_ledger_differs"),
    ],
)
def test_a_task_of_another_version_or_ledger_is_refused(
    floor: Path, how: dict[str, object], code: str
) -> None:
    replay = Replay.open(floor)
    right: dict[str, object] = {
        "key": TaskKey(day=FIRST, table=TABLES[0]),
        "tree_size": replay.size,
        "root": replay.root,
        "code": program_version(),
        "states": {},
    }
    task = TableTask(**(right | how))  # type: ignore[arg-type]
    answer = read_answer(ServedLedger(floor).do(written(task)))
    assert isinstance(answer, TaskRefusal)
    assert answer.code == code


# --- workers and schedulers that are harmed -------------------------------------------------------


@pytest.fixture(scope="module")
def manifest(floor: Path) -> RangeManifest:
    return serial(floor).manifest


@pytest.mark.full
def test_a_worker_that_is_killed_changes_nothing(
    floor: Path, tmp_path: Path, manifest: RangeManifest
) -> None:
    with cluster(floor, tmp_path) as made, on_dask(made.address) as runner:
        killed = made.kill_at_work(runner, 2)
        audited = audit_range(judged(floor), FIRST, LAST, runner, share=ALL)
        assert audited.manifest.hash == manifest.hash
        assert killed() == 1


@pytest.mark.full
def test_when_every_worker_is_killed_that_is_said(floor: Path, tmp_path: Path) -> None:
    with cluster(floor, tmp_path) as made:

        def kill(done: int, of: int) -> None:
            for worker in made.workers:
                end(worker)

        with pytest.raises(NoWorkerFits):
            on(made, progress=kill, patience_seconds=3)


class LateAnswer:
    """A task whose worker ends before its answer is fetched; another one does it again."""

    def __init__(self, tries: int) -> None:
        self.tries = tries

    def add_done_callback(self, tell: Callable[[object], None]) -> None:
        tell(self)

    def result(self, timeout: float) -> bytes:
        self.tries -= 1
        if self.tries >= 0:
            raise TimeoutError(timeout)
        return b"answer"


class Scheduler:
    """Answers for a scheduler that has these workers; each task takes so many tries."""

    status = "running"
    id = "one"
    scheduler = SimpleNamespace(identity=None)

    def __init__(self, tries: int, workers: dict[str, object]) -> None:
        self.tries, self.workers = tries, workers

    def submit(self, *_words: object, **_options: object) -> LateAnswer:
        return LateAnswer(self.tries)

    def sync(self, *_words: object, **_options: object) -> dict[str, object]:
        return {"workers": self.workers}


def test_an_answer_that_ended_with_its_worker_is_waited_for() -> None:
    key, address = TaskKey(day=FIRST, table="SB-01"), SchedulerAddress.parse("tcp://127.0.0.1:1")
    there: dict[str, object] = {
        "tcp://127.0.0.1:2": {"resources": {resource_of(program_version()): 1}}
    }
    runner = OnDask(Scheduler(2, there), address, patience_seconds=0)
    runner.start(key, b"task")
    assert list(runner.finished()) == [(key, b"answer")]
    alone = OnDask(Scheduler(1, there), address, patience_seconds=0)
    alone.start(key, b"task")
    there.clear()
    with pytest.raises(NoWorkerFits):
        list(alone.finished())


@pytest.mark.full
def test_a_worker_of_other_code_beside_a_right_one_is_given_no_work(
    floor: Path, tmp_path: Path, manifest: RangeManifest
) -> None:
    with cluster(floor, tmp_path, workers=1) as made:
        made.add(OF_OTHER_CODE)
        made.wait(2)
        assert on(made).manifest.hash == manifest.hash


@pytest.mark.full
def test_a_worker_that_lies_is_caught(floor: Path, tmp_path: Path) -> None:
    with cluster(floor, tmp_path, workers=0) as made:
        made.add(LIAR)
        made.wait(1)
        with pytest.raises(ResultFalse):
            on(made, share=Fraction(1, 20))  # one of four is drawn, and every one is false


@pytest.mark.full
def test_a_scheduler_that_is_restarted_costs_only_what_was_under_way(
    floor: Path, tmp_path: Path, manifest: RangeManifest
) -> None:
    cache = tmp_path / "cache"
    with cluster(floor, tmp_path / "work", workers=1) as made:

        def kill(done: int, of: int) -> None:
            if done == 2:
                end(made.processes[0])

        with pytest.raises(SchedulerLost, match="2 of"):
            on(made, cache=cache, progress=kill)
        made.processes.pop(0)
        made.schedule()
        made.wait(2)  # the worker came back by itself
        again = on(made, cache=cache)
        assert (again.manifest.hash, again.taken_up) == (manifest.hash, 2)


@pytest.mark.full
def test_a_scheduler_that_hangs_is_waited_for_only_so_long(
    floor: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runners, "SILENT_SECONDS", 2.0)
    with cluster(floor, tmp_path, workers=1) as made:

        def stop(done: int, of: int) -> None:
            os.kill(made.processes[0].pid, signal.SIGSTOP)

        with pytest.raises(SchedulerLost):
            on(made, progress=stop)
        os.kill(made.processes[0].pid, signal.SIGCONT)


@pytest.mark.full
def test_with_certificates_both_sides_prove_who_they_are(
    floor: Path, tmp_path: Path, manifest: RangeManifest
) -> None:
    own, strange = tmp_path / "own", tmp_path / "strange"
    trusted, stranger = credentials_in(own), credentials_in(strange)
    words = ("--tls-ca", str(trusted.authority), "--tls-cert", str(trusted.certificate))
    words = (*words, "--tls-key", str(trusted.key))
    with cluster(floor, tmp_path / "work", workers=1, scheme="tls", tls=words) as made:
        assert on(made, credentials=trusted).manifest.hash == manifest.hash
        pretended = Credentials(
            authority=trusted.authority, certificate=stranger.certificate, key=stranger.key
        )
        for refused in (stranger, pretended):
            with (
                pytest.raises(SchedulerUnreachable),
                on_dask(made.address, refused, connect_seconds=3),
            ):
                pass


def credentials_in(folder: Path) -> Credentials:
    """A certificate of its own authority."""
    folder.mkdir()
    public, both = write_certificate(folder)
    return Credentials(authority=public, certificate=both, key=both)
