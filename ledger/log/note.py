"""Signed notes and Ed25519 keys, to the letter of c2sp.org/signed-note."""

from __future__ import annotations

import base64
import binascii
import re
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ledger.kernel.quick_dataclass import dataclass

NOTE_BYTES: Final = 1_000_000
NAME_CHARACTERS: Final = 200
_ED25519: Final = b"\x01"
SECRET: Final = "PRIVATE+KEY+"
DASH: Final = "— "
_HEX = re.compile(r"[0-9a-f]{8}")


class NoteBroken(ValueError):
    """Text that is not a note or key, or whose signature does not hold."""


def strict_base64(text: str) -> bytes:
    """Standard base64 in its one canonical form.

    Raises:
        NoteBroken: it is another text.
    """
    try:
        decoded = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise NoteBroken("not base64") from error
    if base64.b64encode(decoded).decode() != text:
        raise NoteBroken("not canonical base64")
    return decoded


def to_base64(raw: bytes) -> str:
    """Standard base64."""
    return base64.b64encode(raw).decode()


def is_key_name(name: str) -> bool:
    """Whether a note allows this name of a key: no Unicode space, plus or control character."""
    allowed = all(not c.isspace() and c != "+" and c.isprintable() for c in name)
    return 0 < len(name) <= NAME_CHARACTERS and allowed


@dataclass(frozen=True, slots=True)
class Verifier:
    """A public key with its name."""

    name: str
    public: bytes

    @property
    def key_id(self) -> bytes:
        """The first four bytes of SHA-256(name || 0x0A || 0x01 || public key)."""
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.public).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{to_base64(_ED25519 + self.public)}"

    def holds(self, text: bytes, signature: bytes) -> bool:
        """Whether the key signed the text."""
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, text)
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True, slots=True, repr=False)
class Signer:
    """A private key with its name."""

    name: str
    seed: bytes

    @property
    def verifier(self) -> Verifier:
        """The public half."""
        key = Ed25519PrivateKey.from_private_bytes(self.seed)
        return Verifier(self.name, key.public_key().public_bytes_raw())

    def secret_text(self) -> str:
        """The form of the key file: ``PRIVATE+KEY+name+hash+base64``."""
        body = to_base64(_ED25519 + self.seed)
        return f"{SECRET}{self.name}+{self.verifier.key_id.hex()}+{body}"

    def signature(self, text: bytes) -> bytes:
        """Return the Ed25519 signature over a text: 64 bytes."""
        return Ed25519PrivateKey.from_private_bytes(self.seed).sign(text)

    def sign(self, text: str) -> bytes:
        """The note: the text, an empty line, the signature line."""
        raw = text.encode()
        line = f"{DASH}{self.name} {to_base64(self.verifier.key_id + self.signature(raw))}\n"
        return raw + b"\n" + line.encode()


def key_parts(text: str, algorithm: bytes = _ED25519) -> tuple[str, str, bytes]:
    """Split ``name+hash+base64`` into the name, the hash in hexadecimal and the 32 bytes of a key.

    Args:
        text: a public key, or a private one without its prefix.
        algorithm: the byte that stands before the key: 1 signs notes, 4 cosigns checkpoints.

    Raises:
        NoteBroken: it is no key of this algorithm.
    """
    name, hash_hex, body = [*text.split("+", 2), "", ""][:3]
    if not is_key_name(name) or not _HEX.fullmatch(hash_hex):
        raise NoteBroken("not of the form name+hash+base64")
    raw = strict_base64(body)
    if len(raw) != 33 or raw[:1] != algorithm:
        raise NoteBroken("not an Ed25519 key of this use")
    return name, hash_hex, raw[1:]


def parse_verifier(text: str) -> Verifier:
    """Read ``name+hash+base64``.

    Raises:
        NoteBroken: it is not a key, or its hash is another key's.
    """
    name, hash_hex, public = key_parts(text)
    verifier = Verifier(name, public)
    if verifier.key_id.hex() != hash_hex:
        raise NoteBroken("the key's hash is not that of the key")
    return verifier


def parse_signer(text: str) -> Signer:
    """Read ``PRIVATE+KEY+name+hash+base64``.

    Raises:
        NoteBroken: it is not a key, or its hash is another key's.
    """
    if not text.startswith(SECRET):
        raise NoteBroken("not a private key")
    name, hash_hex, seed = key_parts(text.removeprefix(SECRET))
    signer = Signer(name, seed)
    if signer.verifier.key_id.hex() != hash_hex:
        raise NoteBroken("the key's hash is not that of the key")
    return signer


def split_note(note: bytes) -> tuple[str, list[tuple[str, bytes]]]:
    """Return the text of a note, and the name and bytes (key id, signature) of each signature.

    Raises:
        NoteBroken: it is not a note.
    """
    if len(note) > NOTE_BYTES:
        raise NoteBroken("longer than a note may be")
    try:
        whole = note.decode()
    except UnicodeDecodeError as error:
        raise NoteBroken("not UTF-8") from error
    if any(c < " " and c != "\n" for c in whole):
        raise NoteBroken("a control character")
    text, gap, signatures = whole.rpartition("\n\n")
    if not gap or not signatures.endswith("\n"):
        raise NoteBroken("not a text, an empty line and signatures")
    return text + "\n", [_signature(line) for line in signatures[:-1].split("\n")]


def _signature(line: str) -> tuple[str, bytes]:
    """The name of a key, and the bytes of its signature line."""
    name, _, body = line.removeprefix(DASH).partition(" ")
    if not line.startswith(DASH) or not is_key_name(name) or not body:
        raise NoteBroken("a signature line is malformed")
    raw = strict_base64(body)
    if len(raw) < 5:
        raise NoteBroken("a signature is too short")
    return name, raw


def open_note(note: bytes, verifier: Verifier) -> str:
    """The text of a note that the key signed.

    Signatures of other keys are passed over, as the specification asks.

    Raises:
        NoteBroken: it is not a note, or the key's signature is missing or does not hold.
    """
    text, signatures = split_note(note)
    is_signed = False
    for name, raw in signatures:
        if name == verifier.name and raw[:4] == verifier.key_id:
            if not verifier.holds(text.encode(), raw[4:]):
                raise NoteBroken("the signature does not hold")
            is_signed = True
    if not is_signed:
        raise NoteBroken("not signed by the ledger's key")
    return text
