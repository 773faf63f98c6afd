"""The tlog-tiles layout: paths of tiles and bundles, and a tree that grows tile by tile.

Law: c2sp.org/tlog-tiles, "Merkle Tree" and "Log entries".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from ledger.kernel.quick_dataclass import dataclass
from ledger.log.merkle import EMPTY_ROOT, fold_complete, node_hash

WIDTH: Final = 256
HASH: Final = 32
LEVELS: Final = 8
"""A tree of 2**64 leaves has tiles on eight levels."""
ENTRIES: Final = -1
"""The level of entry bundles, beside the levels of hashes."""

_PATH = re.compile(
    r"tile/(?P<level>entries|0|[1-9][0-9]?)/(?P<index>(?:x[0-9]{3}/)*[0-9]{3})"
    r"(?:\.p/(?P<width>[1-9][0-9]{0,2}))?"
)


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile or bundle: its level (``ENTRIES`` for bundles), index and width."""

    level: int
    index: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        """Where the specification puts it."""
        folder = "entries" if self.level == ENTRIES else str(self.level)
        partial = "" if self.width == WIDTH else f".p/{self.width}"
        return f"tile/{folder}/{index_path(self.index)}{partial}"


def index_path(index: int) -> str:
    """1234067 as ``x001/x234/067``."""
    out = f"{index % 1000:03d}"
    while index >= 1000:
        index //= 1000
        out = f"x{index % 1000:03d}/{out}"
    return out


def parse_path(path: str) -> Tile | None:
    """The tile that stands at a path; None if the specification knows no such path."""
    match = _PATH.fullmatch(path)
    if match is None:
        return None
    index = int(match["index"].replace("/", "").replace("x", ""))
    width = int(match["width"]) if match["width"] else WIDTH
    level = ENTRIES if match["level"] == "entries" else int(match["level"])
    tile = Tile(level, index, width)
    # one path only per tile: no leading x000, no width of 256 or more written as a partial
    return tile if tile.path == path and (match["width"] is None or width < WIDTH) else None


def width_at(level: int, index: int, size: int) -> int:
    """How wide a tile is in a tree of ``size`` leaves; 0 where there is none.

    Args:
        level: of the tile; ``ENTRIES`` for a bundle of entries.
        index: its number in the level.
        size: leaves of the tree.
    """
    count = size if level == ENTRIES else size >> (8 * level)
    return max(0, min(WIDTH, count - index * WIDTH))


def right_edge(size: int) -> list[Tile]:
    """The partial tiles of hashes of a tree, from level 0 up."""
    out = []
    for level in range(LEVELS):
        count = size >> (8 * level)
        if count % WIDTH:
            out.append(Tile(level, count // WIDTH, count % WIDTH))
    return out


def hashes_in(tile: bytes) -> list[bytes]:
    """The hashes of a tile."""
    return [tile[at : at + HASH] for at in range(0, len(tile), HASH)]


def length_bytes(entry: bytes) -> bytes:
    """The length of an entry as it stands before it in a bundle: 16 bits big-endian."""
    return len(entry).to_bytes(2, "big")


def pack(entries: Iterable[bytes]) -> bytes:
    """A bundle: each entry after its length as 16 bits big-endian."""
    parts = []
    for entry in entries:
        parts.append(len(entry).to_bytes(2, "big"))
        parts.append(entry)
    return b"".join(parts)


def unpack(bundle: bytes) -> list[bytes]:
    """The entries of a bundle.

    Raises:
        ValueError: the lengths do not add up.
    """
    out: list[bytes] = []
    keep, at, last = out.append, 0, len(bundle) - 1
    while at < last:
        start = at + 2
        at = start + (bundle[at] << 8 | bundle[at + 1])
        keep(bundle[start:at])
    if at != last + 1:
        raise ValueError("a bundle ends inside an entry")
    return out


class Frontier:
    """The right edge of a growing tree: on each level the hashes not yet in a full tile."""

    __slots__ = ("levels", "size")

    def __init__(self) -> None:
        self.size = 0
        self.levels: list[list[bytes]] = [[] for _ in range(LEVELS)]

    def copy(self) -> Frontier:
        """Another one at the same place."""
        out = Frontier()
        out.size = self.size
        out.levels = [list(hashes) for hashes in self.levels]
        return out

    def push(self, leaves: list[bytes]) -> Iterator[tuple[Tile, bytes]]:
        """Add leaf hashes; yields each full tile of hashes with its bytes."""
        at = 0
        while at < len(leaves):
            edge = self.levels[0]
            taken = leaves[at : at + WIDTH - len(edge)]
            edge.extend(taken)
            at += len(taken)
            self.size += len(taken)
            yield from self._full_from(0)

    def push_full(self, roots: list[bytes]) -> Iterator[tuple[Tile, bytes]]:
        """Add full tiles of level 0 by the roots over them; yields each full tile above.

        Raises:
            ValueError: the last tile of level 0 is not full yet.
        """
        if self.levels[0]:
            raise ValueError("a tile is added by its root where one before it is not full")
        for root in roots:
            self.levels[1].append(root)
            self.size += WIDTH
            yield from self._full_from(1)

    def _full_from(self, level: int) -> Iterator[tuple[Tile, bytes]]:
        """The tile of a level if it is full now, and those above that it fills."""
        while len(self.levels[level]) == WIDTH:
            full = self.levels[level]
            yield Tile(level, (self.size >> (8 * (level + 1))) - 1), b"".join(full)
            self.levels[level] = []
            level += 1
            self.levels[level].append(fold_complete(full))

    def partials(self) -> Iterator[tuple[Tile, bytes]]:
        """The partial tiles of the tree as it stands."""
        for tile in right_edge(self.size):
            yield tile, b"".join(self.levels[tile.level])

    def root(self) -> bytes:
        """The tree hash."""
        out: bytes | None = None
        for hashes in self.levels:
            at = len(hashes)
            while at:  # complete subtrees within the tile, the smallest is rightmost
                width = at & -at
                part = fold_complete(hashes[at - width : at])
                out = part if out is None else node_hash(part, out)
                at -= width
        return EMPTY_ROOT if out is None else out
