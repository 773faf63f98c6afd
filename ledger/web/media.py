"""The uploaded files of cases: kept beside the ledger under their SHA-256, never believed.

The ledger says what a file was; one that does not hash to its name any more is not given out.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final

from ledger.casework.cases import CaseFile
from ledger.kernel import SourceUnavailable
from ledger.kernel.quick_dataclass import dataclass

MEDIA_BYTES: Final = 256 * 1024 * 1024
"""The largest file that is taken at the desk; a larger one is put to a case by its hash."""
_BLOCK: Final = 1 << 20
_LONGEST_NAME: Final = 120


class MediaNotKept(SourceUnavailable):
    """A file of a case is not kept at the desk, or is not what it was."""

    code = "media_not_kept"


@dataclass(frozen=True, slots=True)
class MediaFolder:
    """The uploaded files of one ledger's cases.

    Args:
        folder: the ledger's.
    """

    folder: Path

    @property
    def own(self) -> Path:
        """Where they lie: beside the ledger."""
        beside = Path(os.path.abspath(self.folder))
        return beside.with_name(f"{beside.name}.media")

    def keep(self, source: BinaryIO) -> tuple[str, int]:
        """Keep a file; return its SHA-256 in hexadecimal and its length.

        Raises:
            MediaNotKept: it cannot be written.
        """
        scratch = self.own / f".{secrets.token_hex(8)}.unfinished"
        digest, size = sha256(), 0
        try:
            self.own.mkdir(mode=0o700, exist_ok=True)
            with os.fdopen(
                os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb"
            ) as f:
                while block := source.read(_BLOCK):
                    digest.update(block)
                    size += len(block)
                    f.write(block)
                f.flush()
                os.fsync(f.fileno())
            scratch.replace(self.own / digest.hexdigest())
        except OSError as error:
            raise MediaNotKept(
                f"The file cannot be kept: {error.strerror}.",
                next_step="tell whoever runs the desk; the file can be put to the case by its hash",
            ) from error
        finally:
            with suppress(OSError):
                scratch.unlink()
        return digest.hexdigest(), size

    def kept(self, case: CaseFile) -> frozenset[str]:
        """Return the hashes of a case's files that lie here."""
        return frozenset(
            digest.hex() for digest in case.media if (self.own / digest.hex()).is_file()
        )

    def content(self, digest: bytes) -> Iterator[bytes]:
        """Return the bytes of a file, block by block; it is read whole once before, to check it.

        Raises:
            MediaNotKept: it is not there, or is not what it was.
        """
        path = self.own / digest.hex()
        try:
            file = path.open("rb")
            hasher = sha256()
            while block := file.read(_BLOCK):
                hasher.update(block)
            file.seek(0)
        except OSError as error:
            raise MediaNotKept(
                "This file is not kept at the desk.", next_step="the case says where it is kept"
            ) from error
        if hasher.digest() != digest:
            file.close()
            raise MediaNotKept(
                "This file is not any more what was put to the case; it is not given out.",
                next_step="tell your supervisor; the ledger has the hash of what it was",
            )
        return _blocks(file)


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    with file:
        while block := file.read(_BLOCK):
            yield block


def plain_name(name: str) -> str:
    """Return a file's name without folders and signs that a disk or a header would obey."""
    last = name.replace("\\", "/").rpartition("/")[2]
    kept = "".join(sign if sign.isalnum() or sign in " ._-()" else "_" for sign in last).strip(" .")
    return kept[-_LONGEST_NAME:] or "file"
