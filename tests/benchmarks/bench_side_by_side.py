"""A ledger verified, and judged, beside Go's tlog and beside the naive way, on the same bytes."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from ledger.audit import rounds_of
from ledger.floor import FIRST_DAY
from ledger.log import bulk_bundles, verify
from ledger.replay import Replay
from tests.benchmarks.in_turns import Compared, Work, forked, in_turns, program
from tests.benchmarks.ledgers import DAYS, ledger_of, sizes
from tests.benchmarks.naive import reduce_ledger

NOTE = """
Works in turns, five runs of each, in processor time; the ratio is that of the rates within a turn. Ledgers are simulated days
in order of time, with coupons, filings and closed days. **Go's tlog** reads the files and makes `RecordHash`, `StoredHashes` and
`TreeHash`: it checks no signature, no stored tile and no entry, which `verify` does. **The naive way** decodes with fastavro
into a frozen dataclass and settles by a look-up: it verifies nothing, knows no law and no doubt, and settles Sic Bo alone.
"""
WANTED: dict[tuple[str, str], str] = {
    **{
        (f"{label}, {millions:g} M events", "entries/s"): wanted
        for millions in sizes()
        if millions >= 1
        for label, wanted in (("verify", "1 × Go"), ("verify without [fast]", "0.4 × Go"))
    },
    ("Sic Bo table, verified, to its rounds", "facts/s"): "10 × naive",
}
BASELINES: dict[str, str] = {}
GO = Path(__file__).parent / "go"
TABLE = "SB-01"


def run() -> list[Compared]:
    """Measure; what cannot be measured on this machine is left out, and said."""
    with tempfile.TemporaryDirectory() as scratch:
        return [*verification(Path(scratch)), *judging()]


def without_machine_code() -> None:
    """Let this process do without what numba compiles."""
    bulk_bundles._machine = lambda: None  # type: ignore[assignment]


def verified(folder: Path) -> Callable[[], int]:
    """A verification that counts entries."""

    def work() -> int:
        verification = verify(folder)
        assert verification.problem is None
        return verification.tree_size or 0

    return work


def verification(scratch: Path) -> list[Compared]:
    """``verify`` with and without machine code, beside Go."""
    go = shutil.which("go")
    tlog = scratch / "tlog"
    if go is None:
        print("  Go is not installed: its tlog is not measured")
    else:
        subprocess.run([go, "build", "-o", str(tlog), "."], cwd=GO, check=True)
    rows = []
    for millions in sizes():
        folder, size = ledger_of(millions), f"{millions:g} M events"
        ours, plain, theirs = (
            f"verify, {size}",
            f"verify without [fast], {size}",
            f"Go tlog, {size}",
        )
        works: dict[str, Work] = {
            ours: forked(verified(folder), lambda: bulk_bundles.machine(bulk_bundles.WORTH)),
            plain: forked(verified(folder), without_machine_code),
        }
        if go is not None:
            works[theirs] = program(["env", "GOMAXPROCS=1", str(tlog), str(folder)])
        beside = {ours: theirs, plain: theirs} if go is not None else {plain: ours}
        rows += in_turns(works, "entries/s", beside)
    return rows


def judging() -> list[Compared]:
    """A table's day from the files to its rounds, settled, beside the naive way."""
    folder = ledger_of(min(DAYS))
    naive, ours = "the naive way, one Sic Bo table", "Sic Bo table, verified, to its rounds"
    facts = reduce_ledger(folder, TABLE).facts

    def judged() -> int:
        replay = Replay.open(folder, from_entries=True, keeps=False)
        assert sum(1 for _ in rounds_of(replay, FIRST_DAY, table=TABLE))
        return facts

    works = {ours: forked(judged), naive: forked(lambda: reduce_ledger(folder, TABLE).facts)}
    whole, all_naive = "all tables, verified, to their rounds", "the naive way, all tables"
    every = reduce_ledger(folder).facts

    def judged_all() -> int:
        replay = Replay.open(folder, from_entries=True, keeps=False)
        assert sum(1 for _ in rounds_of(replay, FIRST_DAY))
        return every

    works |= {whole: forked(judged_all), all_naive: forked(lambda: reduce_ledger(folder).facts)}
    return in_turns(works, "facts/s", {ours: naive, whole: all_naive})
