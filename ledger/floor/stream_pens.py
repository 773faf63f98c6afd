"""How a terminal numbers and stamps its facts: one pen per stream."""

from __future__ import annotations

from typing import Final, TypedDict

SECOND: Final = 1_000_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
LEAST_GAP: Final = 60_000
"""Facts of one table are never closer than this, in microseconds: three clock uncertainties."""


class Stamp(TypedDict):
    """The five fields with which every fact begins."""

    stream: str
    seq: int
    event_time: int
    source: str
    recorded_by: str | None


class Pen:
    """Writes one stream: each stamp takes the next number."""

    __slots__ = ("seq", "source", "stream")

    def __init__(self, stream: str, source: str) -> None:
        self.stream = stream
        self.source = source
        self.seq = 0

    def stamp(self, at: int, by: str | None) -> Stamp:
        """The first five fields of the next fact of this stream."""
        self.seq += 1
        return {
            "stream": self.stream,
            "seq": self.seq,
            "event_time": at,
            "source": self.source,
            "recorded_by": by,
        }
