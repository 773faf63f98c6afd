"""Read a tree from disk and lead each hash back to the signed root."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from ledger.kernel.machine_code import is_loaded
from ledger.log.errors import PositionUnknown, StorageFailed, TreeBroken
from ledger.log.merkle import fold_complete, leaf_hash, range_hash
from ledger.log.tiles import (
    ENTRIES,
    HASH,
    WIDTH,
    Frontier,
    Tile,
    hashes_in,
    right_edge,
    unpack,
    width_at,
)

if TYPE_CHECKING:
    from ledger.log.bulk_bundles import PackedEntries

KEPT_TILES: Final = 64
"""How many tiles of hashes above the leaves stay in memory."""

Read = Callable[[str], bytes]


def read_tile(read: Read, tile: Tile) -> bytes:
    """The bytes of a tile or bundle; of a partial one that is gone, the start of the full one.

    Law: c2sp.org/tlog-tiles, "Partial Tiles".
    """
    try:
        return read(tile.path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise StorageFailed(error, "Reading a tile") from error
    if tile.width < WIDTH:
        try:
            full = read(Tile(tile.level, tile.index).path)
        except FileNotFoundError:
            pass
        else:
            return start_of(full, tile)
    position = tile.index * WIDTH << (8 * max(tile.level, 0))
    raise TreeBroken("a tile is missing", position, tile.path)


def start_of(full: bytes, tile: Tile) -> bytes:
    """The bytes of a partial tile, as the start of the full one.

    Raises:
        TreeBroken: the full one is no bundle.
    """
    if tile.level != ENTRIES:
        return full[: tile.width * HASH]
    try:
        entries = unpack(full)[: tile.width]
    except ValueError as error:
        raise TreeBroken(str(error), tile.index * WIDTH, tile.path) from error
    return full[: sum(map(len, entries)) + 2 * len(entries)]


def load_frontier(read: Read, size: int) -> Frontier:
    """The right edge of a tree of ``size`` leaves, as the tiles have it."""
    frontier = Frontier()
    frontier.size = size
    for tile in right_edge(size):
        raw = read_tile(read, tile)
        if len(raw) != tile.width * HASH:
            raise TreeBroken("a tile has the wrong length", None, tile.path)
        frontier.levels[tile.level] = hashes_in(raw)
    return frontier


class VerifiedTree:
    """Authenticated reading of tiles and bundles under a right edge that is trusted.

    Args:
        read: the bytes at a path.
        frontier: the right edge; its root is the signed one. It may grow.
    """

    def __init__(self, read: Read, frontier: Frontier) -> None:
        self._read = read
        self.frontier = frontier
        self._tiles: dict[tuple[int, int], list[bytes]] = {}

    def hashes(self, level: int, index: int) -> list[bytes]:
        """The hashes of a tile."""
        edge = self.frontier.size >> (8 * level)
        if index == edge // WIDTH:
            return self.frontier.levels[level]
        kept = self._tiles.get((level, index))
        if kept is not None:
            return kept
        tile = Tile(level, index)
        raw = read_tile(self._read, tile)
        hashes = hashes_in(raw)
        if len(raw) != WIDTH * HASH or fold_complete(hashes) != self._hash(level + 1, index):
            first = index * WIDTH << (8 * level)
            raise TreeBroken("a tile of hashes is not what was signed", first, tile.path)
        if level > 0:
            if len(self._tiles) >= KEPT_TILES:
                self._tiles.pop(next(iter(self._tiles)))
            self._tiles[level, index] = hashes
        return hashes

    def _hash(self, level: int, number: int) -> bytes:
        """The hash over all that stands below one place of a level of tiles."""
        return self.hashes(level, number // WIDTH)[number % WIDTH]

    def bundle(self, index: int) -> list[bytes]:
        """The entries of a bundle."""
        size = self.frontier.size
        tile = Tile(ENTRIES, index, width_at(ENTRIES, index, size))
        raw = read_tile(self._read, tile)
        if tile.width == WIDTH and is_loaded() and self._is_signed_at_once(raw, index):
            return unpack(raw)
        try:
            entries = unpack(raw)
        except ValueError as error:
            self._blame(tile, [])
            raise TreeBroken(str(error), index * WIDTH, tile.path) from error
        leaves = [leaf_hash(entry) for entry in entries]
        if tile.width == WIDTH:
            good = len(leaves) == WIDTH and fold_complete(leaves) == self._hash(1, index)
        else:
            good = leaves == self.frontier.levels[0]
        if not good:
            self._blame(tile, leaves)
        return entries

    def full_bundles(self, first: int, stop: int) -> tuple[list[bytes], PackedEntries] | None:
        """The bytes of some full bundles, and their entries, proved at once by machine code.

        Returns:
            None where there is none, or where not all are what was signed: reading them one by one
            names what is wrong.
        """
        from ledger.log.bulk_bundles import cut, machine, tile_roots  # numbers, as below

        functions = machine((stop - first) * WIDTH)
        if functions is None:
            return None
        bundles = [read_tile(self._read, Tile(ENTRIES, index)) for index in range(first, stop)]
        packed = cut(functions, bundles)
        if packed is None:
            return None
        roots = tile_roots(functions, packed.leaf_hashes())
        is_signed = roots == [self._hash(1, index) for index in range(first, stop)]
        return (bundles, packed) if is_signed else None

    def _is_signed_at_once(self, raw: bytes, index: int) -> bool:
        """Whether machine code finds that a full bundle is what was signed."""
        from ledger.log.bulk_bundles import bundle_root, machine  # numbers: others are spared them

        functions = machine(0)
        return functions is not None and bundle_root(functions, raw) == self._hash(1, index)

    def _blame(self, tile: Tile, leaves: list[bytes]) -> None:
        """Name the first entry that is not what was signed."""
        signed = self.hashes(0, tile.index)
        at = 0
        while at < min(len(signed), len(leaves)) and signed[at] == leaves[at]:
            at += 1
        raise TreeBroken("an entry is not what was signed", tile.index * WIDTH + at, tile.path)

    def subtree(self, level: int, index: int) -> bytes:
        """The hash of the complete subtree over [index << level, (index + 1) << level)."""
        tile_level, rest = divmod(level, 8)
        start = index << rest
        hashes = self.hashes(tile_level, start // WIDTH)
        at = start % WIDTH
        return fold_complete(hashes[at : at + (1 << rest)])

    def root_at(self, size: int) -> bytes:
        """The root that the tree had at an earlier size."""
        if size > self.frontier.size:
            raise PositionUnknown(size, self.frontier.size)
        return range_hash(self.subtree, 0, size)
