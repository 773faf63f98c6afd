"""What is odd about the facts of a stream, from the index alone: order and sources, as values.

Law: the Ledger contract, L.5 and L.6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from ledger.replay.index import SOURCES
from ledger.replay.replay_items import Gap, OutOfOrder, Registration, SourceDiffers
from ledger.replay.stream_index import StreamIndex
from ledger.replay.walk import BLOCK, StreamPart

SourceOf = Callable[[int], str]
"""The source of a row of the stream, read from its fact."""


def gaps(index: StreamIndex) -> Iterator[Gap]:
    """Yield the missing facts of a stream below the last one known, rising."""
    facts, first, last, *_ = index.ends
    if first > 1:
        yield Gap(index.stream, 1, first - 1)
    if facts == last - first + 1:
        return
    seqs = index.rows["seq"]
    for at in np.flatnonzero(seqs[1:] - seqs[:-1] > 1).tolist():
        yield Gap(index.stream, int(seqs[at]) + 1, int(seqs[at + 1]) - 1)


def out_of_order(part: StreamPart, tolerance_micros: int) -> Iterator[OutOfOrder]:
    """Yield the facts whose event time is further from their merge time than the tolerance.

    Law: the Ledger contract, L.5. The tolerance is in microseconds.
    """
    index, low, high, _ = part
    if index.is_rising:
        return
    for start in range(low, high, BLOCK):
        rows = index.rows_between(start, min(start + BLOCK, high))
        off = rows["time"] - index.times_between(start, start + len(rows))
        for at in np.flatnonzero(np.abs(off) > tolerance_micros).tolist():
            yield OutOfOrder(
                stream=index.stream,
                seq=int(rows["seq"][at]),
                position=int(rows["position"][at]),
                event_time=int(rows["time"][at]),
                off_micros=int(off[at]),
            )


def source_differs(
    part: StreamPart, registrations: Sequence[Registration], source_of: SourceOf
) -> Iterator[SourceDiffers]:
    """Yield the runs of facts whose source is not the one registered last before them.

    Law: the Ledger contract, L.6. Of several registrations of one moment each holds; the first in
    byte order is named.

    Args:
        part: the stretch of the stream.
        registrations: those of any stream, in any order.
        source_of: reads the source of a row, where the index no longer tells sources apart.
    """
    index, low, high, _ = part
    sources: dict[int, set[str]] = {}
    for registration in registrations:
        if registration.stream == index.stream:
            sources.setdefault(registration.since, set()).add(registration.source)
    begins = sorted(sources)
    cuts = [0, *(index.row_at_time(moment) for moment in begins), index.ends.facts]
    in_force = [set(), *(sources[moment] for moment in begins)]
    for allowed, (start, stop) in zip(in_force, pairwise(cuts), strict=True):
        registered = min(allowed, key=str.encode) if allowed else None
        span = StreamPart(index, max(start, low), min(stop, high), 0)
        for source, first, last in _runs(span, source_of):
            if source not in allowed:
                yield SourceDiffers(
                    stream=index.stream,
                    first_seq=index.seq_of(first),
                    last_seq=index.seq_of(last),
                    facts=last - first + 1,
                    at=index.time_of(first),
                    source=source,
                    registered=registered,
                )


def _runs(part: StreamPart, source_of: SourceOf) -> Iterator[tuple[str, int, int]]:
    """Source, first row and last row of each run of facts of one source."""
    index, low, high, _ = part
    first, current = low, ""
    for start in range(low, high, BLOCK):
        numbers = index.rows_between(start, min(start + BLOCK, high))["source"]
        changes = np.flatnonzero(numbers[1:] != numbers[:-1]) + 1
        overflown = np.flatnonzero(numbers == SOURCES)
        for at in sorted({0, *changes.tolist(), *overflown.tolist()}):
            number = int(numbers[at])
            source = index.sources[number] if number < SOURCES else source_of(start + at)
            if source != current and start + at > low:
                yield current, first, start + at - 1
                first = start + at
            current = source
    if high > low:
        yield current, first, high - 1
