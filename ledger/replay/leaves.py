"""Entries and their leaf hashes, by position: what ties a day to the signed tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ledger.log.merkle import leaf_hash
from ledger.log.tiles import HASH, WIDTH, unpack
from ledger.replay.replay_items import RecordedEntry
from ledger.replay.walk import StreamPart, places_of

_BLOCK: Final = 4096
"""How many positions become numbers of Python at a time."""


def leaf_hashes(bundles: Callable[[int], bytes], positions: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the RFC 6962 leaf hash of each entry, a row of 32 bytes each; read every bundle once.

    Args:
        bundles: reads a bundle by its number.
        positions: of the entries, in any order; the rows come in the same order.
    """
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


def recorded(
    bundles: Callable[[int], bytes],
    signed: Callable[[int], bytes],
    parts: Sequence[tuple[str, StreamPart]],
) -> Iterator[RecordedEntry]:
    """Yield the entries of these stretches of streams as they were recorded first, by position.

    Args:
        bundles: reads a bundle by its number, opened.
        signed: reads it as it was signed.
        parts: the name of each stream, and its stretch.
    """
    places = [places_of(part) for _, part in parts]
    positions = np.concatenate(places) if places else np.empty(0, np.int64)
    numbers = np.repeat(np.arange(len(places)), [len(one) for one in places])
    order = np.argsort(positions, kind="stable")
    current, entries, leaves = -1, [b""], [b""]
    for start in range(0, len(order), _BLOCK):
        rows = order[start : start + _BLOCK]
        block = zip(positions[rows].tolist(), numbers[rows].tolist(), strict=True)
        for position, number in block:
            if position // WIDTH != current:
                current = position // WIDTH
                entries = unpack(bundles(current))
                leaves = unpack(signed(current))
            at = position % WIDTH
            yield RecordedEntry(parts[number][0], position, entries[at], leaves[at])
