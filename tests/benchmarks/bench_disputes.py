"""What a dispute costs: a what-if, the pack of a round, and appending to a ledger that can forget."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final

from ledger.analytics import read_model
from ledger.codec import frame
from ledger.floor import Plant, simulate
from ledger.log import Arrival, init, open_log
from tests.benchmarks.bench_judged import best, spent

NOTE = """
Seven simulated days of eleven tables with coupons (a million events), in processor time. Commands are whole processes: warm, with
what the writer keeps and a read model of the present state, the fastest of three; cold, once, with nothing kept beside the ledger. `pitledger --help` is the floor under
each of them. An append is of one simulated day (140,000 events), framed before.
"""
SEED: Final = 1
DAYS: Final = 7
START: Final = 1_623_513_600_000_000
ROUND: Final = "SB-02:49181"
WANTED: dict[tuple[str, str], str] = {
    ("what-if, warm", "s"): "at most 0.6",
    ("pack of a round, warm", "s"): "at most 3",
}
BASELINES: dict[str, str] = {
    **dict.fromkeys(("what-if, warm", "pack of a round, warm"), "pitledger --help"),
    "append, sealed": "append, plain",
}


def run() -> list[tuple[str, float, str]]:
    """Name, value and unit of each measurement."""
    with TemporaryDirectory() as name:
        place = Path(name)
        folder = place / "ledger"
        drawn = simulate(SEED, days=DAYS, plants=[Plant.parse("overpaid:3")], coupons=True).facts
        init(folder, origin="bench", property="bench", record_time=START)
        with open_log(folder) as log:
            log.append((Arrival(frame(fact)) for fact in drawn), START)
        return [*disputed(folder, place), *appended(place)]


def disputed(folder: Path, place: Path) -> list[tuple[str, float, str]]:
    """A what-if and a pack, before anything is kept beside a ledger and with all of it."""
    what_if = ("whatif", ROUND, "--set", "dice[2]=5")
    packs = (
        ("pack", "--round", ROUND, "--out", str(place / f"{number}.zip")) for number in range(4)
    )
    cache, by_writer = folder / "cache", place / "cache of the writer"
    cache.rename(by_writer)
    rows = [("what-if, cold", spent(folder, *what_if), "s")]
    shutil.rmtree(cache, ignore_errors=True)
    rows.append(("pack of a round, cold", spent(folder, *next(packs)), "s"))
    shutil.rmtree(cache, ignore_errors=True)
    by_writer.rename(cache)
    read_model(folder).close()
    rows.append(("pitledger --help", best(folder, "--help"), "s"))
    rows.append(("what-if, warm", best(folder, *what_if), "s"))
    rows.append(("pack of a round, warm", min(spent(folder, *words) for words in packs), "s"))
    return rows


def appended(place: Path) -> list[tuple[str, float, str]]:
    """A day's events into a ledger that keeps them for ever, and into one that can forget."""
    framed = [frame(fact) for fact in simulate(SEED, coupons=True).facts]
    rows = []
    for kind, is_sealed in (("plain", False), ("sealed", True)):
        folder = place / kind
        init(folder, origin="bench", property="bench", record_time=START, sealed=is_sealed)
        with open_log(folder) as log:
            began = process_time()
            log.append((Arrival(event) for event in framed), START)
            rows.append((f"append, {kind}", len(framed) / (process_time() - began), "events/s"))
    return rows
