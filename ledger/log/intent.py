"""What an append is about to write, signed before its first tile: from which tree, to which.

The note is durable before any tile and goes once the checkpoint stands. What lies beyond the
checkpoint is therefore either explained by an intent, and was never acknowledged, or it belongs to
a checkpoint that this folder no longer has. Its first line holds a blank, so that no reader of
checkpoints can take it for one.
"""

from __future__ import annotations

import re
from typing import Final

from ledger.kernel.quick_dataclass import dataclass
from ledger.log.errors import IntentBroken
from ledger.log.note import NoteBroken, Signer, Verifier, open_note, strict_base64, to_base64
from ledger.log.storage import Storage

INTENT: Final = "intent"
_HEADER: Final = "pitledger intent v1"
_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,18}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """An append that was begun: the signed tree it starts from, and the one it would end with."""

    origin: str
    size: int
    root: bytes
    next_size: int
    next_root: bytes

    def signed(self, signer: Signer) -> bytes:
        """The signed note."""
        lines = (
            _HEADER, self.origin, str(self.size), to_base64(self.root),
            str(self.next_size), to_base64(self.next_root),
        )  # fmt: skip
        return signer.sign("".join(f"{line}\n" for line in lines))


def open_intent(note: bytes, verifier: Verifier) -> Intent:
    """The intent of a note that the key signed.

    Raises:
        NoteBroken: the signature does not hold, or the text is not an intent of this key.
    """
    lines = open_note(note, verifier).split("\n")
    if len(lines) != 7 or lines[6] or lines[0] != _HEADER:
        raise NoteBroken("not the six lines of an intent")
    origin, size, root, next_size, next_root = lines[1:6]
    if origin != verifier.name:
        raise NoteBroken("another origin than the key's")
    if not _SIZE.fullmatch(size) or not _SIZE.fullmatch(next_size) or int(next_size) <= int(size):
        raise NoteBroken("not two tree sizes in rising order")
    before, after = strict_base64(root), strict_base64(next_root)
    if len(before) != 32 or len(after) != 32:
        raise NoteBroken("not a root hash")
    return Intent(
        origin=origin, size=int(size), root=before, next_size=int(next_size), next_root=after
    )


def read_intent(storage: Storage, verifier: Verifier) -> Intent | None:
    """The intent that lies in a folder; None where no append was begun.

    Raises:
        IntentBroken: what lies there is none that the ledger's key signed.
    """
    try:
        return open_intent(storage.read(INTENT), verifier)
    except FileNotFoundError:
        return None
    except NoteBroken as error:
        raise IntentBroken(str(error)) from error
