"""Where each fact stands: per stream, by ``seq``, its position and event time.

Rows lie in one file per stream, 24 bytes each, in order of arrival; they are only ever a shortcut.
Every answer is checked against the entry it points at, and a damaged file is made again.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ledger.log.known_keys_and_offsets import AppendState

ROW_BYTES: Final = 24
SPILL_BYTES: Final = 4_000_000
"""How many bytes of rows a writer keeps in memory."""
Rows = NDArray[np.int64]
"""Shape (n, 3): seq, position, event time."""


class CacheWrong(Exception):  # never leaves ledger.log: the cache is then made again
    """A file of the cache is not what was written."""


@dataclass(slots=True)
class StreamRows:
    """The rows of one stream: so many in its file, the rest in memory."""

    stored: int = 0
    crc: int = 0
    last: int = 0
    rising: bool = True
    """Whether the order of arrival was the order of ``seq``."""
    checked: bool = True
    tail: bytearray = field(default_factory=bytearray)

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self.stored + len(self.tail) // ROW_BYTES


def rows_file(stream: str) -> str:
    """The name of a stream's file."""
    return sha256(stream.encode()).hexdigest()[:32] + ".rows"


class Index:
    """Positions and event times of the accepted facts of a log.

    Args:
        folder: where the rows are kept; None keeps them in memory.
        known: the intervals of each stream, for the gaps.
        writable: whether rows may be written to the folder, now and then.
    """

    def __init__(self, folder: Path | None, known: AppendState, *, writable: bool = False) -> None:
        self.folder = folder
        self.known = known
        self.table: dict[str, StreamRows] = {}
        self._writable = writable and folder is not None
        self._in_memory = 0
        self._rebuild: Callable[[], Index] | None = None

    def attach(self, rebuild: Callable[[], Index]) -> None:
        """Say how an index of the same log is made again, in memory, from its entries."""
        self._rebuild = rebuild

    def streams(self) -> list[str]:
        """The names of all streams, in the order of their bytes."""
        return sorted(self.table, key=str.encode)

    def positions(self, stream: str) -> Rows:
        """Rows (seq, position, event time) of a stream, by ``seq``; empty for an unknown one."""
        if stream not in self.table:
            return np.empty((0, 3), np.int64)
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

    def add(self, stream: str, rows: list[int]) -> None:
        """Add rows (seq, position, event time, flat) in order of arrival."""
        own = self.table.setdefault(stream, StreamRows())
        added = np.array(rows, np.int64)
        seqs = added[::3]
        if own.rising:
            own.rising = bool(seqs[0] > own.last and (seqs[1:] > seqs[:-1]).all())
        own.last = int(seqs[-1])
        own.tail += added.tobytes()
        self._in_memory += len(rows) * 8
        if self._in_memory > SPILL_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write the rows in memory to their files; a reader keeps them in memory."""
        if not self._writable or self.folder is None:
            return
        self._in_memory = 0
        for stream, own in self.table.items():
            if own.tail:
                path = self.folder / rows_file(stream)
                with open(path, "r+b" if own.stored else "wb") as file:
                    file.seek(own.stored * ROW_BYTES)
                    file.write(own.tail)
                    file.truncate()
                own.crc = zlib.crc32(own.tail, own.crc)
                own.stored += len(own.tail) // ROW_BYTES
                own.tail = bytearray()

    def _load(self, stream: str) -> Rows:
        own = self.table[stream]
        parts = []
        if own.stored and self.folder is not None:
            parts.append(self._stored(self.folder / rows_file(stream), own))
        if own.tail:
            parts.append(np.frombuffer(bytes(own.tail), np.int64).reshape(-1, 3))
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _stored(self, path: Path, own: StreamRows) -> Rows:
        try:
            rows = np.fromfile(path, np.int64, own.stored * 3)
        except OSError as error:
            raise CacheWrong(path.name) from error
        if len(rows) != own.stored * 3:
            raise CacheWrong(path.name)
        if not own.checked:
            if zlib.crc32(rows.data) != own.crc:
                raise CacheWrong(path.name)
            own.checked = True
        return rows.reshape(-1, 3)

    def recover(self) -> None:
        """Take the rows from the entries again: an answer did not fit its entry."""
        if self._rebuild is None:
            raise CacheWrong("no entries to rebuild from")
        self.table = self._rebuild().table


def clear(folder: Path) -> None:
    """Remove the files of rows."""
    for path in folder.glob("*.rows"):
        os.unlink(path)
