"""A key for each person whose strings are sealed; overwriting it erases them everywhere at once.

The keys lie in one flat file apart from the ledger: ``FOLDER.person-keys`` beside its folder, or
where ``PITLEDGER_PERSON_KEYS`` says. No command copies it. A header names the ledger and holds its
secret; then come records of 128 bytes: a random number, the key, a token, a checksum. The number
names the key in the openings. The token leads from a person's reference to the key; it is
overwritten with it, so that nothing then leads from a reference to what was erased.

A record lies within one sector and is overwritten in its place: no journal keeps the key.
"""

from __future__ import annotations

import hmac
import os
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Final

from ledger.kernel import person_key
from ledger.log.errors import PersonKeysDamaged, PersonKeysMissing, PersonKeysOfAnother

VARIABLE: Final = "PITLEDGER_PERSON_KEYS"
"""The environment variable that names the file of the persons' keys."""
RECORD_BYTES: Final = 128
NUMBER_BYTES: Final = 16
KEY_BYTES: Final = 32
_CHECKED: Final = RECORD_BYTES - 16
_MAGIC: Final = b"pitledger person keys 1\n".ljust(32, b"\0")
_NOTHING: Final = bytes(KEY_BYTES)
_MODE: Final = 0o600


def person_keys_file(folder: Path) -> Path:
    """Return where the persons' keys of a ledger lie: as the environment says, or beside it."""
    if chosen := os.environ.get(VARIABLE):
        return Path(chosen)
    beside = Path(os.path.abspath(folder))
    return beside.with_name(f"{beside.name}.person-keys")


class PersonKeys:
    """The keys of one ledger. Only its one writer adds to them.

    Args:
        path: their file.
        ledger: what names the ledger, 32 bytes: the leaf hash of its first entry.
    """

    def __init__(self, path: Path, ledger: bytes) -> None:
        self.path = path
        self._ledger = ledger
        self._secret: bytes | None = None
        self._keys: dict[bytes, bytes] = {}
        self._by_token: dict[bytes, bytes] = {}
        self._places: dict[bytes, int] = {}
        self._fresh: list[bytes] = []
        self._end = 0
        self.destroyed: set[bytes] = set()
        """The numbers of the keys that were overwritten."""
        self.is_lost = False
        """Whether the file is there without a byte: somebody says that the keys are lost."""

    @classmethod
    def create(cls, path: Path, ledger: bytes) -> PersonKeys:
        """Begin the file of a ledger.

        Raises:
            OSError: it cannot be written, or a file stands there.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        header = _checked(_MAGIC + ledger + os.urandom(KEY_BYTES))
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE), "wb") as file:
            file.write(header)
            file.flush()
            os.fsync(file.fileno())
        _sync_folder(path.parent)
        return cls(path, ledger)

    def load(self) -> None:
        """Read the file; half a record at its end was never acknowledged.

        Raises:
            PersonKeysMissing: it is not there.
            PersonKeysOfAnother: it belongs to another ledger.
            PersonKeysDamaged: it is not what was written.
        """
        try:
            content = self.path.read_bytes()
        except FileNotFoundError as error:
            raise PersonKeysMissing(str(self.path)) from error
        self._keys, self._by_token, self._places, self._fresh = {}, {}, {}, []
        self.destroyed = set()
        self.is_lost = not content
        self._secret = _NOTHING
        if self.is_lost:
            return
        header = content[:RECORD_BYTES]
        if not header.startswith(_MAGIC) or not _is_whole(header):
            raise PersonKeysDamaged(str(self.path), "it is no file of persons' keys")
        if header[32:64] != self._ledger:
            raise PersonKeysOfAnother(str(self.path))
        self._secret = header[64:96]
        self._end = len(content) // RECORD_BYTES * RECORD_BYTES
        for at in range(RECORD_BYTES, self._end, RECORD_BYTES):
            record = content[at : at + RECORD_BYTES]
            if not _is_whole(record):
                raise PersonKeysDamaged(str(self.path), f"key {at // RECORD_BYTES} is damaged")
            number, key, token = record[:16], record[16:48], record[48:80]
            self._places[number] = at
            if key == _NOTHING:
                self.destroyed.add(number)
            else:
                self._keys[number], self._by_token[token] = key, number

    @property
    def secret(self) -> bytes:
        """The ledger's secret: nothing that it makes leaves this machine's ledger and its keys."""
        if self._secret is None:
            self.load()
        assert self._secret is not None
        return self._secret

    def forget_destroyed(self, numbers: set[bytes]) -> None:
        """Take keys as overwritten: an older copy of the file was put back."""
        self.destroyed |= numbers
        for number in numbers:
            self._keys.pop(number, None)
        self._by_token = {
            token: number for token, number in self._by_token.items() if number not in numbers
        }

    def key(self, number: bytes) -> bytes | None:
        """The key of a number; None where it was overwritten.

        Raises:
            PersonKeysMissing: the file does not have it: it is an older copy.
        """
        key = self._keys.get(number)
        if key is None and number not in self.destroyed and not self.is_lost:
            raise PersonKeysMissing(str(self.path), "it has not the newest keys")
        return key

    def number_of(self, reference: str) -> bytes | None:
        """The number of a person's key; None where there is none, or no longer."""
        return self._by_token.get(self._token(reference))

    def take(self, reference: str) -> bytes:
        """The number of a person's key, made where there is none; empty for the ledger's own."""
        token = self._token(reference)
        number = self._by_token.get(token)
        if number is None:
            number, key = os.urandom(NUMBER_BYTES), os.urandom(KEY_BYTES)
            self._keys[number], self._by_token[token] = key, number
            self._fresh.append(_checked(number + key + token))
        return number

    def keep(self) -> None:
        """Write the keys that were made, and wait for the disk.

        Raises:
            OSError: they cannot be written.
        """
        if not self._fresh:
            return
        with self.path.open("r+b", buffering=0) as file:
            os.pwrite(file.fileno(), b"".join(self._fresh), self._end)
            os.fsync(file.fileno())
        for record in self._fresh:
            self._places[record[:NUMBER_BYTES]] = self._end
            self._end += RECORD_BYTES
        self._fresh = []

    def destroy(self, reference: str) -> bytes | None:
        """Overwrite a person's key and the token that leads to it; return its number.

        Raises:
            OSError: they cannot be overwritten.
        """
        number = self.number_of(reference)
        if number is None:
            return None
        with self.path.open("r+b", buffering=0) as file:
            os.pwrite(file.fileno(), _checked(number + _NOTHING * 2), self._places[number])
            os.fsync(file.fileno())
        self.forget_destroyed({number})
        return number

    def _token(self, reference: str) -> bytes:
        owner = f"person {person_key(reference)}" if reference else "ledger"
        return hmac.digest(self.secret, b"token " + owner.encode(), sha256)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _checked(content: bytes) -> bytes:
    content = content.ljust(_CHECKED, b"\0")
    return content + blake2b(content, digest_size=RECORD_BYTES - _CHECKED).digest()


def _is_whole(record: bytes) -> bool:
    return len(record) == RECORD_BYTES and record == _checked(record[:_CHECKED])
