"""Paths and sizes of tiles, as c2sp.org/tlog-tiles writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.log.tiles import ENTRIES, Tile, pack, parse_path, right_edge, unpack, width_at


@pytest.mark.parametrize(
    ("tile", "path"),
    [
        (Tile(0, 1234067), "tile/0/x001/x234/067"),
        (Tile(0, 0), "tile/0/000"),
        (Tile(2, 999, 1), "tile/2/999.p/1"),
        (Tile(ENTRIES, 1000, 255), "tile/entries/x001/000.p/255"),
    ],
)
def test_paths(tile: Tile, path: str) -> None:
    assert tile.path == path
    assert parse_path(path) == tile


@given(st.integers(-1, 63), st.integers(0, 2**40), st.integers(1, 256))
def test_every_path_is_read_back(level: int, index: int, width: int) -> None:
    tile = Tile(level, index, width)
    assert parse_path(tile.path) == tile


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "path",
    [
        "tile/00/000", "tile/0/0", "tile/0/x000/001", "tile/0/000.p/256", "tile/0/000.p/0",
        "tile/0/000.p/01", "tile/0/1000", "tile/0/x001/x002", "tile/entries", "tile/0/000 ",
        "tile/-1/000", "tile/0/000.p", "tile/0/000/p/1",
    ],
)  # fmt: skip
def test_paths_that_no_tile_has(path: str) -> None:
    assert parse_path(path) is None


def test_the_tree_of_70_000_in_the_specification() -> None:
    assert right_edge(70_000) == [Tile(0, 273, 112), Tile(1, 1, 17), Tile(2, 0, 1)]
    assert right_edge(256) == [Tile(1, 0, 1)]
    assert width_at(ENTRIES, 273, 70_000) == 112
    assert width_at(1, 0, 70_000) == 256
    assert width_at(1, 2, 70_000) == 0


@given(st.lists(st.binary(max_size=400), max_size=20))
def test_bundles_there_and_back(entries: list[bytes]) -> None:
    assert unpack(pack(entries)) == entries


@pytest.mark.parametrize("raw", [b"\x00", b"\x00\x02a", b"\x00\x01ab"])
def test_bundles_that_do_not_add_up(raw: bytes) -> None:
    with pytest.raises(ValueError, match="bundle"):
        unpack(raw)
