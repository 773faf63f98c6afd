"""The hash of a stream's prefix: a key for what was computed from it.

It covers all that a walk can show of the prefix: the framed bytes by ``seq``, so a fact that comes
late changes it; the conflicts; and the merge times where strays were found, since those may hang
on facts after the prefix. Record times and positions are not in it: the same facts in another
ledger have the same hash.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Final

import numpy as np

from ledger.log.tiles import WIDTH
from ledger.replay.row_blocks import Rows
from ledger.replay.stream_index import StreamIndex

MARK_EVERY: Final = 4_096
"""Facts between two kept states of a stream's hash."""


def prefix_hash(
    index: StreamIndex | None,
    until_seq: int,
    bundle: Callable[[int], bytes],
    opening_state: bytes = b"",
) -> bytes:
    """Return the SHA-256 (32 bytes) of the facts of a stream up to and with a sequence number.

    Args:
        index: of the stream; None for one without a fact, which has the hash of an empty prefix.
            New states of the hash are kept in its ``marks``.
        until_seq: the last number that counts.
        bundle: reads a bundle by its number.
        opening_state: of a log that seals; a secret, so that the hash tells nobody else whether
            what was erased may have been this or that.
    """
    if index is None:
        return sha256(sha256().digest()).digest()
    stop = index.row_at_seq(until_seq + 1)
    marks = index.marks
    at = bisect_right(marks.counts, stop) - 1
    start = marks.counts[at] if at >= 0 else 0
    state = marks.states[at].copy() if at >= 0 else sha256()
    while start < stop:
        until = min((start // MARK_EVERY + 1) * MARK_EVERY, stop)
        state.update(b"".join(_framed(index.rows_between(start, until), bundle)))
        if not until % MARK_EVERY:
            marks.add(until, index.seq_of(until - 1), state)
        start = until
    whole = sha256(state.digest())
    rivals = np.unique(index.conflicts["seq"])
    whole.update(rivals[rivals <= until_seq].astype("<i8").tobytes())
    if index.has_strays:
        whole.update(b"strays" + index.times[:stop].astype("<i8").tobytes())
    whole.update(opening_state)
    return whole.digest()


def _framed(rows: Rows, bundle: Callable[[int], bytes]) -> Iterator[bytes]:
    """Yield the framed events of rows; a bundle is fetched once for those that follow in it."""
    number, packed = -1, b""
    columns = (rows[name].tolist() for name in ("position", "offset", "length"))
    for position, offset, length in zip(*columns, strict=True):
        if position // WIDTH != number:
            number = position // WIDTH
            packed = bundle(number)
        yield packed[offset : offset + length]
