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

from ledger.replay.index import MARK_EVERY, StreamIndex

FramedOf = Callable[[StreamIndex, int], bytes]
"""The framed event of a row of a stream."""


def prefix_hash(index: StreamIndex | None, until_seq: int, framed_of: FramedOf) -> bytes:
    """The hash of the facts of a stream up to and with a seq.

    Args:
        index: that of the stream; None where the log has no fact of it.
        until_seq: the last number that is hashed.
        framed_of: gives the framed bytes of a row.

    Returns:
        SHA-256, 32 bytes; of nothing where there is no fact up to there.
    """
    if index is None:
        return sha256(sha256().digest()).digest()
    stop = int(np.searchsorted(index.rows["seq"], until_seq, side="right"))
    marks = index.marks
    at = bisect_right(marks.counts, stop) - 1
    start = marks.counts[at] if at >= 0 else 0
    state = marks.states[at].copy() if at >= 0 else sha256()
    for row in range(start, stop):
        state.update(framed_of(index, row))
        if not (row + 1) % MARK_EVERY:
            marks.add(row + 1, int(index.rows["seq"][row]), state)
    whole = sha256(state.digest())
    rivals = np.unique(index.conflicts["seq"])
    whole.update(rivals[rivals <= until_seq].astype("<i8").tobytes())
    if index.has_strays:
        whole.update(b"strays" + index.times[:stop].astype("<i8").tobytes())
    return whole.digest()
