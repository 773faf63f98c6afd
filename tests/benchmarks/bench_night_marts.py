"""What the marts and the archive of one gaming day cost the night, in processor time."""

from __future__ import annotations

import resource
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from ledger.analytics import build_day, stage_table, verify_archive, write_archive
from ledger.audit import (
    Theory,
    audit_day,
    day_of,
    gaming_days,
    read_coupons,
    read_office,
    shown_of,
    with_coupons,
)
from ledger.audit.table import audit_table
from ledger.codec import frame
from ledger.floor import simulate
from ledger.log import Arrival, init, open_log
from ledger.replay import Replay

NOTE = """
One simulated day, in processor time of all threads, scaled to a million facts. All but the SELECTs of the marts can be shared
out to processes by table or stream.
"""
WANTED: dict[tuple[str, str], str] = {
    ("memory, all in one process", "MB"): "at most 1,500",
}
BASELINES: dict[str, str] = {}
SEED = 7
START = 1_623_513_600_000_000
MEGABYTE = 1024


def run() -> list[tuple[str, float, str]]:
    """Name, value and unit of each measurement, on one simulated day of all games."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "ledger"
        init(folder, origin="bench", property="bench", record_time=START)
        with open_log(folder) as log:
            log.append((Arrival(frame(fact)) for fact in simulate(SEED).facts), START)
        return measured(folder, Path(name))


def measured(folder: Path, scratch: Path) -> list[tuple[str, float, str]]:
    """The measurements on a ledger that is there."""
    replay = Replay.open(folder)
    (day,) = gaming_days(replay)
    house = read_office(replay)
    book = read_coupons(replay, house)
    house = with_coupons(replay, house, book)
    span, tables, theory = day_of(house.clock, day), replay.tables(), Theory(house.office)
    audit = audit_day(replay, day)
    facts = replay.facts
    for account in audit.accounts:  # the night has the edges already when it comes to the marts
        shown_of(account, theory, day)
    plain, _ = timed(lambda: [audit_table(replay, house, one, span) for one in tables])
    gathering, staged = timed(lambda: [stage_table(replay, house, one, span)[1] for one in tables])
    path = scratch / "day.duckdb"
    made, _ = timed(
        lambda: build_day(
            path,
            audit,
            staged,
            theory=theory,
            clock=house.clock,
            book=book,
        )
    )
    archive = scratch / "archive"
    wrote, manifest = timed(lambda: write_archive(replay, day, archive))
    held, _ = timed(lambda: verify_archive(folder, day, archive))
    million = 1_000_000 / facts
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE
    return [
        ("facts of the day", facts, "facts"),
        ("gathering rows while auditing, a million facts", (gathering - plain) * million, "s"),
        ("marts made and checked, a million facts", made * million, "s"),
        ("archive written, a million facts", wrote * million, "s"),
        ("archive verified, a million facts", held * million, "s"),
        ("archive", sum(file.bytes for file in manifest.files) / facts, "bytes/fact"),
        ("projection of a day", path.stat().st_size / facts, "bytes/fact"),
        ("memory, all in one process", peak, "MB"),
    ]


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of processor time, all threads together, and the result."""
    begun = process_time()
    found = work()
    return process_time() - begun, found


if __name__ == "__main__":
    for name, value, unit in run():
        print(f"{name:60}{value:12,.2f} {unit}")
