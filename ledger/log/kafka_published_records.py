"""Which records of a ledger the topics hold already, so that publishing again sends only the rest.

The topics themselves are asked, byte for byte, and nothing else is believed: no position is kept
anywhere. Records of others between ours do no harm; where in doubt a fact is sent again, and the
ledgers that read it count it as repeated.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from hashlib import blake2b
from time import monotonic
from typing import Final

from ledger.log.kafka_client import OutOfRange, Place, Reader
from ledger.log.kafka_errors import KafkaUnreachable
from ledger.log.kafka_settings import KafkaSettings

AHEAD: Final = 20_000
"""How far a partition is read ahead of the fact that is looked for."""
POLL_RECORDS: Final = 10_000
POLL_SECONDS: Final = 0.5


class _Window:
    """The records of one partition that are read and not yet passed."""

    __slots__ = ("end", "last_seen", "marks", "next", "passed")

    def __init__(self, begin: int, end: int) -> None:
        self.next = begin
        self.end = end
        self.passed = 0
        self.marks: deque[bytes] = deque()
        self.last_seen: dict[bytes, int] = {}

    def add(self, mark: bytes) -> None:
        self.last_seen[mark] = self.passed + len(self.marks)
        self.marks.append(mark)

    def find(self, mark: bytes) -> bool:
        """Whether a record is in the window; all up to it are then passed."""
        if mark not in self.last_seen:
            return False
        while True:
            first = self.marks.popleft()
            if self.last_seen.get(first) == self.passed:
                del self.last_seen[first]
            self.passed += 1
            if first == mark:
                return True


class SentRecords:
    """Answers, for records in the order in which they would be sent, whether they are there.

    Args:
        settings: how the broker is reached.
        places: the partitions.
    """

    def __init__(self, settings: KafkaSettings, places: Sequence[Place]) -> None:
        self._settings = settings
        self._reader = Reader(settings, POLL_RECORDS)
        limits = self._reader.limits(places)
        self._windows = {
            place: _Window(begin, end) for place, (begin, end) in limits.items() if end > begin
        }
        self._reading: Place | None = None

    def has(self, place: Place, key: bytes | None, payload: bytes) -> bool:
        """Whether this record stands in the partition, after the one last found."""
        window = self._windows.get(place)
        if window is None:
            return False
        if len(window.marks) < AHEAD // 2:
            self._fill(place, window)
        return window.find(_mark(key, payload))

    def close(self) -> None:
        """Let go of the connection."""
        self._reader.close()

    def _fill(self, place: Place, window: _Window) -> None:
        """Read one partition on until its window is full or it is at its end."""
        deadline = monotonic() + self._settings.timeout_seconds
        while window.next < window.end and len(window.marks) < AHEAD:
            if self._reading != place:
                self._reader.start({place: window.next})
                self._reading = place
            try:
                polled = self._reader.poll(POLL_SECONDS)
            except OutOfRange:  # cut off meanwhile: what is not seen is sent again
                self._windows.clear()
                return
            for record in polled.get(place, ()):
                if record.offset < window.end:
                    window.add(_mark(record.key, record.value))
                window.next = record.offset + 1
            if polled:
                deadline = monotonic() + self._settings.timeout_seconds
            elif monotonic() > deadline:
                raise KafkaUnreachable("reading what is there", str(place), "nothing comes")


def _mark(key: bytes | None, payload: bytes | None) -> bytes:
    """A key and value, in 16 bytes."""
    head = b"-" if key is None else b"%d:%b" % (len(key), key)
    return blake2b(head + b"\x00" + (payload or b""), digest_size=16).digest()
