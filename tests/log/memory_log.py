"""A log in memory: the same answers as the files give, gone when the process ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from ledger.log.admission import Admission, fact_lookup
from ledger.log.entry import decode, encode, unwrap
from ledger.log.errors import PositionUnknown, TreeBroken
from ledger.log.index import Index
from ledger.log.known_keys_and_offsets import AppendState
from ledger.log.merkle import leaf_hash
from ledger.log.port import (
    FORMAT_VERSION,
    GROUP_ENTRIES,
    TROUBLES,
    Accepted,
    Appended,
    Arrival,
    Began,
    Entry,
    Trouble,
)
from ledger.log.tiles import WIDTH, Frontier


class MemoryLog:
    """A log that lives in this process.

    Args:
        origin: its name.
        property: whose floor it is.
        record_time: when it began, microseconds UTC.
    """

    def __init__(self, *, origin: str, property: str, record_time: int) -> None:
        self.origin = origin
        self._entries: list[bytes] = []
        self._frontier = Frontier()
        self._files: dict[str, bytes] = {}
        self._known = AppendState()
        self._index = Index(None, self._known)
        self._admission = Admission(self._known, fact_lookup(self._index, self._framed_at))
        began = Began(
            record_time=record_time,
            format_version=FORMAT_VERSION,
            origin=origin,
            property=property,
        )
        self._grow([encode(began)])
        self._known.size = 1

    @property
    def size(self) -> int:
        """How many entries it holds."""
        return len(self._entries)

    @property
    def root(self) -> bytes:
        """The tree hash of its entries."""
        return self._frontier.root()

    def append(self, arrivals: Iterable[Arrival], record_time: int) -> Appended:
        """Record arrivals."""
        source, first = iter(arrivals), 0
        accepted = repeated = conflicts = quarantined = 0
        troubles: list[Trouble] = []
        while group := list(islice(source, GROUP_ENTRIES)):
            plan = self._admission.plan(group, record_time, first)
            first += len(group)
            self._grow(list(plan.entries))
            self._files.update(plan.files)
            for stream, rows in plan.rows.items():
                self._index.add(stream, rows)
            accepted += plan.accepted
            repeated += plan.repeated
            conflicts += plan.conflicts
            quarantined += plan.quarantined
            troubles += plan.troubles[: TROUBLES - len(troubles)]
        return Appended(
            accepted=accepted,
            repeated=repeated,
            conflicts=conflicts,
            quarantined=quarantined,
            troubles=tuple(troubles),
            size=self.size,
            root=self.root,
        )

    def close(self) -> None:
        """Nothing to let go of."""

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, Entry]]:
        """Position and entry, decoded."""
        for first, bundle in self.bundles(start, stop):
            for position, raw in enumerate(bundle, first):
                yield position, decode(raw)

    def bundles(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, list[bytes]]]:
        """Raw entries by the bundle."""
        end = self.size if stop is None else min(stop, self.size)
        while start < end:
            after = min(end, (start // WIDTH + 1) * WIDTH)
            yield start, self._entries[start:after]
            start = after

    def read(self, position: int) -> Entry:
        """One entry."""
        if not 0 <= position < self.size:
            raise PositionUnknown(position, self.size)
        return decode(self._entries[position])

    def quarantined(self, sha256: bytes) -> bytes:
        """The whole bytes of a quarantined arrival."""
        data = self._files.get(sha256.hex())
        if data is None:
            raise TreeBroken("quarantined bytes are missing", None, sha256.hex())
        return data

    def last_offsets(self) -> dict[tuple[str, int], tuple[int, int]]:
        """Per (topic, partition) the highest recorded offset and the position of its entry."""
        return dict(self._known.offsets)

    def recorded_bytes(self, topic: str, partition: int) -> bytes | None:
        """The bytes recorded under the highest offset of a partition; None if there are none."""
        last = self._known.offsets.get((topic, partition))
        if last is None:
            return None
        entry = self.read(last[1])
        if isinstance(entry, Accepted):
            return entry.framed
        return self.quarantined(getattr(entry, "sha256", b""))

    def index(self) -> Index:
        """Where each fact stands."""
        return self._index

    def _framed_at(self, positions: list[int]) -> dict[int, bytes]:
        found = ((position, unwrap(self._entries[position])) for position in positions)
        return {position: pair[1] for position, pair in found if pair is not None}

    def _grow(self, entries: list[bytes]) -> None:
        self._entries += entries
        for _ in self._frontier.push([leaf_hash(entry) for entry in entries]):
            pass
