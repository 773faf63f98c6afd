"""The media of a case: files outside the ledger, known by hash and size."""

from __future__ import annotations

import os
import stat
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Final

from ledger.casework.cases import CaseFile
from ledger.kernel import SourceUnavailable
from ledger.kernel.quick_dataclass import dataclass

BLOCK: Final = 1 << 20
"""Bytes that are read at a time."""


class MediaUnreadable(SourceUnavailable):
    """A file of a case cannot be read."""

    code = "media_unreadable"


class MediaState(StrEnum):
    """How a file of a case lies there now."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedMedia:
    """A file of a case, and whether it lies there as it was put to it."""

    name: str
    sha256: str
    size: int
    state: MediaState

    def data(self) -> dict[str, object]:
        """The same as plain data."""
        return {
            "name": self.name,
            "sha256": self.sha256,
            "size": self.size,
            "state": self.state.value,
        }


def media_digest(path: Path) -> tuple[bytes, int]:
    """Return SHA-256 (32 bytes) and length of a file, read in blocks.

    Raises:
        MediaUnreadable: it is not there, no regular file, or grows while it is read.
    """
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            before = os.fstat(file.fileno())
            if not stat.S_ISREG(before.st_mode):
                raise MediaUnreadable("A file of a case is a regular file.", where=str(path))
            hasher, size = sha256(), 0
            while block := file.read(BLOCK):
                hasher.update(block)
                size += len(block)
    except OSError as error:
        raise MediaUnreadable(
            f"The file cannot be read: {error.strerror}.", where=str(path)
        ) from error
    if size != before.st_size:
        raise MediaUnreadable("The file changed while it was read.", where=str(path))
    return hasher.digest(), size


def check_media(case: CaseFile, folder: Path) -> list[CheckedMedia]:
    """Return how each file of a case lies in a folder, by the name under which it was put to it."""
    checked = []
    for digest, custody in case.media.items():
        name = custody[0].name
        try:
            known = media_digest(folder / Path(name).name)
            is_same = known == (digest, custody[0].media_size)
            state = MediaState.UNCHANGED if is_same else MediaState.CHANGED
        except MediaUnreadable:
            state = MediaState.MISSING
        size = custody[0].media_size
        checked.append(CheckedMedia(name=name, sha256=digest.hex(), size=size, state=state))
    return checked
