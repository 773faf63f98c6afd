"""The ledger in a folder: append that is durable when it returns, by one writer at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Final

from ledger.log import cache
from ledger.log.admission import Admission, Plan, finder
from ledger.log.checkpoint import Checkpoint
from ledger.log.entry import encode
from ledger.log.index import Index
from ledger.log.keys import make_keys, read_signer
from ledger.log.layout import cut_torn_tail, remove_partials, superseded, sweep
from ledger.log.note import Signer, Verifier, is_key_name
from ledger.log.port import (
    ENTRY_BYTES,
    FORMAT_VERSION,
    GROUP_ENTRIES,
    TROUBLES,
    Appended,
    Arrival,
    Began,
    Entry,
    Trouble,
)
from ledger.log.refusals import (
    BadOrigin,
    LedgerExists,
    OvertakenByAnother,
    StorageFailed,
    WriterStopped,
)
from ledger.log.snapshot import CACHE, CHECKPOINT, QUARANTINE, FileSnapshot, open_snapshot
from ledger.log.storage import DirectoryStorage, Durable, Storage
from ledger.log.tiles import ENTRIES, WIDTH, Frontier, Tile, pack, right_edge
from ledger.log.witness import Witness

SAVED_EVERY: Final = 16_384
"""After how many entries the cache is written."""

AtPoint = Callable[[str], None]
"""Called at each named point of an append: planned, quarantined, tiled, signed, witnessed."""


def _pass(_: str) -> None:
    """Go on."""


class FileLog:
    """A ledger open for appending; ``open_log`` makes one.

    Args:
        snapshot: the ledger as it is read.
        signer: its private key.
        witness: a checkpoint kept elsewhere, or None.
        group_entries: how many arrivals become durable together.
        at_point: told of each step, for tests.
    """

    def __init__(
        self,
        snapshot: FileSnapshot,
        signer: Signer,
        witness: Witness | None = None,
        *,
        group_entries: int = GROUP_ENTRIES,
        at_point: AtPoint = _pass,
    ) -> None:
        self.snapshot = snapshot
        self._signer = signer
        self._witness = witness
        self._group_entries = group_entries
        self._at_point = at_point
        self._durable = Durable(snapshot.storage)
        self._known, index = snapshot.learnt()
        self._admission = Admission(self._known, finder(index, snapshot.framed_at))
        self._saved = self._known.size
        self._stopped: str | None = None
        rest = snapshot.size % WIDTH
        self._tail = snapshot.view.bundle(snapshot.size // WIDTH) if rest else []

    # ------------------------------------------------------------ reading

    @property
    def origin(self) -> str:
        """The name in its checkpoints."""
        return self.snapshot.origin

    @property
    def size(self) -> int:
        """How many entries it holds."""
        return self.snapshot.size

    @property
    def root(self) -> bytes:
        """The signed root."""
        return self.snapshot.root

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, Entry]]:
        """Position and entry, decoded."""
        return self.snapshot.entries(start, stop)

    def bundles(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, list[bytes]]]:
        """Raw entries by the bundle."""
        return self.snapshot.bundles(start, stop)

    def read(self, position: int) -> Entry:
        """One entry."""
        return self.snapshot.read(position)

    def quarantined(self, sha256: bytes) -> bytes:
        """The whole bytes of a quarantined arrival."""
        return self.snapshot.quarantined(sha256)

    def last_offsets(self) -> dict[tuple[str, int], tuple[int, int]]:
        """Per (topic, partition) the highest recorded offset and the position of its entry."""
        return self.snapshot.last_offsets()

    def recorded_bytes(self, topic: str, partition: int) -> bytes | None:
        """The bytes recorded under the highest offset of a partition."""
        return self.snapshot.recorded_bytes(topic, partition)

    def index(self) -> Index:
        """Where each fact stands."""
        return self.snapshot.index()

    # ------------------------------------------------------------ writing

    def append(self, arrivals: Iterable[Arrival], record_time: int) -> Appended:
        """Record arrivals, group by group; what this returns is durable."""
        if self._stopped is not None:
            raise WriterStopped(self._stopped)
        if self._witness is not None:
            self._witness.check(self.snapshot)
        counts = [0, 0, 0, 0]
        troubles: list[Trouble] = []
        source, first = iter(arrivals), 0
        while group := list(islice(source, self._group_entries)):
            plan = self._record(group, record_time, first)
            first += len(group)
            counts[0] += plan.accepted
            counts[1] += plan.repeated
            counts[2] += plan.conflicts
            counts[3] += plan.quarantined
            troubles += plan.troubles[: TROUBLES - len(troubles)]
        return Appended(
            accepted=counts[0],
            repeated=counts[1],
            conflicts=counts[2],
            quarantined=counts[3],
            troubles=tuple(troubles),
            size=self.size,
            root=self.root,
        )

    def close(self) -> None:
        """Write the cache and let the next writer in."""
        if self._stopped is None:
            self._save_cache()
        self._stopped = self._stopped or "it was closed"
        self.snapshot.storage.unlock()

    def __enter__(self) -> FileLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _record(self, group: list[Arrival], record_time: int, first: int) -> Plan:
        """Plan a group and make it durable; any failure stops this writer for good."""
        try:
            plan = self._admission.plan(group, record_time, first)
            self._at_point("planned")
            if plan.entries:
                self._store(plan)
        except OSError as error:
            self._stopped = str(error)
            raise StorageFailed(error, "Appending") from error
        except BaseException as error:
            self._stopped = str(error) or type(error).__name__
            raise
        return plan

    def _store(self, plan: Plan) -> None:
        """Quarantine, bundles and tiles, then the checkpoint, then the witness."""
        storage, durable, old_size = self.snapshot.storage, self._durable, self.size
        if plan.files:
            durable.put((f"{QUARANTINE}/{name}", data) for name, data in plan.files.items())
            self._at_point("quarantined")
        frontier = self.snapshot.view.frontier.copy()
        tail = tiles_of(durable.put, frontier, self._tail, plan.entries)
        self._at_point("tiled")
        if storage.read(CHECKPOINT) != self.snapshot.note:
            raise OvertakenByAnother(CHECKPOINT)
        checkpoint = Checkpoint(self.origin, frontier.size, frontier.root())
        note = checkpoint.signed(self._signer)
        durable.put([(CHECKPOINT, note)])
        self._tail = tail
        self.snapshot.advance(note, checkpoint, frontier)
        self._at_point("signed")
        if self._witness is not None:
            self._witness.replace(note)
            self._at_point("witnessed")
        for tile in superseded(old_size, frontier.size):
            remove_partials(storage, durable, tile)
        index = self.snapshot.index()
        for stream, rows in plan.rows.items():
            index.add(stream, rows)
        if frontier.size - self._saved >= SAVED_EVERY:
            self._save_cache()

    def _save_cache(self) -> None:
        folder = self.snapshot.cache_folder
        if folder is not None and self._saved != self.size:
            self._saved = self.size
            cache.save(folder, self.origin, self.root, self._known, self.snapshot.index())


Put = Callable[[Iterable[tuple[str, bytes]]], None]


def tiles_of(put: Put, frontier: Frontier, tail: list[bytes], entries: list[bytes]) -> list[bytes]:
    """Put the bundles and tiles that entries add to a tree; the entries of its partial bundle."""
    before = set(right_edge(frontier.size))
    put(_files(frontier, tail, entries, before))
    rest = frontier.size % WIDTH
    return (tail + entries)[-rest:] if rest else []


def _files(
    frontier: Frontier, tail: list[bytes], entries: list[bytes], before: set[Tile]
) -> Iterator[tuple[str, bytes]]:
    """Paths and bytes of bundles and tiles, in the order in which they are made."""
    waiting = tail + entries
    fresh = len(tail)
    first = frontier.size // WIDTH
    for at in range(0, len(waiting), WIDTH):
        bundle = waiting[at : at + WIDTH]
        if max(map(len, bundle)) > ENTRY_BYTES:
            raise AssertionError("an entry is longer than a bundle can say")
        leaves = [sha256(b"\x00" + entry).digest() for entry in bundle[fresh:]]
        fresh = 0
        yield Tile(ENTRIES, first + at // WIDTH, len(bundle)).path, pack(bundle)
        for tile, data in frontier.push(leaves):
            yield tile.path, data
    for tile, data in frontier.partials():
        if tile not in before:
            yield tile.path, data


# ---------------------------------------------------------------- opening


def init(
    folder: Path,
    *,
    origin: str,
    property: str,
    record_time: int,
    key: Path | None = None,
    signer: Signer | None = None,
    storage: Storage | None = None,
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
            return _begin(storage, str(folder), origin, property, record_time, key, signer)
        finally:
            storage.unlock()
    except OSError as error:
        raise StorageFailed(error, "Making the ledger") from error


def _begin(
    storage: Storage,
    folder: str,
    origin: str,
    property: str,
    record_time: int,
    key: Path | None,
    signer: Signer | None,
) -> Verifier:
    if CHECKPOINT in storage.names(""):
        raise LedgerExists(folder)
    own = make_keys(storage, origin, key, signer)
    durable = Durable(storage)
    durable.clear_temporary()
    cut_torn_tail(storage, durable, 0)
    began = Began(
        record_time=record_time, format_version=FORMAT_VERSION, origin=origin, property=property
    )
    frontier = Frontier()
    tiles_of(durable.put, frontier, [], [encode(began)])
    checkpoint = Checkpoint(origin, 1, frontier.root())
    durable.put([(CHECKPOINT, checkpoint.signed(own))])
    return own.verifier


def open_log(
    folder: Path,
    *,
    key: Path | None = None,
    witness: Path | None = None,
    group_entries: int = GROUP_ENTRIES,
    storage: Storage | None = None,
    cache_folder: Path | None = None,
    at_point: AtPoint = _pass,
) -> FileLog:
    """Open a ledger as its one writer: lock it, check it, cut a torn tail.

    Args:
        folder: where it is.
        key: where the private key lies if not in ``keys/signer``.
        witness: a checkpoint kept elsewhere that the ledger must continue.
        group_entries: how many arrivals become durable together.
        storage: in place of the folder, for tests.
        cache_folder: in place of ``cache/``, with ``storage``.
        at_point: told of each step of an append, for tests.
    """
    if storage is None:
        storage = DirectoryStorage(folder)
        cache_folder = folder / CACHE
    try:
        if CHECKPOINT not in storage.names(""):  # so that a missing ledger is not called locked
            open_snapshot(storage, str(folder), None)
        storage.lock()
    except OSError as error:
        raise StorageFailed(error, "Opening the ledger") from error
    try:
        snapshot = open_snapshot(storage, str(folder), cache_folder, writable=True)
        signer = read_signer(storage, key, snapshot.verifier)
        own_witness = None if witness is None else Witness(witness)
        if own_witness is not None:
            own_witness.check(snapshot)
        durable = Durable(storage)
        durable.clear_temporary()
        cut_torn_tail(storage, durable, snapshot.size)
        sweep(storage, durable, snapshot.size)
        return FileLog(
            snapshot, signer, own_witness, group_entries=group_entries, at_point=at_point
        )
    except OSError as error:
        storage.unlock()
        raise StorageFailed(error, "Opening the ledger") from error
    except BaseException:
        storage.unlock()
        raise
