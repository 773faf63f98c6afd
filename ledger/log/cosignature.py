"""Cosignatures of witnesses under checkpoints: c2sp.org/tlog-cosignature, the Ed25519 kind."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ledger.kernel.quick_dataclass import dataclass
from ledger.log.note import DASH, SECRET, NoteBroken, key_parts, split_note, to_base64

ALGORITHM: Final = b"\x04"
"""The byte before a key that cosigns; a key that signs notes has another."""
_SIGNATURE_BYTES: Final = 8 + 64
_LATEST: Final = 2**63 - 1


def _message(text: str, time: int) -> bytes:
    """What is signed: the text of the checkpoint below a header and the time in POSIX seconds."""
    return f"cosignature/v1\ntime {time}\n{text}".encode()


@dataclass(frozen=True, slots=True)
class CosignerKey:
    """The public key of a witness, with its name."""

    name: str
    public: bytes

    @property
    def key_id(self) -> bytes:
        """The first four bytes of SHA-256(name || 0x0A || 0x04 || public key)."""
        return sha256(self.name.encode() + b"\n" + ALGORITHM + self.public).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{to_base64(ALGORITHM + self.public)}"

    def cosigned_at(self, note: bytes) -> int | None:
        """Return when this witness cosigned a checkpoint, in POSIX seconds; None if it did not.

        A line under its name and key id whose signature does not hold is passed over: anybody can
        add such a line to a note, and it must not make a true one worthless.

        Raises:
            NoteBroken: it is not a note.
        """
        text, signatures = split_note(note)
        times = [
            int.from_bytes(raw[4:12], "big")
            for name, raw in signatures
            if name == self.name and raw[:4] == self.key_id and self._holds(text, raw[4:])
        ]
        return max(times, default=None)

    def _holds(self, text: str, signature: bytes) -> bool:
        if len(signature) != _SIGNATURE_BYTES:
            return False
        time = int.from_bytes(signature[:8], "big")
        if time > _LATEST:
            return False
        try:
            key = Ed25519PublicKey.from_public_bytes(self.public)
            key.verify(signature[8:], _message(text, time))
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True, slots=True, repr=False)
class Cosigner:
    """The private key of a witness, with its name."""

    name: str
    seed: bytes

    @property
    def public(self) -> CosignerKey:
        """The public half."""
        key = Ed25519PrivateKey.from_private_bytes(self.seed)
        return CosignerKey(self.name, key.public_key().public_bytes_raw())

    def secret_text(self) -> str:
        """The form of the key file: ``PRIVATE+KEY+name+hash+base64``."""
        body = to_base64(ALGORITHM + self.seed)
        return f"{SECRET}{self.name}+{self.public.key_id.hex()}+{body}"

    def line(self, text: str, time: int) -> str:
        """Return the signature line over the text of a checkpoint.

        Args:
            text: of the note, without its signatures.
            time: when the witness cosigns, in POSIX seconds.
        """
        key = Ed25519PrivateKey.from_private_bytes(self.seed)
        signature = time.to_bytes(8, "big") + key.sign(_message(text, time))
        return f"{DASH}{self.name} {to_base64(self.public.key_id + signature)}\n"


def new_cosigner(name: str) -> Cosigner:
    """Return a new private key from the system's source of chance."""
    return Cosigner(name, os.urandom(32))


def parse_cosigner_key(text: str) -> CosignerKey:
    """Read ``name+hash+base64``.

    Raises:
        NoteBroken: it is not the key of a witness, or its hash is another key's.
    """
    name, hash_hex, public = key_parts(text, ALGORITHM)
    key = CosignerKey(name, public)
    if key.key_id.hex() != hash_hex:
        raise NoteBroken("the key's hash is not that of the key")
    return key


def parse_cosigner(text: str) -> Cosigner:
    """Read ``PRIVATE+KEY+name+hash+base64``.

    Raises:
        NoteBroken: it is not the key of a witness, or its hash is another key's.
    """
    if not text.startswith(SECRET):
        raise NoteBroken("not a private key")
    name, hash_hex, seed = key_parts(text.removeprefix(SECRET), ALGORITHM)
    cosigner = Cosigner(name, seed)
    if cosigner.public.key_id.hex() != hash_hex:
        raise NoteBroken("the key's hash is not that of the key")
    return cosigner


def with_cosignatures(note: bytes, lines: str, key: CosignerKey) -> bytes | None:
    """Add a witness's signature to a checkpoint, in place of an earlier one of its own.

    Args:
        note: the signed checkpoint.
        lines: as the witness answered.
        key: of the witness; lines of others are left out.

    Returns:
        The note; None if no line holds under the key.
    """
    text, _, signatures = note.partition(b"\n\n")
    for line in lines.splitlines(keepends=True):
        try:
            if key.cosigned_at(text + b"\n\n" + line.encode()) is None:
                continue
        except NoteBroken:
            continue
        own = f"{DASH}{key.name} ".encode()
        others = [
            other
            for other in signatures.splitlines(keepends=True)
            if not other.startswith(own) or _key_id(other) != key.key_id
        ]
        return text + b"\n\n" + b"".join(others) + line.encode()
    return None


def _key_id(line: bytes) -> bytes:
    """The key id of a signature line that is known to be well formed."""
    return split_note(b"\n\n" + line)[1][0][1][:4]
