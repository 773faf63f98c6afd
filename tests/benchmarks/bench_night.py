"""The night of a property-day: how long, how much memory, and where the time goes.

One simulated day on as many tables as make about a million events.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from datetime import date
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from threading import Event, Thread

from ledger.codec import frame
from ledger.events import Fact, GamingDayClosed
from ledger.floor import simulate, size_for
from ledger.log import Arrival, init, open_log
from ledger.night import opened
from ledger.night.parallel_nights import run_all

NOTE = """
All steps of a property-day of a million events on two processes, by the wall clock, then step by step in one process in
processor time. Memory is the proportional set size of all processes.
"""
WANTED: dict[tuple[str, str], str] = {
    ("the whole night on two processes", "s"): "at most 90 on two cores",
    ("processor time of all processes", "s"): "at most 40",
    ("memory of all processes, shared pages once", "MB"): "at most 1,500",
}
BASELINES: dict[str, str] = {}
DAY = date(2021, 6, 12)
EVENTS = 1_000_000
SEED = 7
RECORDED_AT = 1_623_600_000_000_000
Row = tuple[str, float, str]


def facts(wanted: int) -> Iterator[Fact]:
    """A property-day of about so many events: the floor's tables, so many times over."""
    size = size_for(wanted, SEED)
    return simulate(SEED, scale=size.scale, floors=size.floors).facts


def run() -> Iterator[Row]:
    """Measure."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "ledger"
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart:
            yield "events of the day", apart.submit(recorded, folder).result(), ""
        begun, cpu, peak = time.perf_counter(), cpu_seconds(), Peak()
        with opened(folder, DAY, out=Path(temporary) / "nights", processes=2) as night:
            yield "index of the replay, offices, processes begun", time.perf_counter() - begun, "s"
            (outcome,) = run_all([night], 2)
            spent = cpu_seconds() - cpu
        yield "the whole night on two processes", time.perf_counter() - begun, "s"
        yield "processor time of all processes", spent, "s"
        yield "memory of all processes, shared pages once", peak.ended(), "MB"
        yield "findings", len(outcome.audit.findings), ""
        yield from by_step(folder, Path(temporary) / "steps")


def recorded(folder: Path) -> int:
    """Make the ledger; how many events. In a process of its own, whose memory is not measured."""
    init(folder, origin="bench.example/night", property="Bench", record_time=RECORDED_AT)
    with open_log(folder) as log:
        kept = (fact for fact in facts(EVENTS) if not isinstance(fact, GamingDayClosed))
        return log.append((Arrival(frame(fact)) for fact in kept), RECORDED_AT).accepted


def by_step(folder: Path, out: Path) -> Iterator[Row]:
    """The same in one process, step by step."""
    spent: dict[str, float] = {}
    with opened(folder, DAY, out=out, processes=1) as night:

        def timed(name: str, work: Callable[[], object]) -> None:
            begun = time.process_time()
            work()
            spent[name] = spent.get(name, 0) + time.process_time() - begun

        for job in night.jobs:
            timed(job.step.name, partial(night.run, job))
        timed("input hash and manifest", night.weigh)
        for job in night.late:
            timed(job.step.name, partial(night.run, job))
        timed("issue written", night.issue)
    for name, seconds in spent.items():
        yield f"  {name}, processor time", seconds, "s"


def processes(pid: int) -> list[int]:
    """A process and all that descend from it."""
    found = [pid]
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                found += processes(int(child))
    return found


def cpu_seconds() -> float:
    """Of this process and all that descend from it and run."""
    ticks = 0
    for pid in processes(os.getpid()):
        with suppress(OSError):
            told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(told[11]) + int(told[12])
    return ticks / os.sysconf("SC_CLK_TCK")


class Peak:
    """Looks every second how much memory this process and its descendants hold."""

    def __init__(self) -> None:
        self.most = 0.0
        self._done = Event()
        self._thread = Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._done.wait(1):
            self.most = max(self.most, sum(map(held, processes(os.getpid()))))

    def ended(self) -> float:
        """The most there was, in MB."""
        self._done.set()
        self._thread.join()
        return self.most


def held(pid: int) -> float:
    """The proportional set size of a process, in MB."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0
