"""The merge: facts of several streams in one order, with the doubts where they lie.

Order: merge time; then offices before tables; then byte order of the stream; then seq. A marker
takes the place of the fact it stands beside, and nothing comes between the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AnySet
from heapq import merge
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ledger.codec import Undecodable
from ledger.codec import decode as decode_fact
from ledger.log.tiles import WIDTH
from ledger.replay.bundles import Bundles
from ledger.replay.errors import EntryWrong
from ledger.replay.replay_items import Doubt, DoubtBegins, DoubtEnds, FactStep, Step
from ledger.replay.stream_index import KIND_UNKNOWN, StreamIndex, kind_numbers

BLOCK: Final = 4_096
"""Rows of a stream that are taken out of its arrays at a time."""
FEW_OF_A_BUNDLE: Final = 8
"""So few facts are read quicker one by one than with the other 250 of their bundle."""
MOST_KEPT: Final = 50_000
"""Decoded facts that are kept at most: more than a table has on a busy day, some 50 MB."""
HEAD: Final = 5
"""Bytes that say which schema a framed event has."""

KeptFacts: TypeAlias = dict[int, tuple[bytes, FactStep]]
"""Decoded facts by position, each with the first ``HEAD`` bytes of its framed event."""

_Row = tuple[int, int, int, int, int, int]
"""Merge time, rank, number in its stream, position, offset, length: a fact."""
_Marker = tuple[int, int, int, DoubtBegins | DoubtEnds]
"""Merge time, rank, number in its stream, marker."""


class StreamPart(NamedTuple):
    """A stretch [low, high) of a stream's rows that a walk goes through.

    Attributes:
        stream: the index of the stream.
        low: its first row.
        high: the row after its last one.
        stated: the last sequence number by a control total; 0 where none was given.
    """

    stream: StreamIndex
    low: int
    high: int
    stated: int


def part_of(index: StreamIndex, since: int | None, until: int | None, stated: int) -> StreamPart:
    """Return the rows of a stream whose merge time lies in [since, until), microseconds UTC.

    Args:
        index: of the stream.
        since: inclusive; None: from its beginning.
        until: exclusive; None: to its end.
        stated: the last sequence number by a control total; 0 where none was given.
    """
    low = 0 if since is None else index.row_at_time(since)
    high = index.ends.facts if until is None else index.row_at_time(until)
    return StreamPart(index, low, max(low, high), stated)


def times_around(index: StreamIndex | None, moment: int) -> tuple[int | None, int | None]:
    """Return the merge times of the last fact before a moment and of the first at or after it."""
    if index is None:
        return None, None
    at = index.row_at_time(moment)
    after = index.time_of(at) if at < index.ends.facts else None
    return index.time_of(at - 1) if at else None, after


def places_of(part: StreamPart) -> NDArray[np.int64]:
    """Return the positions at which the facts of a stretch were recorded first, by number."""
    rows = part.stream.rows_between(part.low, part.high)
    places = rows["position"].astype(np.int64)
    for seq, before in part.stream.amended.items():
        at = int(np.searchsorted(rows["seq"], seq))
        if at < len(rows) and int(rows["seq"][at]) == seq:
            places[at] = before.place.position
    return places


def walk(
    parts: list[StreamPart],
    bundles: Bundles,
    nameless: dict[str, int],
    only: frozenset[bytes] | None = None,
    kept: KeptFacts | None = None,
) -> Iterator[Step]:
    """Merge these stretches; the order is that of the module's first lines.

    Args:
        parts: in the order in which equal times are resolved.
        bundles: the verified bytes.
        nameless: by stream without any fact, the last number that a control total states.
        only: the first ``HEAD`` bytes of the framed events that are wanted; the others are not
            decoded. None: all of them.
        kept: facts that were decoded before; what is decoded is added. None keeps none.

    Raises:
        EntryWrong: an accepted fact cannot be decoded by this version.
        IntegrityBroken: bytes are not what was signed.
    """
    for stream, last in nameless.items():
        yield DoubtBegins(
            kind=Doubt.GAP, stream=stream, first_seq=1, last_seq=last, at=None, ends_at=None
        )
    openings = [_gap_before(part, part.low) for part in parts]
    yield from (opening for opening in openings if opening is not None)
    kinds = None
    if only is not None:
        numbers = kind_numbers()
        wanted = {numbers.get(head, KIND_UNKNOWN) for head in only} | {KIND_UNKNOWN}
        kinds = np.array(sorted(wanted), np.uint16)
    rows = [
        _rows(part, rank, kinds, opening)
        for rank, (part, opening) in enumerate(zip(parts, openings, strict=True))
        if part.high > part.low
    ]
    current, packed, is_sparse = -1, b"", _is_sparse(parts)
    for row in merge(*rows) if len(rows) > 1 else chain(*rows):
        if len(row) == 4:
            yield row[3]
            continue
        at, _, _, position, offset, length = row
        if not length:
            continue  # withdrawn
        if kept is not None and position in kept:
            head, step = kept[position]
            if only is None or head in only:
                yield step
            continue
        if is_sparse:
            framed = bundles.part(position // WIDTH, offset, length)
        else:
            if position // WIDTH != current:
                current = position // WIDTH
                packed = bundles(current)
            framed = packed[offset : offset + length]
        if only is not None and framed[:HEAD] not in only:
            continue
        try:
            fact = decode_fact(framed)
        except Undecodable as refusal:
            raise EntryWrong(position, f"an accepted fact is {refusal.reason}") from refusal
        step = FactStep(fact, position, at)
        if kept is not None and len(kept) < MOST_KEPT:
            kept[position] = framed[:HEAD], step
        yield step


def _is_sparse(parts: list[StreamPart]) -> bool:
    """Whether few facts of a bundle lie in these stretches, so that none should be read whole."""
    facts = sum(part.high - part.low for part in parts)
    ends = [
        int(part.stream.rows_between(row, row + 1)["position"][0])
        for part in parts
        if part.high > part.low
        for row in (part.low, part.high - 1)
    ]
    return bool(ends) and facts * WIDTH < FEW_OF_A_BUNDLE * (max(ends) - min(ends))


def _rows(
    part: StreamPart, rank: int, kinds: NDArray[np.uint16] | None, gap: DoubtBegins | None
) -> Iterator[_Row | _Marker]:
    """The facts and markers of one stretch, in rising order; of facts only those of some kinds.

    Args:
        part: the stretch; it has rows.
        rank: its place among those with which it is merged.
        kinds: of the facts that are wanted; None: all of them.
        gap: the gap right before it.
    """
    index, low, high, _ = part
    number, rivals = 0, set(index.conflicts["seq"].tolist()) if len(index.conflicts) else set()
    for row, at, fact, seq_before, before in _facts_of(part, kinds, rivals):
        seq, _, position, offset, length, _, _ = fact
        if seq != seq_before + 1:
            if row > low:  # the gap lies within the stretch: it begins right after a fact
                gap = _gap(index.stream, seq_before + 1, seq - 1, before, at)
                if gap is not None:
                    yield before, rank, number, gap
                    number += 1
            if gap is not None:
                yield at, rank, number, _end(gap)
                number += 1
        if seq in rivals:
            doubt = _conflict(index.stream, seq, before if row else None, at)
            yield at, rank, number, doubt
            yield at, rank, number + 1, position, offset, length
            yield at, rank, number + 2, _end(doubt)
            number += 3
        else:
            yield at, rank, number, position, offset, length
            number += 1
    closing = _gap_before(part, high)
    if closing is not None:
        yield index.time_of(high - 1), rank, number, closing


def _facts_of(
    part: StreamPart, kinds: NDArray[np.uint16] | None, rivals: AnySet[int]
) -> Iterator[tuple[int, int, tuple[int, ...], int, int]]:
    """The facts of a stretch of these kinds, and those beside which a doubt lies.

    Returns:
        Of each its row, its merge time, the columns of ``ROW``, and number and merge time of the
        fact before it (0 for the first of the stream).
    """
    index, low, high, _ = part
    seq_before, before = (index.seq_of(low - 1), index.time_of(low - 1)) if low else (0, 0)
    for start in range(low, high, BLOCK):
        stop = min(start + BLOCK, high)
        block, times = index.rows_between(start, stop), index.times_between(start, stop)
        if kinds is None:
            for row, (at, fact) in enumerate(
                zip(times.tolist(), block.tolist(), strict=True), start
            ):
                yield row, at, fact, seq_before, before
                seq_before, before = fact[0], at
            continue
        seqs = block["seq"]
        seqs_before, times_before = _shifted(seq_before, seqs), _shifted(before, times)
        is_chosen = np.isin(block["kind"], kinds) | (seqs != seqs_before + 1)
        if rivals:
            is_chosen |= np.isin(seqs, np.array(sorted(rivals), np.int64))
        chosen = np.flatnonzero(is_chosen)
        columns = (times, block, seqs_before, times_before)
        yield from zip(
            (chosen + start).tolist(),
            *(column[chosen].tolist() for column in columns),
            strict=True,
        )
        seq_before, before = int(seqs[-1]), int(times[-1])


def _shifted(before: int, column: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each row the number in the row before it; ``before`` for the first one."""
    return np.concatenate([np.array([before], np.int64), column[:-1]])


def _gap_before(part: StreamPart, place: int) -> DoubtBegins | None:
    """The gap right before a row, or after the last one by the control total."""
    index = part.stream
    first = index.seq_of(place - 1) + 1 if place else 1
    before = index.time_of(place - 1) if place else None
    if place == index.ends.facts:
        return _gap(index.stream, first, part.stated, before, None)
    last = index.seq_of(place) - 1
    return _gap(index.stream, first, last, before, index.time_of(place))


def _gap(
    stream: str, first: int, last: int, at: int | None, ends_at: int | None
) -> DoubtBegins | None:
    if last < first:
        return None
    return DoubtBegins(
        kind=Doubt.GAP, stream=stream, first_seq=first, last_seq=last, at=at, ends_at=ends_at
    )


def _conflict(stream: str, seq: int, at: int | None, ends_at: int) -> DoubtBegins:
    return DoubtBegins(
        kind=Doubt.CONFLICT, stream=stream, first_seq=seq, last_seq=seq, at=at, ends_at=ends_at
    )


def _end(doubt: DoubtBegins) -> DoubtEnds:
    return DoubtEnds(
        kind=doubt.kind,
        stream=doubt.stream,
        first_seq=doubt.first_seq,
        last_seq=doubt.last_seq,
        at=doubt.at,
        ends_at=doubt.ends_at,
    )
