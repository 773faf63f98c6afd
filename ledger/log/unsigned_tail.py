"""What lies beyond the checkpoint: which append left it, and how it is kept while it is cleared.

Nothing is deleted. A tail that a signed intent explains was never acknowledged and is moved to
``set-aside/``; any other belongs to a checkpoint that the folder no longer has, and is refused
until somebody says which: the newer checkpoint is put back, or the tail is set aside by hand.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ledger.kernel.quick_dataclass import dataclass
from ledger.log.checkpoint import open_checkpoint
from ledger.log.errors import (
    CheckpointBroken,
    CheckpointNotReached,
    IntentBroken,
    StorageFailed,
    TailUnexplained,
    TreeBroken,
)
from ledger.log.intent import INTENT, Intent, read_intent
from ledger.log.ledger_at_checkpoint import CHECKPOINT, FileSnapshot, open_snapshot
from ledger.log.merkle import leaf_hash
from ledger.log.note import NoteBroken
from ledger.log.storage import DirectoryStorage, Durable, Storage
from ledger.log.tile_files import files_from
from ledger.log.tiles import ENTRIES, LEVELS, WIDTH, Tile, parse_path, right_edge, unpack, width_at
from ledger.log.verified_tree import load_frontier, start_of

SET_ASIDE: Final = "set-aside"


@dataclass(frozen=True, slots=True, kw_only=True)
class TailSetAside:
    """Files that were set aside: how many, where, and what they would have followed."""

    files: int
    folder: str
    size: int
    next_size: int | None
    """The size that the append would have reached; None where no intent says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """What lies beyond a checkpoint, and why it may."""

    size: int
    files: tuple[str, ...]
    intent: Intent | None
    problem: str | None
    """Why nothing explains it; None where it is explained, or nothing lies there."""


def tail_files(storage: Storage, size: int) -> list[str]:
    """Paths of the tiles and bundles that a tree of ``size`` entries does not have yet."""
    paths = []
    for level in (ENTRIES, *range(LEVELS)):
        total = size if level == ENTRIES else size >> (8 * level)
        for path in files_from(storage, level, total // WIDTH):
            tile = parse_path(path)
            if tile is not None and tile.width > width_at(level, tile.index, size):
                paths.append(path)
    return paths


def paths_beyond(paths: list[str], size: int) -> list[str]:
    """Those of the paths that a tree of ``size`` entries does not have either."""
    tiles = ((path, parse_path(path)) for path in paths)
    return [
        path
        for path, tile in tiles
        if tile is not None and tile.width > width_at(tile.level, tile.index, size)
    ]


def problem_of(storage: Storage, snapshot: FileSnapshot, intent: Intent, paths: list[str]) -> str:
    """Why an intent does not explain what lies beyond the checkpoint; empty where it does.

    Args:
        storage: that of the ledger.
        snapshot: the ledger at its checkpoint.
        intent: what an append was about to write, signed.
        paths: the files that lie beyond the checkpoint.
    """
    if intent.next_size <= snapshot.size:
        if snapshot.root_at(intent.next_size) != intent.next_root:
            return "the last signed intent speaks of another history"
        return "the last signed intent was carried out long before" if paths else ""
    if (intent.size, intent.root) != (snapshot.size, snapshot.root):
        return (
            f"the ledger signed {intent.size} entries before, and this checkpoint has "
            f"{snapshot.size}"
        )
    if paths_beyond(paths, intent.next_size):
        return f"it reaches beyond the {intent.next_size} entries of the signed intent"
    try:
        root = load_frontier(storage.read, intent.next_size).root()
    except TreeBroken:  # the append was interrupted before all of it was written
        return ""
    return "" if root == intent.next_root else "it is not what the signed intent says"


def tail_of(storage: Storage, snapshot: FileSnapshot) -> Tail:
    """What lies beyond the checkpoint of a snapshot."""
    paths = tail_files(storage, snapshot.size)
    intent, problem = None, "no signed intent speaks of it" if paths else ""
    try:
        intent = read_intent(storage, snapshot.verifier)
    except IntentBroken as error:
        problem = error.problem
    if intent is not None:
        problem = problem_of(storage, snapshot, intent, paths)
    return Tail(size=snapshot.size, files=tuple(paths), intent=intent, problem=problem or None)


def clear_tail(
    storage: Storage, durable: Durable, snapshot: FileSnapshot, *, ordered: bool = False
) -> TailSetAside | None:
    """Set aside what an interrupted append left; what it was, None where nothing had to move.

    Args:
        storage: the ledger, locked.
        durable: puts files into it.
        snapshot: the ledger at its checkpoint.
        ordered: somebody decided that the tail is to be set aside, whatever explains it.

    Raises:
        TailUnexplained: no intent of this ledger explains it; nothing was touched.
    """
    tail = tail_of(storage, snapshot)
    if tail.problem is not None and not ordered:
        raise TailUnexplained(snapshot.size, tail.files, tail.problem)
    if not tail.files and tail.problem is None:
        if tail.intent is not None:  # carried out, or nothing of it was written
            durable.remove(INTENT)
        return None
    _keep_own_edge(storage, durable, snapshot)
    moving = list(tail.files)
    if INTENT in storage.names(""):
        moving.append(INTENT)
    explained = tail.intent if tail.problem is None else None
    folder = _folder_for(storage, snapshot, explained, moving)
    for path in moving:
        durable.link(path, f"{folder}/{path}")
    durable.settle({f"{folder}/{path}".rpartition("/")[0] for path in moving})
    for path in tail.files:
        durable.remove(path)
        partials = path.rpartition("/")[0]
        if partials.endswith(".p"):
            durable.remove(partials + "/")
    durable.settle(
        _standing_folders(storage, tail.files)
    )  # no tail comes back once its intent is gone
    durable.remove(INTENT)
    return TailSetAside(
        files=len(tail.files),
        folder=folder,
        size=snapshot.size,
        next_size=None if explained is None else explained.next_size,
    )


def _keep_own_edge(storage: Storage, durable: Durable, snapshot: FileSnapshot) -> None:
    """Write the partial tiles that the tree has only as the start of a wider one of the tail.

    Raises:
        TreeBroken: its last bundle lies nowhere; nothing may be moved then.
    """
    size = snapshot.size
    bundle = Tile(ENTRIES, size // WIDTH, size % WIDTH)
    edge = right_edge(size)
    if size % WIDTH:
        edge.append(bundle)
    files = []
    for tile in edge:
        folder, _, name = tile.path.rpartition("/")
        if name in storage.names(folder):
            continue
        if tile == bundle:
            files.append((tile.path, _own_bundle(storage, snapshot, bundle)))
        else:
            files.append((tile.path, b"".join(snapshot.tree.frontier.levels[tile.level])))
    if files:
        durable.put(files)


def _own_bundle(storage: Storage, snapshot: FileSnapshot, bundle: Tile) -> bytes:
    """The last bundle of the tree, out of whichever wider one of the tail still has it."""
    for path in tail_files(storage, snapshot.size):
        tile = parse_path(path)
        if tile is not None and (tile.level, tile.index) == (bundle.level, bundle.index):
            entries = start_of(storage.read(path), bundle)
            if list(map(leaf_hash, unpack(entries))) == snapshot.tree.frontier.levels[0]:
                return entries
    raise TreeBroken("the last bundle is missing", bundle.index * WIDTH, bundle.path)


def _folder_for(
    storage: Storage, snapshot: FileSnapshot, intent: Intent | None, paths: list[str]
) -> str:
    """Where a tail is kept: named by its sizes and root; never over other bytes."""
    if intent is None:
        name = f"{snapshot.size}-{snapshot.root.hex()[:8]}-unexplained"
    else:
        name = f"{intent.size}-to-{intent.next_size}-{intent.next_root.hex()[:8]}"
    number = 1
    while True:
        folder = f"{SET_ASIDE}/{name}" + (f".{number}" if number > 1 else "")
        if all(_may_keep(storage, path, f"{folder}/{path}") for path in paths):
            return folder
        number += 1


def _may_keep(storage: Storage, path: str, kept: str) -> bool:
    """Whether a file may be kept under a name: nothing stands there, or the very same bytes."""
    try:
        return storage.read(kept) == storage.read(path)
    except FileNotFoundError:
        return True


def _standing_folders(storage: Storage, paths: tuple[str, ...]) -> set[str]:
    """The folders that held these files; above a folder of partial tiles that went, the next."""
    folders = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        if folder.endswith(".p") and not storage.names(folder):
            folder = folder.rpartition("/")[0]  # it stands, even where it is empty by now
        folders.add(folder)
    return folders


# ---------------------------------------------------------------- by hand


def look_at_tail(folder: Path, *, storage: Storage | None = None) -> Tail:
    """What lies beyond the checkpoint of a ledger; nothing is locked and nothing changed."""
    storage = storage or DirectoryStorage(folder)
    return tail_of(storage, open_snapshot(storage, str(folder), None))


def set_tail_aside(folder: Path, *, storage: Storage | None = None) -> TailSetAside | None:
    """Set aside what lies beyond the checkpoint, whatever explains it.

    Raises:
        LedgerLocked: another process is appending.
    """
    storage = storage or DirectoryStorage(folder)
    storage.lock()
    try:
        snapshot = open_snapshot(storage, str(folder), None)
        return clear_tail(storage, Durable(storage), snapshot, ordered=True)
    finally:
        storage.unlock()


def _note_at(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StorageFailed(error, "Reading the checkpoint") from error


def adopt_checkpoint(folder: Path, path: Path, *, storage: Storage | None = None) -> FileSnapshot:
    """Put back a newer checkpoint that the ledger's own files bear out.

    Args:
        folder: the ledger.
        path: the checkpoint, such as that of a witness.
        storage: in place of the folder, for tests.

    Raises:
        CheckpointBroken: the ledger's key did not sign it.
        CheckpointNotReached: it is not newer, or the files do not make its root.
        LedgerLocked: another process is appending.
    """
    storage = storage or DirectoryStorage(folder)
    storage.lock()
    try:
        before = open_snapshot(storage, str(folder), None)
        note = _note_at(path)
        try:
            newer = open_checkpoint(note, before.verifier)
        except NoteBroken as error:
            raise CheckpointBroken(str(error), str(path)) from error
        if newer.size <= before.size:
            raise CheckpointNotReached(str(path), f"it is not newer than size {before.size}")
        try:
            after = FileSnapshot(storage, note, before.verifier, None)
            for _ in after.signed_bundles(before.size):  # each is led back to the root
                pass
        except TreeBroken as error:
            raise CheckpointNotReached(str(path), error.problem) from error
        if after.root_at(before.size) != before.root:
            raise CheckpointNotReached(str(path), "it does not continue this ledger's checkpoint")
        durable = Durable(storage)
        durable.put([(CHECKPOINT, note)])
        return after
    finally:
        storage.unlock()
