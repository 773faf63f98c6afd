"""What a ledger asks of a witness, in bytes: c2sp.org/tlog-witness, add-checkpoint."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ledger.kernel.quick_dataclass import dataclass
from ledger.log.note import NOTE_BYTES, NoteBroken, strict_base64, to_base64

PATH: Final = "/add-checkpoint"
SIZE_TYPE: Final = "text/x.tlog.size"
"""The content type under which a witness names the size that it last cosigned."""
TEXT_TYPE: Final = "text/plain; charset=utf-8"
PROOF_LINES: Final = 63
REQUEST_BYTES: Final = NOTE_BYTES
_OLD: Final = re.compile(r"old (0|[1-9][0-9]{0,18})")


class Answer(NamedTuple):
    """An HTTP answer: status, content type, body."""

    status: int
    content_type: str
    body: bytes


@dataclass(frozen=True, slots=True)
class AddCheckpoint:
    """A new checkpoint, and the proof that it continues the one that the witness knows.

    Attributes:
        old: the tree size of the checkpoint that the witness cosigned last; 0 if none.
        proof: consistency proof from there (RFC 6962, 2.1.2); empty from 0.
        note: the signed checkpoint.
    """

    old: int
    proof: tuple[bytes, ...]
    note: bytes

    def body(self) -> bytes:
        """The body of the request."""
        lines = [f"old {self.old}", *(to_base64(step) for step in self.proof), "", ""]
        return "\n".join(lines).encode() + self.note


def parse_add_checkpoint(body: bytes) -> AddCheckpoint:
    """Read the body of a request.

    Raises:
        NoteBroken: it is none.
    """
    head, gap, note = body.partition(b"\n\n")
    if len(body) > REQUEST_BYTES or not gap:
        raise NoteBroken("not an old size, a proof, an empty line and a checkpoint")
    try:
        first, *proof = head.decode("ascii").split("\n")
    except UnicodeDecodeError as error:
        raise NoteBroken("not ASCII before the checkpoint") from error
    old = _OLD.fullmatch(first)
    if old is None or len(proof) > PROOF_LINES:
        raise NoteBroken("not an old size and at most 63 lines of proof")
    steps = tuple(strict_base64(line) for line in proof)
    if any(len(step) != 32 for step in steps):
        raise NoteBroken("a line of the proof is no hash")
    return AddCheckpoint(int(old[1]), steps, note)
