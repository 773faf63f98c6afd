"""Many bundles at once: cut into entries, hashed, folded, without an object for each entry.

Everything here says "as it should be" or nothing. On nothing the caller reads the same bundles
entry by entry, and that says what is wrong; so there is one authority for every refusal.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from hashlib import sha256
from types import ModuleType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ledger.kernel.machine_code import is_available, is_loaded
from ledger.log.plain_facts import Run
from ledger.log.tiles import HASH, WIDTH

WORTH: Final = 200_000
"""From how many entries on it is worth a second to load the compiler."""
SCHEMAS: Final = 1 << 12
"""Ids of schemas from here on are not looked at: published ones are counted from 1."""
_LEAF: Final = np.array([0], np.uint8)
_NODE: Final = np.array([1], np.uint8)
Places = NDArray[np.int64]


def machine(entries: int) -> ModuleType | None:
    """Return the compiled functions; None where there are none, or too little work for them.

    Args:
        entries: how many there will be to do.
    """
    return _machine() if entries >= WORTH or is_loaded() else None


@cache
def _machine() -> ModuleType | None:
    if not is_available():
        return None
    try:
        from ledger.log import bundles_fast
    except ImportError:  # no numba that loads, or a libcrypto that is built in
        return None
    return bundles_fast if _agrees(bundles_fast) else None


def _agrees(functions: ModuleType) -> bool:
    """Whether the compiled hashes are those of ``hashlib``, here and now."""
    texts = [bytes(range(size)) for size in (0, 1, 53, 54, 55, 56, 62, 63, 64, 118, 119, 120, 200)]
    joined = np.frombuffer(b"".join(texts), np.uint8)
    ends = np.cumsum([len(text) for text in texts])
    leaves = _hashed(functions, joined, np.concatenate([[0], ends[:-1]]), ends)
    halves = np.frombuffer(leaves[: 2 * HASH], np.uint8)
    return leaves == b"".join(sha256(b"\x00" + text).digest() for text in texts) and (
        _folded(functions, halves, 2) == sha256(b"\x01" + leaves[: 2 * HASH]).digest()
    )


def _hashed(functions: ModuleType, raw: NDArray[np.uint8], starts: Places, ends: Places) -> bytes:
    out = np.empty(HASH * len(starts), np.uint8)
    context = np.empty(functions.CONTEXT_BYTES, np.uint8)
    functions.hash_leaves(raw, starts, ends, out, context, _LEAF)
    return out.tobytes()


def _folded(functions: ModuleType, hashes: NDArray[np.uint8], width: int) -> bytes:
    out = np.empty(len(hashes) // width, np.uint8)
    nodes = np.empty(HASH * width, np.uint8)
    context = np.empty(functions.CONTEXT_BYTES, np.uint8)
    functions.fold(hashes, width, out, nodes, context, _NODE)
    return out.tobytes()


class PackedEntries:
    """Entries of one or several bundles, as these hold them.

    Args:
        functions: the compiled ones.
        raw: the bundles, one after the other.
        starts: where each entry begins in it.
        ends: where it ends.
    """

    def __init__(
        self,
        functions: ModuleType,
        raw: NDArray[np.uint8],
        starts: Places,
        ends: Places,
    ) -> None:
        self._functions = functions
        self.raw = raw
        self.starts = starts
        self.ends = ends

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, part: slice) -> PackedEntries:
        return PackedEntries(self._functions, self.raw, self.starts[part], self.ends[part])

    def entries(self) -> list[bytes]:
        """Return the bytes of each."""
        raw = self.raw.data
        places = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return [bytes(raw[start:end]) for start, end in places]

    def leaf_hashes(self) -> bytes:
        """Return the RFC 6962 leaf hash of each, 32 bytes, one after the other."""
        return _hashed(self._functions, self.raw, self.starts, self.ends)

    def plain_runs(self, schemas: Collection[bytes]) -> tuple[int, list[Run]]:
        """Return how many of them, from the first on, are plain, and the runs of these.

        The runs are what ``plain_facts.runs_of`` returns for as many entries.

        Args:
            schemas: the ids that a fact may have, four bytes each.
        """
        count = len(self)
        known = np.zeros(SCHEMAS, np.uint8)
        ids = np.frombuffer(b"".join(schemas), ">u4")
        known[ids[ids < SCHEMAS]] = 1
        slots = np.full(1 << (2 * count).bit_length(), -1, np.int64)
        names, lengths = np.empty((2, count), np.int64)
        edges = np.empty(2 * count, np.int64)
        plain, streams = self._functions.find_runs(
            self.raw, self.starts, self.ends, known, slots, names, lengths, edges
        )
        places = zip(names[:streams].tolist(), lengths[:streams].tolist(), strict=True)
        seqs = edges[: 2 * streams].tolist()
        firsts_and_lasts = zip(seqs[::2], seqs[1::2], strict=True)
        raw = self.raw.data
        return plain, [
            (bytes(raw[at : at + width]), *seqs_of)
            for (at, width), seqs_of in zip(places, firsts_and_lasts, strict=True)
        ]


def cut(functions: ModuleType, bundles: Sequence[bytes]) -> PackedEntries | None:
    """Cut full bundles into their entries; None where one does not add up to ``WIDTH`` of them.

    Args:
        functions: the compiled ones.
        bundles: as they are stored.
    """
    raw = np.frombuffer(b"".join(bundles), np.uint8)
    places = np.zeros(len(bundles) + 1, np.int64)
    np.cumsum([len(bundle) for bundle in bundles], out=places[1:])
    counts = np.full(len(bundles), WIDTH, np.int64)
    starts, ends = np.empty((2, WIDTH * len(bundles)), np.int64)
    if not functions.cut(raw, places, counts, starts, ends):
        return None
    return PackedEntries(functions, raw, starts, ends)


def tile_roots(functions: ModuleType, leaves: bytes) -> list[bytes]:
    """Return the root over each ``WIDTH`` of these hashes.

    Args:
        functions: the compiled ones.
        leaves: hashes of 32 bytes, a multiple of ``WIDTH`` of them.
    """
    roots = _folded(functions, np.frombuffer(leaves, np.uint8), WIDTH)
    return [roots[at : at + HASH] for at in range(0, len(roots), HASH)]


def bundle_root(functions: ModuleType, bundle: bytes) -> bytes | None:
    """Return the root over the entries of a full bundle; None where it is none.

    Args:
        functions: the compiled ones.
        bundle: as it is stored.
    """
    packed = cut(functions, [bundle])
    return None if packed is None else tile_roots(functions, packed.leaf_hashes())[0]
