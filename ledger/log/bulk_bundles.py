"""Many bundles at once: cut into entries, hashed, folded, without an object for each entry.

Everything here says "as it should be" or nothing. On nothing the caller reads the same bundles
entry by entry, and that says what is wrong; so there is one authority for every refusal.

Each step is done by the compiled functions, or by ``hashlib`` and numpy where there are none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from hashlib import sha256
from itertools import starmap
from struct import iter_unpack
from types import ModuleType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ledger.kernel.machine_code import is_available, is_loaded
from ledger.log.plain_facts import BEYOND, Run, first_runs, marked
from ledger.log.tiles import HASH, WIDTH, hashes_in, pack

WORTH: Final = 200_000
"""From how many entries on it is worth a second to load the compiler."""
_LEAF: Final = 0
_NODE: Final = 1
"""What stands before what is hashed: RFC 6962, 2.1."""
_NODE_BYTES: Final = 1 + 2 * HASH
_digest: Final = type(sha256()).digest
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
    packed = cut(functions, [pack(texts)], len(texts))
    if packed is None:
        return False
    leaves = packed.leaf_hashes()
    return leaves == b"".join(sha256(b"\x00" + text).digest() for text in texts) and (
        tile_roots(functions, leaves[: 8 * HASH], 2) == _roots(leaves[: 8 * HASH], 2)
    )


class PackedEntries:
    """Entries of one or several bundles, as ``cut`` lays them out.

    Args:
        functions: the compiled ones; None does without.
        raw: the bundles, one after the other, and ``BEYOND``; before each entry stands what is
            hashed before a leaf, in place of the second byte of its length.
        starts: where each entry begins in it.
        ends: where it ends.
    """

    def __init__(
        self,
        functions: ModuleType | None,
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
        if self._functions is None:
            raw = self.raw.tobytes()
            places = zip((self.starts - 1).tolist(), self.ends.tolist(), strict=True)
            return b"".join([sha256(raw[mark:end]).digest() for mark, end in places])
        out = np.empty(HASH * len(self), np.uint8)
        context = np.empty(self._functions.CONTEXT_BYTES, np.uint8)
        self._functions.hash_leaves(self.raw, self.starts, self.ends, out, context)
        return out.tobytes()

    def begins_with(self, number: int, head: bytes) -> bool:
        """Return whether an entry begins with some bytes."""
        start = int(self.starts[number])
        return bytes(self.raw.data[start : start + len(head)]) == head

    def plain_runs(
        self, schemas: Collection[bytes], head: bytes = b"", terminal: bytes = b""
    ) -> tuple[int, list[Run]]:
        """Return how many of them, from the first on, are plain, and the runs of these.

        The runs are what ``plain_facts.runs_of`` returns for as many entries.

        Args:
            schemas: the ids that a fact may have, four bytes each.
            head: what stands before their offsets, as ``kafka_head`` makes it, if they came from
                Kafka.
            terminal: the only source that they may have, up to 63 bytes; empty for any.
        """
        if self._functions is None:
            return first_runs(self.raw, self.starts, self.ends, schemas, head, terminal)
        count = len(self)
        slots = np.full(1 << (2 * count).bit_length(), -1, np.int64)
        names, lengths = np.empty((2, count), np.int64)
        keys, edges = np.empty(3 * count, np.uint64), np.empty(2 * count, np.int64)
        plain, streams = self._functions.find_runs(
            self.raw, self.starts, self.ends, marked(schemas), _ended(head), _ended(terminal),
            slots, names, lengths, keys, edges,
        )  # fmt: skip
        places = zip(names[:streams].tolist(), lengths[:streams].tolist(), strict=True)
        seqs = edges[: 2 * streams].tolist()
        firsts_and_lasts = zip(seqs[::2], seqs[1::2], strict=True)
        raw = self.raw.data
        return plain, [
            (bytes(raw[at : at + width]), *seqs_of)
            for (at, width), seqs_of in zip(places, firsts_and_lasts, strict=True)
        ]


def _ended(octets: bytes) -> NDArray[np.uint8]:
    """Bytes, and a zero more: machine code gets no empty array."""
    return np.frombuffer(octets + b"\x00", np.uint8)


def cut(
    functions: ModuleType | None, bundles: Sequence[bytes], width: int = WIDTH
) -> PackedEntries | None:
    """Cut bundles into their entries; None where one does not add up to ``width`` of them.

    Args:
        functions: the compiled ones; None does without.
        bundles: as they are stored.
        width: entries of each.
    """
    joined = bytearray().join([*bundles, BEYOND])
    stops = np.cumsum([len(bundle) for bundle in bundles], dtype=np.int64)
    if functions is None:
        marks = _marks(joined, stops.tolist(), width)
        if marks is None:
            return None
        raw, starts = np.frombuffer(joined, np.uint8), np.array(marks, np.int64) + 2
        ends = np.append(starts[1:] - 2, stops[-1:])
        raw[starts - 1] = _LEAF
        return PackedEntries(None, raw, starts, ends)
    raw = np.frombuffer(joined, np.uint8)
    starts, ends = np.empty((2, width * len(bundles)), np.int64)
    if not functions.cut(raw, stops, width, starts, ends, _LEAF):
        return None
    return PackedEntries(functions, raw, starts, ends)


def _marks(raw: bytearray, stops: list[int], width: int) -> list[int] | None:
    """Where the length of each entry stands; None where a bundle has not ``width`` of them."""
    marks: list[int] = []
    keep, at, wanted = marks.append, 0, 0
    for stop in stops:
        last = stop - 1
        while at < last:
            keep(at)
            high = raw[at]
            at += raw[at + 1] + 2
            if high:
                at += high << 8
        wanted += width
        if at != stop or len(marks) != wanted:
            return None
    return marks


def tile_roots(functions: ModuleType | None, leaves: bytes, width: int = WIDTH) -> list[bytes]:
    """Return the root over each ``width`` of these hashes.

    Args:
        functions: the compiled ones; None does without.
        leaves: hashes of 32 bytes, a multiple of ``width`` of them.
        width: a power of two.
    """
    if functions is None:
        return _roots(leaves, width)
    out = np.empty(len(leaves) // width, np.uint8)
    nodes = np.empty(1 + HASH * width, np.uint8)
    context = np.empty(functions.CONTEXT_BYTES, np.uint8)
    functions.fold(np.frombuffer(leaves, np.uint8), width, out, nodes, context, _NODE)
    return hashes_in(out.tobytes())


def _roots(hashes: bytes, width: int) -> list[bytes]:
    """What ``tile_roots`` returns, by ``hashlib``: all nodes of a level, then of the next."""
    while width > 1:
        pairs = np.frombuffer(hashes, np.uint8).reshape(-1, 2 * HASH)
        nodes = np.full((len(pairs), _NODE_BYTES), _NODE, np.uint8)
        nodes[:, 1:] = pairs
        parts = iter_unpack(f"{_NODE_BYTES}s", nodes.tobytes())
        hashes = b"".join(map(_digest, starmap(sha256, parts)))
        width >>= 1
    return hashes_in(hashes)


def bundle_root(functions: ModuleType | None, bundle: bytes) -> bytes | None:
    """Return the root over the entries of a full bundle; None where it is none.

    Args:
        functions: the compiled ones; None does without.
        bundle: as it is stored.
    """
    packed = cut(functions, [bundle])
    return None if packed is None else tile_roots(functions, packed.leaf_hashes())[0]
