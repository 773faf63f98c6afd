"""The hash of a stream's prefix: a key for what was computed from it.

It covers all that a walk can show of the prefix: the framed bytes by ``seq``, so a fact that comes
late changes it; the conflicts; and the merge times where strays were found, since those may hang
on facts after the prefix. Record times and positions are not in it: the same facts in another
ledger have the same hash.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from hashlib import sha256

import numpy as np

from ledger.replay.index import MARK_EVERY
from ledger.replay.stream_index import StreamIndex

FramedOf = Callable[[StreamIndex, int], bytes]
"""The framed event of a row of a stream."""


def prefix_hash(
    index: StreamIndex | None, until_seq: int, framed_of: FramedOf, opening_state: bytes = b""
) -> bytes:
    """Return the SHA-256 (32 bytes) of the facts of a stream up to and with a sequence number.

    Args:
        index: of the stream; None for one without a fact, which has the hash of an empty prefix.
            New states of the hash are kept in its ``marks``.
        until_seq: the last number that counts.
        framed_of: reads the framed event of a row.
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
    for row in range(start, stop):
        state.update(framed_of(index, row))
        if not (row + 1) % MARK_EVERY:
            marks.add(row + 1, index.seq_of(row), state)
    whole = sha256(state.digest())
    rivals = np.unique(index.conflicts["seq"])
    whole.update(rivals[rivals <= until_seq].astype("<i8").tobytes())
    if index.has_strays:
        whole.update(b"strays" + index.times[:stop].astype("<i8").tobytes())
    whole.update(opening_state)
    return whole.digest()
