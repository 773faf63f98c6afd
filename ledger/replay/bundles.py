"""The bytes of a log, a bundle at a time, with a bounded number of them kept.

A log hands out no bundle that it has not led back to its signed root. That costs a hash per entry
and one per node, and tables that are walked one after the other need each bundle again; so while
the index is made, one SHA-256 of each full bundle of a folder is noted. Bytes read again that have
it are those that were led back; all others go through the log, which names the bad position.
What there is no memory for goes into a scratch file, which nobody else can open, and is read from
there without a proof: so tables walked one after the other prove each bundle once.

Bundles are handed out with their sealed entries opened; the hashes are over what was signed. What
was opened is never written into a file.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field
from hashlib import sha256
from typing import Final

from ledger.kernel.quick_dataclass import dataclass
from ledger.log import FileSnapshot
from ledger.log.log_at_earlier_size import files_of
from ledger.log.port import ReadableLog
from ledger.log.tiles import ENTRIES, WIDTH, Tile, pack, unpack
from ledger.replay.scratch_file import ScratchFile


@dataclass(slots=True)
class Noted:
    """The bundles that were read or proved.

    Attributes:
        numbers: of them.
        is_whole: whether no other entries were read.
    """

    numbers: set[int] = field(default_factory=set)
    is_whole: bool = True


_NOTED: Final[ContextVar[Noted | None]] = ContextVar("noted", default=None)
KEPT_BYTES: Final = 48 * 1024 * 1024
"""How many bytes of bundles are kept: more than a busy gaming day."""
SCRATCH_BYTES: Final = 4 << 30
"""How many bytes of bundles go into a scratch file: those of forty million facts."""


class Bundles:
    """Fetches bundles, and keeps those last used for all walks of a replay.

    Args:
        log: where they are.
        size: entries of the log when it was indexed.
        digests: SHA-256 of each full bundle as it was led back to the root, 32 bytes each; may
            be empty.
        keep: how many bytes of bundles are kept at most, but for the last one.
    """

    def __init__(self, log: ReadableLog, size: int, digests: bytes, keep: int = KEPT_BYTES) -> None:
        self._keep = keep
        self._log = log
        self._files = snapshot_of(log)
        whole = files_of(log)
        self._sealing = whole if whole is not None and whole.is_sealed else None
        self._size = size
        self._digests = digests
        self._scratch = ScratchFile(SCRATCH_BYTES if self._sealing is None else 0)
        self._places: dict[int, tuple[int, int]] = {}
        """Where bundles begin in the scratch file, and how long they are there."""
        self._kept: OrderedDict[int, bytes] = OrderedDict()
        self._kept_bytes = 0
        self.fetched = 0

    def __call__(self, number: int) -> bytes:
        """Return the entries of a bundle, each after its length as 16 bits (C2SP tlog-tiles).

        Raises:
            IntegrityBroken: the bytes are not what was signed.
        """
        kept = self._kept.get(number)
        if kept is not None:
            self._kept.move_to_end(number)
            return kept
        if (place := self._places.get(number)) is not None:
            packed = self._scratch.read(*place)
        else:
            packed = self._from_file(number) or self._from_log(number)
            self.fetched += 1
        noted = _NOTED.get()
        if noted is not None:
            noted.numbers.add(number)
        self._kept[number] = packed
        self._kept_bytes += len(packed)
        while self._kept_bytes > self._keep and len(self._kept) > 1:
            last_used, gone = self._kept.popitem(last=False)
            self._kept_bytes -= len(gone)
            if last_used not in self._places:
                self._spill(last_used, gone)
        return packed

    def part(self, number: int, offset: int, length: int) -> bytes:
        """Return some bytes of a bundle, as ``self(number)[offset : offset + length]``.

        What lies in the scratch file is not read whole for them, nor kept.

        Raises:
            IntegrityBroken: the bytes are not what was signed.
        """
        place = None if number in self._kept else self._places.get(number)
        if place is None:
            return self(number)[offset : offset + length]
        noted = _NOTED.get()
        if noted is not None:
            noted.numbers.add(number)
        begins, size = place
        return self._scratch.read(begins + offset, max(min(length, size - offset), 0))

    def _spill(self, number: int, packed: bytes) -> None:
        """Put a bundle into the scratch file, as far as there is room."""
        at = self._scratch.append(packed)
        if at is not None:
            self._places[number] = at, len(packed)

    def grown(self, log: ReadableLog, size: int, digests: bytes) -> Bundles:
        """Return the bundles of the same log, grown, with those that are kept and cannot change.

        Args:
            log: the log now.
            size: its entries.
            digests: as for the class.
        """
        grown = Bundles(log, size, digests, self._keep)
        whole = self._size // WIDTH
        grown._kept.update((n, packed) for n, packed in self._kept.items() if n < whole)
        grown._kept_bytes = sum(map(len, grown._kept.values()))
        grown._scratch = self._scratch
        grown._places = {n: place for n, place in self._places.items() if n < whole}
        return grown

    def _from_file(self, number: int) -> bytes | None:
        """The file of a bundle, if it is the one that was led back before."""
        digest = self._digests[32 * number : 32 * number + 32]
        if self._files is None or not digest:
            return None
        try:
            packed = self._files.storage.read(Tile(ENTRIES, number).path)
        except OSError:  # the log says better what is wrong
            return None
        if sha256(packed).digest() != digest:
            return None
        return packed if self._sealing is None else self._opened(number, packed, self._sealing)

    @staticmethod
    def _opened(number: int, packed: bytes, files: FileSnapshot) -> bytes:
        return pack(files.opened(number * WIDTH, unpack(packed)))

    def signed(self, number: int) -> bytes:
        """Return a bundle as it was signed, packed likewise; it is not kept.

        Raises:
            IntegrityBroken: the bytes are not what was signed.
        """
        if self._sealing is None:
            return self(number)
        first, stop = number * WIDTH, min(number * WIDTH + WIDTH, self._size)
        signed = self._sealing.signed_bundles(first, stop)
        return b"".join([pack(entries) for _, entries in signed])

    def _from_log(self, number: int) -> bytes:
        """The bundle as the log hands it out."""
        first, stop = number * WIDTH, min(number * WIDTH + WIDTH, self._size)
        return b"".join([pack(entries) for _, entries in self._log.bundles(first, stop)])


@contextmanager
def noting_bundles() -> Iterator[Noted]:
    """Note every bundle that is read or proved.

    For an answer that is kept: it rests on these bundles. What other processes read is not noted.
    """
    noted = Noted()
    token = _NOTED.set(noted)
    try:
        yield noted
    finally:
        _NOTED.reset(token)


def is_noting() -> bool:
    """Whether bundles are noted."""
    return _NOTED.get() is not None


def note_bundles(numbers: Iterable[int]) -> None:
    """Note that bundles were proved, by their numbers."""
    noted = _NOTED.get()
    if noted is not None:
        noted.numbers.update(numbers)


def note_others() -> None:
    """Note that entries were read that are noted one by one nowhere."""
    noted = _NOTED.get()
    if noted is not None:
        noted.is_whole = False


def opening_state(log: ReadableLog) -> bytes:
    """Return what changes with whatever is erased in a log, 32 bytes; empty where it seals nothing.

    Offsets and hashes over opened entries hold for as long as it stays.
    """
    files = files_of(log)
    return files.openings.state() if files is not None and files.is_sealed else b""


def snapshot_of(log: ReadableLog) -> FileSnapshot | None:
    """Return the folder that a log reads; None for a log that is not read from files."""
    if isinstance(log, FileSnapshot):
        return log
    from ledger.log import FileLog  # the writer: who only reads is spared it

    return log.snapshot if isinstance(log, FileLog) else None
