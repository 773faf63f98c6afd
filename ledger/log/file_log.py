"""The ledger in a folder: append that is durable when it returns, by one writer at a time."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import Final

from ledger.log import cache
from ledger.log.admission import Admission, Plan, fact_lookup
from ledger.log.checkpoint import Checkpoint
from ledger.log.entry import encode
from ledger.log.errors import (
    NotWhole,
    OvertakenByAnother,
    StorageFailed,
    TreeBroken,
    WriterOutOfDisk,
    WriterStopped,
)
from ledger.log.index import Index
from ledger.log.intent import INTENT, Intent
from ledger.log.keys import read_signer
from ledger.log.ledger_at_checkpoint import (
    CACHE,
    CHECKPOINT,
    QUARANTINE,
    FileSnapshot,
    open_snapshot,
)
from ledger.log.note import Signer
from ledger.log.openings import Sealer, clear_openings
from ledger.log.port import (
    GROUP_ENTRIES,
    TROUBLES,
    Appended,
    Arrival,
    Entry,
    KeyRotated,
    Trouble,
)
from ledger.log.storage import DirectoryStorage, Durable, Storage
from ledger.log.tile_files import remove_partials, superseded, sweep
from ledger.log.tile_writer import TileWriter
from ledger.log.tiles import WIDTH, Frontier
from ledger.log.unsigned_tail import TailSetAside, clear_tail
from ledger.log.verified_tree import load_frontier
from ledger.log.witness import Witness
from ledger.log.witness_network import (
    WITNESSED,
    Witnessed,
    WitnessNetwork,
    checkpoint_with_quorum,
    network_of,
)

SAVED_EVERY: Final = 16_384
"""After how many entries the cache is written."""

AtPoint = Callable[[str], None]
"""Called at each named point of an append: planned, quarantined, intended, sealed, tiled, signed,
witnessed, cosigned."""


def _pass(_: str) -> None:
    """Go on."""


class FileLog:
    """A ledger open for appending; ``open_log`` makes one.

    Args:
        snapshot: the ledger as it is read.
        signer: its private key.
        witness: a checkpoint kept elsewhere, or None.
        network: witnesses on other machines, or None.
        group_entries: how many arrivals become durable together.
        at_point: told of each step, for tests.
    """

    def __init__(
        self,
        snapshot: FileSnapshot,
        signer: Signer,
        witness: Witness | None = None,
        *,
        network: WitnessNetwork | None = None,
        group_entries: int = GROUP_ENTRIES,
        at_point: AtPoint = _pass,
    ) -> None:
        self.snapshot = snapshot
        self._signer = signer
        self._witness = witness
        self._network = network
        self._group_entries = group_entries
        self._at_point = at_point
        self._durable = Durable(snapshot.storage)
        self._known, index = snapshot.entries_state()
        self._sealer = Sealer(snapshot.openings, snapshot.storage) if snapshot.is_sealed else None
        self._admission = Admission(
            self._known, fact_lookup(index, snapshot.framed_at), self._sealer, snapshot.raw
        )
        self._saved = self._known.size
        self._stopped: WriterStopped | WriterOutOfDisk | None = None
        self._is_closed, self._saves_after = False, 1
        self.set_aside: TailSetAside | None = None
        """What an interrupted append had left and was set aside when this writer opened."""
        rest = snapshot.size % WIDTH
        self._tail = snapshot.tree.bundle(snapshot.size // WIDTH) if rest else []

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
        self._check()
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
            if self.size - self._saved >= self._saves_after:
                self._save_cache()
            self._is_closed = True
        self._stopped = self._stopped or WriterStopped("it was closed")
        self.snapshot.storage.unlock()

    def reopen(self, key: Path | None = None) -> bool:
        """Be the one writer again after ``close``, if nobody wrote in the meantime.

        What ``open_log`` does beyond that hangs on what others may have left: it is left out where
        the checkpoint is the one that this writer put there, no append was begun since, and the
        end of the tree is what was signed. A ledger that seals, or that has witnesses on other
        machines, is opened anew: keys and witnesses may be others.

        Args:
            key: where the private key lies, as for ``open_log``.

        Returns:
            False where the ledger has to be opened anew; it is not locked then.

        Raises:
            LedgerLocked: another writer has it open.
            KeyMissing, KeyMismatch, KeyUnreadable: the private key is not where it was.
        """
        storage, snapshot = self.snapshot.storage, self.snapshot
        if not self._is_closed or self._sealer is not None or self._witness is not None:
            return False
        storage.lock()
        try:
            is_ours = (
                network_of(storage) is None
                and storage.read(CHECKPOINT) == snapshot.note
                and INTENT not in storage.names("")
                and load_frontier(storage.read, self.size).root() == self.root
                and (not self._tail or snapshot.tree.bundle(self.size // WIDTH) == self._tail)
            )
            self._signer = read_signer(storage, key, snapshot.verifier)
        except (OSError, TreeBroken):  # whoever opens it anew is told where it is broken
            is_ours = False
        except BaseException:
            storage.unlock()
            raise
        if is_ours:
            self._stopped, self._is_closed = None, False
            self._saves_after = WIDTH  # whoever opens it next reads as many entries at most
        else:
            storage.unlock()
        return is_ours

    def __enter__(self) -> FileLog:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append_whole(self, arrivals: Iterable[Arrival], record_time: int) -> Appended:
        """Record arrivals under one checkpoint: all of them, or none.

        Memory is flat: bundles and tiles are written as they come, and count only once the
        checkpoint stands. What came before a failure is a torn tail, set aside on the next open.

        Raises:
            NotWhole: an arrival is no fact, or contradicts one; nothing was recorded.
        """
        self._check()
        self._require_witnesses()
        tile_writer = TileWriter(self.snapshot.tree.frontier.copy(), self._tail)
        with self._stopping():
            source, first, counts = iter(arrivals), 0, [0, 0]
            while group := list(islice(source, self._group_entries)):
                plan = self._admission.plan(group, record_time, first)
                if plan.troubles or plan.files:
                    raise NotWhole(plan.troubles[0].arrival if plan.troubles else first)
                first += len(group)
                counts[0] += plan.accepted
                counts[1] += plan.repeated
                self._write_tiles(plan, tile_writer)
            if tile_writer.frontier.size > self.size:
                self._sign(tile_writer)
        return Appended(
            accepted=counts[0], repeated=counts[1], conflicts=0, quarantined=0, troubles=(),
            size=self.size, root=self.root,
        )  # fmt: skip

    def _check(self) -> None:
        """Refuse to append to a ledger that stopped, or that does not continue what was seen."""
        if self._stopped is not None:
            raise self._stopped
        if self._witness is not None:
            self._witness.check(self.snapshot)

    def witnessed(self) -> Witnessed | None:
        """Return how far witnesses on other machines have seen the ledger; None if it has none."""
        return None if self._network is None else self._network.status(self.size)

    def show_witnesses(self, *, urgent: bool = False) -> None:
        """Show the present checkpoint to the witnesses, and keep their signatures under it.

        Args:
            urgent: also ask those who have only just not answered.

        Raises:
            WitnessInconsistent: one of them saw another history, or a longer one.
        """
        if self._network is None:
            return
        policy, snapshot = self._network.policy, self.snapshot
        before = set(policy.cosigned_by(snapshot.note))
        note = self._network.cosign(snapshot, urgent=urgent)
        if not set(policy.cosigned_by(note)) > before:
            return
        files = [(CHECKPOINT, note)]
        if checkpoint_with_quorum(policy, note, self.origin) is not None:
            files.append((WITNESSED, note))
        self._durable.put(files)
        snapshot.note = note
        self._at_point("cosigned")

    def _require_witnesses(self) -> None:
        """Refuse to go on where more entries than allowed are not witnessed.

        Raises:
            WitnessesUnreachable: they are too many, and still nobody answers.
        """
        if self._network is not None and self._network.unwitnessed(self.size) > self._network.limit:
            self.show_witnesses(urgent=True)
            self._network.require(self.size)

    def signature(self, text: bytes) -> bytes:
        """Return the ledger's signature over a text: Ed25519, 64 bytes."""
        return self._signer.signature(text)

    def record_rotation(self, rotated: KeyRotated) -> bytes:
        """Record that another key signs from here on; the checkpoint that this key signed."""
        with self._stopping():
            tile_writer = TileWriter(self.snapshot.tree.frontier.copy(), self._tail)
            self._write_tiles(Plan(self.size, [encode(rotated)]), tile_writer)
            self._sign(tile_writer)
        return self.snapshot.note

    @contextmanager
    def _stopping(self) -> Iterator[None]:
        """Any failure stops this writer for good."""
        try:
            yield
        except OSError as error:
            self._stopped = WriterOutOfDisk(str(error))
            raise StorageFailed(error, "Appending") from error
        except BaseException as error:
            self._stopped = WriterStopped(str(error) or type(error).__name__)
            raise

    def _record(self, group: list[Arrival], record_time: int, first: int) -> Plan:
        """Plan a group and make it durable."""
        self._require_witnesses()
        with self._stopping():
            plan = self._admission.plan(group, record_time, first)
            self._at_point("planned")
            if plan.entries:
                tile_writer = TileWriter(self.snapshot.tree.frontier.copy(), self._tail)
                self._write_tiles(plan, tile_writer)
                self._sign(tile_writer)
        return plan

    def _write_tiles(self, plan: Plan, tile_writer: TileWriter) -> None:
        """Quarantine, bundles and tiles of a group: nothing counts yet."""
        if plan.files:
            self._durable.put((f"{QUARANTINE}/{name}", data) for name, data in plan.files.items())
            self._at_point("quarantined")
        if not plan.entries:
            return
        tile_writer.sizes.append(tile_writer.frontier.size)
        tiles = tile_writer.grow(plan.entries)
        self._intend(tile_writer.frontier)
        if self._sealer is not None:
            stop = tile_writer.frontier.size
            self._durable.put(self._sealer.files(plan.position, stop, plan.openings))
            self._at_point("sealed")
        self._durable.put(chain(tile_writer.bundles(plan.entries), tiles))
        for stream, rows in plan.rows.items():
            tile_writer.rows.setdefault(stream, array("q")).extend(rows)
        self._at_point("tiled")

    def _intend(self, frontier: Frontier) -> None:
        """Say, signed and durable, what is about to be written; then only is it written."""
        if self.snapshot.storage.read(CHECKPOINT) != self.snapshot.note:
            raise OvertakenByAnother(CHECKPOINT)
        intent = Intent(
            origin=self.origin, size=self.size, root=self.root,
            next_size=frontier.size, next_root=frontier.root(),
        )  # fmt: skip
        self._durable.put([(INTENT, intent.signed(self._signer))])
        self._at_point("intended")

    def _sign(self, tile_writer: TileWriter) -> None:
        """The checkpoint over the tiles that were written, then the witness."""
        storage, durable = self.snapshot.storage, self._durable
        if storage.read(CHECKPOINT) != self.snapshot.note:
            raise OvertakenByAnother(CHECKPOINT)
        frontier = tile_writer.frontier
        checkpoint = Checkpoint(self.origin, frontier.size, frontier.root())
        note = checkpoint.signed(self._signer)
        durable.put([(CHECKPOINT, note)])
        self._tail = tile_writer.tail
        self.snapshot.advance(note, checkpoint, frontier)
        self._at_point("signed")
        durable.remove(INTENT)
        if self._witness is not None:
            self._witness.replace(note)
            self._at_point("witnessed")
        self.show_witnesses()
        for before, after in pairwise([*tile_writer.sizes, frontier.size]):
            for tile in superseded(before, after):
                remove_partials(storage, durable, tile)
        index = self.snapshot.index()
        for stream, rows in tile_writer.rows.items():
            index.add(stream, rows)
        if frontier.size - self._saved >= SAVED_EVERY:
            self._save_cache()

    def _save_cache(self) -> None:
        folder = self.snapshot.cache_folder
        if folder is not None and self._saved != self.size:
            self._saved = self.size
            cache.save(folder, self._signer, self.root, self._known, self.snapshot.index())


# ---------------------------------------------------------------- opening


def open_log(
    folder: Path,
    *,
    key: Path | None = None,
    witness: Path | None = None,
    network: WitnessNetwork | None = None,
    group_entries: int = GROUP_ENTRIES,
    storage: Storage | None = None,
    cache_folder: Path | None = None,
    at_point: AtPoint = _pass,
) -> FileLog:
    """Open a ledger as its one writer: lock it, check it, set a torn tail aside.

    Args:
        folder: where it is.
        key: where the private key lies if not in ``keys/signer``.
        witness: a checkpoint kept elsewhere that the ledger must continue.
        network: witnesses on other machines; None asks those that the ledger's policy names.
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
        network = network or network_of(storage)
        if network is not None:
            network.look_back(snapshot)
        durable = Durable(storage)
        durable.clear_temporary()
        moved = clear_tail(storage, durable, snapshot)
        sweep(storage, durable, snapshot.size)
        if snapshot.is_sealed:
            clear_openings(storage, snapshot.size)
        log = FileLog(
            snapshot, signer, own_witness,
            network=network, group_entries=group_entries, at_point=at_point,
        )  # fmt: skip
        log.set_aside = moved
        log.show_witnesses()
        return log
    except OSError as error:
        storage.unlock()
        raise StorageFailed(error, "Opening the ledger") from error
    except BaseException:
        storage.unlock()
        raise
