"""The state an append needs of the entries before it: keys, schemas, offsets, quarantined bytes.

Known keys are intervals per stream, so memory grows with gaps and not with events.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import field
from hashlib import sha256
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ledger.kernel.quick_dataclass import dataclass
from ledger.log.stream_writers import StreamWriters

_NONE: Final = np.empty(0, np.int64)


class Spans:
    """The numbers seen in one stream, as intervals."""

    __slots__ = ("highs", "lows", "top")

    def __init__(self) -> None:
        self.lows: list[int] = []
        self.highs: list[int] = []
        self.top = 0
        """The highest number seen."""

    def __contains__(self, seq: int) -> bool:
        at = bisect_left(self.highs, seq)
        return at < len(self.highs) and self.lows[at] <= seq

    def add(self, seq: int) -> bool:
        """Note a number; False if it was there."""
        lows, highs = self.lows, self.highs
        if seq == self.top + 1 and highs:
            highs[-1] = self.top = seq
            return True
        at = bisect_left(highs, seq)
        if at < len(highs) and lows[at] <= seq:
            return False
        joins_left = at > 0 and highs[at - 1] == seq - 1
        joins_right = at < len(lows) and lows[at] == seq + 1
        if joins_left and joins_right:
            highs[at - 1] = highs[at]
            del lows[at], highs[at]
        elif joins_left:
            highs[at - 1] = seq
        elif joins_right:
            lows[at] = seq
        else:
            lows.insert(at, seq)
            highs.insert(at, seq)
        self.top = highs[-1]
        return True

    def add_run(self, low: int, high: int) -> None:
        """Note a run of numbers above all others."""
        if self.highs and low == self.top + 1:
            self.highs[-1] = high
        else:
            self.lows.append(low)
            self.highs.append(high)
        self.top = high

    def numbers(self) -> NDArray[np.int64]:
        """All numbers, rising."""
        runs = zip(self.lows, self.highs, strict=True)
        return np.concatenate([_NONE, *(np.arange(low, high + 1) for low, high in runs)])

    def intervals(self) -> list[tuple[int, int]]:
        """First and last of each run of numbers."""
        return list(zip(self.lows, self.highs, strict=True))

    def gaps(self) -> list[tuple[int, int]]:
        """First and last of each run of missing numbers below the highest."""
        out, expected = [], 1
        for low, high in zip(self.lows, self.highs, strict=True):
            if low > expected:
                out.append((expected, low - 1))
            expected = high + 1
        return out


def spans_of(intervals: list[tuple[int, int]]) -> Spans:
    """The spans of a list of intervals, ascending and apart."""
    spans = Spans()
    spans.lows = [low for low, _ in intervals]
    spans.highs = [high for _, high in intervals]
    spans.top = spans.highs[-1] if spans.highs else 0
    return spans


def quarantine_mark(reason: str, digest: bytes) -> bytes:
    """By what the same bytes with the same reason are known again."""
    return sha256(reason.encode() + b"\x00" + digest).digest()[:16]


@dataclass(slots=True)
class AppendState:
    """What the entries of a log say that the next append needs."""

    size: int = 0
    keys: dict[str, Spans] = field(default_factory=dict)
    schemas: set[bytes] = field(default_factory=set)
    """Ids as they stand in the framing: 4 bytes, big-endian."""
    offsets: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)
    """(topic, partition) -> highest recorded offset, and the position of its entry."""
    marks: set[bytes] = field(default_factory=set)
    writers: StreamWriters = field(default_factory=StreamWriters)

    def note_offset(self, topic: str, partition: int, offset: int, position: int) -> None:
        """Note where an entry came from.

        Args:
            topic: the Kafka topic.
            partition: its partition.
            offset: the record's offset there.
            position: the entry's place in the log.
        """
        last = self.offsets.get((topic, partition))
        if last is None or offset > last[0]:
            self.offsets[topic, partition] = (offset, position)
