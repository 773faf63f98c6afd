"""A copy that is taken while facts are appended holds what one checkpoint signed, and verifies."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from ledger.log import (
    Arrival,
    BackupDamaged,
    BackupOfAnother,
    BackupPlace,
    LedgerLocked,
    LedgerMissing,
    StorageFailed,
    back_up,
    init,
    open_log,
    read_log,
    rotate_key,
    set_tail_aside,
    verify,
)
from ledger.log.storage import DirectoryStorage
from ledger.log.tiles import parse_path, width_at
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME, arrivals


def begun(folder: Path, last: int = 300) -> Path:
    """A ledger with facts 1 to ``last`` and one rubbish."""
    init(folder, origin=ORIGIN, property="Example", record_time=TIME, signer=SIGNER)
    more(folder, 1, last)
    with open_log(folder) as log:
        log.append([Arrival(b"rubbish")], TIME)
    return folder


def more(folder: Path, first: int, last: int, stream: str = HOUSE) -> None:
    with open_log(folder) as log:
        log.append(arrivals(first, last, stream), TIME)


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def of_today(folder: Path) -> dict[str, bytes]:
    """Its files without partial tiles of the past, which the wider ones of today hold too."""
    size = read_log(folder).size
    tiles = {path: parse_path(path) for path in tree(folder)}
    return {
        path: content
        for path, content in tree(folder).items()
        if (tile := tiles[path]) is None or tile.width == width_at(tile.level, tile.index, size)
    }


def test_a_copy_holds_all_but_the_private_key_and_the_cache(tmp_path: Path) -> None:
    ledger = begun(tmp_path / "ledger")
    rotate_key(ledger, tmp_path / "handover", record_time=TIME)
    (ledger / "erasable").mkdir()
    (ledger / "erasable" / "openings.sqlite").write_bytes(b"names")
    copied = back_up(ledger, tmp_path / "copy")
    left = {"cache", "erasable"}
    kept = {
        path: content
        for path, content in of_today(ledger).items()
        if path.split("/")[0] not in left and path not in ("keys/signer", "intent")
    }
    assert any(path.startswith("quarantine/") for path in kept)
    assert tree(tmp_path / "copy") == kept
    assert (copied.tree_size, copied.copied, copied.kept) == (
        read_log(ledger).size, len(kept) - 1, 0,
    )  # fmt: skip


def test_a_restored_copy_goes_on_with_its_key(tmp_path: Path) -> None:
    ledger = begun(tmp_path / "ledger")
    back_up(ledger, tmp_path / "copy")
    key = shutil.copy(ledger / "keys" / "signer", tmp_path / "signer")
    shutil.rmtree(ledger)
    shutil.copytree(tmp_path / "copy", ledger)
    with open_log(ledger, key=Path(key)) as log:
        log.append(arrivals(301, 600), TIME)
    assert verify(ledger, key=Path(key)).problem is None


def test_a_later_copy_adds_what_is_new(tmp_path: Path) -> None:
    ledger = begun(tmp_path / "ledger", 700)
    back_up(ledger, tmp_path / "copy")
    assert back_up(ledger, tmp_path / "copy").copied == 0
    more(ledger, 701, 1_300)
    again = back_up(ledger, tmp_path / "copy")
    assert 0 < again.copied < again.kept + again.copied
    shutil.rmtree(tmp_path / "other", ignore_errors=True)
    back_up(ledger, tmp_path / "other")
    assert of_today(tmp_path / "copy") == tree(tmp_path / "other")


class Appending(DirectoryStorage):
    """A storage whose reader is overtaken: facts are appended between its reads."""

    def __init__(self, folder: Path, seed: int) -> None:
        super().__init__(folder)
        self.random, self.last = Random(seed), 300

    def read(self, path: str) -> bytes:
        if self.last < 2_500 and self.random.random() < 0.4:
            upto = self.last + self.random.choice([1, 7, 200, 256, 300])
            more(self.folder, self.last + 1, upto)
            self.last = upto
        return super().read(path)


@pytest.mark.parametrize("seed", range(6))
def test_a_copy_is_whole_whatever_is_appended_meanwhile(tmp_path: Path, seed: int) -> None:
    ledger = begun(tmp_path / "ledger")
    storage = Appending(ledger, seed)
    copied = back_up(ledger, tmp_path / "copy", storage=storage)
    now = read_log(ledger)
    assert copied.tree_size < now.size, "nothing was appended meanwhile"
    assert now.root_at(copied.tree_size).hex() == copied.root
    assert verify(tmp_path / "copy").problem is None


def stopped(ledger: Path, copy: Path) -> StorageFailed | None:
    """Why a backup stopped; None if it did not."""
    try:
        back_up(ledger, copy)
    except StorageFailed as refusal:
        return refusal
    return None


def test_a_copy_that_is_interrupted_anywhere_leaves_the_one_before(tmp_path: Path) -> None:
    """Killed before each write: the old checkpoint stands, and the next run completes the copy."""
    ledger = begun(tmp_path / "ledger", 600)
    back_up(ledger, tmp_path / "first")
    before = verify(tmp_path / "first")
    more(ledger, 601, 1_500)
    write, points = DirectoryStorage.write, 0
    while True:
        copy = tmp_path / f"copy-{points}"
        shutil.copytree(tmp_path / "first", copy)
        calls = iter(range(points))

        def fail(self: DirectoryStorage, *args: object) -> None:
            if next(calls, None) is None:  # noqa: B023
                raise OSError(28, "No space left on device")
            write(self, *args)  # type: ignore[arg-type]

        with patch.object(DirectoryStorage, "write", fail):
            if stopped(ledger, copy) is None:
                break
        assert (copy / "checkpoint").read_bytes() == (tmp_path / "first/checkpoint").read_bytes()
        set_tail_aside(copy)  # what a restorer does with it
        assert verify(copy).root == before.root
        back_up(ledger, copy)
        assert verify(copy).tree_size == read_log(ledger).size
        points += 1
    assert points >= 2


def test_places_that_take_no_copy(tmp_path: Path) -> None:
    ledger = begun(tmp_path / "ledger", 5)
    (tmp_path / "file").write_text("x")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("x")
    os.symlink(ledger, tmp_path / "link")
    before = tree(tmp_path)
    for place in (ledger, ledger / "copy", tmp_path, tmp_path / "file", tmp_path / "full",
                  tmp_path / "link", tmp_path / "link" / "deeper"):  # fmt: skip
        with pytest.raises(BackupPlace):
            back_up(ledger, place)
    with pytest.raises(LedgerMissing):
        back_up(tmp_path / "none", tmp_path / "copy")
    assert tree(tmp_path) == before


def test_a_copy_of_another_ledger_or_of_a_later_state_is_kept(tmp_path: Path) -> None:
    ledger = begun(tmp_path / "ledger", 20)
    shutil.copytree(ledger, tmp_path / "earlier")
    more(ledger, 21, 40)
    back_up(ledger, tmp_path / "copy")
    shutil.copytree(tmp_path / "earlier", tmp_path / "fork")
    more(tmp_path / "fork", 21, 90, "PIT")
    init(tmp_path / "other", origin="other.example", property="Other", record_time=TIME)
    before = tree(tmp_path / "copy")
    for source in ("earlier", "fork", "other"):
        with pytest.raises(BackupOfAnother) as refusal:
            back_up(tmp_path / source, tmp_path / "copy")
        assert refusal.value.exit_code == 4
    assert tree(tmp_path / "copy") == before


@pytest.mark.parametrize("where", ["ledger", "copy"])
@pytest.mark.parametrize("path", ["tile/entries/000", "tile/0/000"])
def test_a_changed_or_missing_file_is_found(tmp_path: Path, where: str, path: str) -> None:
    """In the ledger, or in the copy that stood: no damaged copy is called one."""
    ledger = begun(tmp_path / "ledger", 600)
    back_up(ledger, tmp_path / "copy")
    target = tmp_path / where / path
    if where == "ledger":
        shutil.rmtree(tmp_path / "copy")
    changed = bytearray(target.read_bytes())
    changed[40] ^= 1
    target.write_bytes(bytes(changed))
    with pytest.raises(BackupDamaged) as refusal:
        back_up(ledger, tmp_path / "copy")
    assert refusal.value.exit_code == 4


def test_two_backups_into_one_folder(tmp_path: Path) -> None:
    ledger = begun(tmp_path / "ledger", 5)
    (tmp_path / "copy").mkdir()
    other = DirectoryStorage(tmp_path / "copy")
    other.lock()
    with pytest.raises(LedgerLocked):
        back_up(ledger, tmp_path / "copy")
    other.unlock()
