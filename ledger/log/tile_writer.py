"""The bundles and tiles that new entries add to a tree; a checkpoint over them makes them count."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import field
from hashlib import sha256

from ledger.kernel.quick_dataclass import dataclass
from ledger.log.laid_entries import LaidEntries
from ledger.log.port import ENTRY_BYTES
from ledger.log.tiles import ENTRIES, HASH, WIDTH, Frontier, Tile, hashes_in, pack, right_edge

NewEntries = list[bytes] | LaidEntries
"""Entries that an append adds, in order."""


@dataclass(slots=True)
class TileWriter:
    """Bundles and tiles that wait for a checkpoint: the tree, its open bundle, sizes on the way."""

    frontier: Frontier
    tail: list[bytes]
    sizes: list[int] = field(default_factory=list)
    rows: dict[str, array[int]] = field(default_factory=dict)

    def grow(self, entries: NewEntries) -> list[tuple[str, bytes]]:
        """Add entries to the tree; return paths and bytes of the tiles of hashes it makes."""
        frontier = self.frontier
        before = set(right_edge(frontier.size))
        tiles = [(tile.path, hashes) for tile, hashes in grown(frontier, entries)]
        tiles += [(tile.path, hashes) for tile, hashes in frontier.partials() if tile not in before]
        return tiles

    def bundles(self, entries: NewEntries) -> Iterator[tuple[str, bytes]]:
        """Yield paths and bytes of the bundles of `entries`, and keep the still-partial one."""
        if isinstance(entries, LaidEntries):
            yield from self._laid_bundles(entries)
            return
        waiting = self.tail + entries
        first = (self.frontier.size - len(waiting)) // WIDTH
        for at in range(0, len(waiting), WIDTH):
            bundle = waiting[at : at + WIDTH]
            if max(map(len, bundle)) > ENTRY_BYTES:
                raise AssertionError("an entry is longer than a bundle can say")
            yield Tile(ENTRIES, first + at // WIDTH, len(bundle)).path, pack(bundle)
        rest = self.frontier.size % WIDTH
        self.tail = waiting[-rest:] if rest else []

    def _laid_bundles(self, entries: LaidEntries) -> Iterator[tuple[str, bytes]]:
        """What ``bundles`` does, with entries that lie as bundles hold them."""
        before, count = len(self.tail), len(self.tail) + len(entries)
        first, waiting = (self.frontier.size - count) // WIDTH, pack(self.tail)
        for at in range(0, count, WIDTH):
            width = min(WIDTH, count - at)
            raw = waiting + entries.between(max(at - before, 0), at + width - before)
            yield Tile(ENTRIES, first + at // WIDTH, width).path, raw
            waiting = b""
        rest = self.frontier.size % WIDTH
        kept = self.tail if rest == count else []
        self.tail = kept + entries.entries(len(entries) - rest + len(kept))


def grown(frontier: Frontier, entries: NewEntries) -> Iterator[tuple[Tile, bytes]]:
    """Add entries to a tree; yield each full tile of hashes with its bytes, as ``push`` does.

    Args:
        frontier: the tree.
        entries: what is added to it.
    """
    if len(entries) < WIDTH:
        yield from frontier.push([sha256(b"\x00" + entry).digest() for entry in entries])
        return
    from ledger.log import bulk_bundles  # numbers: who only begins a ledger is spared them

    functions = bulk_bundles.machine(len(entries))
    packed = None
    if functions is not None:
        raw = entries.raw if isinstance(entries, LaidEntries) else pack(entries)
        packed = bulk_bundles.cut(functions, [raw], len(entries))
    if packed is None:
        yield from frontier.push([sha256(b"\x00" + entry).digest() for entry in entries])
        return
    leaves = packed.leaf_hashes()
    first = min(-frontier.size % WIDTH, len(entries))
    whole = first + (len(entries) - first) // WIDTH * WIDTH
    yield from frontier.push(hashes_in(leaves[: first * HASH]))
    roots = bulk_bundles.tile_roots(functions, leaves[first * HASH : whole * HASH])
    for number, root in enumerate(roots):
        at = (first + number * WIDTH) * HASH
        yield Tile(0, frontier.size // WIDTH), leaves[at : at + WIDTH * HASH]
        yield from frontier.push_full([root])
    yield from frontier.push(hashes_in(leaves[whole * HASH :]))
