"""A log as it stood at an earlier size: what was known when something was signed."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.log.errors import PositionUnknown
from ledger.log.ledger_at_checkpoint import FileSnapshot
from ledger.log.merkle import leaf_hash
from ledger.log.port import Accepted, Entry, Quarantined, ReadableLog
from ledger.log.tiles import Frontier


class EarlierLog:
    """The first entries of a log, under the root that it had then.

    Args:
        log: the log as it stands.
        size: how many entries it had.

    Raises:
        PositionUnknown: it has fewer.
    """

    def __init__(self, log: ReadableLog, size: int) -> None:
        if not 0 < size <= log.size:
            raise PositionUnknown(size, log.size)
        self._log = log
        self._size = size
        files = files_of(log)
        self._root = _root(log, size) if files is None else files.root_at(size)

    @property
    def later(self) -> ReadableLog:
        """The log as it stands."""
        return self._log

    @property
    def origin(self) -> str:
        """The name in its checkpoints."""
        return self._log.origin

    @property
    def size(self) -> int:
        """How many entries it had."""
        return self._size

    @property
    def root(self) -> bytes:
        """The tree hash of its entries then."""
        return self._root

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, Entry]]:
        """Position and entry, decoded."""
        return self._log.entries(start, self._end(stop))

    def bundles(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, list[bytes]]]:
        """Raw entries by the bundle."""
        return self._log.bundles(start, self._end(stop))

    def read(self, position: int) -> Entry:
        """One entry."""
        if not 0 <= position < self._size:
            raise PositionUnknown(position, self._size)
        return self._log.read(position)

    def quarantined(self, sha256: bytes) -> bytes:
        """The whole bytes of a quarantined arrival."""
        return self._log.quarantined(sha256)

    def last_offsets(self) -> dict[tuple[str, int], tuple[int, int]]:
        """Per (topic, partition) the highest offset that was recorded by then."""
        last: dict[tuple[str, int], tuple[int, int]] = {}
        for position, entry in self.entries():
            where = entry.coordinates if isinstance(entry, Accepted | Quarantined) else None
            if where is not None:
                key = (where.topic, where.partition)
                last[key] = max(last.get(key, (-1, -1)), (where.offset, position))
        return last

    def _end(self, stop: int | None) -> int:
        return self._size if stop is None else min(stop, self._size)


def files_of(log: ReadableLog) -> FileSnapshot | None:
    """Return the folder that a log reads, at whatever size; None where it reads none."""
    if isinstance(log, EarlierLog):
        return files_of(log.later)
    files = getattr(log, "snapshot", log)  # of a log that is open for appending
    return files if isinstance(files, FileSnapshot) else None


def _root(log: ReadableLog, size: int) -> bytes:
    frontier = Frontier()
    for _, entries in log.bundles(0, size):
        for _ in frontier.push([leaf_hash(entry) for entry in entries]):
            pass
    return frontier.root()
