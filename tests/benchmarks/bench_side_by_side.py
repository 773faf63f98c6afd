"""A ledger verified, and judged, beside Go's tlog and beside the naive way, on the same bytes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from ledger.audit import rounds_of
from ledger.codec import bulk_validation, key_of
from ledger.floor import FIRST_DAY
from ledger.log import bulk_bundles, init, open_log, verify
from ledger.replay import Replay
from tests.benchmarks.bench_log import EVENTS, TIME, wagers
from tests.benchmarks.in_turns import Compared, Work, forked, in_turns, program
from tests.benchmarks.ledgers import DAYS, ledger_of, sizes
from tests.benchmarks.naive import reduce_ledger
from tests.memory_folder import MEMORY

NOTE = """
Works in turns, five runs of each, in processor time; the ratio is that of the rates within a turn. Ledgers are simulated days
in order of time, with coupons, filings and closed days. **Go's tlog** reads the files and makes `RecordHash`, `StoredHashes` and
`TreeHash`: it checks no signature, no stored tile and no entry, which `verify` does. **The naive way** decodes with fastavro
into a frozen dataclass and settles by a look-up: it verifies nothing, knows no law and no doubt, and settles Sic Bo alone. Private
memory is of a process that indexes all entries, with the pages of its scratch file that it has looked at. **Appends** lie in a file system in memory, and
"on a disk" once more: what a disk's file system takes for the same files changed within minutes from as much as the append itself to nine times that.
**From Kafka** are wagers that came by a shared topic, 500 of a partition at a time; the others came by none, as those of the ledgers above.
"""
WANTED: dict[tuple[str, str], str] = {
    **{
        (f"{label}, {millions:g} M events", "entries/s"): wanted
        for millions in sizes()
        if millions >= 1
        for label, wanted in (("verify", "1 × Go"), ("verify without [fast]", "0.4 × Go"))
    },
    ("Sic Bo table, verified, to its rounds", "facts/s"): "10 × naive",
    ("append, 200,000 wagers", "events/s"): "3 × rows",
    **{
        (f"private memory of a replay from the entries, {millions:g} M events", "MB"): "at most 300"
        for millions in sizes()
    },
}
BASELINES: dict[str, str] = {}
GO = Path(__file__).parent / "go"
TABLE = "SB-01"
RUN, PARTITIONS = 500, 12
"""Facts from Kafka that follow one another in a partition, and how many partitions there are."""


def run() -> list[Compared | tuple[str, float, str]]:
    """Measure; what cannot be measured on this machine is left out, and said."""
    with tempfile.TemporaryDirectory() as scratch:
        kafka = from_kafka(Path(scratch))
        return [*verification(Path(scratch)), *kafka, *appending(), *judging(), *memory()]


def without_machine_code() -> None:
    """Let this process do without what numba compiles."""
    bulk_bundles._machine = lambda: None  # type: ignore[assignment]
    bulk_validation._machine = lambda: None  # type: ignore[assignment]


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


def from_kafka(scratch: Path) -> list[Compared]:
    """``verify`` of facts as they come from Kafka, in runs of a partition, beside others."""
    batch = list(wagers(0, EVENTS))
    came = [
        arrival._replace(
            key=key_of(arrival.framed)[0].encode(), topic="pit.wagers.v1", offset=at,
            partition=at // RUN % PARTITIONS,
        )
        for at, arrival in enumerate(batch)
    ]  # fmt: skip
    ours, others = f"verify, {EVENTS:,} wagers from Kafka", f"verify, {EVENTS:,} wagers"
    works: dict[str, Work] = {}
    for label, arrivals in ((ours, came), (others, batch)):
        folder = scratch / label
        init(folder, origin="bench.example/pit", property="Bench", record_time=TIME)
        with open_log(folder) as log:
            log.append(arrivals, TIME)
        works[label] = forked(verified(folder), lambda: bulk_bundles.machine(bulk_bundles.WORTH))
        plain = f"{label} without [fast]"
        works[plain] = forked(verified(folder), without_machine_code)
    return in_turns(works, "entries/s", {name: others for name in works if name != others})


def appending() -> list[Compared]:
    """An append with and without machine code; both validate, hash and make durable."""
    batch = list(wagers(0, EVENTS))

    def appended(place: Path | None) -> Callable[[], int]:
        def work() -> int:
            with tempfile.TemporaryDirectory(dir=place) as home:
                folder = Path(home) / "ledger"
                init(folder, origin="bench.example/pit", property="Bench", record_time=TIME)
                with open_log(folder) as log:
                    return log.append(batch, TIME).accepted

        return work

    def machine_code() -> None:
        bulk_bundles.machine(bulk_bundles.WORTH)
        bulk_validation.machine(bulk_validation.WORTH)

    rows = []
    for label, place in (("", MEMORY), (", on a disk", None)):
        if place is not None and not os.access(place, os.W_OK):
            print("  There is no file system in memory: an append in memory is not measured")
            continue
        ours, plain = f"append, {EVENTS:,} wagers{label}", f"append without [fast]{label}"
        works: dict[str, Work] = {
            ours: forked(appended(place), machine_code),
            plain: forked(appended(place), without_machine_code),
        }
        rows += in_turns(works, "events/s", {ours: plain})
    return rows


def memory() -> list[tuple[str, float, str]]:
    """What a replay from the entries holds that no other process has, its interpreter included."""
    code = (
        "import sys; from pathlib import Path; from ledger.replay import Replay;"
        "replay = Replay.open(Path(sys.argv[1]), from_entries=True, keeps=False);"
        "rows = Path('/proc/self/smaps_rollup').read_text().splitlines();"
        "print(sum(int(row.split()[1]) for row in rows if row.startswith('Private')) / 1024)"
    )
    out = []
    for millions in sizes():
        command = [sys.executable, "-c", code, str(ledger_of(millions))]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        label = f"private memory of a replay from the entries, {millions:g} M events"
        out.append((label, float(done.stdout), "MB"))
    return out


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
