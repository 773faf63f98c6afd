"""Copy a ledger while a writer writes: what one checkpoint signed, whole, the checkpoint last.

The copy holds the entries, tiles and quarantined bytes under the checkpoint that stood when it
began, the public keys, and what was set aside; of a sealed ledger also what opens its entries,
which is encrypted. The private key stays where it is, and so do the persons' keys and what may have
to be erased: a copy that lies in a vault could not forget. A copy is verified from its
entries up before it is called one, and a later copy into the same folder adds what is new.

Law: c2sp.org/tlog-tiles, "Partial Tiles" (a partial tile is the start of the full one).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from ledger.kernel.quick_dataclass import dataclass
from ledger.log.errors import BackupDamaged, BackupOfAnother, BackupPlace, StorageFailed
from ledger.log.keys import SIGNER
from ledger.log.ledger_at_checkpoint import CHECKPOINT, QUARANTINE, FileSnapshot, open_snapshot
from ledger.log.openings import FOLDER as OPENINGS
from ledger.log.storage import TEMPORARY, DirectoryStorage, Durable, Storage
from ledger.log.tile_files import sweep
from ledger.log.tiles import ENTRIES, LEVELS, WIDTH, Tile, width_at
from ledger.log.unsigned_tail import SET_ASIDE
from ledger.log.verified_tree import read_tile
from ledger.log.verify import verify

FILES_AT_ONCE: Final = 64
"""How many files are made durable together: at most about 20 MB of entries in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """A verified copy of a ledger; ``copied`` files are new in it, ``kept`` stood there before."""

    tree_size: int
    root: str
    """Lower-case hexadecimal."""
    copied: int
    kept: int


def back_up(folder: Path, destination: Path, *, storage: Storage | None = None) -> Backup:
    """Copy the ledger at its present checkpoint, and verify the copy.

    Args:
        folder: the ledger; it is only read, and may be appended to meanwhile.
        destination: a folder that does not exist, is empty, or holds an earlier copy of it.
        storage: in place of the folder, for tests.

    Raises:
        LedgerMissing: there is no ledger.
        BackupPlace: one of the two folders lies in the other, or other files lie there.
        BackupOfAnother: the destination holds another ledger, or a later state than this one.
        BackupDamaged: what was copied, or lay there, is not what the checkpoint signed.
        StorageFailed: the disk is full, or answers with errors.
    """
    _check_place(folder, destination)
    source = storage or DirectoryStorage(folder)
    ledger = open_snapshot(source, str(folder), None)
    try:
        destination.mkdir(parents=True, exist_ok=True)
        copy = DirectoryStorage(destination)
        copy.lock()
    except OSError as error:
        raise StorageFailed(error, "Backing up") from error
    try:
        stood = _standing_in(copy, destination, ledger)
        durable = Durable(copy)
        durable.clear_temporary()
        copied = kept = 0
        files = _files_of(source, ledger, copy, stood)
        while batch := list(islice(files, FILES_AT_ONCE)):
            new = [(path, content) for path, content in batch if content is not None]
            durable.put(new)
            copied += len(new)
            kept += len(batch) - len(new)
        durable.put([(CHECKPOINT, ledger.note)])
        sweep(copy, durable, ledger.size)
    except OSError as error:
        raise StorageFailed(error, "Backing up") from error
    finally:
        copy.unlock()
    verification = verify(destination)
    if verification.problem is not None:
        raise BackupDamaged(verification.problem, str(destination))
    return Backup(tree_size=ledger.size, root=ledger.root.hex(), copied=copied, kept=kept)


def _check_place(folder: Path, destination: Path) -> None:
    """A copy inside the ledger would be taken for a part of it, and the other way round."""
    here, there = folder.resolve(), destination.resolve()
    if here == there or here in there.parents or there in here.parents:
        raise BackupPlace(str(destination), "one of the two folders lies in the other")
    if destination.exists() and not destination.is_dir():
        raise BackupPlace(str(destination), "it is a file")


def _standing_in(copy: Storage, destination: Path, ledger: FileSnapshot) -> int:
    """The size of the copy that stands in a folder; 0 where there is none."""
    names = [name for name in copy.names("") if name != f"{TEMPORARY}/"]
    if not names:
        return 0
    if CHECKPOINT not in names:
        if set(names) <= {"tile/", "keys/", f"{QUARANTINE}/", f"{SET_ASIDE}/", f"{OPENINGS}/"}:
            return 0  # a copy that was interrupted: each of its files is compared
        raise BackupPlace(str(destination), "other files lie there")
    earlier = open_snapshot(copy, str(destination), None)
    if (earlier.origin, earlier.verifier) != (ledger.origin, ledger.verifier):
        raise BackupOfAnother(str(destination), f"it is a copy of {earlier.origin}")
    if earlier.size > ledger.size:
        raise BackupOfAnother(
            str(destination), f"it holds {earlier.size} entries, and the ledger {ledger.size}"
        )
    if ledger.root_at(earlier.size) != earlier.root:
        raise BackupOfAnother(str(destination), f"its {earlier.size} entries are another history")
    return earlier.size


def _files_of(
    source: Storage, ledger: FileSnapshot, copy: Storage, stood: int
) -> Iterator[tuple[str, bytes | None]]:
    """Every file of the copy with its bytes; None for those that stand there already."""
    for tile in _tiles(ledger.size):
        if tile.width == WIDTH and width_at(tile.level, tile.index, stood) == WIDTH:
            yield tile.path, None  # verified with the rest afterwards
            continue
        content = read_tile(source.read, tile)
        yield tile.path, None if _holds(copy, tile.path, content) else content
    for folder in (QUARANTINE, "keys", SET_ASIDE, OPENINGS):
        for path in (path for path in _below(source, folder) if not path.startswith(SIGNER)):
            content = source.read(path)
            yield path, None if _holds(copy, path, content) else content


def _tiles(size: int) -> Iterator[Tile]:
    """The tiles and bundles of a tree, each as wide as it is there."""
    for level in (ENTRIES, *range(LEVELS)):
        total = size if level == ENTRIES else size >> (8 * level)
        for index in range(-(-total // WIDTH)):
            yield Tile(level, index, width_at(level, index, size))


def _below(storage: Storage, folder: str) -> Iterable[str]:
    for name in storage.names(folder):
        path = f"{folder}/{name}"
        if name.endswith("/"):
            yield from _below(storage, path.rstrip("/"))
        else:
            yield path


def _holds(storage: Storage, path: str, content: bytes) -> bool:
    try:
        return storage.read(path) == content
    except (FileNotFoundError, NotADirectoryError):
        return False
