"""A key for each person whose name and address are kept; destroying it forgets them everywhere.

What the erasable store holds of a person is encrypted under a key of that person's own, so a copy
of the store can be read no longer than the key exists. The keys lie in one file apart from the
openings and outside the ledger: ``FOLDER.people`` beside its folder, or where ``PITLEDGER_PEOPLE``
says. No command copies it. A person is known by the line of a mailing list, and by nothing else:
who stands in two lists has two keys.

The file is a header and records of 128 bytes: number of the opening, key, the two commitments of
the facts, and a checksum. A record lies within one sector, so that it is destroyed in its place and
at once: there is no journal in which the key would remain.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from ledger.kernel import IntegrityBroken, SourceUnavailable

PEOPLE_VARIABLE: Final = "PITLEDGER_PEOPLE"
"""The environment variable that names the file of the persons' keys."""
KEY_BYTES: Final = 32
IDENTITY_BYTES: Final = 16
RECORD_BYTES: Final = 128
_NUMBER: Final = 16
_CHECKED: Final = RECORD_BYTES - 16
_NONCE: Final = 12
_MAGIC: Final = b"pitledger people 1\n"
_DESTROYED: Final = bytes(KEY_BYTES)
_MODE: Final = 0o600


class PeopleKeysMissing(SourceUnavailable):
    """Names are kept whose keys are not at hand."""

    code = "people_keys_missing"


class PeopleKeysOfAnother(SourceUnavailable):
    """The file of keys belongs to another store of openings."""

    code = "people_keys_of_another"


class PeopleKeysDamaged(IntegrityBroken):
    """A key, or what was encrypted under it, is not what was written."""

    code = "people_keys_damaged"


class Commitments(NamedTuple):
    """What the facts say of a person: commitments to the name and to the address."""

    name: bytes
    address: bytes


class _Record(NamedTuple):
    at: int
    key: bytes
    commitments: Commitments


def people_file(folder: Path) -> Path:
    """Return where the persons' keys of a ledger lie: as the environment says, or beside it."""
    if chosen := os.environ.get(PEOPLE_VARIABLE):
        return Path(chosen)
    beside = Path(os.path.abspath(folder))
    return beside.with_name(f"{beside.name}.people")


def seal(key: bytes, text: bytes, bound: str) -> bytes:
    """Encrypt a text by AES-256-GCM; a random nonce stands before it.

    Args:
        key: the person's, 32 bytes.
        text: what is encrypted.
        bound: where it belongs; it can be read nowhere else.
    """
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = os.urandom(_NONCE)
    return nonce + AESGCM(key).encrypt(nonce, text, bound.encode())


def unseal(key: bytes, sealed: bytes, bound: str) -> bytes:
    """Decrypt what ``seal`` made.

    Raises:
        PeopleKeysDamaged: it was made under another key, for another place, or was changed.
    """
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        return AESGCM(key).decrypt(sealed[:_NONCE], sealed[_NONCE:], bound.encode())
    except (InvalidTag, ValueError) as error:
        raise PeopleKeysDamaged(f"A name or an address cannot be decrypted ({bound}).") from error


class PeopleKeys:
    """The keys of the persons in one store of openings. Only one process at a time writes them.

    Args:
        path: their file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._records: dict[bytes, _Record] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the file is there without a byte: the keys are lost, and somebody says so."""
        return self.path.exists() and self.path.stat().st_size == 0

    def identity(self) -> bytes:
        """The identity of the store that the keys belong to, 16 bytes.

        Raises:
            PeopleKeysMissing: there is no file.
            PeopleKeysDamaged: the file is none of keys.
        """
        header = self._read()[:RECORD_BYTES]
        if not header.startswith(_MAGIC) or not _is_whole(header):
            raise PeopleKeysDamaged("This is no file of persons' keys.", where=str(self.path))
        return header[_CHECKED - IDENTITY_BYTES : _CHECKED]

    def create(self, identity: bytes) -> None:
        """Begin a file without keys, for one store of openings.

        Raises:
            OSError: it cannot be written.
        """
        header = _MAGIC.ljust(_CHECKED - IDENTITY_BYTES, b"\0") + identity
        self.path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.path.with_name(f"{self.path.name}.unfinished")
        unfinished.unlink(missing_ok=True)
        with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE), "wb") as file:
            file.write(_checked(header))
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, self.path)
        sync_folder(self.path.parent)
        self._records = None

    def close(self) -> None:
        """Read the file again when a key is asked for."""
        self._records = None

    def knows(self, number: str, commitments: Commitments) -> bool:
        """Whether the file has a record of an opening with these commitments."""
        record = self._all().get(bytes.fromhex(number))
        return record is not None and record.commitments == commitments

    def key(self, number: str) -> bytes:
        """The key of an opening, 32 bytes.

        Raises:
            PeopleKeysMissing: it is not in the file, or was destroyed.
        """
        record = self._all().get(bytes.fromhex(number))
        if record is None or record.key == _DESTROYED:
            raise PeopleKeysMissing(
                f"The key of opening {number} is not at hand.",
                where=str(self.path),
                cause="the file of persons' keys is older than the openings",
                next_step="put back its newest copy; or forget the opening",
            )
        return record.key

    def destroyed(self) -> dict[str, Commitments]:
        """The openings whose keys were destroyed, with what the facts say of them."""
        return {
            number.hex(): record.commitments
            for number, record in self._all().items()
            if record.key == _DESTROYED
        }

    def forgotten(self, number: str) -> Commitments | None:
        """What the facts say of an opening whose key was destroyed; None if it was not."""
        record = self._all().get(bytes.fromhex(number))
        return record.commitments if record and record.key == _DESTROYED else None

    def add(self, commitments: Mapping[str, Commitments]) -> dict[str, bytes]:
        """Return a key for each opening; new ones are on the disk before they are returned.

        A key that an interrupted command left is replaced: nothing was encrypted under it.

        Raises:
            OSError: they cannot be written.
        """
        keys = {number: os.urandom(KEY_BYTES) for number in commitments}
        self._write({number: (keys[number], commitments[number]) for number in commitments})
        return keys

    def destroy(self, commitments: Mapping[str, Commitments]) -> None:
        """Overwrite the keys of openings for good; that they were destroyed stays on record.

        Raises:
            OSError: they cannot be overwritten.
        """
        self._write({number: (_DESTROYED, of) for number, of in commitments.items()})

    def remove(self, numbers: Iterable[str]) -> None:
        """Overwrite the records of openings that no fact came to name, so that nothing is left.

        Raises:
            OSError: they cannot be overwritten.
        """
        records = self._all()
        places = [records[bytes.fromhex(n)].at for n in numbers if bytes.fromhex(n) in records]
        self._put({at: bytes(RECORD_BYTES) for at in places})

    def _write(self, changed: Mapping[str, tuple[bytes, Commitments]]) -> None:
        records = self._all()
        end = max(self.path.stat().st_size // RECORD_BYTES, 1) * RECORD_BYTES
        placed: dict[int, bytes] = {}
        for number, (key, commitments) in changed.items():
            record = records.get(bytes.fromhex(number))
            at = end if record is None else record.at
            end += RECORD_BYTES if record is None else 0
            placed[at] = _checked(bytes.fromhex(number) + key + b"".join(commitments))
        self._put(placed)

    def _put(self, placed: Mapping[int, bytes]) -> None:
        """Write whole records in their places, and wait for the disk."""
        self._records = None
        with self.path.open("r+b", buffering=0) as file:
            for at, record in placed.items():
                os.pwrite(file.fileno(), record, at)
            os.fsync(file.fileno())

    def _all(self) -> dict[bytes, _Record]:
        """Every record by its number; half a record at the end was never acknowledged."""
        if self._records is None and self.is_empty:
            return {}
        if self._records is None:
            self.identity()
            content, records = self._read(), {}
            for at in range(RECORD_BYTES, len(content) - RECORD_BYTES + 1, RECORD_BYTES):
                record = content[at : at + RECORD_BYTES]
                if record == bytes(RECORD_BYTES):
                    continue
                if not _is_whole(record):
                    raise PeopleKeysDamaged(
                        f"Key {at // RECORD_BYTES} of the file is damaged.",
                        where=str(self.path),
                        next_step="put back its newest copy",
                    )
                key_ends = _NUMBER + KEY_BYTES
                records[record[:_NUMBER]] = _Record(
                    at,
                    record[_NUMBER:key_ends],
                    Commitments(record[key_ends : key_ends + 32], record[key_ends + 32 : _CHECKED]),
                )
            self._records = records
        return self._records

    def _read(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError as error:
            raise PeopleKeysMissing(
                "Names and addresses are kept, and the persons' keys to them are not there.",
                where=str(self.path),
                next_step=f"put the file back, or name it with {PEOPLE_VARIABLE};"
                " if it is lost for good, an empty file in its place says so",
            ) from error


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _checked(content: bytes) -> bytes:
    return content + blake2b(content, digest_size=RECORD_BYTES - _CHECKED).digest()


def _is_whole(record: bytes) -> bool:
    return len(record) == RECORD_BYTES and record == _checked(record[:_CHECKED])
