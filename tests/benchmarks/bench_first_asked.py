"""What a question costs that nobody asked before, on ten million facts that are kept and judged."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ledger.analytics import read_model
from tests.benchmarks.bench_asked import LISTS, OTHERS, first
from tests.benchmarks.ledgers import is_kept, ledger_of

NOTE = """
Seventy-two simulated days of eleven tables with coupons, in processor time, on a store that is warm: each day was judged, and the read model is of the present
state. Each question is a whole process with all that it starts, asked after every answer that was kept is removed; all take turns with `pitledger --help`, whose
own time tells how fast the machine is then, and the least of the turns stands here. Measured only where the ledger is kept, for making and judging it takes
an hour: `PITLEDGER_BENCH_SIZES=10 make bench` makes it.
"""
MILLIONS: Final = 10.0
TURNS: Final = 5
HELP: Final = "pitledger --help"
ASKED: Final = {
    HELP: (("--help",), 0.3),
    **{f"{name}, first": (words, 0.5) for name, words in LISTS.items()},
    **{f"{name}, first": asked for name, asked in OTHERS.items()},
}
"""By label, the words and how many seconds they may take at most."""
WANTED: dict[tuple[str, str], str] = {}
BASELINES: dict[str, str] = {}


def run() -> list[tuple[str, float, str]]:
    """Name, value and unit of each measurement; none where the ledger is not kept."""
    if not is_kept(MILLIONS):
        return []
    WANTED.update({(label, "s"): f"at most {most:g}" for label, (_, most) in ASKED.items()})
    BASELINES.update({label: HELP for label in ASKED if label != HELP})
    folder = ledger_of(MILLIONS)
    read_model(folder).close()
    return [(label, least, "s") for label, least in asked_in_turns(folder).items()]


def asked_in_turns(folder: Path) -> dict[str, float]:
    """By label, the least seconds of processor time."""
    turns = [
        {label: first(folder, *words) for label, (words, _) in ASKED.items()} for _ in range(TURNS)
    ]
    return {label: min(turn[label] for turn in turns) for label in ASKED}
