"""The Merkle tree of RFC 6962: hashes, proofs, and their verification.

Law: RFC 6962, section 2.1; RFC 9162, sections 2.1.3.2 and 2.1.4.2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final

EMPTY_ROOT: Final = sha256(b"").digest()

Subtree = Callable[[int, int], bytes]
"""(level, index) -> hash of the complete subtree over [index << level, (index + 1) << level)."""


def leaf_hash(entry: bytes) -> bytes:
    """RFC 6962, 2.1: SHA-256(0x00 || entry)."""
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """RFC 6962, 2.1: SHA-256(0x01 || left || right)."""
    return sha256(b"\x01" + left + right).digest()


def fold_complete(hashes: Sequence[bytes]) -> bytes:
    """The root over a power of two of neighbouring hashes."""
    digest = sha256
    while len(hashes) > 1:
        hashes = [
            digest(b"\x01" + left + right).digest()
            for left, right in zip(hashes[::2], hashes[1::2], strict=True)
        ]
    return hashes[0]


def complete_parts(start: int, stop: int) -> list[tuple[int, int]]:
    """The complete subtrees (level, index) that make [start, stop), left to right.

    ``start`` must be a place where a subtree of a tree of ``stop`` leaves can begin.
    """
    parts = []
    while start < stop:
        level = (stop - start).bit_length() - 1
        if start:
            level = min(level, (start & -start).bit_length() - 1)
        parts.append((level, start >> level))
        start += 1 << level
    return parts


def range_hash(subtree: Subtree, start: int, stop: int) -> bytes:
    """MTH(D[start:stop]) for a range that RFC 6962 splits off.

    Args:
        subtree: gives the hash of a full subtree by its level and number.
        start: the first leaf.
        stop: the leaf after the last.
    """
    parts = [subtree(level, index) for level, index in complete_parts(start, stop)]
    if not parts:
        return EMPTY_ROOT
    out = parts.pop()
    while parts:
        out = node_hash(parts.pop(), out)
    return out


def _split(count: int) -> int:
    """The largest power of two below ``count``."""
    return 1 << ((count - 1).bit_length() - 1)


def inclusion_proof(subtree: Subtree, index: int, size: int) -> list[bytes]:
    """RFC 6962, 2.1.1: PATH(index, D[size]), from the leaf's sibling upwards.

    Args:
        subtree: gives the hash of a full subtree by its level and number.
        index: the leaf.
        size: leaves of the tree.
    """
    proof: list[bytes] = []
    start, stop = 0, size
    while stop - start > 1:
        middle = start + _split(stop - start)
        if index < middle:
            proof.append(range_hash(subtree, middle, stop))
            stop = middle
        else:
            proof.append(range_hash(subtree, start, middle))
            start = middle
    return proof[::-1]


def consistency_proof(subtree: Subtree, old: int, size: int) -> list[bytes]:
    """RFC 6962, 2.1.2: PROOF(old, D[size]).

    Args:
        subtree: gives the hash of a full subtree by its level and number.
        old: leaves of the earlier tree.
        size: leaves of the tree.
    """
    proof: list[bytes] = []
    start, stop, whole = 0, size, True
    if old in (0, size):
        return proof
    while start + (old - start) != stop:
        middle = start + _split(stop - start)
        if old <= middle:
            proof.append(range_hash(subtree, middle, stop))
            stop = middle
        else:
            proof.append(range_hash(subtree, start, middle))
            start, whole = middle, False
    if not whole:
        proof.append(range_hash(subtree, start, stop))
    return proof[::-1]


def includes(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """RFC 9162, 2.1.3.2: whether the proof leads from the leaf to the root.

    Args:
        leaf: the leaf's hash, 32 bytes.
        index: its place.
        size: leaves of the tree.
        proof: hashes from the leaf's sibling upwards.
        root: the tree's hash, 32 bytes.
    """
    if not 0 <= index < size:
        return False
    node, last, out = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if node & 1 or node == last:
            out = node_hash(sibling, out)
            while not node & 1 and node:
                node >>= 1
                last >>= 1
        else:
            out = node_hash(out, sibling)
        node >>= 1
        last >>= 1
    return last == 0 and out == root


def continues(old: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> bool:
    """RFC 9162, 2.1.4.2: whether the tree of ``size`` begins with the tree of ``old``.

    Args:
        old: leaves of the earlier tree.
        old_root: its hash, 32 bytes.
        size: leaves of the later tree.
        root: its hash, 32 bytes.
        proof: as ``consistency_proof`` gives it.
    """
    if old > size:
        return False
    if old == 0:
        return not proof and old_root == EMPTY_ROOT
    if old == size:
        return not proof and old_root == root
    path = list(proof)
    if old & (old - 1) == 0:
        path.insert(0, old_root)
    if not path:
        return False
    node, last = old - 1, size - 1
    while node & 1:
        node >>= 1
        last >>= 1
    first = second = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if node & 1 or node == last:
            first = node_hash(sibling, first)
            second = node_hash(sibling, second)
            while not node & 1 and node:
                node >>= 1
                last >>= 1
        else:
            second = node_hash(second, sibling)
        node >>= 1
        last >>= 1
    return last == 0 and first == old_root and second == root
