"""What an answer costs at a counter: each question as a whole process, and in a process that is warm."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final

from ledger.analytics import judged_by, open_projection, read_model
from ledger.cli.days import round_seen
from ledger.codec import frame
from ledger.events import ActionAbout, ActionNoted
from ledger.log import Arrival, open_log
from ledger.replay import Replay
from ledger.search import find_in
from tests.benchmarks.bench_desk import asked, middle
from tests.benchmarks.bench_judged import best, spent
from tests.benchmarks.ledgers import ledger_of, sizes

NOTE = """
Simulated days of eleven tables with coupons, in processor time, on a store that is warm: each day was judged, and the read model is of the present
state. Commands are whole processes with all that they start, the fastest of three; `pitledger --help` is the floor under each of them. "First": nobody asked this
of the ledger before; "again": the same question. In one process: the middle of forty searches, and of forty rounds over all days. A note: an action's note is appended
and the read model brought forward. On disk: all that is kept beside the tree.
"""
WANTED: dict[tuple[str, str], str] = {}
BASELINES: dict[str, str] = {}
TIMES: Final = 3
SAMPLE: Final = 40
LISTS: Final = {
    "rounds --only findings": ("rounds", "--only", "findings"),
    "actions list": ("actions", "list"),
    "find a table at a time": ("find", "DC-01 21:45±5m $25"),
    "coupons outstanding": ("coupons", "outstanding"),
    "coupons where": ("coupons", "where", "P25-0000041"),
    "tables": ("tables",),
}
OTHERS: Final = {
    "round show": (("round", "show", "SB-01:1500"), 0.8),
    "sql, one SELECT": (("sql", "SELECT count(*) FROM wagers"), 0.9),
    "explain": (("explain", "late_wager"), 0.5),
    "config show": (("config", "show"), 0.5),
}
MOST: Final = {
    ("pitledger --help", "s"): 0.3,
    ("find, in one process", "ms"): 200,
    ("round, in one process", "ms"): 100,
    ("a note on an action", "ms"): 50,
    ("on disk beside the tree", "bytes/fact"): 40,
}


def run() -> list[tuple[str, float, str]]:
    """Name, value and unit of each measurement."""
    rows: list[tuple[str, float, str]] = []
    for millions in sizes():
        most = dict(MOST)
        for name, value, unit in measured(ledger_of(millions), most):
            label = f"{name}, {millions} M"
            rows.append((label, value, unit))
            if (name, unit) in most:
                WANTED[label, unit] = f"at most {most[name, unit]:g}"
            if unit == "s" and name != "pitledger --help":
                BASELINES[label] = f"pitledger --help, {millions} M"
    return rows


def measured(folder: Path, most: dict[tuple[str, str], float]) -> list[tuple[str, float, str]]:
    """The questions, on one ledger; ``most`` is told what is wanted of each command."""
    read_model(folder).close()
    rows = [("pitledger --help", best(folder, "--help"), "s")]
    for name, words in LISTS.items():
        for kind in ("first", "again"):
            most[f"{name}, {kind}", "s"] = 0.5
        rows.append((f"{name}, first", min(first(folder, *words) for _ in range(TIMES)), "s"))
        rows.append((f"{name}, again", best(folder, *words), "s"))
    for name, (words, seconds) in OTHERS.items():
        most[name, "s"] = seconds
        rows.append((name, best(folder, *words), "s"))
    rows += warm(folder)
    rows.append(
        ("on disk beside the tree", beside(folder) / Replay.open(folder).facts, "bytes/fact")
    )
    with TemporaryDirectory() as place:
        copy = Path(place) / "ledger"
        shutil.copytree(folder, copy)
        shutil.copy(f"{folder}.key", f"{copy}.key")
        rows.append(("a note on an action", min(noted(copy, n) for n in range(1, 1 + TIMES)), "ms"))
    return rows


def first(folder: Path, *words: str) -> float:
    """Processor time of a question that nobody asked before."""
    shutil.rmtree(folder / "cache" / "answers", ignore_errors=True)
    return spent(folder, *words)


def warm(folder: Path) -> list[tuple[str, float, str]]:
    """A search and a round in a process that asked others before."""
    lines, names = asked(folder)
    found, shown = [], []
    with read_model(folder) as model:
        for line in lines[: 2 * SAMPLE]:
            began = process_time()
            find_in(model, folder, line, today=lambda: date(2021, 6, 12))
            found.append((process_time() - began) * 1e3)
    replay = Replay.open(folder)
    judged = judged_by(folder, replay)
    for name in names[: 2 * SAMPLE]:
        began = process_time()
        round_seen(replay, judged, folder / "cache", name)
        shown.append((process_time() - began) * 1e3)
    return [
        ("find, in one process", middle(found[SAMPLE:]), "ms"),
        ("round, in one process", middle(shown[SAMPLE:]), "ms"),
    ]


def beside(folder: Path) -> int:
    """Bytes of all that is kept beside the tree."""
    return sum(path.stat().st_size for path in (folder / "cache").rglob("*") if path.is_file())


def noted(folder: Path, number: int) -> float:
    """Milliseconds until the read model has a note on an action, with its append."""
    at = 1_626_000_000_000_000 + number
    about = ActionAbout(
        action="0" * 16, for_gaming_day="2021-06-12", code="wager_underpaid", section="689.3",
        table="DC-01", subject="", certain=True, first_stream="DC-01", first_seq=1, first_time=1,
        last_time=1, findings=1, overpaid_cents=0, underpaid_cents=500, evidence=b"", tree_size=1,
        root=b"",
    )  # fmt: skip
    note = ActionNoted(
        stream="cases/actions", seq=number, event_time=at, source="pitledger", recorded_by="S-1",
        about=about, note="seen", noted_by="S-1", proof=None,
    )  # fmt: skip
    began = process_time()
    with open_log(folder) as log:
        log.append([Arrival(frame(note))], at)
    open_projection(folder)
    return (process_time() - began) * 1e3
