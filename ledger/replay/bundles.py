"""The bytes of a log, a bundle at a time, with a bounded number of them kept.

A log hands out no bundle that it has not led back to its signed root, so every byte that a walk
sees was checked when it was fetched, and what is kept here was checked once.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from ledger.log.port import ReadableLog

WIDTH: Final = 256
"""Entries of a bundle, as in the ledger's files."""
KEPT_BYTES: Final = 48 * 1024 * 1024
"""How many bytes of bundles are kept: more than a busy gaming day."""


class Bundles:
    """Fetches bundles, and keeps those last used for all walks of a replay.

    Args:
        log: where they are.
        size: entries of the log when it was indexed.
    """

    def __init__(self, log: ReadableLog, size: int) -> None:
        self._log = log
        self._size = size
        self._kept: OrderedDict[int, bytes] = OrderedDict()
        self._kept_bytes = 0
        self.fetched = 0

    def __call__(self, number: int) -> bytes:
        """The entries of a bundle, joined."""
        kept = self._kept.get(number)
        if kept is not None:
            self._kept.move_to_end(number)
            return kept
        first, stop = number * WIDTH, min(number * WIDTH + WIDTH, self._size)
        parts = self._log.bundles(first, stop)
        joined = b"".join([b"".join(entries) for _, entries in parts])
        self.fetched += 1
        self._kept[number] = joined
        self._kept_bytes += len(joined)
        while self._kept_bytes > KEPT_BYTES and len(self._kept) > 1:
            _, gone = self._kept.popitem(last=False)
            self._kept_bytes -= len(gone)
        return joined
