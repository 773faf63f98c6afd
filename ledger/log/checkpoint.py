"""Checkpoints (c2sp.org/tlog-checkpoint) and proofs of one entry (c2sp.org/tlog-proof@v1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ledger.kernel.quick_dataclass import dataclass
from ledger.log.note import NoteBroken, Signer, Verifier, open_note, strict_base64, to_base64

PROOF_HEADER: Final = "c2sp.org/tlog-proof@v1"
_SIZE = re.compile(r"0|[1-9][0-9]{0,18}")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The size and root of a log, as it signed them."""

    origin: str
    size: int
    root: bytes

    def text(self) -> str:
        """The three lines that are signed."""
        return f"{self.origin}\n{self.size}\n{to_base64(self.root)}\n"

    def signed(self, signer: Signer) -> bytes:
        """The signed note."""
        return signer.sign(self.text())


def open_checkpoint(note: bytes, verifier: Verifier) -> Checkpoint:
    """The checkpoint of a note that the key signed.

    Raises:
        NoteBroken: the signature does not hold, or the text is not a checkpoint of this key.
    """
    checkpoint = parse_checkpoint(open_note(note, verifier))
    if checkpoint.origin != verifier.name:
        raise NoteBroken("another origin than the key's")
    return checkpoint


def parse_checkpoint(text: str) -> Checkpoint:
    """The checkpoint of a note's text, whoever signed it.

    Raises:
        NoteBroken: the text is not a checkpoint.
    """
    lines = text.split("\n")
    if len(lines) != 4 or lines[3] or not lines[0]:
        raise NoteBroken("not the three lines of a checkpoint")
    origin, size, root = lines[:3]
    if not _SIZE.fullmatch(size):
        raise NoteBroken("not a tree size")
    raw = strict_base64(root)
    if len(raw) != 32:
        raise NoteBroken("not a root hash")
    return Checkpoint(origin, int(size), raw)


def proof_text(index: int, proof: Sequence[bytes], checkpoint: bytes) -> str:
    """The proof that an entry stands at an index, to be checked offline.

    Args:
        index: the entry's place in the log.
        proof: the hashes from the leaf's sibling upwards, as ``merkle.inclusion_proof`` gives them.
        checkpoint: the signed note that the proof leads to.

    Returns:
        A proof as c2sp.org/tlog-proof has it.
    """
    lines = [PROOF_HEADER, f"index {index}", *(to_base64(step) for step in proof)]
    return "\n".join(lines) + "\n\n" + checkpoint.decode()
