"""How fast a ledger takes facts, takes them again, reads them and verifies itself; and its memory."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from time import perf_counter

from ledger.codec import frame
from ledger.log import Arrival, facts_in, init, open_log, read_log, verify
from tests.benchmarks.bench_codec import WAGER

NOTE = """
200,000 wagers of five tables, by the wall clock, because an append waits for the disk. Appending is bound by validation and
hashing (see codec).
"""
WANTED: dict[tuple[str, str], str] = {
    ("log append", "events/s"): "at least 150,000",
    ("log verify", "entries/s"): "at least 500,000",
}
BASELINES: dict[str, str] = {
    "log append, all repeated": "log append",
    "log append, sealed": "log append",
    "log append, sealed, all repeated": "log append, all repeated",
    "log read, opened": "log read, proved to the root",
    "log verify, sealed": "log verify",
    "log verify": "log read, proved to the root",
}
EVENTS = 200_000
STREAMS = 5
TIME = 1_623_500_000_000_000


def wagers(first: int, count: int) -> Iterator[Arrival]:
    """Typical wagers, dealt out over a few tables."""
    for number in range(first, first + count):
        stream, seq = f"SB-{number % STREAMS:02d}", number // STREAMS + 1
        yield Arrival(frame(replace(WAGER, stream=stream, seq=seq, wager_id=f"W-{number}")))


def run() -> list[tuple[str, float, str]]:
    """Name, value and unit of each measurement."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "ledger"
        init(folder, origin="bench.example/pit", property="Bench", record_time=TIME)
        batch = list(wagers(0, EVENTS))
        with open_log(folder) as log:
            out = [("log append", _rate(lambda: log.append(batch, TIME)), "events/s")]
            out.append(
                ("log append, all repeated", _rate(lambda: log.append(batch, TIME)), "events/s")
            )
        snapshot = read_log(folder)

        def read() -> int:
            return sum(1 for first, raw in snapshot.bundles() for _ in facts_in(first, raw))

        out.append(("log read, proved to the root", _rate(read), "entries/s"))
        out.append(("log verify", _rate(lambda: verify(folder)), "entries/s"))
        rmtree(folder / "cache")
        out.append(("log open without cache", _rate(lambda: open_log(folder).close()), "entries/s"))
        with open_log(folder) as log:
            start = perf_counter()
            for number in range(200):
                log.append(wagers(EVENTS + number, 1), TIME)
            out.append(("log append of one event", (perf_counter() - start) / 200 * 1e3, "ms"))
    out += sealed_rows(batch)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    out.append(("log peak memory of this process", peak, "MB"))
    return out


def sealed_rows(batch: list[Arrival]) -> list[tuple[str, float, str]]:
    """The same facts in a ledger that seals whom they name: the patron and who recorded each."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "ledger"
        init(folder, origin="bench.example/pit", property="Bench", record_time=TIME, sealed=True)
        with open_log(folder) as log:
            out = [("log append, sealed", _rate(lambda: log.append(batch, TIME)), "events/s")]
            again = _rate(lambda: log.append(batch, TIME))
            out.append(("log append, sealed, all repeated", again, "events/s"))
        read = _rate(lambda: sum(len(raw) for _, raw in read_log(folder).bundles()))
        out.append(("log read, opened", read, "entries/s"))
        out.append(("log verify, sealed", _rate(lambda: verify(folder)), "entries/s"))
        apart = sum(one.stat().st_size for one in (folder / "openings").rglob("*"))
        out.append(("log openings on disk", apart / EVENTS, "bytes/fact"))
    return out


def _rate(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return EVENTS / (perf_counter() - start)


if __name__ == "__main__":
    for name, value, unit in run():
        print(f"{name:36}{value:12,.1f} {unit}")
