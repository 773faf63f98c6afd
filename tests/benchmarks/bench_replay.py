"""How fast a ledger is indexed and walked, and what its index weighs: five tables, one core."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from ledger.codec import frame
from ledger.events import Instrument, WagerPlaced
from ledger.log import Arrival, init, open_log
from ledger.replay import Replay

NOTE = """
100,000 wagers of five tables, the best of three, in processor time of one core. Every replay checks the whole ledger against
its signed root once: an index is never trusted.
"""
WANTED: dict[tuple[str, str], str] = {}
BASELINES: dict[str, str] = {
    "replay index and walk": "replay index, verified",
}
FACTS = 100_000
TABLES = 5
TIMES = 3
START = 1_623_513_600_000_000
STEP_MICROS = 50_000


def arrivals() -> Iterator[Arrival]:
    """Wagers of five tables in turn."""
    for number in range(FACTS):
        table = f"SB-{number % TABLES:02d}"
        seq = number // TABLES + 1
        yield Arrival(
            frame(
                WagerPlaced(
                    stream=table,
                    seq=seq,
                    event_time=START + number * STEP_MICROS,
                    source=f"{table}-T1",
                    recorded_by="E-1001",
                    wager_id=f"W-{seq}",
                    position="3",
                    patron="P-77",
                    wager="Total Value Bet",
                    picks=(9,),
                    stake_cents=2500,
                    instrument=Instrument.CHIPS,
                    coupons=(),
                )
            )
        )


def run() -> list[tuple[str, float, str]]:
    """Name, value and unit of each measurement: the best of three."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "ledger"
        init(folder, origin="bench", property="bench", record_time=START)
        with open_log(folder) as log:
            log.append(arrivals(), START)
        return measured(folder)


def measured(folder: Path) -> list[tuple[str, float, str]]:
    """The measurements on a ledger that is there."""
    replay = Replay.open(folder)
    streams = replay.streams()
    middle = START + FACTS * STEP_MICROS // 2
    window = {"since": middle, "until": middle + 2_000 * STEP_MICROS}
    return [
        ("replay index, verified", rate(lambda: Replay.open(folder).facts), "facts/s"),
        ("replay index and walk", rate(lambda: sum(1 for _ in Replay.open(folder).walk(streams))), "facts/s"),
        ("replay walk, table after table", rate(lambda: by_table(replay)), "facts/s"),
        ("replay window of 2,000 facts", best(lambda: sum(1 for _ in replay.walk(streams, **window))) * 1e3, "ms"),
        ("replay prefix hash of a table", best(lambda: replay.prefix_hash(streams[0], FACTS // TABLES)) * 1e3, "ms"),
        ("replay index", weight(folder), "bytes/fact"),
    ]  # fmt: skip


def by_table(replay: Replay) -> int:
    """Walk each table by itself."""
    return sum(sum(1 for _ in replay.walk(streams)) for streams in replay.tables().values())


def best(work: Callable[[], object]) -> float:
    """The shortest of three runs, in seconds."""
    spent = []
    for _ in range(TIMES):
        begun = process_time()
        work()
        spent.append(process_time() - begun)
    return min(spent)


def rate(work: Callable[[], int]) -> float:
    """Facts a second, at best."""
    return FACTS / best(work)


def weight(folder: Path) -> float:
    """Bytes that a replay holds for each fact before it walks."""
    gc.collect()
    tracemalloc.start()
    replay = Replay.open(folder)
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return held / replay.facts


if __name__ == "__main__":
    for name, value, unit in run():
        print(f"{name:34}{value:12,.1f} {unit}")
