"""Where each fact stands: per stream, by ``seq``, its position; and how many facts each date has.

Places lie in one file per stream, 5 bytes each, in order of arrival; their numbers follow from the
intervals of the stream, and where it did not arrive in order they lie in a file of their own. They
are only ever a shortcut. Every answer is checked against the entry it points at, and a damaged file
is made again.
"""

from __future__ import annotations

import os
import zlib
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ledger.kernel import MICROSECONDS
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.known_keys_and_offsets import AppendState, Spans

PLACE_BYTES: Final = 5
"""A position in its file: little-endian, so that a ledger may have a million million entries."""
SPILL_ROWS: Final = 160_000
"""How many rows a writer keeps in memory."""
DAY: Final = 86_400 * MICROSECONDS
Rows = NDArray[np.int64]
"""Shape (n, 2): seq, position."""
Numbers = NDArray[np.int64]


class CacheWrong(Exception):  # never leaves ledger.log: the cache is then made again
    """A file of the cache is not what was written."""


@dataclass(slots=True)
class StreamRows:
    """The rows of one stream, in order of arrival: so many in its files, the rest in memory.

    Attributes:
        stored: rows in its files.
        crc: checksum of the file of places.
        crc_of_seqs: checksum of the file of numbers; there is one where ``rising`` is false.
        last: the number that arrived last.
        rising: whether the order of arrival was the order of ``seq``.
        checked: whether the files were held against their checksums.
        spans: its numbers as intervals, while ``rising``.
        places: positions of the rows in memory.
        seqs: numbers that are in no file, where ``rising`` is false.
    """

    stored: int = 0
    crc: int = 0
    crc_of_seqs: int = 0
    last: int = 0
    rising: bool = True
    checked: bool = True
    spans: Spans = field(default_factory=Spans)
    places: bytearray = field(default_factory=bytearray)
    seqs: bytearray = field(default_factory=bytearray)

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self.stored + len(self.places) // 8

    def add(self, seqs: Numbers, places: Numbers) -> None:
        """Add rows in order of arrival."""
        if self.rising and not (seqs[0] > self.last and (seqs[1:] > seqs[:-1]).all()):
            self.rising = False
            self.seqs += self.spans.numbers().tobytes()
            self.spans = Spans()
        if self.rising:
            breaks = np.flatnonzero(np.diff(seqs) != 1) + 1
            for run in np.split(seqs, breaks):
                self.spans.add_run(int(run[0]), int(run[-1]))
        else:
            self.seqs += seqs.tobytes()
        self.last = int(seqs[-1])
        self.places += places.tobytes()


def places_file(stream: str) -> str:
    """The name of a stream's file of positions."""
    return sha256(stream.encode()).hexdigest()[:32] + ".places"


def seqs_file(stream: str) -> str:
    """The name of a stream's file of numbers."""
    return sha256(stream.encode()).hexdigest()[:32] + ".seqs"


class Index:
    """Positions of the accepted facts of a log, and how many there are of each date.

    Args:
        folder: where the rows are kept; None keeps them in memory.
        known: the intervals of each stream, for the gaps.
        writable: whether rows may be written to the folder, now and then.
    """

    def __init__(self, folder: Path | None, known: AppendState, *, writable: bool = False) -> None:
        self.folder = folder
        self.known = known
        self._table: dict[str, StreamRows] = {}
        self._dates: dict[str, dict[int, int]] = {}
        self._added: dict[str, array[int]] = {}
        self._writable = writable and folder is not None
        self._in_memory = 0
        self._rebuild: Callable[[], Index] | None = None

    @property
    def table(self) -> dict[str, StreamRows]:
        """The rows of each stream."""
        self._take_in()
        return self._table

    @property
    def dates(self) -> dict[str, dict[int, int]]:
        """Stream -> day in UTC, as days since 1970 -> how many facts."""
        self._take_in()
        return self._dates

    def take_over(self, table: dict[str, StreamRows], dates: dict[str, dict[int, int]]) -> None:
        """Put these rows and dates in place of those that are there."""
        self._table, self._dates, self._added = table, dates, {}

    def attach(self, rebuild: Callable[[], Index]) -> None:
        """Say how an index of the same log is made again, in memory, from its entries."""
        self._rebuild = rebuild

    def streams(self) -> list[str]:
        """The names of all streams, in the order of their bytes."""
        return sorted(self.table, key=str.encode)

    def positions(self, stream: str) -> Rows:
        """Rows (seq, position) of a stream, by ``seq``; empty for an unknown one."""
        if stream not in self.table:
            return np.empty((0, 2), np.int64)
        try:
            rows = self._load(stream)
        except CacheWrong:
            self.recover()
            rows = self._load(stream)
        if self.table[stream].rising:
            return rows
        return rows[np.argsort(rows[:, 0], kind="stable")]

    def gaps(self, stream: str) -> list[tuple[int, int]]:
        """First and last of each run of missing numbers below the stream's highest."""
        spans = self.known.keys.get(stream)
        return spans.gaps() if spans else []

    def find(self, stream: str, seqs: Iterable[int]) -> list[int]:
        """The position of each fact; -1 for one that is not in the index."""
        wanted = np.fromiter(seqs, np.int64)
        rows = self.positions(stream)
        if not len(rows):
            return [-1] * len(wanted)
        at = np.minimum(np.searchsorted(rows[:, 0], wanted), len(rows) - 1)
        positions = np.where(rows[at, 0] == wanted, rows[at, 1], -1)
        out: list[int] = positions.tolist()
        return out

    def add(self, stream: str, rows: Sequence[int]) -> None:
        """Add rows (seq, position, event time, flat) in order of arrival.

        They are laid down once somebody asks: many at once cost little more than a few.
        """
        self._added.setdefault(stream, array("q")).extend(rows)
        self._in_memory += len(rows) // 3
        if self._in_memory > SPILL_ROWS:
            self.flush()

    def _take_in(self) -> None:
        """Lay down what was added."""
        added, self._added = self._added, {}
        for stream, rows in added.items():
            seqs, places, times = np.frombuffer(rows, np.int64).reshape(-1, 3).T
            self._table.setdefault(stream, StreamRows()).add(seqs, places)
            own = self._dates.setdefault(stream, {})
            dates, counts = np.unique(times // DAY, return_counts=True)
            for day, count in zip(dates.tolist(), counts.tolist(), strict=True):
                own[day] = own.get(day, 0) + count

    def flush(self) -> None:
        """Write the rows in memory to their files; a reader keeps them in memory."""
        self._in_memory, table = 0, self.table
        if not self._writable or self.folder is None:
            return
        for stream, own in table.items():
            if not own.places:
                continue
            if not own.rising:
                stored = own.count - len(own.seqs) // 8
                _append(self.folder / seqs_file(stream), own.seqs, stored * 8)
                own.crc_of_seqs = zlib.crc32(own.seqs, own.crc_of_seqs)
                own.seqs = bytearray()
            places = _narrow(np.frombuffer(bytes(own.places), np.int64))
            _append(self.folder / places_file(stream), places, own.stored * PLACE_BYTES)
            own.crc = zlib.crc32(places, own.crc)
            own.stored = own.count
            own.places = bytearray()

    def _load(self, stream: str) -> Rows:
        own = self.table[stream]
        places = np.frombuffer(bytes(own.places), np.int64)
        seqs = own.spans.numbers() if own.rising else np.frombuffer(bytes(own.seqs), np.int64)
        if own.stored and self.folder is not None:
            raw = self._stored(places_file(stream), own.stored * PLACE_BYTES, own.crc, own)
            places = np.concatenate([_widened(raw), places])
            earlier = own.count - len(seqs)
            if not own.rising and earlier:
                raw = self._stored(seqs_file(stream), earlier * 8, own.crc_of_seqs, own)
                seqs = np.concatenate([np.frombuffer(raw, np.int64), seqs])
            own.checked = True
        if len(seqs) != len(places):
            raise CacheWrong(stream)
        return np.stack([seqs, places], axis=1)

    def _stored(self, name: str, length: int, crc: int, own: StreamRows) -> bytes:
        assert self.folder is not None
        try:
            with open(self.folder / name, "rb") as file:
                raw = file.read(length)
        except OSError as error:
            raise CacheWrong(name) from error
        if len(raw) != length or not (own.checked or zlib.crc32(raw) == crc):
            raise CacheWrong(name)
        return raw

    def recover(self) -> None:
        """Take the rows from the entries again: an answer did not fit its entry."""
        if self._rebuild is None:
            raise CacheWrong("no entries to rebuild from")
        rebuilt = self._rebuild()
        self.take_over(rebuilt.table, rebuilt.dates)


def clear(folder: Path) -> None:
    """Remove the files of rows, those of earlier versions, too."""
    for suffix in ("places", "seqs", "rows"):
        for path in folder.glob(f"*.{suffix}"):
            os.unlink(path)


def _append(path: Path, more: bytes | bytearray, at: int) -> None:
    """Write at the end of what is known of a file."""
    with open(path, "r+b" if at else "wb") as file:
        file.seek(at)
        file.write(more)
        file.truncate()


def _narrow(places: Numbers) -> bytes:
    return places.astype("<i8").view(np.uint8).reshape(-1, 8)[:, :PLACE_BYTES].tobytes()


def _widened(raw: bytes) -> Numbers:
    wide = np.zeros((len(raw) // PLACE_BYTES, 8), np.uint8)
    wide[:, :PLACE_BYTES] = np.frombuffer(raw, np.uint8).reshape(-1, PLACE_BYTES)
    return wide.view("<i8").ravel()
