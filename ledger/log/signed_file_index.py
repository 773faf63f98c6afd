"""Files beside the tree that are believed: each is listed with its hash in an index that is signed.

A cache, a state or a report decides what people are told, so it is read only where the ledger's key
vouches for it. The index is a signed note (c2sp.org/signed-note) of these lines::

    pitledger index v1
    <origin of the ledger>
    <kind of files>
    <SHA-256 in hexadecimal> <name>

one such last line for each file, by name. The blank in the first line tells it from a checkpoint.
What a file was made from stands in its name or in the file, as a hash: so an index that is old, of
other code or of another ledger vouches for nothing that is asked for. Whoever has no private key
reads what was sealed and seals nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from ledger.kernel.cache_obstacles import CacheObstacle, note_obstacle, reason_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.errors import KeyMismatch, KeyMissing, KeyUnreadable
from ledger.log.key_chain import earlier_keys, read_rotations
from ledger.log.keys import read_signer, read_verifier
from ledger.log.note import NoteBroken, Signer, Verifier, open_note
from ledger.log.storage import DirectoryStorage

HEADER: Final = "pitledger index v1"
_LINE: Final = re.compile(r"(?P<digest>[0-9a-f]{64}) (?P<name>[^\n]+)")
_LENGTH: Final = 4
"""Bytes after a sealed file's index that tell how long the index is."""


@dataclass(frozen=True, slots=True)
class Seals:
    """Signs and checks indexes of files for one ledger.

    Args:
        verifier: the ledger's public key; its name is the ledger's origin.
        signer: the private key; None for whoever only reads.
        earlier: public keys that it took the place of and that endorsed it, each with the size of
            the tree up to which it signed.
    """

    verifier: Verifier
    signer: Signer | None = None
    earlier: tuple[tuple[Verifier, int], ...] = ()

    @classmethod
    def of(cls, folder: Path) -> Seals:
        """Return the seals of the ledger in a folder, with its private key if that is at hand.

        Raises:
            LedgerMissing: there is no ledger.
            KeyUnreadable: its public key cannot be read.
        """
        storage = DirectoryStorage(folder)
        verifier = read_verifier(storage, str(folder))
        earlier = tuple(earlier_keys(verifier, read_rotations(storage)))
        try:
            return cls(verifier, read_signer(storage, None, verifier), earlier)
        except (KeyMissing, KeyMismatch, KeyUnreadable, OSError):
            return cls(verifier, None, earlier)

    def at(self, size: int) -> Iterator[Seals]:
        """Return the seals of each key that may vouch for what was made of so large a tree.

        A cache can be made again, so only the present key vouches for it; a report of the past was
        sealed by the key of its time.
        """
        yield self
        yield from (Seals(verifier) for verifier, until in self.earlier if size <= until)

    def index(self, kind: str, digests: Mapping[str, str]) -> bytes | None:
        """Return the signed index of files of one kind; None without the private key.

        Args:
            kind: what the files are, one word; an index of one kind never vouches for another.
            digests: SHA-256 by name, in hexadecimal.
        """
        if self.signer is None:
            return None
        lines = [f"{digest} {name}\n" for name, digest in sorted(digests.items())]
        return self.signer.sign(self._head(kind) + "".join(lines))

    def listed(self, kind: str, index: bytes) -> Mapping[str, str] | None:
        """Return SHA-256 by name from an index that the ledger's key signed; None if it did not."""
        try:
            text = open_note(index, self.verifier)
        except NoteBroken:
            return None
        head = self._head(kind)
        if not text.startswith(head):
            return None
        matches = [_LINE.fullmatch(line) for line in text[len(head) : -1].split("\n")]
        return {match["name"]: match["digest"] for match in matches if match is not None}

    def trailer(self, kind: str, name: str, digest: str) -> bytes:
        """Return what follows a sealed file: the index that lists it alone, and its length.

        Without the private key the index is empty, and nobody will believe the file.

        Args:
            kind: as for ``index``.
            name: of the file.
            digest: SHA-256 of its content, in hexadecimal.
        """
        index = self.index(kind, {name: digest}) or b""
        return index + len(index).to_bytes(_LENGTH, "big")

    def opened(self, kind: str, name: str, stored: bytes) -> bytes | None:
        """Return the content of a sealed file; None if this key did not seal it under this name.

        Args:
            kind: as for ``index``.
            name: under which the file is asked for.
            stored: its bytes, content and trailer.
        """
        content = content_of(stored)
        if content is None:
            return None
        digests = self.listed(kind, stored[len(content) : -_LENGTH])
        if digests is None or digests.get(name) != sha256(content).hexdigest():
            return None
        return content

    def _head(self, kind: str) -> str:
        return f"{HEADER}\n{self.verifier.name}\n{kind}\n"


def content_of(stored: bytes) -> bytes | None:
    """Return the content of a sealed file, whoever sealed it; None if it is cut."""
    length = int.from_bytes(stored[-_LENGTH:], "big")
    split = len(stored) - _LENGTH - length
    return stored[:split] if split >= 0 else None


@dataclass(frozen=True, slots=True)
class SealedFolder:
    """Files of one kind, each followed by the signed index that lists it alone.

    What is not there, not sealed by the ledger's key, or sealed under another name reads as None:
    whoever asked makes it again.

    Args:
        folder: where they lie; made when the first file is written.
        kind: as for ``Seals.index``.
        seals: those of the ledger.
    """

    folder: Path
    kind: str
    seals: Seals

    def read(self, name: str) -> bytes | None:
        """Return what was sealed under a name."""
        try:
            stored = (self.folder / name).read_bytes()
        except OSError:
            return None
        return self.seals.opened(self.kind, name, stored)

    def read_known(self, name: str, digest: str) -> bytes | None:
        """Return what was sealed under a name if it has a SHA-256 that is vouched for elsewhere.

        Args:
            name: of the file.
            digest: in hexadecimal; whoever knows it needs no seal.
        """
        try:
            content = content_of((self.folder / name).read_bytes())
        except OSError:
            return None
        is_known = content is not None and sha256(content).hexdigest() == digest
        return content if is_known else None

    def write(self, name: str, parts: Iterable[bytes]) -> bool:
        """Seal a file under a name.

        Args:
            name: of the file.
            parts: its bytes, one after the other.

        Returns:
            False if it was not written: without the private key, or where nothing can be written.
            Neither is an error, for whatever is sealed can be made again.
        """
        if self.seals.signer is None:
            note_obstacle(CacheObstacle.NO_KEY)
            return False
        scratch = self.folder / f"{name}.{os.getpid()}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with scratch.open("wb") as file:
                hasher = sha256()
                for part in parts:
                    hasher.update(part)
                    file.write(part)
                file.write(self.seals.trailer(self.kind, name, hasher.hexdigest()))
            scratch.replace(self.folder / name)
        except OSError as error:
            note_obstacle(reason_of(error))
            with suppress(OSError):
                scratch.unlink(missing_ok=True)
            return False
        return True

    def names(self) -> Iterator[str]:
        """Return the names of all files that are there, sealed or not, in order."""
        with suppress(OSError):
            yield from sorted(path.name for path in self.folder.iterdir() if not path.suffix)

    def remove(self, name: str) -> None:
        """Remove a file; one that cannot be removed does no harm."""
        with suppress(OSError):
            (self.folder / name).unlink(missing_ok=True)
