"""Whether a long record of a large house is judged as quickly as a short one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from ledger.analytics import JudgedTables
from ledger.analytics.day_range import InTurn, audit_range
from ledger.analytics.day_range.tasks import RangeGround
from ledger.kernel.cyclic_garbage import collect_seldom
from ledger.replay import Replay
from tests.benchmarks.bench_range import FAR_OFF, LONG_AGO, made

NOTE = """
All days of 242 tables judged from nothing in one process, in processor time: first one day of a million events, then ten such days in
order of time. Each record is simulated and judged in a process of its own; what verifies and indexes it is counted, too.
"""
FLOORS = 22
"""Floors of eleven tables each."""
SCALE = 0.34
"""The share of the usual hours at which these have about a million events a day."""
LONG = 10
RATE = "judged, 242 tables, {}"
MEMORY = "peak memory, {}"
WANTED: dict[tuple[str, str], str] = {
    (RATE.format("ten days"), "facts/s"): "0.95 × one day",
}
BASELINES: dict[str, str] = {RATE.format("ten days"): RATE.format("one day")}
Row = tuple[str, float, str]


def run() -> Iterator[Row]:
    """Name, value and unit of each measurement."""
    with TemporaryDirectory() as name:
        for days, told in ((1, "one day"), (LONG, "ten days")):
            ledger = apart(simulated, Path(name) / told, days)
            facts, seconds, memory = apart(judged, ledger)
            yield RATE.format(told), facts / seconds, "facts/s"
            yield f"facts of {told}", facts, "facts"
            yield MEMORY.format(told), memory, "MB"


def apart(work: Callable[..., Any], *inputs: object) -> Any:
    """Do a work in a process of its own, whose memory and time are its own."""
    with ProcessPoolExecutor(1, get_context("spawn")) as one:
        return one.submit(work, *inputs).result()


def simulated(folder: Path, days: int) -> Path:
    """Make a record of so many days."""
    return made(folder, days=days, scale=SCALE, floors=FLOORS)


def judged(ledger: Path) -> tuple[int, float, float]:
    """Judge all days from nothing; how many facts, seconds and megabytes."""
    collect_seldom()  # as the command's own process
    began = process_time()
    tables = JudgedTables(Replay.open(ledger, keeps=False), None)
    audit_range(tables, LONG_AGO, FAR_OFF, InTurn(RangeGround.of(tables)))
    seconds = process_time() - began
    return tables.replay.facts, seconds, getrusage(RUSAGE_SELF).ru_maxrss / 1024
