"""How fast a projection is built, opened and asked: one simulated day of five tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import duckdb

from ledger.analytics import Projection, open_projection, rebuild_projection, run_select
from ledger.analytics.arrow_batches import StagingBatches
from ledger.analytics.audit_rows import wager_rows
from ledger.analytics.marts import staging_statements
from ledger.audit import audit_day, gaming_days, rounds_of
from ledger.codec import frame
from ledger.floor import simulate
from ledger.log import Arrival, init, open_log
from ledger.replay import Replay

NOTE = """
One simulated day of five tables, the best of three, by the wall clock: a projection is built by several threads and asked in a
process of its own.
"""
WANTED: dict[tuple[str, str], str] = {}
BASELINES: dict[str, str] = {}
SEED = 7
START = 1_623_513_600_000_000
TIMES = 3
COPIES = 5


def run() -> list[tuple[str, float, str]]:
    """Name, value and unit of each measurement: the best of three."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "ledger"
        init(folder, origin="bench", property="bench", record_time=START)
        with open_log(folder) as log:
            log.append((Arrival(frame(fact)) for fact in simulate(SEED).facts), START)
        return measured(folder)


def measured(folder: Path) -> list[tuple[str, float, str]]:
    """The measurements on a ledger that is there."""
    replay = Replay.open(folder)
    (day,) = gaming_days(replay)
    build = best(lambda: rebuild_projection(folder))
    audit = best(lambda: (Replay.open(folder), audit_day(replay, day)))
    query = "SELECT table_name, count(*), sum(difference_cents) FROM wagers GROUP BY ALL"
    return [
        ("analytics rebuild of a day", build, "s"),
        ("analytics rebuild", replay.facts / build, "facts/s"),
        ("analytics rebuild, times the audit alone", build / audit, "x"),
        ("analytics rows into staging", inserted(replay), "rows/s"),
        ("analytics open, compared and hashed", best(lambda: open_projection(folder, is_read_whole=True)) * 1e3, "ms"),
        ("analytics one SELECT, own process", best(lambda: run_select(folder, query)) * 1e3, "ms"),
        ("analytics projection", size_of(open_projection(folder)) / replay.facts, "bytes/fact"),
    ]  # fmt: skip


def size_of(projection: Projection) -> int:
    """The bytes of its files."""
    return sum(path.stat().st_size for path in projection.path.iterdir())


def inserted(replay: Replay) -> float:
    """Rows a second from results of the audit to a table of staging, without the audit."""
    (day,) = gaming_days(replay)
    rows = [row for result in rounds_of(replay, day) for row in wager_rows(result)] * COPIES

    def insert() -> None:
        with duckdb.connect() as connection:
            connection.execute("CREATE SCHEMA staging")
            for statement in staging_statements():
                connection.execute(statement)
            batches = StagingBatches(connection)
            batches.extend("wagers", rows)
            batches.finish()

    return len(rows) / best(insert)


def best(work: Callable[[], object]) -> float:
    """Seconds of the fastest of several goes."""
    times = []
    for _ in range(TIMES):
        begun = perf_counter()
        work()
        times.append(perf_counter() - begun)
    return min(times)


if __name__ == "__main__":
    for name, value, unit in run():
        print(f"{name:44}{value:12,.2f} {unit}")
