"""Create a ledger in a folder: its keys, entry 0, the first checkpoint."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from ledger.log.checkpoint import Checkpoint
from ledger.log.entry import encode
from ledger.log.errors import (
    BadOrigin,
    CheckpointMissing,
    LedgerExists,
    PersonKeysStand,
    StorageFailed,
)
from ledger.log.keys import make_keys
from ledger.log.ledger_at_checkpoint import CHECKPOINT
from ledger.log.merkle import leaf_hash
from ledger.log.note import Signer, Verifier, is_key_name
from ledger.log.person_keys import PersonKeys, person_keys_file
from ledger.log.port import FORMAT_VERSION, SEALED_FORMAT, Began
from ledger.log.storage import DirectoryStorage, Durable, Storage
from ledger.log.tile_writer import TileWriter
from ledger.log.tiles import Frontier
from ledger.log.unsigned_tail import paths_beyond, tail_files


def init(
    folder: Path,
    *,
    origin: str,
    property: str,
    record_time: int,
    key: Path | None = None,
    signer: Signer | None = None,
    storage: Storage | None = None,
    sealed: bool = False,
) -> Verifier:
    """Begin a ledger in a folder: keys, entry 0, the first checkpoint.

    Args:
        folder: made if absent.
        origin: the name in all checkpoints.
        property: whose floor it is.
        record_time: microseconds UTC.
        key: where the private key is to lie instead of ``keys/signer``.
        signer: a key to use instead of a new one.
        storage: in place of the folder, for tests.
        sealed: whether the personal strings of its facts are sealed, so that they can be erased.
            Entry 0 says so, and cannot be changed; the persons' keys are begun beside the folder.
    """
    if not is_key_name(origin):
        raise BadOrigin(origin)
    try:
        if storage is None:
            folder.mkdir(parents=True, exist_ok=True)
            DirectoryStorage(folder.parent).sync_folder(".")
            storage = DirectoryStorage(folder)
        storage.lock()
        try:
            began = Began(
                record_time=record_time,
                format_version=SEALED_FORMAT if sealed else FORMAT_VERSION,
                origin=origin,
                property=property,
            )
            return _begin(storage, folder, began, key, signer)
        finally:
            storage.unlock()
    except OSError as error:
        raise StorageFailed(error, "Making the ledger") from error


def _begin(
    storage: Storage,
    folder: Path,
    entry: Began,
    key: Path | None,
    signer: Signer | None,
) -> Verifier:
    if CHECKPOINT in storage.names(""):
        raise LedgerExists(str(folder))
    origin = entry.origin
    own = make_keys(storage, origin, key, signer)
    durable = Durable(storage)
    durable.clear_temporary()
    began = encode(entry)
    paths = tail_files(storage, 0)
    if paths_beyond(
        paths, 1
    ):  # more than an interrupted beginning: the ledger of a lost checkpoint
        raise CheckpointMissing(str(folder), len(paths))
    tile_writer = TileWriter(Frontier(), [])
    tiles = tile_writer.grow([began])
    durable.put(chain(tile_writer.bundles([began]), tiles))
    if entry.format_version == SEALED_FORMAT:
        _begin_keys(folder, leaf_hash(began))
    checkpoint = Checkpoint(origin, 1, tile_writer.frontier.root())
    durable.put([(CHECKPOINT, checkpoint.signed(own))])
    return own.verifier


def _begin_keys(folder: Path, ledger: bytes) -> None:
    """Begin the file of the persons' keys; one that stands there is another ledger's, and kept."""
    path = person_keys_file(folder)
    if path.exists():
        raise PersonKeysStand(str(path))
    PersonKeys.create(path, ledger)
