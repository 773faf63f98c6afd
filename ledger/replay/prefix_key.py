"""A key for what was derived from a stream's prefix in one ledger, from the index and a bundle.

An entry of a log never changes, so the facts of a prefix are the same for as long as the log is
the same one. That it is, is what the hashes of the bundles before the last of these facts say, and
the bytes of the facts in that bundle itself; how many facts there are, and the rows of those that
were amended, say which of them count. Unlike ``prefix_hash`` it reads no other bundle and few rows,
and is another key in another ledger with the same facts.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ledger.log.tiles import WIDTH
from ledger.replay.row_blocks import Rows
from ledger.replay.stream_index import StreamIndex

if TYPE_CHECKING:
    from hashlib import _Hash

STEP: Final = 1 << 17
"""Bytes between two kept states of a hash."""
DIGEST: Final = 32


class PrefixHashes:
    """SHA-256 of the prefixes of some bytes, each from the nearest state that is kept.

    Args:
        content: the bytes.
    """

    __slots__ = ("_content", "_states")

    def __init__(self, content: bytes) -> None:
        self._content = memoryview(content)
        self._states = [sha256()]

    def until(self, stop: int) -> _Hash:
        """Return the hash of the first ``stop`` bytes, which may be updated further."""
        while (len(self._states)) * STEP <= stop:
            state = self._states[-1].copy()
            state.update(self._content[(len(self._states) - 1) * STEP : len(self._states) * STEP])
            self._states.append(state)
        state = self._states[stop // STEP].copy()
        state.update(self._content[stop // STEP * STEP : stop])
        return state


class PrefixKeys:
    """The keys of the prefixes of one stream.

    Args:
        index: of the stream.
        bundles: the hashes of the log's bundles, one after the other.
        bundle: reads a bundle by its number.
        opening_state: of a log that seals, as in ``prefix_hash``.
    """

    __slots__ = ("_bundle", "_bundles", "_highest", "_index", "_opening_state", "_rivals")

    def __init__(
        self,
        index: StreamIndex,
        bundles: PrefixHashes,
        bundle: Callable[[int], bytes],
        opening_state: bytes = b"",
    ) -> None:
        self._opening_state = opening_state
        self._index, self._bundles, self._bundle = index, bundles, bundle
        self._highest: NDArray[np.uint32] | None = None
        rivals = index.conflicts["seq"]  # np.unique loads a twentieth of numpy for this
        self._rivals = np.array(sorted({*rivals.tolist()}), rivals.dtype)

    def key(self, until_seq: int) -> bytes:
        """Return the key, 32 bytes, of the facts up to and with a sequence number."""
        index = self._index
        stop = index.row_at_seq(until_seq + 1)
        hasher = sha256(stop.to_bytes(8, "little"))
        if stop:
            number, rows = self._last_bundle(stop)
            hasher.update(self._bundles.until(number * DIGEST).digest())
            packed = self._bundle(number)
            for row in rows:
                _, _, position, offset, length, *_ = row.item()
                if position // WIDTH == number:
                    hasher.update(row.tobytes() + packed[offset : offset + length])
        for seq in sorted(seq for seq in index.amended if seq <= until_seq):
            at = index.row_at_seq(seq)
            hasher.update(index.rows_between(at, at + 1).tobytes())
        hasher.update(self._rivals[self._rivals <= until_seq].astype("<i8").tobytes())
        if index.has_strays:
            hasher.update(b"strays" + index.times[:stop].astype("<i8").tobytes())
        hasher.update(self._opening_state)
        return hasher.digest()

    def _last_bundle(self, stop: int) -> tuple[int, Rows]:
        """The last bundle with one of the first rows, and the rows among which its facts are."""
        blocks = self._index.blocks
        if blocks is not None:
            number = blocks.entry("position", stop - 1) // WIDTH
            return number, blocks.between(blocks.row_at("position", number * WIDTH), stop)
        rows = self._index.rows
        if self._highest is None:
            self._highest = np.maximum.accumulate(rows["position"])
        number = int(self._highest[stop - 1]) // WIDTH
        return number, rows[int(np.searchsorted(self._highest, number * WIDTH)) : stop]
