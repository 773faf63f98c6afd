"""Which topic, key, partition and headers do an entry's bytes have on the wire?

Headers are CloudEvents in binary mode, written from the body and never read: whoever reads a topic
believes the body alone. The key is the stream; where a ledger holds a fact that came under another
key, that key is sent again, so that a copy has the same finding. The partition always follows the
stream, so that what one stream says stays in one order.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Final, NamedTuple
from urllib.parse import quote

from ledger.codec import Undecodable, format_time, key_of, schema_of, validate
from ledger.events import SUBJECTS
from ledger.kernel import event_id
from ledger.log.kafka_client import Place, Topic, partition_of
from ledger.log.port import Accepted, Arrival, Quarantined

TABLES: Final = "tables.v1"
IN_TOPICS: Final = (TABLES, "coupons.v1", "house.v1", "cases.v1")
"""Topics of facts, without the prefix."""
TOPIC_OF_SUBJECT: Final = {
    "tables": TABLES,
    "dice": TABLES,
    "wheel": TABLES,
    "cards": TABLES,
    "wagers": TABLES,
    "coupons": "coupons.v1",
    "house": "house.v1",
    "cases": "cases.v1",
}
CONTENT_TYPE: Final = ("content-type", b"application/avro")
HEADER: Final = 5
SPEC_VERSION: Final = ("ce_specversion", b"1.0")

Headers = list[tuple[str, bytes]]
FramedAt = Callable[[int], bytes]
"""The framed event of an accepted fact, by its position."""


class Record(NamedTuple):
    """What is sent."""

    place: Place
    key: bytes | None
    payload: bytes
    headers: Headers


def in_topics(prefix: str) -> list[str]:
    """The names of the topics of facts."""
    return [f"{prefix}.{name}" for name in IN_TOPICS]


class Router:
    """Gives entries and arrivals their place on the wire.

    Args:
        prefix: of the topics.
        topics: the topics as the broker has them.
        origin: the name of the ledger, for ``ce_source``.
    """

    def __init__(self, prefix: str, topics: dict[str, Topic], origin: str) -> None:
        self._prefix = prefix
        self._topics = topics
        self._origin = origin
        self._places: dict[tuple[str, str], Place] = {}

    def accepted(self, entry: Accepted) -> Record:
        """A fact of a ledger."""
        stream, headers = self._read(entry.framed)
        topic = _kind(entry.framed[:HEADER])[0]
        key = stream.encode() if entry.odd_key is None else entry.odd_key
        return Record(self._place(topic, stream), key, entry.framed, headers)

    def quarantined(self, entry: Quarantined, whole: bytes, framed_at: FramedAt) -> Record:
        """What a ledger could not accept.

        A conflict follows the fact it contradicts, also into another topic: only so is the order of
        the two kept, and with it which of them a copy accepts. Bytes that are no fact go where they
        came from, else where their schema says.

        Args:
            entry: what the ledger says of it.
            whole: the bytes that came.
            framed_at: gives the framed event of an entry by its place in the log.
        """
        if entry.conflicts_with is None:
            came_from = None if entry.coordinates is None else entry.coordinates.topic
            return self._unreadable_record(entry.key, whole, came_from)
        stream, headers = self._read(whole)
        topic = _kind(framed_at(entry.conflicts_with.position)[:HEADER])[0]
        key = entry.key
        if key is None and entry.coordinates is None:
            key = stream.encode()
        return Record(self._place(topic, stream), key, whole, headers)

    def arrival(self, arrival: Arrival) -> Record:
        """Bytes that claim to be a fact, before anybody judged them."""
        try:
            validate(arrival.framed)
        except Undecodable:
            return self._unreadable_record(arrival.key, arrival.framed, arrival.topic)
        stream, headers = self._read(arrival.framed)
        key = stream.encode() if arrival.key is None else arrival.key
        topic = _kind(arrival.framed[:HEADER])[0]
        return Record(self._place(topic, stream), key, arrival.framed, headers)

    def _unreadable_record(
        self, key: bytes | None, payload: bytes, came_from: str | None
    ) -> Record:
        topic = TABLES  # where nothing says more: most terminals write there
        if came_from is None:
            with suppress(Undecodable):
                topic = _kind(payload[:HEADER])[0]
        else:
            topic = next((name for name in IN_TOPICS if came_from.endswith(f".{name}")), topic)
        return Record(self._partition(topic, key or b""), key, payload, [CONTENT_TYPE])

    def _read(self, framed: bytes) -> tuple[str, Headers]:
        """Stream and headers, from the body."""
        stream, seq, event_time = key_of(framed)
        return stream, [
            SPEC_VERSION,
            ("ce_id", event_id(stream, seq).hex().encode()),
            ("ce_source", _source(self._origin, stream)),
            ("ce_type", _kind(framed[:HEADER])[1]),
            ("ce_time", format_time(event_time).encode()),
            CONTENT_TYPE,
        ]

    def _place(self, topic: str, stream: str) -> Place:
        place = self._places.get((topic, stream))
        if place is None:
            place = self._places[topic, stream] = self._partition(topic, stream.encode())
        return place

    def _partition(self, topic: str, key: bytes) -> Place:
        name = f"{self._prefix}.{topic}"
        return Place(name, partition_of(key, self._topics[name].partitions))


@lru_cache(maxsize=10_000)
def _source(origin: str, stream: str) -> bytes:
    """The ``ce_source`` of a stream: a URI reference."""
    return f"/{quote(origin)}/{quote(stream)}".encode()


@lru_cache(maxsize=10_000)
def _kind(header: bytes) -> tuple[str, bytes]:
    """Topic and ``ce_type`` of facts that begin with a header.

    Raises:
        Undecodable: no published schema is meant.
    """
    schema = schema_of(header)
    return TOPIC_OF_SUBJECT[SUBJECTS[schema.name]], schema.full_name.encode()
