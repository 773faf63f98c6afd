"""A new key for a ledger, endorsed by the old one in an entry of the ledger itself.

The entry ``KeyRotated`` is signed by both keys, and so is the checkpoint over it, the handover:
whoever trusts the old key can follow to the new one, with the ledger or with the handover alone. A
rotation that was interrupted is taken up again: the new private key waits in ``FILE.next``.

Where the old private key is lost, or somebody may have copied it, nothing that it signs can endorse
the new one. The entry then lacks its signature, and whoever trusts the old key has to hear of the
new one from people.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from errno import EEXIST
from pathlib import Path

from ledger.kernel.quick_dataclass import dataclass
from ledger.log.errors import KeyUnreadable, StorageFailed
from ledger.log.file_log import FileLog, open_log
from ledger.log.key_chain import ROTATIONS, read_rotations, rotation_lines, rotation_text
from ledger.log.keys import (
    SIGNER,
    VERIFIER,
    key_file,
    new_signer,
    read_key_outside,
    read_verifier,
    remove_unfinished,
    waiting_key,
    write_key_outside,
)
from ledger.log.ledger_at_checkpoint import CHECKPOINT, FileSnapshot, open_snapshot
from ledger.log.note import Signer, Verifier, open_note, parse_verifier
from ledger.log.port import KeyRotated
from ledger.log.storage import DirectoryStorage, Durable
from ledger.log.unsigned_tail import clear_tail
from ledger.log.witness import Witness


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyChange:
    """What became of a rotation.

    Args:
        old: the public key that signed until now.
        new: the one that signs from now on.
        position: of the entry that says so.
        key: the file of the new private key.
        is_endorsed: whether the old key signed the change.
    """

    old: Verifier
    new: Verifier
    position: int
    key: Path
    is_endorsed: bool


def rotate_key(
    folder: Path,
    handover: Path,
    *,
    record_time: int,
    key: Path | None = None,
    new_key: Path | None = None,
    witness: Path | None = None,
    lost: bool = False,
    signer: Signer | None = None,
) -> KeyChange:
    """Give a ledger a new key.

    Args:
        folder: the ledger.
        handover: a new file outside the ledger for the checkpoint that both keys signed.
        record_time: now, microseconds UTC.
        key: the file of the old private key, if not in the usual place.
        new_key: a new file for the new private key; None: it takes the place of the old one.
        witness: the copy of the last checkpoint kept elsewhere; it gets the handover, too.
        lost: the old private key is lost, or may have been copied: it endorses nothing.
        signer: the new key; made here when None.

    Raises:
        KeyMissing, KeyMismatch: the old private key is not at hand, and is not said to be lost.
        KeyUnreadable: a key file is none, or ``keys/rotations`` lost the rotation that was begun.
        TailUnexplained: files lie beyond the checkpoint that no intent explains.
        WitnessInconsistent: the ledger does not continue what the witness saw.
        FormatNewer: a newer version wrote to it.
        StorageFailed: the handover, or the key, cannot be written, or is there already.
        LedgerLocked: another process is appending.
    """
    storage = DirectoryStorage(folder)
    place = new_key or key_file(storage, key) or folder / SIGNER
    waiting = waiting_key(place)
    change = _finished(storage, folder, place, waiting, witness)
    if change is not None:
        return change
    begun = _waiting_key(waiting)
    for path in (handover, new_key):
        if path is not None and path.exists() and begun is None:
            taken = FileExistsError(EEXIST, "it is there already", str(path))
            raise StorageFailed(taken, "Rotating the key")
    new = begun or signer or new_signer(read_verifier(storage, str(folder)).name)
    if lost:
        open_snapshot(storage, str(folder), None).entries_state()  # nothing unread is signed anew
        _keep(waiting, new)
        _take_over(storage, folder, new, handover, record_time, witness)
    else:
        with open_log(folder, key=key, witness=witness) as log:
            _keep(waiting, new)
            _hand_over(log, storage, new, handover, record_time, witness)
    change = _finished(storage, folder, place, waiting, witness)
    assert change is not None
    return change


def _hand_over(
    log: FileLog,
    storage: DirectoryStorage,
    new: Signer,
    handover: Path,
    record_time: int,
    witness: Path | None,
) -> None:
    """Have the old key record the new one, and both sign the checkpoint over it."""
    old, last = log.snapshot.verifier, log.read(log.size - 1)
    if not (isinstance(last, KeyRotated) and last.new == str(new.verifier)):
        rotated = _rotation(log.snapshot, record_time, new, log.signature)
        _list(storage, rotated)
        log.record_rotation(rotated)
    both = _signed_by_both(log.snapshot.note, old, new)
    _write_outside(handover, both)
    _change_keys(storage, both, new.verifier, witness)


def _take_over(
    storage: DirectoryStorage,
    folder: Path,
    new: Signer,
    handover: Path,
    record_time: int,
    witness: Path | None,
) -> None:
    """Have the new key sign the standing checkpoint in place of a key that is lost."""
    storage.lock()
    try:
        old = read_verifier(storage, str(folder))
        note = storage.read(CHECKPOINT)
        snapshot = FileSnapshot(storage, note, old, None)
        if witness is not None:
            Witness(witness).check(snapshot)
        clear_tail(storage, Durable(storage), snapshot)  # the new key knows no old intent
        _list(storage, _rotation(snapshot, record_time, new, None))
        both = _signed_by_both(note, old, new)
        _write_outside(handover, both)
        _change_keys(storage, both, new.verifier, witness)
    finally:
        storage.unlock()


def _change_keys(
    storage: DirectoryStorage, both: bytes, new: Verifier, witness: Path | None
) -> None:
    durable = Durable(storage)
    durable.put([(CHECKPOINT, both)])
    if witness is not None:
        Witness(witness).replace(both)
    durable.put([(VERIFIER, f"{new}\n".encode())])


def _finished(
    storage: DirectoryStorage, folder: Path, place: Path, waiting: Path, witness: Path | None
) -> KeyChange | None:
    """See that the ledger names the new key, and put its private half in its place.

    Returns:
        None if no new key waits that ``keys/verifier`` names already.
    """
    new = _waiting_key(waiting)
    if new is None or read_verifier(storage, str(folder)) != new.verifier:
        return None
    listed = [one for one in read_rotations(storage) if one.new == str(new.verifier)]
    if not listed:
        raise KeyUnreadable(ROTATIONS, "it does not list the rotation that was begun")
    rotated = listed[-1]
    with open_log(folder, key=waiting, witness=witness) as log:
        if rotated.size == log.size:
            log.record_rotation(rotated)
    _put_in_place(waiting, place)
    return KeyChange(
        old=parse_verifier(rotated.old),
        new=new.verifier,
        position=rotated.size,
        key=place,
        is_endorsed=rotated.signed_by_old is not None,
    )


def _put_in_place(waiting: Path, place: Path) -> None:
    os.replace(waiting, place)
    DirectoryStorage(place.parent).sync_folder(".")


def _rotation(
    snapshot: FileSnapshot, record_time: int, new: Signer, endorse: Callable[[bytes], bytes] | None
) -> KeyRotated:
    """A rotation from the key of a snapshot; ``endorse`` signs with that key."""
    old, key = str(snapshot.verifier), str(new.verifier)
    text = rotation_text(snapshot.origin, old, key, snapshot.size, snapshot.root)
    return KeyRotated(
        record_time=record_time,
        old=old,
        new=key,
        size=snapshot.size,
        root=snapshot.root,
        signed_by_old=None if endorse is None else endorse(text),
        signed_by_new=new.signature(text),
    )


def _signed_by_both(note: bytes, old: Verifier, new: Signer) -> bytes:
    text = open_note(note, old)
    own = new.sign(text)[len(text.encode()) + 1 :]
    return note if note.endswith(own) else note + own  # a run that was killed may have added it


def _list(storage: DirectoryStorage, rotated: KeyRotated) -> None:
    rotations = [one for one in read_rotations(storage) if one.new != rotated.new]
    Durable(storage).put([(ROTATIONS, rotation_lines([*rotations, rotated]))])


def _waiting_key(waiting: Path) -> Signer | None:
    try:
        return read_key_outside(waiting)
    except KeyUnreadable:
        waiting.unlink()  # torn while it was written: it has signed nothing
        return None


def _keep(waiting: Path, new: Signer) -> None:
    _write_outside(waiting, new.secret_text().encode() + b"\n")


def _write_outside(path: Path, content: bytes) -> None:
    """Write a file, unless a run that was killed did; of its scratch nothing is left either way."""
    try:
        if path.exists() and path.read_bytes() == content:
            remove_unfinished(path)
        else:
            write_key_outside(path, content)
    except OSError as error:
        raise StorageFailed(error, "Writing the new key's files") from error
