"""What the log put aside: rivals of accepted facts, and bytes that are no fact."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ledger.log.entry import decode
from ledger.log.port import Quarantined
from ledger.log.tiles import WIDTH
from ledger.replay.replay_items import Conflict, Unreadable
from ledger.replay.row_blocks import Rows

BundleOf = Callable[[int], bytes]
"""Reads a bundle by its number."""


def conflicts(bundles: BundleOf, stream: str, rows: Rows | tuple[()]) -> Iterator[Conflict]:
    """Yield the quarantined rivals of a stream's facts, in the order of the rows.

    Args:
        bundles: reads a bundle of the log by its number.
        stream: the stream whose facts they contradict.
        rows: the rows of the quarantine's index that are of this stream.
    """
    for position, entry in _quarantined(bundles, rows):
        if entry.conflicts_with is not None:
            yield Conflict(
                stream=stream,
                seq=entry.conflicts_with.seq,
                position=position,
                accepted_position=entry.conflicts_with.position,
                record_time=entry.record_time,
                sha256=entry.sha256,
            )


def unreadable(bundles: BundleOf, rows: Rows | tuple[()]) -> Iterator[Unreadable]:
    """Yield the quarantined bytes that are no fact, in the order of the rows."""
    for position, entry in _quarantined(bundles, rows):
        yield Unreadable(
            position=position,
            reason=entry.reason,
            record_time=entry.record_time,
            sha256=entry.sha256,
            length=entry.length,
            key=entry.key,
            topic=None if entry.coordinates is None else entry.coordinates.topic,
            framed=entry.head,
        )


def _quarantined(bundles: BundleOf, rows: Rows | tuple[()]) -> Iterator[tuple[int, Quarantined]]:
    for row in rows:
        _, _, position, offset, length, *_ = row.item()
        entry = decode(bundles(position // WIDTH)[offset : offset + length])
        if isinstance(entry, Quarantined):
            yield position, entry
