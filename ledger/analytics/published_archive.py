"""The archive at an address without renames, such as a bucket of S3: published, proved, fetched.

``objects/<SHA-256>.parquet`` are the files, named by their content, so that a second writer and a
second try write the same. ``manifests/2021-06-12.3`` is the day's third manifest with the signed
index that lists it: it is put last, under the condition that there is none of this number. Of two
publishers at the same moment one gets the number; the other reads the winner's manifest and stands
back, or publishes the next number if its own state of the ledger is the later one. Nothing is
replaced, and a day that was not published to its end is not there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Final

from ledger.analytics.archive_manifest import (
    BLOCK_BYTES,
    DAY_PREFIX,
    INDEX,
    KIND,
    MANIFEST,
    MANIFEST_BYTES,
    ArchivedFile,
    ArchiveManifest,
    is_vouched,
    name_in_folder,
    parse_manifest,
    read_manifest,
)
from ledger.analytics.errors import (
    ArchiveFileTooLarge,
    ArchiveMissing,
    ArchiveOvertaken,
    ArchiveUnproved,
    ArchiveUnreadable,
)
from ledger.analytics.object_store import ObjectStore, day_named
from ledger.analytics.store_errors import StoredObjectAltered
from ledger.kernel.quick_dataclass import dataclass
from ledger.log import KeyMissing
from ledger.log.signed_file_index import Seals, content_of

MANIFESTS: Final = "manifests"
OBJECTS: Final = "objects"
OBJECT_BYTES: Final = 2 << 30
"""The largest file of a stream's day that is published: it is held in memory once."""
TRIES: Final = 8
"""How often the next number is tried while other publishers take it."""
READERS: Final = 8
"""How many manifests are fetched at once."""
_LENGTH: Final = 4
"""Bytes after a manifest's signed index, as ``Seals.trailer`` writes them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvedDay:
    """A day of the archive whose manifest a trusted key sealed.

    Attributes:
        manifest: of the day.
        number: which manifest of the day it is, from 1; 0 in a folder.
        names: where each file lies below the address, by its path in the manifest.
    """

    manifest: ArchiveManifest
    number: int
    names: dict[str, str]


def publish_day(
    written: Path,
    day: date,
    store: ObjectStore,
    seals: Seals,
    root_at: Callable[[int], bytes | None],
) -> tuple[ProvedDay, bool]:
    """Publish a day that was written to a folder; return what stands, and whether it is new.

    Args:
        written: the folder of an archive that has the day.
        day: the gaming day.
        store: where it is published.
        seals: those of the ledger, with its private key.
        root_at: the ledger's root at a size; None where it is smaller.

    Raises:
        KeyMissing: the private key is not at hand.
        StoreNotConditional, StoreUnreachable, StoreDenied, StoreBucketMissing: nothing can be put.
        StoredObjectAltered: an object of this name has other content.
        ArchiveFileTooLarge: a stream's file has more than ``OBJECT_BYTES``.
        ArchiveUnproved, ArchiveOvertaken: what stands there is not this ledger's, or is later.
    """
    manifest = read_manifest(written, day)
    if seals.signer is None:
        raise KeyMissing(store.address)
    store.require_conditional_put()
    standing = _standing(store, day, seals, manifest, root_at)
    if standing is not None and standing.manifest.files == manifest.files:
        return standing, False
    for file in manifest.files:
        _put(store, file, written / f"{DAY_PREFIX}{day}" / file.path)
    for _ in range(TRIES):
        number = 1 if standing is None else standing.number + 1
        raw = manifest.text().encode()
        name = _manifest_name(day, number)
        sealed = raw + seals.trailer(KIND, name, hashlib.sha256(raw).hexdigest())
        if store.create(f"{MANIFESTS}/{name}", sealed):
            return _proved(manifest, number), True
        standing = _standing(store, day, seals, manifest, root_at)
        if standing is not None and standing.manifest.files == manifest.files:
            return standing, False
    raise ArchiveOvertaken(store.where(MANIFESTS), "other publishers took the number each time")


def _standing(
    store: ObjectStore,
    day: date,
    seals: Seals,
    manifest: ArchiveManifest,
    root_at: Callable[[int], bytes | None],
) -> ProvedDay | None:
    """The day as it is published, if what is to be published may follow it.

    Raises:
        ArchiveUnproved: its last manifest is not sealed by this ledger's key.
        ArchiveOvertaken: it is of a later state of the ledger, or of one that ours never had.
    """
    number = published_numbers(store).get(day)
    if number is None:
        return None
    standing = read_published(store, day, number, seals)
    size, root = standing.manifest.tree_size, standing.manifest.root
    name = store.where(f"{MANIFESTS}/{_manifest_name(day, number)}")
    if size > manifest.tree_size:
        problem = f"it stands as of {size:,} entries, this ledger has {manifest.tree_size:,}"
        raise ArchiveOvertaken(name, problem)
    if (root_at(size) or b"").hex() != root:
        raise ArchiveOvertaken(name, "it stands as of a ledger that this one does not continue")
    return standing


def published_numbers(store: ObjectStore) -> dict[date, int]:
    """Return the last manifest's number of each published day, by day; none is read.

    Raises:
        StoreUnreachable, StoreDenied, StoreBucketMissing: the address cannot be listed.
    """
    numbers: dict[date, int] = {}
    for name in store.names(MANIFESTS):
        text, _, number = name.partition(".")
        day = day_named(text)
        if day is None:
            continue
        if number.isascii() and number.isdecimal() and _manifest_name(day, int(number)) == name:
            numbers[day] = max(numbers.get(day, 0), int(number))
    return dict(sorted(numbers.items()))


def read_published(store: ObjectStore, day: date, number: int, seals: Seals) -> ProvedDay:
    """Return a published day, its manifest proved.

    Args:
        store: the address.
        day: the gaming day.
        number: of the manifest.
        seals: with the keys that the reader trusts.

    Raises:
        ArchiveMissing: there is no such manifest.
        ArchiveUnproved: no such key sealed it for this day and number.
        ArchiveUnreadable: it is sealed and is no manifest that this version knows.
    """
    name = f"{MANIFESTS}/{_manifest_name(day, number)}"
    stored = store.read(name, MANIFEST_BYTES)
    if stored is None:
        raise ArchiveMissing(day, store.address)
    raw = content_of(stored)
    if not raw:
        raise ArchiveUnproved(store.where(name), "the manifest is cut")
    manifest = _parsed(raw, store.where(name))
    index = stored[len(raw) : -_LENGTH]
    if not is_vouched(manifest, raw, _manifest_name(day, number), index, seals):
        raise ArchiveUnproved(store.where(name), "no key that is trusted sealed its manifest")
    if manifest.gaming_day != day or not manifest.has_blocks:
        raise ArchiveUnreadable(store.where(name), "it is of another day, or lacks hashes")
    return _proved(manifest, number)


def read_folder_day(store: ObjectStore, day: date, seals: Seals) -> ProvedDay:
    """Return a day of an archive in a folder, its manifest proved; otherwise as ``read_published``.

    Raises:
        ArchiveMissing, ArchiveUnproved, ArchiveUnreadable: as for ``read_published``.
    """
    folder = f"{DAY_PREFIX}{day}"
    raw = store.read(f"{folder}/{MANIFEST}", MANIFEST_BYTES)
    if raw is None:
        raise ArchiveMissing(day, store.address)
    where = store.where(f"{folder}/{MANIFEST}")
    manifest = _parsed(raw, where)
    index = store.read(f"{folder}/{INDEX}", MANIFEST_BYTES) or b""
    if not is_vouched(manifest, raw, name_in_folder(day), index, seals):
        raise ArchiveUnproved(where, "no key that is trusted sealed its manifest")
    if manifest.gaming_day != day or not manifest.has_blocks:
        raise ArchiveUnreadable(where, "it is of another day, or of a format without block hashes")
    names = {file.path: f"{folder}/{file.path}" for file in manifest.files}
    return ProvedDay(manifest=manifest, number=0, names=names)


def _parsed(raw: bytes, where: str) -> ArchiveManifest:
    """What nobody sealed for us is not proved, whatever else may be wrong with it."""
    try:
        return parse_manifest(raw, where)
    except ArchiveUnreadable as error:
        raise ArchiveUnproved(where, "what lies there is no manifest") from error


def proved_days(store: ObjectStore, seals: Seals, *, is_folder: bool) -> list[ProvedDay]:
    """Return every day of an archive, the last manifest of each proved, earliest day first.

    Args:
        store: the address or the folder.
        seals: with the keys that the reader trusts.
        is_folder: whether it is laid out as ``write_archive`` does.

    Raises:
        ArchiveUnproved, ArchiveUnreadable: a day is not what a trusted key sealed.
        StoreUnreachable, StoreDenied, StoreBucketMissing: the address cannot be read.
    """
    if is_folder:
        names = [name for name in store.names("") if name.startswith(DAY_PREFIX)]
        days = [day for one in names if (day := day_named(one.removeprefix(DAY_PREFIX)))]
        return [read_folder_day(store, day, seals) for day in sorted(days)]
    numbers = published_numbers(store)
    with ThreadPoolExecutor(READERS) as pool:
        return [
            *pool.map(lambda one: read_published(store, one[0], one[1], seals), numbers.items())
        ]


def fetch_day(store: ObjectStore, day: ProvedDay, folder: Path) -> None:
    """Write a published day to a folder as ``write_archive`` lays it out, each block proved.

    Args:
        store: the address.
        day: the day, proved.
        folder: of the archive that is written.

    Raises:
        StoredObjectAltered: an object is missing, cut, longer or another.
    """
    place = folder / f"{DAY_PREFIX}{day.manifest.gaming_day}"
    for file in day.manifest.files:
        path = place / file.path
        if not path.resolve().is_relative_to(place.resolve()):
            raise StoredObjectAltered(store.where(file.path), "its path leaves the archive")
        path.parent.mkdir(parents=True)
        with path.open("wb") as out:
            for number in range(len(file.blocks)):
                out.write(block_of(store, day.names[file.path], file, number))
            if store.part(day.names[file.path], file.bytes, file.bytes + 1):
                raise StoredObjectAltered(store.where(day.names[file.path]), "it is longer")
    (place / MANIFEST).write_text(day.manifest.text(), encoding="utf-8")


def block_of(store: ObjectStore, name: str, file: ArchivedFile, number: int) -> bytes:
    """Return a block of a file, proved by the signed manifest.

    Args:
        store: the address.
        name: where the file lies below it.
        file: as the manifest lists it.
        number: of the block, from 0.

    Raises:
        StoredObjectAltered: it is missing, cut or another.
    """
    start = number * BLOCK_BYTES
    block = store.part(name, start, min(start + BLOCK_BYTES, file.bytes))
    if block is None:
        raise StoredObjectAltered(store.where(name), "it is missing")
    if hashlib.sha256(block).hexdigest() != file.blocks[number]:
        raise StoredObjectAltered(store.where(name), "its bytes are others, or it is cut")
    return block


def _put(store: ObjectStore, file: ArchivedFile, path: Path) -> None:
    """Create the object of a file; one that exists must have the same content.

    Raises:
        StoredObjectAltered: it has other content.
        ArchiveFileTooLarge: the file is too large for one object.
    """
    name = _object_of(file)
    if file.bytes > OBJECT_BYTES:
        raise ArchiveFileTooLarge(file.stream, file.bytes, OBJECT_BYTES)
    if store.create(name, path.read_bytes()):
        return
    for number in range(len(file.blocks)):
        block_of(store, name, file, number)
    if store.part(name, file.bytes, file.bytes + 1):
        raise StoredObjectAltered(store.where(name), "it is longer")


def _proved(manifest: ArchiveManifest, number: int) -> ProvedDay:
    names = {file.path: _object_of(file) for file in manifest.files}
    return ProvedDay(manifest=manifest, number=number, names=names)


def _object_of(file: ArchivedFile) -> str:
    return f"{OBJECTS}/{file.sha256}.parquet"


def _manifest_name(day: date, number: int) -> str:
    """Where a manifest lies, and its name in the seal: none vouches for another day or number."""
    return f"{day}.{number}"
