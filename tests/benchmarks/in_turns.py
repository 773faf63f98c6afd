"""Measure several works in turns, each in a process of its own: one run of each, then again.

What else the machine does then falls on all of them alike, and the ratio of two works is taken
within each turn; how far these ratios lie apart is told with them.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from time import perf_counter

TURNS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One run of a work.

    Args:
        count: what it did, so many times.
        processor_seconds: of the process and its children, user and system.
        wall_seconds: by the clock.
        megabytes: the most that the process had in memory, the interpreter included.
    """

    count: int
    processor_seconds: float
    wall_seconds: float
    megabytes: float


Work = Callable[[], Measured]


def forked(work: Callable[[], int], prepare: Callable[[], object] = lambda: None) -> Work:
    """Return a work that is done in a copy of this process.

    Args:
        work: what is measured; returns how many times it did what it does.
        prepare: done in the copy before, and not measured.
    """

    def run() -> Measured:
        read_end, write_end = os.pipe()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.close(read_end)
                prepare()
                os.write(write_end, json.dumps(asdict(measured(work))).encode())
                status = 0
            finally:
                os._exit(status)
        os.close(write_end)
        with os.fdopen(read_end, "rb") as pipe:
            answer = pipe.read()
        _, status = os.waitpid(child, 0)
        if status:
            raise RuntimeError(f"a measured work failed with status {status}")
        return Measured(**json.loads(answer))

    return run


def measured(work: Callable[[], int]) -> Measured:
    """Do a work in this process, and say what it took."""
    gc.collect()
    before, begun = _spent(), perf_counter()
    count = work()
    wall, after = perf_counter() - begun, _spent()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Measured(
        count=count, processor_seconds=after - before, wall_seconds=wall, megabytes=most
    )


def _spent() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def program(command: Sequence[str]) -> Work:
    """Return a work that another program does; it prints its own ``Measured`` as JSON.

    Args:
        command: the program and its arguments.
    """

    def run() -> Measured:
        done = subprocess.run(list(command), capture_output=True, text=True, check=True)
        answer = json.loads(done.stdout.splitlines()[-1])
        return Measured(**{name: answer[name] for name in Measured.__slots__})

    return run


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A work and its baseline, run by run.

    Args:
        label: what was measured.
        unit: of its rate, ``entries/s``.
        runs: of the work.
        baseline_label: what it was measured beside; empty for a work without a baseline.
        baseline: the runs of that, each in the same turn.
        note: what a reader must know.
        load: load average in the middle of the turns.
    """

    label: str
    unit: str
    runs: tuple[Measured, ...]
    baseline_label: str = ""
    baseline: tuple[Measured, ...] = ()
    note: str = ""
    load: float = 0.0

    @property
    def ratios(self) -> tuple[float, ...]:
        """The least, the middle and the greatest ratio of the rates within a turn."""
        pairs = zip(self.runs, self.baseline, strict=True) if self.baseline else ()
        ratios = sorted(rate(ours) / rate(theirs) for ours, theirs in pairs)
        return (ratios[0], median(ratios), ratios[-1]) if ratios else ()


def rate(run: Measured) -> float:
    """So many times in a second of processor time."""
    return run.count / run.processor_seconds


def in_turns(
    works: Mapping[str, Work],
    unit: str,
    baselines: Mapping[str, str],
    notes: Mapping[str, str] | None = None,
    turns: int = TURNS,
) -> list[Compared]:
    """Run all works once, then all again, and so on.

    Args:
        works: by label, in the order in which they take turns.
        unit: of their rates.
        baselines: label to the label it is compared with.
        notes: by label.
        turns: how often each is run.
    """
    runs: dict[str, list[Measured]] = {label: [] for label in works}
    loads = []
    for _ in range(turns):
        for label, work in works.items():
            runs[label].append(work())
        loads.append(os.getloadavg()[0])
    return [
        Compared(
            label=label,
            unit=unit,
            runs=tuple(runs[label]),
            baseline_label=baselines.get(label, ""),
            baseline=tuple(runs[baselines[label]]) if label in baselines else (),
            note=(notes or {}).get(label, ""),
            load=median(loads),
        )
        for label in works
    ]
