"""A real scheduler and real workers, each a process of its own, for the tests of ranges."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ledger.analytics.day_range import SchedulerAddress, TaskKey
from ledger.analytics.day_range.dask_runner import OnDask
from tests.kafka_broker import free_ports

ROOT: Final = Path(__file__).parent.parent.parent
PATIENCE_SECONDS: Final = 60.0
WORKER: Final = ("-m", "ledger", "worker")
LIAR: Final = """
import sys
from ledger.analytics.day_range import dask_worker, tasks
from ledger.cli import main
from tests.analytics.range_given import lie

def lying(ground, task):
    answer = tasks.read_answer(tasks.work(ground, task))
    return tasks.written(lie(answer))

dask_worker.work = lying
sys.exit(main(["worker", *sys.argv[1:]]))
"""
"""A worker that alters each result, and otherwise is as every other."""
OF_OTHER_CODE: Final = """
import sys
from ledger.analytics.day_range import dask_worker
from ledger.cli import main

dask_worker.program_version = lambda: "0" * 32
dask_worker.ServedLedger.do = None  # it would fail if it were given work
sys.exit(main(["worker", *sys.argv[1:]]))
"""


@dataclass
class Cluster:
    """A scheduler with its workers, in a folder where their output lies.

    Attributes:
        folder: the ledger that the workers serve.
        work: where the output of the processes goes.
        scheme: "tcp" or "tls".
        tls: the words that name the certificates.
    """

    folder: Path
    work: Path
    scheme: str = "tcp"
    tls: Sequence[str] = ()
    port: int = field(default_factory=lambda: free_ports(1)[0])
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def address(self) -> SchedulerAddress:
        """Where the scheduler listens."""
        return SchedulerAddress.parse(f"{self.scheme}://127.0.0.1:{self.port}")

    def schedule(self) -> subprocess.Popen[bytes]:
        """Start the scheduler."""
        words = ("-m", "dask", "scheduler", "--host", str(self.address), "--no-dashboard")
        return self._start((*words, "--no-show", *self._dask_tls()), "scheduler")

    def add(self, script: str | None = None) -> subprocess.Popen[bytes]:
        """Start a worker, or what a script makes of one."""
        how = WORKER if script is None else ("-c", script)
        words = (*how, str(self.address), "--ledger", str(self.folder), *self.tls)
        worker = self._start(words, f"worker-{len(self.workers)}")
        self.workers.append(worker)
        return worker

    def wait(self, count: int) -> None:
        """Wait until so many workers have been taken in."""
        until = time.monotonic() + PATIENCE_SECONDS
        while self.output().count("Working at") < count:
            assert time.monotonic() < until, self.output()
            assert all(process.poll() is None for process in self.processes), self.output()
            time.sleep(0.05)

    def output(self) -> str:
        """What all processes wrote."""
        return "\n".join(path.read_text() for path in sorted(self.work.glob("*.txt")))

    def _dask_tls(self) -> list[str]:
        names = {"--tls-ca": "--tls-ca-file"}
        return [names.get(word, word) for word in self.tls]

    def _start(self, words: Sequence[str], name: str) -> subprocess.Popen[bytes]:
        self.work.mkdir(exist_ok=True)
        with (self.work / f"{name}-{len(self.processes)}.txt").open("wb") as file:
            process = subprocess.Popen(
                [sys.executable, *words], cwd=ROOT, stdout=file, stderr=subprocess.STDOUT,
                env=os.environ | {"PYTHONPATH": str(ROOT)}, start_new_session=True,
            )  # fmt: skip
        self.processes.append(process)
        return process

    def kill_at_work(self, runner: OnDask, number: int) -> Callable[[], int]:
        """Kill the worker that is at the task of this number; the answer counts who was killed."""
        start, killed = runner.start, [0, 0]

        def killing(key: TaskKey, task: bytes) -> None:
            start(key, task)
            killed[0] += 1
            if killed[0] == number:
                end(self._at_work(runner))
                killed[1] += 1

        runner.start = killing  # type: ignore[method-assign]
        return lambda: killed[1]

    def _at_work(self, runner: OnDask) -> subprocess.Popen[bytes]:
        """Wait until a worker has a task, and return its process."""
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            at_work = [where for where, tasks in runner._client.processing().items() if tasks]
            for number, worker in enumerate(self.workers):
                words = "".join(p.read_text() for p in self.work.glob(f"worker-{number}-*.txt"))
                if any(f"at {where};" in words for where in at_work):
                    return worker
        raise AssertionError("no worker was given the task")

    def stop(self) -> None:
        """End every process that was started."""
        for process in self.processes:
            end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def cluster(
    folder: Path, work: Path, *, workers: int = 2, scheme: str = "tcp", tls: Sequence[str] = ()
) -> Iterator[Cluster]:
    """A scheduler with workers that have been taken in."""
    cluster = Cluster(folder, work, scheme=scheme, tls=tls)
    try:
        cluster.schedule()
        for _ in range(workers):
            cluster.add()
        cluster.wait(workers)
        yield cluster
    finally:
        cluster.stop()
