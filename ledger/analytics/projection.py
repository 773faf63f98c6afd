"""The projection of a ledger on disk: is it the ledger's, is it whole, and how it is replaced.

Beside ``projection.duckdb`` stands ``projection.json``: the tree size and root it was built from,
the DuckDB version, the hash of the code, and the SHA-256 of the file, sealed by the ledger's key.
All are compared at every open, so that a cut, flipped, exchanged or forged file is never read, and
every entry that it was made from is proved first, by its path to the root or by the sealed hash of
its bundle, so that nothing is answered from a ledger that was changed since. A new one is built
under another name, anew or from a copy of one that is whole and only behind, checked, and renamed;
readers keep what they opened.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import duckdb

from ledger.analytics.code_fingerprint import code_hash
from ledger.analytics.errors import CacheUnwritable, ProjectionStale
from ledger.analytics.query_sandbox import ABOUT, settings
from ledger.log import FileSnapshot, read_log
from ledger.log.ledger_at_checkpoint import CACHE
from ledger.log.signed_file_index import SealedFolder, Seals
from ledger.log.tiles import WIDTH
from ledger.replay.bundles import Bundles, opening_state

if TYPE_CHECKING:
    from ledger.analytics.build import Progress

NAME: Final = "projection.duckdb"
MANIFEST: Final = "projection.json"
BUNDLES: Final = "projection.bundles"
"""SHA-256 of each full bundle that it was made from, 32 bytes each, sealed."""
LOCK: Final = "projection.lock"
KIND: Final = "projection"
"""What the manifest is called in the index that seals it."""
NEW: Final = "projection.new.duckdb"
FRESH: Final = "projection.fresh.duckdb"
"""What one that is brought forward takes in."""
READ_MB: Final = 512
READ_THREADS: Final = 2
SWAP_SECONDS: Final = 0.05
"""Longer than a swap takes between its two renames."""

WhenStale = Literal["rebuild", "refuse", "use"]
"""What to do with a projection that is not of the present: ``use`` takes one of an earlier state of
the same ledger as it is, and rebuilds only what cannot be read or trusted."""


class ProjectionState(StrEnum):
    """How a projection stands to its ledger."""

    FRESH = "fresh"
    MISSING = "missing"
    DAMAGED = "damaged, or not sealed by the ledger's key"
    OTHER_VERSION = "built by another version"
    BEHIND = "of an earlier state of the ledger"
    FOREIGN = "of another ledger"


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """A projection that was found whole: where it lies, and what it was built from.

    Attributes:
        path: the DuckDB file.
        tree_size: entries of the ledger that it was built from.
        root: the ledger's root at that size, as hex.
        duckdb_version: the DuckDB that wrote it.
        code_hash: of the code that built it; other code builds anew.
        ledger_size: entries of the ledger when the projection was opened.
        rebuilt: whether it was built anew to be opened.
    """

    path: Path
    tree_size: int
    root: str
    duckdb_version: str
    code_hash: str
    ledger_size: int
    rebuilt: bool = False

    def about(self) -> list[str | int]:
        """What the file itself must say, in the order of its table ``projection``."""
        return [self.tree_size, self.root, self.duckdb_version, self.code_hash]

    def connect(self) -> duckdb.DuckDBPyConnection:
        """Open it for reading, for queries of our own.

        Raises:
            ProjectionStale: another snapshot has taken its place.
        """
        connection = duckdb.connect(self.path, config=settings(READ_MB, READ_THREADS))
        if list(connection.execute(ABOUT).fetchone() or ()) != self.about():
            connection.close()
            raise ProjectionStale("another snapshot has taken its place", str(self.path))
        return connection


def inspect_projection(
    folder: Path, *, where: Path | None = None
) -> tuple[ProjectionState, Projection | None]:
    """How the projection of a ledger stands, and the projection if it is whole; nothing is changed.

    Args:
        folder: the ledger.
        where: the folder of the projection, if it is not the ledger's own cache.
    """
    return _look(read_log(folder), _place(folder, where), Seals.of(folder))


def open_projection(
    folder: Path,
    *,
    when_stale: WhenStale = "rebuild",
    where: Path | None = None,
    progress: Progress | None = None,
) -> Projection:
    """The projection of a ledger, whole and of its present state unless said otherwise.

    Args:
        folder: the ledger.
        when_stale: what to do where it is not of the present state.
        where: the folder of the projection, if it is not the ledger's own cache.
        progress: for a rebuild, told of each gaming day.

    Raises:
        ProjectionStale: it would have to be rebuilt, and ``when_stale`` is ``refuse``.
        CacheUnwritable: it must be rebuilt and there is no place for it.
    """
    place = _place(folder, where)
    log, seals = read_log(folder), Seals.of(folder)
    projection = _usable(log, place, seals, when_stale)
    if projection is None:
        with _locked(place):  # whoever waited here may find that another process has rebuilt it
            log = read_log(folder)
            projection = _usable(log, place, seals, when_stale)
            if projection is None:
                return _rebuild(folder, place, progress, _earlier(log, place, seals))
    _prove(log, projection, SealedFolder(place, KIND, seals).read(BUNDLES))
    return projection


def _prove(log: FileSnapshot, projection: Projection, digests: bytes | None) -> None:
    """Prove every entry that a projection was made from.

    A bundle whose SHA-256 was sealed when it was led back to the root is what it was; any other is
    led back again.

    Raises:
        IntegrityBroken: an entry is not what was signed.
    """
    bundles = Bundles(log, projection.tree_size, digests or b"", keep=0)
    for number in range(-(-projection.tree_size // WIDTH)):
        bundles(number)


def rebuild_projection(
    folder: Path,
    *,
    where: Path | None = None,
    progress: Progress | None = None,
) -> Projection:
    """Build the projection anew, whatever stands there."""
    read_log(folder)
    place = _place(folder, where)
    with _locked(place):
        return _rebuild(folder, place, progress)


def _place(folder: Path, where: Path | None) -> Path:
    return folder / CACHE if where is None else where


def _usable(
    log: FileSnapshot, place: Path, seals: Seals, when_stale: WhenStale
) -> Projection | None:
    """What can be read as it is; None where a rebuild is due."""
    state, projection = _look(log, place, seals)
    if state is ProjectionState.FRESH:
        return projection
    if when_stale == "use" and state is ProjectionState.BEHIND:
        return projection
    if when_stale == "refuse":
        raise ProjectionStale(f"it is {state}", str(place / NAME))
    return None


def _look(
    log: FileSnapshot, place: Path, seals: Seals
) -> tuple[ProjectionState, Projection | None]:
    state, projection = _look_once(log, place, seals)
    if state is ProjectionState.DAMAGED:  # or just between the two renames of a swap
        time.sleep(SWAP_SECONDS)
        state, projection = _look_once(log, place, seals)
    return state, projection


def _look_once(
    log: FileSnapshot, place: Path, seals: Seals
) -> tuple[ProjectionState, Projection | None]:
    path = place / NAME
    if not path.exists() and not (place / MANIFEST).exists():
        return ProjectionState.MISSING, None
    projection = _whole(place, seals, log.size)
    if projection is None:
        return ProjectionState.DAMAGED, None
    if projection.duckdb_version != duckdb.__version__ or projection.code_hash != _made_by(log):
        return ProjectionState.OTHER_VERSION, projection
    if (
        projection.tree_size > log.size
        or log.root_at(projection.tree_size).hex() != projection.root
    ):
        return ProjectionState.FOREIGN, projection
    if projection.tree_size < log.size:
        return ProjectionState.BEHIND, projection
    return ProjectionState.FRESH, projection


def _made_by(log: FileSnapshot) -> str:
    """The code, and what was erased: what stood in a projection before must not be read again."""
    return code_hash() + opening_state(log).hex()


def _whole(place: Path, seals: Seals, ledger_size: int) -> Projection | None:
    """What the manifest says, if it is about the bytes that are there."""
    path = place / NAME
    try:
        stored = SealedFolder(place, KIND, seals).read(MANIFEST)
        if stored is None:
            return None
        manifest = json.loads(stored)
        digest = manifest.pop("sha256")
        projection = Projection(path=path, ledger_size=ledger_size, **manifest)
        if Path(f"{path}.wal").exists() or _sha256(path) != digest:
            return None
    except (OSError, ValueError, TypeError, AttributeError, KeyError):
        return None
    return projection if _typed(projection) else None


def _typed(projection: Projection) -> bool:
    texts = (projection.root, projection.duckdb_version, projection.code_hash)
    return type(projection.tree_size) is int and all(type(text) is str for text in texts)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    """One process builds at a time; the lock goes with the process that holds it."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        file = (place / LOCK).open("ab")
    except OSError as error:
        raise CacheUnwritable(error.strerror or str(error), str(place)) from error
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _earlier(log: FileSnapshot, place: Path, seals: Seals) -> Path | None:
    """A projection of an earlier state, whole, that can be brought forward."""
    state, projection = _look(log, place, seals)
    return projection.path if state is ProjectionState.BEHIND and projection else None


def _rebuild(
    folder: Path, place: Path, progress: Progress | None, earlier: Path | None = None
) -> Projection:
    """Build under another name, check, rename: the file first, then what is said of it.

    ``earlier`` is a projection to bring forward; None: all is built anew.
    """
    from ledger.analytics.build import bring_forward, build  # who only reads is spared the rules
    from ledger.replay import Replay

    replay = Replay.open(folder)
    code, new, fresh = _made_by(read_log(folder)), place / NEW, place / FRESH
    try:
        _remove(new, fresh)
        if earlier is None:
            build(replay, new, code_hash=code, cache=place, progress=progress)
        else:
            shutil.copyfile(earlier, new)
            bring_forward(replay, new, fresh, code_hash=code, cache=place, progress=progress)
        built = Projection(
            path=new,
            tree_size=replay.size,
            root=replay.root.hex(),
            duckdb_version=duckdb.__version__,
            code_hash=code,
            ledger_size=replay.size,
            rebuilt=True,
        )
        seals = Seals.of(folder)
        SealedFolder(place, KIND, seals).write(BUNDLES, [replay.bundle_digests])
        return _swap(built, place, seals)
    except OSError as error:
        raise CacheUnwritable(error.strerror or str(error), str(place)) from error
    except (duckdb.IOException, duckdb.OutOfMemoryException, duckdb.FatalException) as error:
        raise CacheUnwritable(str(error), str(place)) from error
    finally:
        with suppress(OSError):
            _remove(new, fresh)


def _swap(built: Projection, place: Path, seals: Seals) -> Projection:
    path = place / NAME
    contents = {
        "tree_size": built.tree_size,
        "root": built.root,
        "duckdb_version": built.duckdb_version,
        "code_hash": built.code_hash,
        "sha256": _sha256(built.path),
    }
    Path(f"{path}.wal").unlink(missing_ok=True)
    os.replace(built.path, path)
    SealedFolder(place, KIND, seals).write(MANIFEST, [json.dumps(contents).encode()])
    return replace(built, path=path)


def _remove(*paths: Path) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
        Path(f"{path}.wal").unlink(missing_ok=True)
