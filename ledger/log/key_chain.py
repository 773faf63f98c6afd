"""The keys that a ledger has had, one after the other, each endorsed by its neighbors.

A ``KeyRotated`` entry says which key signs from there on, signed by the old key and by the new one.
So whoever trusts any key of the ledger can follow to the present one; where the old key was lost,
its signature is missing and nobody can follow across that place. ``keys/rotations`` holds the same
entries for those who do not read the whole ledger; a link counts only by its signatures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from ledger.log.entry import EntryUnreadable, decode, encode
from ledger.log.errors import FormatNewer
from ledger.log.note import NoteBroken, Verifier, parse_verifier, strict_base64, to_base64
from ledger.log.port import KeyRotated
from ledger.log.storage import Storage

ROTATIONS: Final = "keys/rotations"
_HEADER: Final = "pitledger key rotation v1"


def rotation_text(origin: str, old: str, new: str, size: int, root: bytes) -> bytes:
    """Return what both keys sign: whose ledger it is, the two keys, and the tree before.

    Args:
        origin: the ledger's name.
        old: public key that signed up to here, ``name+hash+base64``.
        new: public key that signs from here on.
        size: entries before the rotation.
        root: their tree hash, 32 bytes.
    """
    return f"{_HEADER}\n{origin}\n{old}\n{new}\n{size}\n{to_base64(root)}\n".encode()


def problem_of_rotation(rotated: KeyRotated) -> str | None:
    """Say what is wrong with a rotation by itself; None if its signatures hold."""
    try:
        old, new = parse_verifier(rotated.old), parse_verifier(rotated.new)
    except NoteBroken as error:
        return f"a rotation names what is no key: {error}"
    if old.name != new.name:
        return "a rotation names keys of two ledgers"
    text = rotation_text(new.name, rotated.old, rotated.new, rotated.size, rotated.root)
    if not new.holds(text, rotated.signed_by_new):
        return "the new key did not sign its rotation"
    if rotated.signed_by_old is not None and not old.holds(text, rotated.signed_by_old):
        return "the old key did not sign the rotation"
    return None


def earlier_keys(
    present: Verifier, rotations: Sequence[KeyRotated]
) -> Iterator[tuple[Verifier, int]]:
    """Return the keys before the present one that can be followed to it, the last one first.

    Args:
        present: the ledger's public key now.
        rotations: those on record, in order; the first that does not hold ends the chain, and one
            that never took effect leads nowhere.

    Returns:
        Each key with the size of the tree up to which it signed.
    """
    key = str(present)
    for rotated in reversed(rotations):
        if rotated.new != key:
            continue
        if rotated.signed_by_old is None or problem_of_rotation(rotated):
            return
        key = rotated.old
        yield parse_verifier(key), rotated.size


def read_rotations(storage: Storage) -> list[KeyRotated]:
    """Return the rotations that the key folder lists; what cannot be read is left out."""
    rotations = []
    with suppress(OSError):
        for line in storage.read(ROTATIONS).split(b"\n"):
            with suppress(NoteBroken, EntryUnreadable, FormatNewer, UnicodeDecodeError):
                entry = decode(strict_base64(line.decode("ascii"))) if line else None
                if isinstance(entry, KeyRotated):
                    rotations.append(entry)
    return rotations


def rotation_lines(rotations: Iterable[KeyRotated]) -> bytes:
    """Return the bytes of ``keys/rotations``: each entry in base64 on a line of its own."""
    return b"".join(to_base64(encode(rotated)).encode() + b"\n" for rotated in rotations)
