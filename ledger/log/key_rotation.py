"""A new key for a ledger: it signs the standing checkpoint too, then the key files are replaced.

The note of the handover has both keys' signatures over the same size and root, so that
whoever trusts the old key can follow to the new one. The old private key is not needed: what it
signed stands. A rotation that was interrupted is done again.
"""

from __future__ import annotations

from pathlib import Path

from ledger.log.errors import StorageFailed
from ledger.log.keys import (
    SIGNER,
    SIGNER_MODE,
    VERIFIER,
    new_signer,
    read_verifier,
    write_key_outside,
)
from ledger.log.note import Signer, Verifier, open_note
from ledger.log.snapshot import CHECKPOINT, FileSnapshot
from ledger.log.storage import DirectoryStorage, Durable
from ledger.log.unsigned_tail import clear_tail
from ledger.log.witness import Witness


def rotate_key(
    folder: Path,
    handover: Path,
    *,
    key: Path | None = None,
    witness: Path | None = None,
    signer: Signer | None = None,
) -> tuple[Verifier, Verifier]:
    """Give a ledger a new key; the old public key and the new one.

    Args:
        folder: the ledger.
        handover: a new file outside the ledger for the note that both keys signed.
        key: a new file for the private key, if it is not to lie in the ledger.
        witness: the copy of the last checkpoint kept elsewhere; it gets the note, too.
        signer: the new key; made here when None.

    Raises:
        TailUnexplained: files lie beyond the checkpoint that no intent explains.
        WitnessInconsistent: the ledger does not continue what the witness saw.
        StorageFailed: the handover, or the key, cannot be written, or is there already.
        LedgerLocked: another process is appending.
    """
    storage = DirectoryStorage(folder)
    storage.lock()
    try:
        old = read_verifier(storage, str(folder))
        note = storage.read(CHECKPOINT)
        snapshot = FileSnapshot(storage, note, old, None)
        seen = Witness(witness) if witness is not None else None
        if seen is not None:
            seen.check(snapshot)
        new = signer or new_signer(old.name)
        clear_tail(storage, Durable(storage), snapshot)  # the new key knows no old intent
        text = open_note(note, old)
        both = note + new.sign(text)[len(text.encode()) + 1 :]
        secret = new.secret_text().encode() + b"\n"
        try:
            write_key_outside(handover, both)
            if key is not None:
                write_key_outside(key, secret)
        except OSError as error:
            raise StorageFailed(error, "Writing the new key's files") from error
        durable = Durable(storage)
        durable.put([(CHECKPOINT, both)])
        if seen is not None:
            seen.replace(both)
        if key is None:
            durable.put([(SIGNER, secret)], SIGNER_MODE)
        else:
            durable.remove(SIGNER)
        durable.put([(VERIFIER, f"{new.verifier}\n".encode())])
        return old, new.verifier
    finally:
        storage.unlock()
