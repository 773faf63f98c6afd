"""``append_whole``: one checkpoint over all of it, or nothing, wherever it is cut."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.log import Arrival, StorageFailed, init, open_log, read_log, verify
from ledger.log.errors import NotWhole, WriterStopped
from ledger.log.ledger_at_checkpoint import open_snapshot
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME, arrivals, opened
from tests.log.forgetful import ForgetfulStorage, PowerCut

NOWHERE = Path("nowhere")
BEFORE = arrivals(1, 5)
WHOLE = [*arrivals(6, 300), *arrivals(1, 300, "DC-01")]


def begun() -> ForgetfulStorage:
    storage = ForgetfulStorage()
    init(NOWHERE, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER, storage=storage)
    with open_log(NOWHERE, storage=storage) as log:
        log.append(BEFORE, TIME)
    return storage


def import_all(storage: ForgetfulStorage) -> bytes:
    with open_log(NOWHERE, storage=storage, group_entries=100) as log:
        log.append_whole(iter(WHOLE), TIME)
        return log.root


def plain() -> tuple[int, int, bytes, bytes]:
    """Calls before and after, root before and after."""
    storage = begun()
    before, root = storage.calls, open_snapshot(storage, "here", None).root
    after = import_all(storage)
    return before, storage.calls, root, after


START, END, OLD, NEW = plain()


def only_set_aside(remarks: tuple[str, ...]) -> bool:
    """Whether nothing is odd but what an interrupted append had left."""
    return all(remark.startswith("set aside: set-aside/7-to-") for remark in remarks)


def test_it_is_the_same_tree_as_by_parts() -> None:
    storage = begun()
    with open_log(NOWHERE, storage=storage) as log:
        log.append(WHOLE, TIME)
        assert log.root == NEW
    assert verify(NOWHERE, storage=storage).remarks == ()


@pytest.mark.parametrize("way", ["cut_at", "full_at"])
def test_nothing_is_half_committed(way: str) -> None:
    seen = set()
    for at in range(START, END):
        storage = begun()
        setattr(storage, way, at)
        with pytest.raises(PowerCut if way == "cut_at" else StorageFailed):
            import_all(storage)
        if way == "cut_at":
            storage.power_up()
        else:
            storage.full_at, storage.locked = None, False
        root = open_snapshot(storage, "here", None).root
        assert root in (OLD, NEW)
        seen.add(root)
        assert verify(NOWHERE, storage=storage).problem is None
        assert import_all(storage) == NEW
        assert only_set_aside(verify(NOWHERE, storage=storage).remarks)
    assert OLD in seen


def test_a_fact_that_contradicts_stops_all_of_it() -> None:
    storage = begun()
    wrong = [*WHOLE[:150], Arrival(opened(3, source="T-9")), *WHOLE[150:]]
    log = open_log(NOWHERE, storage=storage, group_entries=100)
    with pytest.raises(NotWhole) as refused:
        log.append_whole(wrong, TIME)
    assert "Fact 151 " in str(refused.value)
    with pytest.raises(WriterStopped):
        log.append_whole(WHOLE, TIME)
    log.close()
    assert open_snapshot(storage, "here", None).root == OLD
    assert import_all(storage) == NEW


def test_bytes_that_are_no_fact_stop_all_of_it() -> None:
    storage = begun()
    with open_log(NOWHERE, storage=storage) as log, pytest.raises(NotWhole):
        log.append_whole([*WHOLE, Arrival(b"rubbish")], TIME)
    assert open_snapshot(storage, "here", None).root == OLD
    assert verify(NOWHERE, storage=storage).problem is None


def test_a_source_that_fails_leaves_nothing() -> None:
    def source() -> object:
        yield from WHOLE[:250]
        raise ValueError("the sheet is gone")

    storage = begun()
    with (
        open_log(NOWHERE, storage=storage, group_entries=100) as log,
        pytest.raises(ValueError, match="gone"),
    ):
        log.append_whole(source(), TIME)  # type: ignore[arg-type]
    assert open_snapshot(storage, "here", None).root == OLD
    assert import_all(storage) == NEW


def test_what_was_recorded_before_is_no_new_entry() -> None:
    storage = begun()
    with open_log(NOWHERE, storage=storage) as log:
        size = log.size
        done = log.append_whole(BEFORE, TIME)
        assert (done.accepted, done.repeated, done.size) == (0, 5, size)


_CHILD = """
import os, signal, sys
from pathlib import Path
from ledger.log import open_log
from tests.log.facts import TIME
from tests.log.test_whole import WHOLE
folder, point, times, witness = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), Path(sys.argv[4])
def at_point(name):
    global times
    times -= name == point
    if name == point and times == 0:
        os.kill(os.getpid(), signal.SIGKILL)
log = open_log(folder, witness=witness, at_point=at_point, group_entries=100)
log.append_whole(WHOLE, TIME)
"""


@pytest.mark.by_turns(2)
@pytest.mark.parametrize(
    ("point", "times"), [("tiled", 1), ("tiled", 4), ("signed", 1), ("witnessed", 1)]
)
def test_killed_at_a_named_point(
    point: str, times: int, tmp_path: Path, in_checkout: Callable[[], Path]
) -> None:
    folder, witness = tmp_path / "ledger", tmp_path / "witness"
    init(folder, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER)
    shutil.copy(folder / "checkpoint", witness)
    with open_log(folder, witness=witness) as log:
        log.append(BEFORE, TIME)
    words = [sys.executable, "-c", _CHILD, str(folder), point, str(times), str(witness)]
    child = subprocess.run(words, cwd=in_checkout(), check=False, env=os.environ, timeout=120)
    assert child.returncode == -signal.SIGKILL
    found = verify(folder, witness=witness)
    assert (found.problem, found.witness) == (None, "consistent")
    assert read_log(folder).root == (OLD if point == "tiled" else NEW)
    with open_log(folder, witness=witness) as log:
        log.append_whole(WHOLE, TIME)
        assert log.root == NEW
    assert only_set_aside(verify(folder, witness=witness).remarks)
