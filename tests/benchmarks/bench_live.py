"""How long after a fact reached the broker what it lets be said is told, at 5,000 facts a second."""

from __future__ import annotations

import json
import marshal
import os
import resource
import signal
import subprocess
import sys
import time
from array import array
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from infra.kafka import Broker, ensure_topics, load_topics
from ledger.cli import watching
from ledger.codec import frame
from ledger.events import Fact
from ledger.floor import Plant, simulate
from ledger.kernel.cyclic_garbage import collect_seldom
from ledger.log import Accepted, Arrival, init, open_log, read_log
from ledger.log.kafka import KafkaSettings
from ledger.log.kafka_client import Cluster, Place, Sender
from ledger.log.kafka_wire import Record, Router
from ledger.watch import FloorWatch, Told
from tests.benchmarks.figures import NotMeasured
from tests.kafka_broker import running_broker

NOTE = """
The facts of 22 simulated floors (242 tables, three million facts a day), produced to a real broker, 5,000 in each second; `ingest
--follow --judge` takes and judges them. Broker and producer have one core, it has the other; the floors are played before, since that and naming each record's
place are half of what producing takes (on November 26 the producer did so while it sent). A fact's delay is the time from just before it was sent to the end of the look that judged it, by the wall clock: whichever fact was the last that a finding
needed, that is how late the finding is told. The ingest alone follows facts that come at the same rate. One new fact is appended and judged by itself, in a process that follows. The first seconds, in which the house is read, are left out. `LIVE_SECONDS=600`
measures for ten minutes.
"""
WANTED: dict[tuple[str, str], str] = {
    ("a fact's delay, 99th percentile", "s"): "at most 2",
    ("ingest and judge", "µs of processor time a fact"): "at most 3 times",
    ("one new fact, to the end of its look, median", "ms of processor time"): "at most 20",
}
BASELINES: dict[str, str] = {"ingest and judge": "ingest alone"}
RATE: Final = 5_000
TURN: Final = 0.02
"""Seconds between two sendings."""
SETTLED: Final = 10
"""After so many sendings the producer waits until the broker has all of them."""
FLOORS: Final = 22
PLANTS: Final = "overpaid:1000"
SECONDS: Final = int(os.environ.get("LIVE_SECONDS", "60"))
LEFT_OUT: Final = 10.0
"""Seconds at the beginning that do not count."""
START: Final = 1_623_513_600_000_000
SINGLES: Final = 200
"""So many facts come one by one."""
PATIENCE: Final = 120.0
"""Seconds within which a process that follows must begin, take all that was sent, and judge it."""
READY: Final = "ready"
"""A file that the process which judges makes once it is about to take the first fact."""
TURNS: Final = "turns"
"""A file of what is sent, turn by turn."""
PREFIX: Final = "live"
ALONE: Final = 60
"""For at most so many seconds facts are produced for the ingest that does not judge."""


class Followed(NamedTuple):
    """What a process that followed a floor made of it.

    Attributes:
        folder: its ledger.
        sent: when each fact was sent (seconds), by partition and offset.
        facts: how many were.
        spent: its processor time in seconds.
        looks: of each look when it ended, the entries before and after it, and what it told.
    """

    folder: Path
    sent: dict[Place, array[float]]
    facts: int
    spent: float
    looks: list[tuple[float, int, int, int]]


def run() -> list[tuple[str, float, str]]:
    """Name, value and unit of each measurement."""
    cores = sorted(os.sched_getaffinity(0))
    mine, other = cores[0], cores[-1]
    os.sched_setaffinity(0, {mine})  # the broker inherits it
    try:
        with TemporaryDirectory() as name:
            home = Path(name)
            with running_broker(home / "kafka") as broker:
                rows = measured(home, broker, other)
            return rows + one_by_one(home / "one")
    finally:
        os.sched_setaffinity(0, cores)


def measured(home: Path, broker: Broker, other: int) -> list[tuple[str, float, str]]:
    """Produce, and let a process on the other core ingest and judge; then one that only ingests."""
    judged = followed(home / "judged", broker, other, ["--judge"], SECONDS)
    alone = followed(home / "alone", broker, other, [], min(SECONDS, ALONE))
    began = min(times[0] for times in judged.sent.values())
    delays, findings = delays_of(judged, began + LEFT_OUT)
    unit = "µs of processor time a fact"
    return [
        ("facts", len(delays), "facts"),
        ("facts a second", judged.facts / SECONDS, "facts/s"),
        ("findings told in that time", findings, "findings"),
        ("a fact's delay, median", delays[len(delays) // 2], "s"),
        ("a fact's delay, 99th percentile", delays[len(delays) * 99 // 100], "s"),
        ("a fact's delay, the longest", delays[-1], "s"),
        ("ingest alone", alone.spent / alone.facts * 1e6, unit),
        ("ingest and judge", judged.spent / judged.facts * 1e6, unit),
    ]


def followed(home: Path, broker: Broker, core: int, words: list[str], seconds: int) -> Followed:
    """Produce for some seconds to topics of its own, and let a process follow them on a core."""
    folder, prefix = home / "ledger", f"{PREFIX}-{home.name}"
    home.mkdir()
    ensure_topics(broker.bootstrap, load_topics(prefix))
    init(folder, origin="bench", property="bench", record_time=START)
    command = ["ingest", "--follow", "--format", "json", *words]
    is_judging = "--judge" in words
    play(home / TURNS, broker, prefix, seconds)
    process = child(folder, broker, core, home / "looks.json", prefix, command)
    try:
        if is_judging:
            awaited(process, (home / READY).exists, "begin to judge")
        sent = produced(broker, home / TURNS, prefix)
        facts = sum(map(len, sent.values()))
        awaited(process, lambda: read_log(folder).size >= facts, f"take {facts:,} facts")
        process.send_signal(signal.SIGTERM)
        awaited(process, lambda: process.poll() is not None, "judge the rest", is_to_end=True)
    finally:
        process.kill()
    if not (home / "looks.json").exists():
        raise NotMeasured(f"the process that follows was ended with {process.returncode}")
    kept = json.loads((home / "looks.json").read_text())
    judged = max((size for _, _, size, _ in kept["looks"]), default=0)
    if is_judging and judged < facts:
        raise NotMeasured(f"{judged:,} of {facts:,} facts were judged")
    return Followed(folder, sent, facts, kept["spent"], kept["looks"])


def awaited(
    process: subprocess.Popen[bytes],
    is_done: Callable[[], bool],
    task: str,
    *,
    is_to_end: bool = False,
    patience: float = PATIENCE,
) -> None:
    """Wait until a process that follows has done its task; ``is_to_end``: it ends with it.

    Raises:
        NotMeasured: it ended before, or had not done it within so many seconds. What it did until
            then would leave out the longest delays.
    """
    deadline = time.monotonic() + patience
    while not is_done():
        if process.poll() is not None and not is_to_end:
            raise NotMeasured(f"the process that was to {task} ended with {process.returncode}")
        if time.monotonic() >= deadline:
            raise NotMeasured(
                f"the process that was to {task} had not done so {patience:g} s later: the machine "
                f"is too slow or too busy for {RATE:,} facts a second"
            )
        time.sleep(0.1)


def one_by_one(folder: Path) -> list[tuple[str, float, str]]:
    """What a look costs to which one fact came, with its append, after 100,000 facts."""
    facts = iter(simulate(1, plants=[Plant.parse(PLANTS)], floors=FLOORS).facts)
    init(folder, origin="bench", property="bench", record_time=START)
    watch, spent = FloorWatch(folder, Told()), []
    with open_log(folder) as log:
        for size in (*[20_000] * 5, *[1] * SINGLES):
            arrivals = [Arrival(frame(fact)) for fact in islice(facts, size)]
            began = time.process_time()
            log.append(arrivals, START)
            watch.tick()
            spent.append(time.process_time() - began)
    singles = sorted(spent[-SINGLES:])
    unit = "ms of processor time"
    return [
        ("one new fact, to the end of its look, median", singles[SINGLES // 2] * 1e3, unit),
        ("one new fact, 99th percentile", singles[SINGLES * 99 // 100] * 1e3, unit),
    ]


def play(path: Path, broker: Broker, prefix: str, seconds: int) -> None:
    """Write what the floors send in so many seconds, turn by turn, each record with its place."""
    settings = KafkaSettings(bootstrap=broker.bootstrap, topic_prefix=prefix)
    cluster = Cluster(settings)
    topics = cluster.topics([topic.name for topic in load_topics(prefix)])
    cluster.close()
    router = Router(prefix, topics, "bench")
    with path.open("wb") as file:
        for facts in batches(seconds):
            records = [router.arrival(Arrival(frame(fact))) for fact in facts]
            turn = [(*place, *rest) for place, *rest in records]
            marshal.dump(turn, file)
        file.flush()
        os.fsync(file.fileno())  # else it is written while the delays are measured


def turns_of(path: Path) -> Iterator[list[Record]]:
    """The records of each turn that ``play`` wrote."""
    with path.open("rb") as file:
        while file.peek(1):
            yield [
                Record(Place(topic, partition), *rest)
                for topic, partition, *rest in marshal.load(file)
            ]


def produced(broker: Broker, path: Path, prefix: str) -> dict[Place, array[float]]:
    """Produce facts at their rate; when each was sent (seconds), by partition and offset."""
    sender = Sender(KafkaSettings(bootstrap=broker.bootstrap, topic_prefix=prefix))
    sent: dict[Place, array[float]] = {}
    began = time.monotonic()
    try:
        for number, records in enumerate(turns_of(path), 1):
            time.sleep(max(0.0, began + number * TURN - time.monotonic()))
            for record in records:
                sent.setdefault(record.place, array("d")).append(time.time())
                sender.send(*record)
            if not number % SETTLED:
                sender.settle()
        sender.settle()
    finally:
        sender.close()
    return sent


def batches(seconds: int) -> Iterator[list[Fact]]:
    """The facts of each turn of so many seconds."""
    facts = iter(simulate(1, plants=[Plant.parse(PLANTS)], floors=FLOORS).facts)
    for _ in range(round(seconds / TURN)):
        yield [*islice(facts, round(RATE * TURN))]


def child(
    folder: Path, broker: Broker, core: int, out: Path, prefix: str, words: list[str]
) -> subprocess.Popen[bytes]:
    """Start a command in a process of its own, on a core of its own."""
    command = [
        sys.executable, "-m", "tests.benchmarks.bench_live", str(core), str(out), *words,
        "--ledger", str(folder), "--bootstrap", broker.bootstrap, "--topic-prefix", prefix,
    ]  # fmt: skip
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def delays_of(followed: Followed, since: float) -> tuple[list[float], int]:
    """The delays of all facts that were sent from a moment on, rising, and the findings told."""
    delays, findings, log = [], 0, read_log(followed.folder)
    for ended, before, size, told_by_look in followed.looks:
        counted = False
        for _, entry in log.entries(before, size):
            if not isinstance(entry, Accepted) or entry.coordinates is None:
                continue
            topic, partition, offset = entry.coordinates
            at = followed.sent[Place(topic, partition)][offset]
            if at >= since:
                delays.append(ended - at)
                counted = True
        findings += told_by_look if counted else 0
    return sorted(delays), findings


def work(core: int, out: Path, words: list[str]) -> None:
    """Run a command on a core; write when each look ended, its entries and findings, the cost."""
    from ledger.cli import main

    collect_seldom()  # as the command's own process
    os.sched_setaffinity(0, {core})
    looks: list[tuple[float, int, int, int]] = []
    look = watching.Teller.look

    def noted(teller: watching.Teller) -> bool:
        before = teller.watch.judged
        anything_came = look(teller)
        if teller.watch.judged > before:
            findings = sum(map(len, teller.memory.days.values()))
            looks.append((time.time(), before, teller.watch.judged, findings))
        return anything_came

    begin = watching.Teller.of

    def begun(*arguments: Any) -> watching.Teller:
        out.with_name(READY).touch()
        return begin(*arguments)

    watching.Teller.look = noted  # type: ignore[method-assign]
    watching.Teller.of = begun  # type: ignore[method-assign, assignment]
    try:
        main(words)
    finally:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        spent = usage.ru_utime + usage.ru_stime
        standing = [0, *(each[3] for each in looks)]
        rows = [
            (*each[:3], each[3] - before) for each, before in zip(looks, standing, strict=False)
        ]
        out.write_text(json.dumps({"looks": rows, "spent": spent}))


if __name__ == "__main__":
    work(int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
