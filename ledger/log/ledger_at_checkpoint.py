"""A ledger folder as it stood at one checkpoint: reading, proving, its index."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.log.checkpoint import Checkpoint, open_checkpoint, proof_text
from ledger.log.entry import SEALED, EntryUnreadable, decode, unwrap
from ledger.log.errors import (
    CheckpointBroken,
    FormatNewer,
    LedgerMissing,
    PositionUnknown,
    StorageFailed,
    TreeBroken,
)
from ledger.log.keys import read_verifier
from ledger.log.merkle import consistency_proof, inclusion_proof, leaf_hash
from ledger.log.note import NoteBroken, Verifier
from ledger.log.port import SEALED_FORMAT, Accepted, Began, Entry
from ledger.log.storage import DirectoryStorage, Storage
from ledger.log.tiles import WIDTH, Frontier
from ledger.log.verified_tree import VerifiedTree, load_frontier

if TYPE_CHECKING:
    from ledger.log.bulk_bundles import PackedEntries
    from ledger.log.index import Index
    from ledger.log.known_keys_and_offsets import AppendState
    from ledger.log.openings import Openings

CHECKPOINT: Final = "checkpoint"
QUARANTINE: Final = "quarantine"
CACHE: Final = "cache"
_SEALED: Final = bytes([SEALED])


class FileSnapshot:
    """A ledger as its checkpoint signed it; what is appended later is not seen.

    Args:
        storage: the folder.
        note: the signed checkpoint, verified here.
        verifier: the ledger's public key.
        cache_folder: where the shortcuts are; None does without.
        writable: whether they may be brought up to date; for the one writer.
    """

    def __init__(
        self,
        storage: Storage,
        note: bytes,
        verifier: Verifier,
        cache_folder: Path | None,
        *,
        writable: bool = False,
    ) -> None:
        self.storage = storage
        self.note = note
        self.verifier = verifier
        self.cache_folder = cache_folder
        self.checkpoint = _opened(note, verifier)
        self.tree = VerifiedTree(storage.read, load_frontier(storage.read, self.checkpoint.size))
        if self.tree.frontier.root() != self.checkpoint.root:
            raise TreeBroken("the tiles at the end of the tree do not make the signed root")
        self._writable = writable
        self._entries_state: tuple[AppendState, Index] | None = None
        self._openings: Openings | None = None

    @cached_property
    def first(self) -> Entry:
        """Its first entry, which says how it was begun."""
        return _decoded(self.tree.bundle(0)[0], 0)

    @cached_property
    def is_sealed(self) -> bool:
        """Whether it was begun to seal personal strings."""
        return isinstance(self.first, Began) and self.first.format_version == SEALED_FORMAT

    @property
    def openings(self) -> Openings:
        """What opens its sealed entries."""
        if self._openings is None:
            from ledger.log.openings import Openings  # a ledger that seals nothing is spared it
            from ledger.log.person_keys import person_keys_file

            folder = self.storage.folder if isinstance(self.storage, DirectoryStorage) else Path()
            first = leaf_hash(self.tree.bundle(0)[0])
            self._openings = Openings(self.storage, first, person_keys_file(folder))
        return self._openings

    @property
    def origin(self) -> str:
        """The name in the checkpoints."""
        return self.checkpoint.origin

    @property
    def size(self) -> int:
        """How many entries there are."""
        return self.checkpoint.size

    @property
    def root(self) -> bytes:
        """The signed root."""
        return self.checkpoint.root

    def advance(self, note: bytes, checkpoint: Checkpoint, frontier: Frontier) -> None:
        """Stand at the checkpoint that the writer has just written."""
        self.note, self.checkpoint, self.tree.frontier = note, checkpoint, frontier

    def bundles(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, list[bytes]]]:
        """Entries by the bundle, each led back to the signed root, sealed ones then opened."""
        for first, entries in self.signed_bundles(start, stop):
            yield first, self.opened(first, entries)

    def opened(self, first: int, entries: list[bytes]) -> list[bytes]:
        """Return entries with the sealed ones as they read to who has the keys.

        Args:
            first: the position of the first of them.
            entries: as they were signed.

        Raises:
            OpeningsMissing, PersonKeysMissing, OpeningWrong: they cannot be opened.
        """
        if not any(entry[:1] == _SEALED for entry in entries):
            return entries
        return [
            self.openings.opened(position, entry) if entry[:1] == _SEALED else entry
            for position, entry in enumerate(entries, first)
        ]

    def signed_bundles(
        self, start: int = 0, stop: int | None = None
    ) -> Iterator[tuple[int, list[bytes]]]:
        """Entries by the bundle as they were signed, each led back to the signed root."""
        end = self.size if stop is None else min(stop, self.size)
        while start < end:
            index = start // WIDTH
            entries = self.tree.bundle(index)
            first = index * WIDTH
            yield start, entries[start - first : end - first]
            start = first + WIDTH

    def full_bundles(self, first: int, stop: int) -> tuple[list[bytes], PackedEntries] | None:
        """As ``VerifiedTree.full_bundles``; sealed entries are not opened."""
        return self.tree.full_bundles(first, stop)

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, Entry]]:
        """Position and entry, decoded."""
        for first, bundle in self.bundles(start, stop):
            for position, raw in enumerate(bundle, first):
                yield position, _decoded(raw, position)

    def raw(self, position: int) -> bytes:
        """The bytes of one entry, as they were signed.

        Raises:
            PositionUnknown: the ledger has no such entry.
            TreeBroken: its bundle does not lead to the signed root.
        """
        if not 0 <= position < self.size:
            raise PositionUnknown(position, self.size)
        return self.tree.bundle(position // WIDTH)[position % WIDTH]

    def read(self, position: int) -> Entry:
        """One entry.

        Raises:
            PositionUnknown: the ledger has no such entry.
            TreeBroken: its bundle does not lead to the signed root.
        """
        (entry,) = self.opened(position, [self.raw(position)])
        return _decoded(entry, position)

    def framed_at(self, positions: list[int]) -> dict[int, bytes]:
        """The framed events at these positions, each bundle read once."""
        out: dict[int, bytes] = {}
        index, entries = -1, [b""]
        for position in sorted(set(positions)):
            if position // WIDTH != index:
                index = position // WIDTH
                entries = self.tree.bundle(index)
            (entry,) = self.opened(position, [entries[position % WIDTH]])
            unwrapped = unwrap(entry)
            if unwrapped is not None:
                out[position] = unwrapped[1]
        return out

    def quarantined(self, sha256: bytes) -> bytes:
        """The whole bytes of a quarantined arrival."""
        path = f"{QUARANTINE}/{sha256.hex()}"
        try:
            return self.storage.read(path)
        except FileNotFoundError as error:
            raise TreeBroken("quarantined bytes are missing", None, path) from error
        except OSError as error:
            raise StorageFailed(error, "Reading quarantined bytes") from error

    def last_offsets(self) -> dict[tuple[str, int], tuple[int, int]]:
        """Per (topic, partition) the highest recorded offset and the position of its entry."""
        return dict(self.entries_state()[0].offsets)

    def recorded_bytes(self, topic: str, partition: int) -> bytes | None:
        """The bytes recorded under the highest offset of a partition; None if there are none."""
        last = self.last_offsets().get((topic, partition))
        if last is None:
            return None
        entry = self.read(last[1])
        if isinstance(entry, Accepted):
            return entry.framed
        return self.quarantined(getattr(entry, "sha256", b""))

    def index(self) -> Index:
        """Where each fact stands."""
        return self.entries_state()[1]

    def entries_state(self) -> tuple[AppendState, Index]:
        """What the entries say that an append needs, from the cache as far as it holds."""
        if self._entries_state is None:
            from ledger.log import cache  # numbers and events: who asks for no fact is spared them

            self._entries_state = cache.load(self.cache_folder, self, writable=self._writable)
        return self._entries_state

    def root_at(self, size: int) -> bytes:
        """The root at an earlier size."""
        return self.tree.root_at(size)

    def prove(self, position: int) -> str:
        """A ``c2sp.org/tlog-proof@v1`` that the entry stands at this position.

        Raises:
            PositionUnknown: the ledger has no such entry.
        """
        if not 0 <= position < self.size:
            raise PositionUnknown(position, self.size)
        proof = inclusion_proof(self.tree.subtree, position, self.size)
        return proof_text(position, proof, self.note)

    def consistency(self, old: int) -> list[bytes]:
        """The proof that this tree begins with the tree of ``old`` leaves."""
        return consistency_proof(self.tree.subtree, old, self.size)


def _decoded(raw: bytes, position: int) -> Entry:
    try:
        return decode(raw)
    except EntryUnreadable as error:
        raise TreeBroken(str(error), position) from error


def _opened(note: bytes, verifier: Verifier) -> Checkpoint:
    try:
        return open_checkpoint(note, verifier)
    except NoteBroken as error:
        raise CheckpointBroken(str(error)) from error


def open_snapshot(
    storage: Storage, folder: str, cache_folder: Path | None, *, writable: bool = False
) -> FileSnapshot:
    """Read a ledger at its present checkpoint; nothing is locked and nothing written.

    Args:
        storage: that of the ledger.
        folder: how it is called in errors.
        cache_folder: where the shortcuts are; None does without.
        writable: whether they may be brought up to date; for the one writer.

    Raises:
        LedgerMissing: there is none.
        CheckpointBroken: its checkpoint is not one that its key signed.
        TreeBroken: the tiles do not make the signed root.
        FormatNewer: a newer version began it.
    """
    try:
        note = storage.read(CHECKPOINT)
    except FileNotFoundError as error:
        raise LedgerMissing(folder) from error
    except OSError as error:
        raise StorageFailed(error, "Reading the checkpoint") from error
    verifier = read_verifier(storage, folder)
    snapshot = FileSnapshot(storage, note, verifier, cache_folder, writable=writable)
    _check_format(snapshot, folder)
    return snapshot


def _check_format(snapshot: FileSnapshot, folder: str) -> None:
    """Refuse a ledger that a newer version began."""
    try:
        began = snapshot.first
    except TreeBroken:  # whoever reads on, or verifies, is told where it is broken
        return
    if isinstance(began, Began) and began.format_version > SEALED_FORMAT:
        raise FormatNewer(
            f"the ledger has format {began.format_version}, and this one knows {SEALED_FORMAT}",
            folder,
        )


def read_log(folder: Path) -> FileSnapshot:
    """Read the ledger in a folder, without locking it."""
    return open_snapshot(DirectoryStorage(folder), str(folder), folder / CACHE)
