"""Read the records of the fact topics as they are; nothing is ingested or committed."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Final, NamedTuple

from ledger.log.kafka_batches import PolledRecord, Unplaced, Unreadable
from ledger.log.kafka_client import Cluster, OutOfRange, Place, Reader
from ledger.log.kafka_errors import KafkaUnreachable
from ledger.log.kafka_registry import Resolve, SchemaRegistry, as_published
from ledger.log.kafka_settings import KafkaSettings
from ledger.log.kafka_wire import in_topics

RECORDS: Final = 5_000


class TopicRecord(NamedTuple):
    """One record.

    ``payload`` has the published schema id, where a registry resolved it; ``problem`` says why the
    record cannot be read, where it cannot.
    """

    place: Place
    offset: int
    key: bytes | None
    payload: bytes | None
    problem: str | None


def records_in_topics(settings: KafkaSettings) -> Iterator[TopicRecord]:
    """Read every record that the topics of facts hold at the moment of asking.

    Args:
        settings: how the broker is reached, and the prefix of the topics.

    Raises:
        KafkaUnreachable, TopicsMissing: the broker or the topics are away.
        RegistryUnavailable: a registry is set and does not answer.
    """
    url = settings.registry_url
    resolve = as_published if url is None else SchemaRegistry(url, settings.timeout_seconds).resolve
    cluster = Cluster(settings)
    try:
        topics = cluster.topics(in_topics(settings.topic_prefix))
        reader = Reader(settings, RECORDS)
    finally:
        cluster.close()
    try:
        limits = reader.limits([place for topic in topics.values() for place in topic.places()])
        for place, (begin, end) in limits.items():
            yield from _partition(reader, place, begin, end, resolve, settings.timeout_seconds)
    except OutOfRange as error:
        gone = "records vanished while they were read"
        raise KafkaUnreachable("reading", settings.bootstrap, gone) from error
    finally:
        reader.close()


def _partition(
    reader: Reader, place: Place, begin: int, end: int, resolve: Resolve, patience: float
) -> Iterator[TopicRecord]:
    """The records of one partition, from one offset to another."""
    if begin >= end:
        return
    reader.start({place: begin})
    deadline = monotonic() + patience
    while (reader.position(place) or begin) < end:
        for record in reader.poll(0.5).get(place, ()):
            deadline = monotonic() + patience
            if record.offset < end:
                yield _record(place, record, resolve)
            if isinstance(record, Unplaced):
                return  # nothing after it can be reached
        if monotonic() > deadline:
            raise KafkaUnreachable("reading", str(place), "nothing comes")


def _record(place: Place, record: PolledRecord, resolve: Resolve) -> TopicRecord:
    if isinstance(record, Unreadable | Unplaced):
        return TopicRecord(place, record.offset, None, None, record.problem)
    payload = None if record.value is None else resolve(record.value)
    return TopicRecord(place, record.offset, record.key, payload, None)
