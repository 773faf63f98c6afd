"""Power cuts, full disks and killed processes at every step: nothing acknowledged is lost."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from ledger.log import Arrival, StorageFailed, init, open_log, read_log, verify
from ledger.log.errors import WriterOutOfDisk
from ledger.log.ledger_at_checkpoint import open_snapshot
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME, arrivals, opened
from tests.log.forgetful import ForgetfulStorage, PowerCut

NOWHERE = Path("nowhere")
BATCHES = [
    arrivals(1, 3),
    [*arrivals(3, 260), Arrival(b"rubbish"), Arrival(opened(2, source="T-2"))],
    arrivals(261, 262, "DC-01"),
    [*arrivals(261, 540), Arrival(b"more rubbish")],
]


class Run:
    """The life of a ledger, from ``init`` through all batches; notes what was acknowledged."""

    def __init__(self, storage: ForgetfulStorage, cache: Path | None = None) -> None:
        self.storage = storage
        self.cache = cache
        self.acknowledged: list[tuple[int, bytes]] = []

    def live(self) -> bytes:
        if "checkpoint" not in self.storage.names(""):
            init(NOWHERE, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER,
                 storage=self.storage)  # fmt: skip
        log = open_log(NOWHERE, storage=self.storage, cache_folder=self.cache)
        for batch in BATCHES:
            done = log.append(batch, TIME)
            self.acknowledged.append((done.size, done.root))
        log.close()
        return log.root

    def check(self) -> None:
        """What stands is whole, and holds all that was acknowledged."""
        if "checkpoint" not in self.storage.names(""):
            assert self.acknowledged == []
            return
        found = verify(NOWHERE, storage=self.storage)
        assert found.problem is None
        snapshot = open_snapshot(self.storage, "here", None)
        for size, root in self.acknowledged:
            assert snapshot.root_at(size) == root


def whole_run() -> tuple[int, bytes]:
    """How many calls an undisturbed life makes, and the root it ends with."""
    storage = ForgetfulStorage()
    root = Run(storage).live()
    return storage.calls, root


CALLS, ROOT = whole_run()


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_a_power_cut_at_every_call(seed: int | None, tmp_path: Path) -> None:
    for cut_at in range(CALLS):
        run = Run(ForgetfulStorage(cut_at=cut_at))
        with pytest.raises(PowerCut):
            run.live()
        run.storage.power_up(None if seed is None else Random(seed * 1_000 + cut_at))
        run.check()
        assert run.live() == ROOT
        run.check()


def test_a_cache_that_survived_the_ledgers_power_cut(tmp_path: Path) -> None:
    for cut_at in range(0, CALLS, 3):
        cache = tmp_path / str(cut_at)
        run = Run(ForgetfulStorage(cut_at=cut_at), cache)
        with pytest.raises(PowerCut):
            run.live()
        run.storage.power_up()
        assert run.live() == ROOT


def test_two_power_cuts_in_a_row() -> None:
    for cut_at in range(20, CALLS, 7):
        run = Run(ForgetfulStorage(cut_at=cut_at))
        with pytest.raises(PowerCut):
            run.live()
        for again in (3, 11):
            run.storage.power_up(Random(cut_at))
            run.storage.cut_at = again
            with suppress(PowerCut):  # near the end there may be fewer calls left
                run.live()
        run.storage.power_up(Random(cut_at + 1))
        run.check()
        assert run.live() == ROOT


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("first", range(3))
def test_a_full_disk_at_every_call(first: int) -> None:
    for full_at in range(first, CALLS, 3):
        run = Run(ForgetfulStorage(full_at=full_at))
        with pytest.raises(StorageFailed) as refusal:
            run.live()
        assert refusal.value.exit_code == 3
        run.storage.full_at = None
        run.storage.locked = False  # the process that had the lock has ended
        run.check()
        assert run.live() == ROOT


def test_after_a_failure_the_writer_stands_still() -> None:
    storage = ForgetfulStorage()
    Run(storage).live()
    log = open_log(NOWHERE, storage=storage)
    storage.full_at = storage.calls + 2
    with pytest.raises(StorageFailed):
        log.append(arrivals(1, 2, "late"), TIME)
    storage.full_at = None
    with pytest.raises(WriterOutOfDisk) as refusal:
        log.append(arrivals(1, 2, "late"), TIME)
    assert (refusal.value.code, refusal.value.exit_code) == ("writer_stopped_by_disk", 3)
    assert sum(1 for _ in log.entries()) == log.size


# ---------------------------------------------------------------- kill -9

POINTS = ("planned", "quarantined", "intended", "tiled", "signed", "witnessed")
_CHILD = """
import os, signal, sys
from pathlib import Path
from ledger.log import open_log
from tests.log.facts import TIME
from tests.log.test_power import BATCHES
folder, point, witness = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
def at_point(name):
    if name == point:
        os.kill(os.getpid(), signal.SIGKILL)
log = open_log(folder, witness=witness, at_point=at_point, group_entries=100)
log.append(BATCHES[1], TIME)
"""


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("point", POINTS)
def test_killed_at_a_named_point(
    point: str, tmp_path: Path, in_checkout: Callable[[], Path]
) -> None:
    folder, witness = tmp_path / "ledger", tmp_path / "witness"
    init(folder, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER)
    shutil.copy(folder / "checkpoint", witness)
    with open_log(folder, witness=witness) as log:
        before = log.append(BATCHES[0], TIME)
    command = [sys.executable, "-c", _CHILD, str(folder), point, str(witness)]
    child = subprocess.run(command, cwd=in_checkout(), check=False, env=os.environ, timeout=120)
    assert child.returncode == -signal.SIGKILL
    found = verify(folder, witness=witness)
    assert (found.problem, found.witness) == (None, "consistent")
    assert read_log(folder).root_at(before.size) == before.root
    with open_log(folder, witness=witness) as log:
        for batch in BATCHES[1:]:
            log.append(batch, TIME)
        assert log.root == ROOT
    remarks = verify(folder, witness=witness).remarks
    assert len(remarks) == (1 if point == "tiled" else 0), "the tail is kept, and named"
