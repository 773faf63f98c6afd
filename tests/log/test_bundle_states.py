"""Bundles that were led back once are told apart by the file system, and read again otherwise."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.kernel import IntegrityBroken
from ledger.log import bundle_states as module
from ledger.log import init, open_log, read_log
from ledger.log.bundle_states import BundleStates
from ledger.log.signed_file_index import SealedFolder, Seals
from ledger.log.verified_tree import VerifiedTree
from tests.log.facts import arrivals

AT = 1_623_600_000_000_000


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of three full bundles and a bit."""
    folder = tmp_path_factory.mktemp("states") / "ledger"
    init(folder, origin="states.example", property="The House", record_time=AT)
    with open_log(folder) as log:
        log.append(arrivals(1, 799), AT)
    return folder


@pytest.fixture
def ledger(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(module, "SETTLED_NANOSECONDS", 0)
    return shutil.copytree(model, tmp_path / "ledger")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The bundles that were led back to the root."""
    numbers: list[int] = []
    plain = VerifiedTree.bundle

    def noting(self: VerifiedTree, index: int) -> list[bytes]:
        numbers.append(index)
        return plain(self, index)

    monkeypatch.setattr(VerifiedTree, "bundle", noting)
    return numbers


def states(folder: Path) -> BundleStates:
    return BundleStates(read_log(folder), SealedFolder(folder / "cache" / "bundles", "bundles", Seals.of(folder)))  # fmt: skip


def bundle(folder: Path, number: int) -> Path:
    return folder / "tile" / "entries" / f"{number:03d}"


def test_each_is_led_back_once(ledger: Path, read: list[int]) -> None:
    for expected in ([0, 1, 2, 3], [3]):  # the last one still grows
        proving = states(ledger)
        read.clear()
        proving.prove()
        assert read == expected


def test_what_changes_beside_notes_in_memory_is_seen(ledger: Path, read: list[int]) -> None:
    """Who proves again holds the files against the notes that it read."""
    proving = states(ledger)
    proving.prove(0, 3)
    read.clear()
    proving.prove(0, 3)
    assert read == []
    harmed = bundle(ledger, 1)
    body = harmed.read_bytes()
    harmed.write_bytes(body[:-1] + bytes([body[-1] ^ 1]))
    with pytest.raises(IntegrityBroken):
        proving.prove(0, 3)
    harmed.write_bytes(body)
    read.clear()
    proving.prove(0, 3)
    proving.prove(0, 3)
    assert read == []  # it has the hash that it had


def test_only_those_that_are_asked_for(ledger: Path, read: list[int]) -> None:
    proving = states(ledger)
    read.clear()
    proving.prove(1, 2)
    assert read == [1]


def test_hashes_of_the_caller_spare_the_tree(ledger: Path, read: list[int]) -> None:
    from ledger.replay import Replay

    digests = Replay.open(ledger).bundle_digests
    proving = states(ledger)
    read.clear()
    proving.prove(digests=digests)
    assert read == [3]


def flipped(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(raw)


def flipped_in_its_time(path: Path) -> None:
    """Changed by one who sets its times back: that of its last change stays true."""
    status = path.stat()
    flipped(path)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def exchanged(path: Path) -> None:
    copy = path.with_name("copy")
    shutil.copy2(path, copy)
    flipped_in_its_time(copy)
    copy.replace(path)


@pytest.mark.parametrize("damage", [flipped, flipped_in_its_time, exchanged, Path.unlink])
@pytest.mark.parametrize("is_recent", [False, True])
def test_a_change_is_named(
    ledger: Path, damage: Callable[[Path], None], is_recent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_recent:  # changed within a tick of when it was noted
        monkeypatch.setattr(module, "SETTLED_NANOSECONDS", 3_600_000_000_000)
    states(ledger).prove()
    time.sleep(0 if is_recent else 0.02)  # longer than a tick of the file system's clock
    damage(bundle(ledger, 1))
    with pytest.raises(IntegrityBroken):
        states(ledger).prove()
    states(ledger).prove(2, 3)


def test_a_file_that_was_only_touched_is_read_again(ledger: Path, read: list[int]) -> None:
    states(ledger).prove()
    bundle(ledger, 1).touch()
    proving = states(ledger)
    read.clear()
    proving.prove()
    assert read == [3], "its bytes have the hash that was sealed"


@pytest.mark.parametrize("damage", [flipped, Path.unlink, lambda path: path.write_bytes(b"")])
def test_notes_that_nobody_sealed_are_made_again(
    ledger: Path, read: list[int], damage: Callable[[Path], None]
) -> None:
    states(ledger).prove()
    damage(ledger / "cache" / "bundles" / "000000")
    proving = states(ledger)
    read.clear()
    proving.prove()
    assert read == [0, 1, 2, 3]
