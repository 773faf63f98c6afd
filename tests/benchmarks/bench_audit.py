"""Replay with settlement, a whole audit, and the memory of two million events."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path

from ledger.audit import audit_day, rounds_of
from ledger.codec import frame
from ledger.floor import FIRST_DAY, simulate
from ledger.log import Arrival, init, open_log
from ledger.replay import Replay
from tests.log.memory_log import MemoryLog

NOTE = """
One simulated day, in processor time of one core; then the last of 30 days in a process of its own, by the wall clock. An
audit without carried state is bound by the days before it.
"""
WANTED: dict[tuple[str, str], str] = {
    ("readable replay with settlement", "events/s"): "at least 40,000",
    ("peak memory of the last day's audit there", "MB"): "at most 400",
}
BASELINES: dict[str, str] = {
    "replay with every explanation": "readable replay with settlement",
    "audit of a day, findings and digest": "readable replay with settlement",
}
MEMORY_DAYS = 30
"""Days of the default floor that make two million events."""


def _replay(days: int) -> Replay:
    log = MemoryLog(origin="bench", property="Bench", record_time=0)
    log.append((Arrival(frame(fact)) for fact in simulate(1, days=days).facts), 0)
    return Replay(log)


def run() -> list[tuple[str, float, str]]:
    """Measure on one simulated day, and on two million events in a process of its own."""
    replay = _replay(1)
    start = time.process_time()
    rounds = sum(1 for _ in rounds_of(replay, FIRST_DAY))
    readable = time.process_time() - start
    start = time.process_time()
    audit = audit_day(replay, FIRST_DAY)
    whole = time.process_time() - start
    start = time.process_time()
    explained = sum(1 for _ in rounds_of(replay, FIRST_DAY, explain=True))
    told = time.process_time() - start
    assert rounds == explained == audit.rounds
    rows = [
        ("readable replay with settlement", audit.events / readable, "events/s"),
        ("audit of a day, findings and digest", audit.events / whole, "events/s"),
        ("replay with every explanation", audit.events / told, "events/s"),
        ("explanations: times the plain replay", told / readable, "x"),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.bench_audit"],
        capture_output=True,
        text=True,
        check=True,
    )
    events, megabytes, seconds = done.stdout.split()
    rows.append(("events in the large ledger", float(events), "events"))
    rows.append(("peak memory of the last day's audit there", float(megabytes), "MB"))
    rows.append(("that audit, without carried state", float(seconds), "s"))
    return rows


def _large() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "ledger"
        init(folder, origin="bench", property="Bench", record_time=0)
        pid = os.fork()
        if pid == 0:  # building is not what is measured
            log = open_log(folder)
            log.append((Arrival(frame(fact)) for fact in simulate(1, days=MEMORY_DAYS).facts), 0)
            log.close()
            os._exit(0)
        os.waitpid(pid, 0)
        start = time.perf_counter()
        replay = Replay.open(folder)
        audit_day(replay, FIRST_DAY + timedelta(days=MEMORY_DAYS - 1))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(replay.facts, round(peak), round(time.perf_counter() - start, 1))


if __name__ == "__main__":
    _large()
