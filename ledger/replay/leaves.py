"""The leaf hashes of entries, by position: what ties a day to the signed tree."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ledger.log.merkle import leaf_hash
from ledger.log.tiles import HASH, WIDTH, unpack


def leaf_hashes(bundles: Callable[[int], bytes], positions: NDArray[np.int64]) -> NDArray[np.uint8]:
    """The RFC 6962 leaf hash of each entry, a row of 32 bytes each; every bundle is read once."""
    out = np.empty((len(positions), HASH), np.uint8)
    numbers = positions // WIDTH
    order = np.argsort(numbers, kind="stable")
    starts = np.flatnonzero(np.diff(numbers[order], prepend=-1))
    for start, stop in zip(starts, [*starts[1:], len(order)], strict=True):
        mine = order[start:stop]
        entries = unpack(bundles(int(numbers[mine[0]])))
        joined = b"".join(leaf_hash(entries[at]) for at in (positions[mine] % WIDTH).tolist())
        out[mine] = np.frombuffer(joined, np.uint8).reshape(-1, HASH)
    return out
