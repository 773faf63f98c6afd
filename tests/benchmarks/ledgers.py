"""Ledgers to measure on: simulated days in order of time, with coupons, filings and closed days.

Each is made once and kept outside the checkout, under the hash of what made it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from ledger.kernel.code_fingerprint import code_fingerprint

SEED = 1
DAYS = {0.1: 1, 1.0: 8, 10.0: 72}
"""Days of the floor that make so many million events."""
MADE_BY = ("kernel", "events", "codec", "log", "floor")
SIZES = "PITLEDGER_BENCH_SIZES"
"""Names the sizes that are measured, in millions; ``0.1,1`` where it is not set."""
KEPT = "PITLEDGER_BENCH_LEDGERS"
"""Names the folder in which ledgers are kept, in place of one below the user's cache."""


def sizes() -> list[float]:
    """Return the sizes that are measured, in millions of events."""
    return [float(one) for one in os.environ.get(SIZES, "0.1,1").split(",")]


def ledger_of(millions: float) -> Path:
    """Return a ledger of so many million events; it is made where it is not kept yet.

    Args:
        millions: one of ``DAYS``.
    """
    folder = _folder_of(millions)
    if not folder.exists():
        unfinished = folder.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "ledger", "floor", "simulate", "--seed", str(SEED)]
        command += ["--days", str(DAYS[millions]), "--coupons", "--ledger", str(unfinished)]
        subprocess.run(command, check=True, capture_output=True)
        unfinished.rename(folder)
        Path(f"{unfinished}.key").rename(f"{folder}.key")
    return folder


def is_kept(millions: float) -> bool:
    """Whether the ledger of so many million events is there already."""
    return _folder_of(millions).exists()


def _folder_of(millions: float) -> Path:
    base = os.environ.get(KEPT) or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    kept = Path(base).expanduser()
    if KEPT not in os.environ:
        kept = kept / "pitledger" / "bench"
    return kept / f"{code_fingerprint(*MADE_BY)[:16]}-seed-{SEED}-days-{DAYS[millions]}"
