"""Which tiles lie in a folder, and which of them the full tiles of today hold too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.log.storage import Durable, Storage
from ledger.log.tiles import ENTRIES, LEVELS, WIDTH, Tile, index_path, parse_path, width_at
from ledger.log.verified_tree import read_tile, start_of

_RANK: Final = 1000
_FULL: Final = frozenset(f"{number:03d}" for number in range(_RANK))
_THOUSANDS: Final = frozenset(f"x{number:03d}/" for number in range(_RANK))


def level_folder(level: int) -> str:
    """The folder of a level."""
    return "tile/entries" if level == ENTRIES else f"tile/{level}"


def files_from(storage: Storage, level: int, index: int) -> Iterator[str]:
    """Paths of a level that belong to tiles from an index on, and whatever else lies there.

    Args:
        storage: that of the ledger.
        level: of the tiles; ``ENTRIES`` for bundles of entries.
        index: the first tile that is wanted.
    """
    yield from _walk(storage, level_folder(level), index_path(index).split("/"))


def files_but_full_tiles(storage: Storage, level: int) -> Iterator[str]:
    """Paths of a level, but for those at which the specification puts full tiles.

    Args:
        storage: that of the ledger.
        level: of the tiles; ``ENTRIES`` for bundles of entries.
    """
    yield from _but_full_tiles(storage, level_folder(level), begins=True)


def _but_full_tiles(storage: Storage, folder: str, *, begins: bool) -> Iterator[str]:
    """Such paths below a folder; ``begins``: no folder of a thousand stands above it."""
    for name in storage.names(folder):
        path = f"{folder}/{name}"
        if name in _FULL:
            continue
        if name in _THOUSANDS and not (begins and name == "x000/"):
            yield from _but_full_tiles(storage, path[:-1], begins=False)
        elif name.endswith(".p/"):
            yield from (path + inner for inner in storage.names(path[:-1]))
        elif name.endswith("/"):
            yield from _walk(storage, path[:-1], [])
        else:
            yield path


def _walk(storage: Storage, folder: str, along: list[str]) -> Iterator[str]:
    """Files below a folder that are not before the path ``along``; an empty one is before all."""
    for name in storage.names(folder):
        path = f"{folder}/{name}"
        plain = name.rstrip("/").removesuffix(".p")
        if not name.endswith("/") or name.endswith(".p/"):
            before = len(along) > 1 or (len(along) == 1 and plain < along[0])
            if before and len(plain) == 3 and plain.isdigit():
                continue
            if name.endswith("/"):
                yield from (path + inner for inner in storage.names(path[:-1]))
            else:
                yield path
        elif len(along) > 1 and plain < along[0]:
            continue
        else:
            inner = along[1:] if len(along) > 1 and plain == along[0] else []
            yield from _walk(storage, path[:-1], inner)


def _partial_folders(storage: Storage, folder: str, along: list[str]) -> Iterator[str]:
    """Folders of partial tiles below a folder, without most that are before the path ``along``."""
    for name in storage.names(folder):
        if name.endswith(".p/"):
            yield f"{folder}/{name[:-1]}"
        elif name.endswith("/") and not (len(along) > 1 and name[:-1] < along[0]):
            inner = along[1:] if len(along) > 1 and name[:-1] == along[0] else []
            yield from _partial_folders(storage, f"{folder}/{name[:-1]}", inner)


def superseded(old_size: int, size: int) -> list[Tile]:
    """Tiles that were partial at an old size and are full now."""
    out = []
    for level in (ENTRIES, *range(LEVELS)):
        total = old_size if level == ENTRIES else old_size >> (8 * level)
        index = total // WIDTH
        if total % WIDTH and width_at(level, index, size) == WIDTH:
            out.append(Tile(level, index))
    return out


def remove_partials(storage: Storage, durable: Durable, tile: Tile) -> None:
    """Remove every partial form of a tile that is full now, if it is the start of the full one.

    Any other stays where it is: it is part of another history, and ``verify`` names it.

    Args:
        storage: that of the ledger.
        durable: removes durably.
        tile: the full tile.

    Raises:
        TreeBroken: the full one is missing.

    Law: c2sp.org/tlog-tiles, "Partial Tiles".
    """
    folder = f"{tile.path}.p"
    names = storage.names(folder)
    full = read_tile(storage.read, tile) if names else b""
    for name in names:
        partial = parse_path(f"{folder}/{name}")
        if partial is not None and storage.read(partial.path) == start_of(full, partial):
            durable.remove(partial.path)
    durable.remove(folder + "/")


def sweep(storage: Storage, durable: Durable, size: int) -> None:
    """Remove superseded partial tiles that an interrupted append left behind.

    Args:
        storage: that of the ledger.
        durable: removes durably.
        size: entries of the log.
    """
    for level in (ENTRIES, *range(LEVELS)):
        total = size if level == ENTRIES else size >> (8 * level)
        recent = max(0, total // WIDTH - _RANK)
        along = index_path(recent).split("/")
        for folder in _partial_folders(storage, level_folder(level), along):
            tile = parse_path(folder.removesuffix(".p"))
            if tile is not None and width_at(level, tile.index, size) == WIDTH:
                remove_partials(storage, durable, tile)
