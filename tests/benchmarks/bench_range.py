"""How fast many days are judged, and what goes over the network for it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Final

from distributed import Client, LocalCluster

from ledger.analytics import JudgedTables
from ledger.analytics.day_range import InTurn, TaskKey, audit_range
from ledger.analytics.day_range.runners import in_processes
from ledger.analytics.day_range.tasks import RangeGround
from ledger.codec import frame
from ledger.floor import simulate
from ledger.kernel.cyclic_garbage import collect_seldom
from ledger.log import Arrival, init, open_log
from ledger.replay import Replay
from tests.benchmarks.ledgers import ledger_of

NOTE = """
Four simulated days of eleven tables with coupons at a tenth of their usual rounds, judged from nothing in one process, in processor
time; what a task and its answer weigh; a month of days at a hundredth, of which the last five are held against the first
five. "Through a scheduler": tasks without work, on two processes of this machine, by the wall clock. A million facts, eight days of eleven tables with
coupons, are judged from nothing by one process and by two, processes begun included, by the wall clock; so are loops that only count.
`infra/docs/machines.md` is computed from these figures.
"""
SEED: Final = 1
START: Final = 1_623_513_600_000_000
DAYS: Final = 4
LONG_DAYS: Final = 30
EDGE: Final = 5
TASKS: Final = 400
MILLIONS: Final = 1.0
TURNS: Final = 2
LOOPS: Final = 200_000_000
LONG_AGO, FAR_OFF = date(2000, 1, 1), date(2100, 1, 1)
WANTED: dict[tuple[str, str], str] = {
    ("two processes, as a share of two control loops", ""): "at least 0.9",
}
BASELINES: dict[str, str] = {}


class Weighed(InTurn):
    """Does each task in this process, and notes what it took."""

    def __init__(self, ground: RangeGround) -> None:
        super().__init__(ground)
        self.sent = self.answered = 0
        self.seconds: list[float] = []

    def start(self, key: TaskKey, task: bytes) -> None:
        self.sent += len(task)
        super().start(key, task)

    def finished(self):  # type: ignore[no-untyped-def]
        began = process_time()
        for key, answer in super().finished():
            self.seconds.append(process_time() - began)
            self.answered += len(answer)
            yield key, answer


def run() -> list[tuple[str, float, str]]:
    """Name, value and unit of each measurement."""
    with TemporaryDirectory() as name:
        return [*judged(Path(name)), *grown(Path(name)), *scheduled(), *shared()]


def judged(folder: Path) -> list[tuple[str, float, str]]:
    """A few days of the whole floor."""
    ledger = made(folder / "ledger", days=DAYS, scale=0.1, coupons=True)
    disk = sum(path.stat().st_size for path in (ledger / "tile").rglob("*") if path.is_file())
    tables = JudgedTables(Replay.open(ledger), None)
    runner = Weighed(RangeGround.of(tables))
    began = process_time()
    audited = audit_range(tables, LONG_AGO, FAR_OFF, runner)
    whole, working = process_time() - began, sum(runner.seconds)
    facts, tasks = tables.replay.facts, len(runner.seconds)
    return [
        ("judged by a worker", facts / working, "facts/s"),
        ("taken in, joined and listed by the client", facts / (whole - working), "facts/s"),
        ("a task to a worker", runner.sent / tasks, "bytes/table day"),
        ("its answer", runner.answered / facts, "bytes/fact"),
        ("ledger on disk", disk / facts, "bytes/fact"),
        ("facts of a table's day", facts / tasks, "facts"),
        ("days", len(audited.manifest.days), "days"),
    ]


def grown(folder: Path) -> list[tuple[str, float, str]]:
    """What a longer record adds to the work of one day."""
    tables = JudgedTables(Replay.open(made(folder / "long", days=LONG_DAYS, scale=0.01)), None)
    runner = Weighed(RangeGround.of(tables))
    audit_range(tables, LONG_AGO, FAR_OFF, runner)
    per_day = len(runner.seconds) // LONG_DAYS
    first, last = runner.seconds[per_day : per_day * (EDGE + 1)], runner.seconds[-per_day * EDGE :]
    return [("the last days of a month, over its first", sum(last) / sum(first), "times")]


def scheduled() -> list[tuple[str, float, str]]:
    """What a task costs that has no work."""
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.gather(client.map(bytes, range(8), pure=False))
        began = perf_counter()
        for number in range(TASKS):
            client.submit(bytes, number, pure=False).result()
        return [("through a scheduler and back", (perf_counter() - began) / TASKS * 1e3, "ms/task")]


def shared() -> list[tuple[str, float, str]]:
    """What a second process gains, beside what it gains for loops that ask for nothing."""
    ledger = ledger_of(MILLIONS)
    works: list[Callable[[], object]] = [
        lambda: ranged(ledger, 1),
        lambda: ranged(ledger, 2),
        lambda: (burn(LOOPS), burn(LOOPS)),
        burnt_side_by_side,
    ]
    turns = [[seconds(work) for work in works] for _ in range(TURNS)]
    one, two, in_turn, beside = (sum(spent) for spent in zip(*turns, strict=True))
    gain, control = one / two, in_turn / beside
    return [
        ("a million facts by one process, over two", gain, "times"),
        ("two control loops in turn, over side by side", control, "times"),
        ("two processes, as a share of two control loops", gain / control, ""),
    ]


def seconds(work: Callable[[], object]) -> float:
    """How long a work takes, by the wall clock."""
    began = perf_counter()
    work()
    return perf_counter() - began


def ranged(ledger: Path, processes: int) -> None:
    """Judge all days of a ledger from nothing."""
    collect_seldom()  # as the command's own process
    tables = JudgedTables(Replay.open(ledger, keeps=False), None)
    ground = RangeGround.of(tables)
    if processes == 1:
        audit_range(tables, LONG_AGO, FAR_OFF, InTurn(ground))
        return
    with in_processes(ground, processes) as runner:
        audit_range(tables, LONG_AGO, FAR_OFF, runner)


def burn(loops: int) -> int:
    """Count."""
    count = 0
    for number in range(loops):
        count += number & 1
    return count


def burnt_side_by_side() -> None:
    """Count in two processes at once."""
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        list(pool.map(burn, [LOOPS] * 2))


def made(folder: Path, *, days: int, scale: float, coupons: bool = False, floors: int = 1) -> Path:
    """A ledger of simulated days."""
    init(folder, origin="bench", property="bench", record_time=START)
    with open_log(folder) as log:
        drawn = simulate(SEED, days=days, scale=scale, coupons=coupons, floors=floors).facts
        log.append((Arrival(frame(fact)) for fact in drawn), START)
    return folder
