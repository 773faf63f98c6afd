"""Bundles and tiles that entries add to a tree; they count once a checkpoint stands over them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from ledger.log.port import ENTRY_BYTES
from ledger.log.tiles import ENTRIES, WIDTH, Frontier, Tile, pack, right_edge


@dataclass(slots=True)
class Laid:
    """Bundles and tiles that wait for a checkpoint: the tree, its open bundle, sizes on the way."""

    frontier: Frontier
    tail: list[bytes]
    sizes: list[int] = field(default_factory=list)
    rows: dict[str, array[int]] = field(default_factory=dict)


Put = Callable[[Iterable[tuple[str, bytes]]], None]


def tiles_of(put: Put, frontier: Frontier, tail: list[bytes], entries: list[bytes]) -> list[bytes]:
    """Put the bundles and tiles that entries add to a tree; the entries of its partial bundle."""
    before = set(right_edge(frontier.size))
    put(_files(frontier, tail, entries, before))
    rest = frontier.size % WIDTH
    return (tail + entries)[-rest:] if rest else []


def _files(
    frontier: Frontier, tail: list[bytes], entries: list[bytes], before: set[Tile]
) -> Iterator[tuple[str, bytes]]:
    """Paths and bytes of bundles and tiles, in the order in which they are made."""
    waiting = tail + entries
    fresh = len(tail)
    first = frontier.size // WIDTH
    for at in range(0, len(waiting), WIDTH):
        bundle = waiting[at : at + WIDTH]
        if max(map(len, bundle)) > ENTRY_BYTES:
            raise AssertionError("an entry is longer than a bundle can say")
        leaves = [sha256(b"\x00" + entry).digest() for entry in bundle[fresh:]]
        fresh = 0
        yield Tile(ENTRIES, first + at // WIDTH, len(bundle)).path, pack(bundle)
        for tile, data in frontier.push(leaves):
            yield tile.path, data
    for tile, data in frontier.partials():
        if tile not in before:
            yield tile.path, data
