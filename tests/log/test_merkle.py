"""The tree against published vectors, and its proofs against a verifier written here.

Vectors: the Certificate Transparency reference implementation's eight leaves, as published with
transparency-dev/merkle (testonly/constants.go and proof/verify_test.go).
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.log.merkle import (
    EMPTY_ROOT,
    consistency_proof,
    continues,
    fold_complete,
    includes,
    inclusion_proof,
    leaf_hash,
    range_hash,
)
from ledger.log.tiles import Frontier

LEAVES = [
    bytes.fromhex(text)
    for text in (
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]  # fmt: skip
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
INCLUSION = [  # leaf (from 0), size, proof
    (0, 1, []),
    (0, 8, [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"]),
    (5, 8, [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"]),
    (2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
    (1, 5, [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"]),
]  # fmt: skip
CONSISTENCY = [
    (1, 1, []),
    (1, 8, [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"]),
    (6, 8, [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"]),
    (2, 5, [
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"]),
    (6, 7, [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"]),
]  # fmt: skip


def tree_hash(hashes: Sequence[bytes]) -> bytes:
    """RFC 6962, 2.1, word for word: the definition that everything else is held against."""
    if not hashes:
        return sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    left, right = tree_hash(hashes[:split]), tree_hash(hashes[split:])
    return sha256(b"\x01" + left + right).digest()


class Leaves:
    """Subtrees of a list of leaf hashes."""

    def __init__(self, hashes: Sequence[bytes]) -> None:
        self.hashes = hashes

    def __call__(self, level: int, index: int) -> bytes:
        return fold_complete(self.hashes[index << level : (index + 1) << level])


def some_leaves(count: int) -> list[bytes]:
    return [leaf_hash(str(number).encode()) for number in range(count)]


def root_from_proof(index: int, size: int, leaf: bytes, proof: Sequence[bytes]) -> bytes | None:
    """RFC 9162, 2.1.3.2, by recursion from the root down in place of its loop."""

    def climb(at: int, count: int, rest: list[bytes]) -> bytes:
        if count == 1:
            if rest:
                raise ValueError
            return leaf
        split = 1 << ((count - 1).bit_length() - 1)
        sibling = rest.pop()
        if at < split:
            return sha256(b"\x01" + climb(at, split, rest) + sibling).digest()
        return sha256(b"\x01" + sibling + climb(at - split, count - split, rest)).digest()

    try:
        return climb(index, size, list(proof))
    except (ValueError, IndexError):
        return None


@pytest.mark.row_by_row
@pytest.mark.parametrize("size", range(9))
def test_published_roots(size: int) -> None:
    hashes = [leaf_hash(leaf) for leaf in LEAVES[:size]]
    assert range_hash(Leaves(hashes), 0, size).hex() == ROOTS[size]
    frontier = Frontier()
    assert list(frontier.push(hashes)) == []
    assert frontier.root().hex() == ROOTS[size]
    assert tree_hash(hashes).hex() == ROOTS[size]


@pytest.mark.parametrize(("leaf", "size", "proof"), INCLUSION)
def test_published_inclusion_proofs(leaf: int, size: int, proof: list[str]) -> None:
    hashes = [leaf_hash(data) for data in LEAVES]
    made = inclusion_proof(Leaves(hashes), leaf, size)
    assert [step.hex() for step in made] == proof
    assert includes(hashes[leaf], leaf, size, made, bytes.fromhex(ROOTS[size]))


@pytest.mark.parametrize(("old", "size", "proof"), CONSISTENCY)
def test_published_consistency_proofs(old: int, size: int, proof: list[str]) -> None:
    hashes = [leaf_hash(data) for data in LEAVES]
    made = consistency_proof(Leaves(hashes), old, size)
    assert [step.hex() for step in made] == proof
    assert continues(old, bytes.fromhex(ROOTS[old]), size, bytes.fromhex(ROOTS[size]), made)


def test_every_inclusion_proof_up_to_forty_leaves() -> None:
    hashes = some_leaves(40)
    for size in range(1, 41):
        root = tree_hash(hashes[:size])
        for index in range(size):
            proof = inclusion_proof(Leaves(hashes), index, size)
            assert root_from_proof(index, size, hashes[index], proof) == root
            assert includes(hashes[index], index, size, proof, root)
            assert not includes(hashes[index], size, size, proof, root)
            assert not includes(EMPTY_ROOT, index, size, proof, root)
            assert not includes(hashes[index], index, size, [*proof, root], root)
            if proof:
                assert not includes(hashes[index], index, size, proof[:-1], root)


def test_every_consistency_proof_up_to_forty_leaves() -> None:
    hashes = some_leaves(40)
    roots = [tree_hash(hashes[:size]) for size in range(41)]
    for size in range(1, 41):
        for old in range(size + 1):
            proof = consistency_proof(Leaves(hashes), old, size)
            assert continues(old, roots[old], size, roots[size], proof)
            assert not continues(old, EMPTY_ROOT[::-1], size, roots[size], proof)
            assert not continues(old, roots[old], size, roots[size], [*proof, roots[0]])
            if proof:
                assert not continues(old, roots[old], size, EMPTY_ROOT, proof)
                assert not continues(old, roots[old], size, roots[size], proof[:-1])


@given(st.lists(st.integers(1, 700), min_size=1, max_size=5))
def test_a_frontier_grows_the_same_in_any_steps(steps: list[int]) -> None:
    hashes = some_leaves(sum(steps))
    frontier, at = Frontier(), 0
    full: dict[tuple[int, int], bytes] = {}
    for step in steps:
        for tile, data in frontier.push(hashes[at : at + step]):
            full[tile.level, tile.index] = data
        at += step
        assert frontier.root() == tree_hash(hashes[:at])
    for index in range(at // 256):
        assert full[0, index] == b"".join(hashes[index * 256 : (index + 1) * 256])
    for tile, data in frontier.partials():
        assert len(data) == 32 * tile.width
