"""The manifest of an archived day: which files it has, of which state of the ledger, and its seal.

A manifest says the tree size and root of the state that was read, and each file's size, SHA-256 and
the SHA-256 of each of its blocks: whoever reads a part of a file proves that part alone. The
ledger's key seals it (``log/signed_file_index.py``).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any, Final

from ledger.analytics.errors import ArchiveMissing, ArchiveUnreadable
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.signed_file_index import Seals

FORMAT: Final = 2
FORMATS: Final = (1, FORMAT)
"""Those that are read; a manifest of the first has no hashes of blocks."""
MANIFEST: Final = "manifest.json"
INDEX: Final = "manifest.index"
"""The signed index that lists the manifest of a day in a folder."""
DAY_PREFIX: Final = "gaming_day="
KIND: Final = "archive"
"""What manifests are called in the index that seals them."""
BLOCK_BYTES: Final = 1 << 20
"""The size of a block: what a reader fetches, and proves, at once."""
MANIFEST_BYTES: Final = 64 << 20
"""The longest manifest that is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedFile:
    """The file of one stream's facts.

    Attributes:
        path: below the day's folder.
        stream: the stream's name.
        rows: how many facts the file has.
        bytes: its size.
        sha256: of its bytes, as hex.
        blocks: the SHA-256 of each ``BLOCK_BYTES`` of it in order, as hex; the last is shorter.
    """

    path: str
    stream: str
    rows: int
    bytes: int
    sha256: str
    blocks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveManifest:
    """A day of the archive: the state of the ledger that it was written from, and its files.

    Attributes:
        format: the version of the archive's format.
        gaming_day: the day whose facts it has.
        begins: when the day began, in microseconds UTC.
        ends: the first moment after it, in microseconds UTC.
        tree_size: entries of the ledger that it was written from.
        root: the ledger's root at that size, as hex.
        rows: facts in all files.
        files: one per stream.
    """

    format: int
    gaming_day: date
    begins: int
    ends: int
    tree_size: int
    root: str
    rows: int
    files: tuple[ArchivedFile, ...]

    def text(self) -> str:
        """As JSON, the same bytes for the same values."""
        fields = asdict(self) | {"gaming_day": self.gaming_day.isoformat()}
        return json.dumps(fields, ensure_ascii=False, indent=1) + "\n"

    @property
    def has_blocks(self) -> bool:
        """Whether each file has the hash of each of its blocks."""
        return all(len(one.blocks) == -(-one.bytes // BLOCK_BYTES) for one in self.files)


def hashes_of(path: Path) -> tuple[str, tuple[str, ...]]:
    """Return the SHA-256 of a file and of each of its blocks, as hex.

    Raises:
        OSError: it cannot be read.
    """
    whole, blocks = hashlib.sha256(), []
    for block in _blocks(path):
        whole.update(block)
        blocks.append(hashlib.sha256(block).hexdigest())
    return whole.hexdigest(), tuple(blocks)


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            yield block


def parse_manifest(raw: bytes, where: str) -> ArchiveManifest:
    """Return the manifest that JSON gives.

    Args:
        raw: the JSON.
        where: it was read, for the refusal.

    Raises:
        ArchiveUnreadable: it is no manifest, or one of another format.
    """
    try:
        manifest_json: dict[str, Any] = json.loads(raw)
        files = tuple(
            ArchivedFile(**{**file, "blocks": tuple(file.get("blocks", ()))})
            for file in manifest_json.pop("files")
        )
        named = date.fromisoformat(manifest_json.pop("gaming_day"))
        manifest = ArchiveManifest(gaming_day=named, files=files, **manifest_json)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ArchiveUnreadable(where, str(error)) from error
    numbers = (manifest.format, manifest.tree_size, manifest.begins, manifest.ends, manifest.rows)
    if any(type(number) is not int for number in numbers) or manifest.format not in FORMATS:
        raise ArchiveUnreadable(where, "its numbers are none, or of another format")
    return manifest


def read_manifest(folder: Path, day: date) -> ArchiveManifest:
    """What a day of the archive says of itself; its seal is not checked.

    Raises:
        ArchiveMissing: the archive has no such day.
        ArchiveUnreadable: its manifest cannot be read, or is of another format.
    """
    path = folder / f"{DAY_PREFIX}{day}" / MANIFEST
    try:
        raw = path.read_bytes()
    except FileNotFoundError as error:
        raise ArchiveMissing(day, str(folder)) from error
    except OSError as error:
        raise ArchiveUnreadable(str(path), str(error)) from error
    return parse_manifest(raw, str(path))


def name_in_folder(day: date) -> str:
    """Return under which name a day's manifest in a folder is sealed."""
    return f"{day}/{MANIFEST}"


def is_vouched(
    manifest: ArchiveManifest, raw: bytes, name: str, index: bytes, seals: Seals
) -> bool:
    """Whether the ledger's key of that time sealed these bytes of a manifest under a name.

    Args:
        manifest: what the bytes give.
        raw: the bytes.
        name: under which they were sealed.
        index: the signed index that should list them.
        seals: those of the ledger.
    """
    digest = hashlib.sha256(raw).hexdigest()
    listed = (one.listed(KIND, index) or {} for one in seals.at(manifest.tree_size))
    return any(names.get(name) == digest for names in listed)
