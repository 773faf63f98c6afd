"""The log port over topics: append publishes, and what is read is what the topics hold.

What it gives: every arrival is durable on the broker when ``append`` returns; reading judges the
records by the same rules as every other log (accepted, repeated, conflict, quarantined), with the
same counts, troubles and entries; a log opened again on the same topics has the same facts, the
same quarantined bytes and the same conflicts.

What only a ledger can give, and this does not: a signed checkpoint, a witness, proofs. Positions,
record times and the root belong to this object: topics have no order across partitions and keep no
record time, so a log opened again may number its entries differently. Every entry carries the
coordinates that the topic gave it; those that an arrival claims are not kept. It holds all entries
in memory and means one writer at a time: it is the port's third form for tests and small tools,
while the product goes ``ingest`` -> ledger.

Of the contract suite it passes all that asks for the above; tests of signed roots across openings,
of coordinates handed in by the caller, and of arrivals longer than a topic takes do not apply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from ledger.log.index import Index
from ledger.log.kafka_client import Cluster, Sender
from ledger.log.kafka_errors import KafkaUnreachable, RecordTooLong
from ledger.log.kafka_publish import OVERHEAD
from ledger.log.kafka_registry import as_published
from ledger.log.kafka_settings import KafkaSettings
from ledger.log.kafka_source import Source
from ledger.log.kafka_wire import Router, in_topics
from ledger.log.port import GROUP_ENTRIES, TROUBLES, Appended, Arrival, Entry, Trouble
from tests.log.memory_log import MemoryLog


class KafkaLog:
    """A log whose arrivals lie in topics.

    Args:
        settings: how the broker is reached, and the prefix of the topics, which must exist.
        origin: its name.
        property: whose floor it is.
        record_time: when it was opened, microseconds UTC; what the topics hold is given this time.
    """

    def __init__(
        self, settings: KafkaSettings, *, origin: str, property: str, record_time: int
    ) -> None:
        self._settings = settings
        self._memory = MemoryLog(origin=origin, property=property, record_time=record_time)
        cluster = Cluster(settings)
        try:
            topics = cluster.topics(in_topics(settings.topic_prefix))
        finally:
            cluster.close()
        self._router = Router(settings.topic_prefix, topics, origin)
        self._source = Source(self._memory, settings, GROUP_ENTRIES, as_published)
        try:
            self._memory.append(self._new_records(), record_time)
            self._sender = Sender(settings)
        except BaseException:
            self._source.close()
            raise

    @property
    def origin(self) -> str:
        """Its name."""
        return self._memory.origin

    @property
    def size(self) -> int:
        """How many entries it holds."""
        return self._memory.size

    @property
    def root(self) -> bytes:
        """The tree hash of its entries, as this object numbers them."""
        return self._memory.root

    def append(self, arrivals: Iterable[Arrival], record_time: int) -> Appended:
        """Publish arrivals, read them back, and judge them; they are durable on the broker."""
        source, first = iter(arrivals), 0
        counts = [0, 0, 0, 0]
        troubles: list[Trouble] = []
        while group := list(islice(source, GROUP_ENTRIES)):
            done = self._append(group, record_time)
            for number, more in enumerate(
                (done.accepted, done.repeated, done.conflicts, done.quarantined)
            ):
                counts[number] += more
            troubles += [one._replace(arrival=first + one.arrival) for one in done.troubles]
            first += len(group)
        return Appended(
            accepted=counts[0],
            repeated=counts[1],
            conflicts=counts[2],
            quarantined=counts[3],
            troubles=tuple(troubles[:TROUBLES]),
            size=self.size,
            root=self.root,
        )

    def _append(self, group: list[Arrival], record_time: int) -> Appended:
        records = [self._router.arrival(arrival) for arrival in group]
        for number, record in enumerate(records):
            limit = self._settings.record_bytes - OVERHEAD
            if len(record.payload) > limit:
                raise RecordTooLong(number, len(record.payload), limit)
        for record in records:
            self._sender.send(*record)
        offsets = self._sender.settle()
        numbers = {
            (*record.place, offset): number
            for number, (record, offset) in enumerate(zip(records, offsets, strict=True))
        }
        own: list[Arrival | None] = [None] * len(group)
        others: list[Arrival] = []
        for arrival in self._new_records():
            place = arrival.topic or "", arrival.partition or 0, arrival.offset or 0
            if place in numbers:
                own[numbers[place]] = arrival
            else:
                others.append(arrival)
        done = self._memory.append([one for one in own if one is not None], record_time)
        self._memory.append(others, record_time)
        return done

    def _new_records(self) -> list[Arrival]:
        """What the topics hold beyond what was read."""
        self._source.to_the_end()
        out: list[Arrival] = []
        quiet = 0.0
        while self._source.remaining:
            polled = self._source.poll(0.5, bounded=True)
            if polled.gap is not None:
                raise polled.gap
            out += polled.arrivals
            quiet = 0.0 if polled.arrivals else quiet + 0.5
            if quiet > self._settings.timeout_seconds:
                raise KafkaUnreachable("reading", self._settings.bootstrap, "nothing comes")
        return out

    def close(self) -> None:
        """Let go of the connections."""
        self._sender.close()
        self._source.close()

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, Entry]]:
        """Position and entry, decoded."""
        return self._memory.entries(start, stop)

    def bundles(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, list[bytes]]]:
        """Raw entries by the bundle."""
        return self._memory.bundles(start, stop)

    def read(self, position: int) -> Entry:
        """One entry."""
        return self._memory.read(position)

    def quarantined(self, sha256: bytes) -> bytes:
        """The whole bytes of a quarantined arrival."""
        return self._memory.quarantined(sha256)

    def last_offsets(self) -> dict[tuple[str, int], tuple[int, int]]:
        """Per (topic, partition) the highest recorded offset and the position of its entry."""
        return self._memory.last_offsets()

    def recorded_bytes(self, topic: str, partition: int) -> bytes | None:
        """The bytes recorded under the highest offset of a partition."""
        return self._memory.recorded_bytes(topic, partition)

    def index(self) -> Index:
        """Where each fact stands."""
        return self._memory.index()
