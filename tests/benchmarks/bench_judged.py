"""How fast a day that was judged is asked again, and how fast a new fact is told."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final

from ledger.analytics import open_projection
from ledger.codec import frame
from ledger.events import GamingDayClosed, Role, StaffRelieved
from ledger.floor import Plant, simulate
from ledger.log import Arrival, init, open_log
from ledger.log.ledger_at_checkpoint import CACHE
from ledger.replay import Replay
from ledger.watch import FloorWatch, Told
from tests.benchmarks.disk_peak import peak_of, room

NOTE = """
One simulated day of eleven tables with coupons (138,000 events), in processor time. Commands are whole processes with all that
they start, the fastest of three on a warm store; `pitledger --help` is the floor under each of them. "After a fact": one fact
was appended at one table since. "While it follows": six times one fact was appended at every table, and the store brought up to
it; its room is taken before each file is removed or replaced.
"""
SEED: Final = 1
START: Final = 1_623_513_600_000_000
TIMES: Final = 3
FOLLOWED: Final = 6
"""So often a fact of every table comes, and the store follows."""
ROUND: Final = "SB-01:1500"
ASKED: Final = {
    "rounds --only findings": ("rounds", "--only", "findings"),
    "actions list": ("actions", "list"),
    "find unknown": ("find", "unknown"),
    "coupons outstanding": ("coupons", "outstanding"),
    "audit": ("audit",),
    "round show": ("round", "show", ROUND),
    "sql, one SELECT": ("sql", "SELECT count(*) FROM wagers"),
}
WANTED: dict[tuple[str, str], str] = {
    ("rounds --only findings", "s"): "at most 0.5",
    ("actions list", "s"): "at most 0.5",
    ("find unknown", "s"): "at most 0.5",
    ("coupons outstanding", "s"): "at most 0.5",
    ("round show", "s"): "at most 0.8",
    ("sql, one SELECT", "s"): "at most 0.9",
    ("watch, one fact more", "ms"): "at most 20",
    ("judged tables on disk", "bytes/fact"): "at most 40",
    ("store at most, while it follows", "bytes/fact"): "at most 2 times",
}
BASELINES: dict[str, str] = {
    **dict.fromkeys(ASKED, "pitledger --help"),
    "index, kept": "index, from the entries",
    "store at most, while it follows": "store made anew, all of it",
}


def run() -> list[tuple[str, float, str]]:
    """Name, value and unit of each measurement."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "ledger"
        init(folder, origin="bench", property="bench", record_time=START)
        drawn = [*simulate(SEED, plants=[Plant.parse("overpaid")], coupons=True).facts]
        with open_log(folder) as log:
            log.append((Arrival(frame(fact)) for fact in drawn), START)
        growing = Path(name) / "growing"
        init(growing, origin="bench", property="bench", record_time=START)
        with open_log(growing) as log:
            arrivals = (Arrival(frame(fact)) for fact in drawn if type(fact) is not GamingDayClosed)
            log.append(arrivals, START)
        return [*measured(folder), *followed(folder), *watched(growing)]


def measured(folder: Path) -> list[tuple[str, float, str]]:
    """The commands, on a ledger of a closed day."""
    rows = [("audit, nothing judged yet", spent(folder, "audit"), "s")]
    rows.append(("find, no read model yet", spent(folder, "find", "unknown"), "s"))
    rows.append(("pitledger --help", best(folder, "--help"), "s"))
    rows += [(name, best(folder, *words), "s") for name, words in ASKED.items()]
    kept = sum(path.stat().st_size for path in (folder / "cache" / "judged").iterdir())
    facts = Replay.open(folder).facts
    rows.append(("judged tables on disk", kept / facts, "bytes/fact"))
    index = sum(path.stat().st_size for path in (folder / "cache" / "index").iterdir())
    rows.append(("index on disk", index / facts, "bytes/fact"))
    for name, from_entries in (("index, from the entries", True), ("index, kept", False)):
        began = process_time()
        Replay.open(folder, from_entries=from_entries)
        rows.append((name, (process_time() - began) * 1e3, "ms"))
    for name, words in (("audit", ("audit",)), ("find", ("find", "unknown"))):
        relieve(folder)
        rows.append((f"{name}, after a fact", spent(folder, *words), "s"))
    return rows


def followed(folder: Path) -> list[tuple[str, float, str]]:
    """The room of the store made anew, and at most while it follows facts of every table."""
    store = folder / CACHE
    rmtree(store)
    open_projection(folder)
    made_anew, facts = room(store), Replay.open(folder).facts
    with peak_of(store) as peak:
        for _ in range(FOLLOWED):
            for table in Replay.open(folder).tables():
                relieve(folder, table)
            open_projection(folder)
    return [
        ("store made anew, all of it", made_anew / facts, "bytes/fact"),
        ("store at most, while it follows", peak.most / facts, "bytes/fact"),
    ]


def watched(folder: Path) -> list[tuple[str, float, str]]:
    """The watch, on a ledger whose day is open."""
    watch = FloorWatch(folder, Told())
    began = process_time()
    watch.tick()
    rows = [("watch, its first look", process_time() - began, "s")]
    ticks = []
    for _ in range(TIMES):
        relieve(folder)
        began = process_time()
        watch.tick()
        ticks.append((process_time() - began) * 1e3)
    return [*rows, ("watch, one fact more", min(ticks), "ms")]


def relieve(folder: Path, table: str = "SB-01") -> None:
    """One fact more at a table."""
    replay = Replay.open(folder)
    last = replay.fact(table, replay.extent(table).last_seq)
    assert last is not None
    fact = StaffRelieved(
        stream=table, seq=last.seq + 1, event_time=last.event_time + 1, source=last.source,
        recorded_by=None, role=Role.DEALER, person=f"D-{table}-9", relieved_by=None,
    )  # fmt: skip
    with open_log(folder) as log:
        log.append([Arrival(frame(fact))], START)


def best(folder: Path, *words: str) -> float:
    """Processor time of the fastest of several goes."""
    return min(spent(folder, *words) for _ in range(TIMES))


def spent(folder: Path, *words: str) -> float:
    """Processor time of one command and all that it starts, in seconds."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "ledger", *words], stdout=subprocess.DEVNULL, check=False,
        cwd=Path(__file__).parent.parent.parent, env={**kept, "PITLEDGER_LEDGER": str(folder)},
    )  # fmt: skip
    assert done.returncode in (0, 1), words
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
