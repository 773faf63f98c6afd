"""Files that a folder of tiles holds beside full tiles, and a file read whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.log.storage import DirectoryStorage
from ledger.log.tile_files import files_but_full_tiles, files_from
from ledger.log.tiles import ENTRIES, WIDTH, parse_path

FULL = ("000", "999", "x001/000", "x999/x000/001")
OTHERS = (
    "001.p/7", "1", "0000", "abc", "x000/000", "x000/x001/000", "x1/000", "y001/000", "x001/y/000",
    "000.p/300", "x001/x000/000.p/1", "x001/12", "001/002",
)  # fmt: skip


@pytest.mark.parametrize("level", [ENTRIES, 0, 1])
def test_full_tiles_are_left_out_and_nothing_else(tmp_path: Path, level: int) -> None:
    folder = "tile/entries" if level == ENTRIES else f"tile/{level}"
    for name in (*FULL, *OTHERS):
        path = tmp_path / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    storage = DirectoryStorage(tmp_path)
    paths = sorted(files_but_full_tiles(storage, level))
    tiles = {path: parse_path(path) for path in files_from(storage, level, 0)}
    others = [path for path, tile in tiles.items() if tile is None or tile.width < WIDTH]
    assert paths == sorted(others) == sorted(f"{folder}/{name}" for name in OTHERS)


def test_a_file_is_read_whole_whatever_length_it_gives(tmp_path: Path) -> None:
    for length in (0, 1, 3 << 20):
        (tmp_path / "file").write_bytes(bytes(length))
        assert DirectoryStorage(tmp_path).read("file") == bytes(length)
    unknown = DirectoryStorage(Path("/proc/self")).read("status")  # says that it has no bytes
    assert unknown.startswith(b"Name:")
    with pytest.raises(FileNotFoundError) as missing:
        DirectoryStorage(tmp_path).read("other")
    assert missing.value.filename == str(tmp_path / "other")
    with pytest.raises(IsADirectoryError):
        DirectoryStorage(tmp_path).read("")
