"""Notes and proofs held against Go's own libraries (golang.org/x/mod/sumdb), where Go is there.

Every question is answered by both: notes of the corpus and notes that were spoiled, proofs of all
places and sizes of small trees, whole and spoiled.
"""

from __future__ import annotations

import subprocess
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Final

from ledger.log.merkle import (
    consistency_proof,
    continues,
    includes,
    inclusion_proof,
    leaf_hash,
    range_hash,
)
from ledger.log.note import NoteBroken, open_note
from tests.faults.fuzz.corpus import kept_inputs
from tests.faults.fuzz.targets import note_seeds
from tests.log.facts import SIGNER
from tests.log.test_merkle import Leaves

GO: Final = Path(__file__).parent / "go"
SIZES: Final = range(1, 34)
SPOILED_NOTES: Final = 20_000

Question = tuple[bool, str]
"""What we say, and the line that asks Go."""


def differences(go: str) -> tuple[int, list[str]]:
    """Ask Go all questions.

    Args:
        go: the program.

    Returns:
        How many questions, and those that Go answers otherwise.
    """
    asked = [*_notes(Random(18)), *_proofs(Random(18))]
    lines = "".join(f"{line}\n" for _, line in asked)
    done = subprocess.run(
        [go, "run", "."], cwd=GO, input=lines, capture_output=True, text=True, check=True
    )
    answers = [answer == "true" for answer in done.stdout.split()]
    pairs = zip(asked, answers, strict=True)
    return len(asked), [line for (ours, line), theirs in pairs if ours is not theirs]


def _text(raw: bytes) -> str:
    return b64encode(raw).decode()


def _notes(chance: Random) -> Iterator[Question]:
    seeds = [seed for seed in note_seeds() if b"\n\n" in seed]
    spoiled = (_spoiled(chance.choice(seeds), chance) for _ in range(SPOILED_NOTES))
    for note in (*seeds, *kept_inputs("note"), *spoiled):
        try:
            open_note(note, SIGNER.verifier)
        except NoteBroken as error:
            if str(error) == "not canonical base64":
                continue  # RFC 4648, 3.5: a reader may take it, as Go does, or refuse it
            holds = False
        else:
            holds = True
        yield holds, f"note {_text(str(SIGNER.verifier).encode())} {_text(note)}"


def _spoiled(raw: bytes, chance: Random) -> bytes:
    """A byte changed, cut out or put in; or a line said twice."""
    at = chance.randrange(len(raw))
    match chance.randrange(4):
        case 0:
            return raw[:at] + chance.randbytes(1) + raw[at + 1 :]
        case 1:
            return raw[:at] + raw[at + 1 :]
        case 2:
            return raw[:at] + chance.choice([b"\n", b" ", b"=", b"\0", b"\xff", b"A"]) + raw[at:]
        case _:
            lines = raw.splitlines(keepends=True)
            return b"".join([*lines, chance.choice(lines)])


def _proofs(chance: Random) -> Iterator[Question]:
    leaves = [leaf_hash(bytes([number])) for number in range(SIZES.stop)]
    tree = Leaves(leaves)
    for size in SIZES:
        root = range_hash(tree, 0, size)
        for index in range(size):
            proof = inclusion_proof(tree, index, size)
            for steps in _variants(proof, chance):
                ours = includes(leaves[index], index, size, steps, root)
                words = (_text(leaves[index]), _text(root), _text(b"".join(steps)))
                yield ours, f"record {index} {size} {' '.join(words)}"
        for old in range(1, size + 1):
            old_root = range_hash(tree, 0, old)
            for steps in _variants(consistency_proof(tree, old, size), chance):
                ours = continues(old, old_root, size, root, steps)
                words = (_text(root), str(old), _text(old_root), _text(b"".join(steps)))
                yield ours, f"tree {size} {' '.join(words)}"


def _variants(proof: list[bytes], chance: Random) -> Iterator[list[bytes]]:
    """A proof as it is, and with a hash changed, left out, put in or exchanged."""
    yield proof
    yield [*proof, sha256(b"more").digest()]
    if proof:
        at = chance.randrange(len(proof))
        yield proof[:at] + proof[at + 1 :]
        yield [*proof[:at], sha256(proof[at]).digest(), *proof[at + 1 :]]
        yield proof[::-1]
