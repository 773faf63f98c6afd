"""The keys of a ledger: ``keys/verifier`` for everybody, and the private key of the writer.

The private key lies beside the ledger's folder, in ``FOLDER.key``, or where ``PITLEDGER_KEY`` says:
whoever can write into the folder must not be able to sign what lies in it. Ledgers that were begun
with ``keys/signer`` inside keep it there until it is moved; ``doctor`` names them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from ledger.log.errors import KeyMismatch, KeyMissing, KeyUnreadable, LedgerMissing
from ledger.log.note import NoteBroken, Signer, Verifier, parse_signer, parse_verifier
from ledger.log.storage import DirectoryStorage, Durable, Storage

VERIFIER: Final = "keys/verifier"
SIGNER: Final = "keys/signer"
SIGNER_MODE: Final = 0o600
UNFINISHED: Final = ".unfinished"
"""Ends the name of a key file while it is written."""
KEY_VARIABLE: Final = "PITLEDGER_KEY"
"""The environment variable that names the file of the private key."""


def new_signer(origin: str) -> Signer:
    """Return a new private key from the system's source of chance, under a ledger's name."""
    return Signer(origin, os.urandom(32))


def read_verifier(storage: Storage, folder: str) -> Verifier:
    """The ledger's public key; the file is the key and one line end, nothing else.

    Raises:
        LedgerMissing: the ledger has none.
        KeyUnreadable: the file is no key.
    """
    try:
        raw = storage.read(VERIFIER)
    except FileNotFoundError as error:
        raise LedgerMissing(folder) from error
    return verifier_of(raw)


def verifier_of(raw: bytes) -> Verifier:
    """The key of the bytes of ``keys/verifier``.

    Raises:
        KeyUnreadable: they are no key.
    """
    try:
        text = raw.decode()
        if not text.endswith("\n"):
            raise NoteBroken("no line end")
        return parse_verifier(text[:-1])
    except (NoteBroken, UnicodeDecodeError) as error:
        raise KeyUnreadable(VERIFIER, str(error)) from error


def read_public_key(text: str) -> Verifier:
    """Return a public key from ``name+hash+base64``, or from a file that holds it on one line.

    Raises:
        KeyUnreadable: it is neither.
    """
    try:
        return parse_verifier(text)
    except NoteBroken as error:
        path = Path(text)
        if not path.is_file():
            raise KeyUnreadable(text, str(error)) from error
    try:
        return parse_verifier(path.read_text(encoding="utf-8").strip())
    except (NoteBroken, OSError, UnicodeDecodeError) as error:
        raise KeyUnreadable(text, str(error)) from error


def key_beside(folder: Path) -> Path:
    """Return where the private key of a ledger lies unless said otherwise: beside its folder."""
    beside = Path(os.path.abspath(folder))
    return beside.with_name(f"{beside.name}.key")


def key_file(storage: Storage, path: Path | None) -> Path | None:
    """Return the file of a private key that lies outside its ledger; None if none is there.

    Args:
        storage: the ledger's.
        path: what the caller named; then ``PITLEDGER_KEY``, then the file beside the folder.
    """
    if path is None and (named := os.environ.get(KEY_VARIABLE)):
        path = Path(named)
    if path is None and isinstance(storage, DirectoryStorage):
        beside = key_beside(storage.folder)
        path = beside if beside.exists() else None
    return path


def read_signer(storage: Storage, path: Path | None, verifier: Verifier) -> Signer:
    """Return the private key of a ledger.

    Args:
        storage: the ledger's.
        path: its file; None looks in the usual places, ``keys/signer`` inside the ledger the last.
        verifier: the ledger's public key.

    Raises:
        KeyMissing: it is in none of these places.
        KeyMismatch: it is another ledger's.
        KeyUnreadable: the file is no key.
    """
    path = key_file(storage, path)
    where = SIGNER if path is None else str(path)
    inside = isinstance(storage, DirectoryStorage) and (storage.folder / SIGNER).exists()
    if path is None and isinstance(storage, DirectoryStorage) and not inside:
        where = str(key_beside(storage.folder))
    signer = _signer_at(storage, path)
    if signer is None:
        raise KeyMissing(where)
    if signer.verifier != verifier:
        raise KeyMismatch(where)
    return signer


def read_key_outside(path: Path) -> Signer | None:
    """Return the private key of a file; None if there is no such file.

    Raises:
        KeyUnreadable: the file is no key.
    """
    return _signer_at(DirectoryStorage(path.parent), path)


def waiting_key(place: Path) -> Path:
    """Return where a new private key waits until it takes its place."""
    return place.with_name(f"{place.name}.next")


def waits_for(place: Path, verifier: Verifier) -> bool:
    """Whether the private key of a public one waits beside the place where it belongs."""
    try:
        signer = read_key_outside(waiting_key(place))
    except KeyUnreadable:
        return False
    return signer is not None and signer.verifier == verifier


def _signer_at(storage: Storage, path: Path | None) -> Signer | None:
    """The private key of a file; None if there is no such file."""
    where = SIGNER if path is None else str(path)
    try:
        raw = storage.read(SIGNER) if path is None else path.read_bytes()
        text = raw.decode()
        if not text.endswith("\n"):
            raise NoteBroken("no line end")
        return parse_signer(text[:-1])
    except FileNotFoundError:
        return None
    except (NoteBroken, UnicodeDecodeError) as error:
        raise KeyUnreadable(where, str(error)) from error


def make_keys(storage: Storage, origin: str, path: Path | None, signer: Signer | None) -> Signer:
    """Write the keys of a new ledger; keys that an interrupted ``init`` left are used again.

    Args:
        storage: that of the ledger.
        origin: the name of both keys.
        path: the file of the private key; None: ``keys/signer`` in the ledger.
        signer: a key to use in place of a new one.

    Returns:
        The private key.

    Raises:
        KeyMismatch: a key of another ledger lies there.
        KeyUnreadable: what lies there is no key.
    """
    existing = _signer_at(storage, path)
    if existing is not None and (existing.name != origin or signer not in (None, existing)):
        raise KeyMismatch(SIGNER if path is None else str(path))
    own = existing or signer or new_signer(origin)
    if existing is None:
        text = own.secret_text().encode() + b"\n"
        if path is None:
            Durable(storage).put([(SIGNER, text)], SIGNER_MODE)
        else:
            write_key_outside(path, text)
    elif path is not None:
        remove_unfinished(path)
    Durable(storage).put([(VERIFIER, f"{own.verifier}\n".encode())])
    return own


def write_key_outside(path: Path, text: bytes) -> None:
    """Write a key file that lies elsewhere: whole or not at all, and never over another file.

    Raises:
        FileExistsError: there is a file.
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    folder, scratch = DirectoryStorage(path.parent), f"{path.name}{UNFINISHED}"
    remove_unfinished(path)
    try:
        folder.write([(scratch, text)], SIGNER_MODE)
        folder.name_new(scratch, path.name)
    finally:
        remove_unfinished(path)
    folder.sync_folder(".")


def remove_unfinished(path: Path) -> None:
    """Remove what a killed process left of writing a key file."""
    path.with_name(f"{path.name}{UNFINISHED}").unlink(missing_ok=True)
