"""``prove``: what it prints is read and checked here by nothing but the specifications."""

from __future__ import annotations

from base64 import b64decode
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ledger.kernel import UsageError
from ledger.log import init, open_log, read_log
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME, arrivals
from tests.log.test_merkle import root_from_proof

SIZES = (1, 3, 255, 256, 257, 513, 1_025)


def check(text: str, verifier_key: str, entry: bytes) -> tuple[int, int]:
    """c2sp.org/tlog-proof, "Verifying a tlog proof"; index and size if it holds."""
    head, _, rest = text.partition("\n\n")
    lines = head.split("\n")
    assert lines[0] == "c2sp.org/tlog-proof@v1"
    word, _, number = lines[1].partition(" ")
    assert word == "index"
    body, _, signature_line = rest.partition("\n\n")
    origin, size, root = body.split("\n")
    name, _, encoded = verifier_key.strip().split("+", 2)
    dash, signer, signature = signature_line.strip("\n").split(" ")
    assert (dash, signer, origin) == ("—", name, name)
    public = b64decode(encoded)[1:]
    Ed25519PublicKey.from_public_bytes(public).verify(
        b64decode(signature)[4:], f"{body}\n".encode()
    )
    key_id = sha256(name.encode() + b"\n\x01" + public).digest()[:4]
    assert b64decode(signature)[:4] == key_id
    leaf = sha256(b"\x00" + entry).digest()
    proof = [b64decode(line) for line in lines[2:]]
    assert root_from_proof(int(number), int(size), leaf, proof) == b64decode(root)
    return int(number), int(size)


@pytest.mark.parametrize("size", SIZES)
def test_every_proof_of_a_ledger(size: int, tmp_path: Path) -> None:
    init(tmp_path, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER)
    with open_log(tmp_path) as log:
        log.append(arrivals(1, size - 2), TIME)
    snapshot = read_log(tmp_path)
    key = (tmp_path / "keys/verifier").read_text()
    places = sorted({0, 1, 2, 254, 255, 256, 257, 511, 512, size - 2, size - 1})
    for position in [place for place in places if 0 <= place < size]:
        proof = snapshot.prove(position)
        assert check(proof, key, snapshot.raw(position)) == (position, size)
    with pytest.raises(UsageError):
        snapshot.prove(size)


def test_proofs_on_three_levels_of_tiles(tmp_path: Path) -> None:
    init(tmp_path, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER)
    with open_log(tmp_path) as log:
        log.append(arrivals(1, 66_000), TIME)
    snapshot = read_log(tmp_path)
    key = (tmp_path / "keys/verifier").read_text()
    for position in (0, 255, 256, 65_535, 65_536, 65_792, 66_001):
        assert check(snapshot.prove(position), key, snapshot.raw(position))[0] == position
