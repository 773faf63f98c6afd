"""A small day's facts, topics of one's own, and what a ledger says, for the tests of Kafka."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition

from infra.kafka import Broker, ensure_topics, load_topics
from ledger.codec import frame
from ledger.events import ClockChecked, WagerPlaced
from ledger.log import (
    Accepted,
    Arrival,
    FileLog,
    Quarantined,
    ReadableLog,
    init,
    open_log,
)
from ledger.log.kafka import KafkaSettings
from tests.log.facts import HOUSE, ORIGIN, TIME
from tests.log.memory_log import MemoryLog

TABLES = ("SB-01", "SB-02", "SB-03/dice", "DC-01", "DC-02/wheel")


def wager(stream: str, seq: int, stake_cents: int = 5_000) -> bytes:
    """A wager at a table, framed."""
    return frame(
        WagerPlaced(
            stream=stream,
            seq=seq,
            event_time=TIME + seq * 1_000_000,
            source=f"T-{stream}",
            recorded_by=None,
            wager_id=f"W{seq}",
            position="3",
            patron=None,
            wager="Small Bet",
            picks=(),
            stake_cents=stake_cents,
            instrument=None,
            coupons=(),
        )
    )


def clock_checked(seq: int, stream: str = "house") -> bytes:
    """A fact of the property, framed."""
    return frame(
        ClockChecked(
            stream=stream,
            seq=seq,
            event_time=TIME + seq * 1_000_000,
            source="T-house",
            recorded_by=None,
            checked_source="T-SB-01",
            offset_micros=seq,
            reference=None,
        )
    )


def small_day(count: int) -> list[Arrival]:
    """So many facts of five tables and the house, with late ones and a gap."""
    out = []
    for number in range(count):
        seq = number // 6 + 1
        table = number % 6
        if table == 5:
            out.append(Arrival(clock_checked(seq)))
        else:
            out.append(Arrival(wager(TABLES[table], seq)))
    out[20:22] = reversed(out[20:22])
    del out[33]
    return out


TROUBLE = (
    Arrival(b"junk"),
    Arrival(b"", b"SB-01"),
    Arrival(b"\x00\x00\x00\x00"),
    Arrival(wager("SB-01", 2, 777)),
    Arrival(wager("SB-01", 2, 778)),
    Arrival(clock_checked(3, "SB-02")),
    Arrival(wager("SB-02", 900), b"another key"),
    Arrival(wager("SB-02", 901) + bytes(70_000), b"SB-02"),
    Arrival(wager("SB-01", 3)[:-2], b"SB-01"),
    Arrival(b"\x00\x7f\x00\x00\x00rest", b"SB-01"),
)
"""Arrivals that are no facts, contradict one, or came under an odd key."""


def fresh_prefix(broker: Broker) -> str:
    """Topics of this test's own."""
    prefix = f"t-{uuid4().hex[:12]}"
    ensure_topics(broker.bootstrap, load_topics(prefix))
    return prefix


def settings_of(broker: Broker, prefix: str, **more: Any) -> KafkaSettings:
    """Settings with a patience that a test can wait for."""
    said = {"timeout_seconds": 20, **more}
    return KafkaSettings(bootstrap=broker.bootstrap, topic_prefix=prefix, **said)


def memory(arrivals: list[Arrival]) -> MemoryLog:
    """A ledger in memory that was given these arrivals directly."""
    log = MemoryLog(origin=ORIGIN, property=HOUSE, record_time=TIME)
    log.append(arrivals, TIME)
    return log


def made(folder: Path) -> FileLog:
    """A new ledger in a folder."""
    init(folder, origin="copy", property=HOUSE, record_time=TIME)
    return open_log(folder)


def said(log: ReadableLog) -> tuple[list[Any], list[Any]]:
    """Facts with their odd keys, and what was not accepted with what it contradicts, sorted."""
    facts, bad = [], []
    for _, entry in log.entries():
        if isinstance(entry, Accepted):
            facts.append((entry.framed, entry.odd_key))
        elif isinstance(entry, Quarantined):
            whole = log.quarantined(entry.sha256)
            earlier = entry.conflicts_with
            against = None
            if earlier is not None:
                against = log.read(earlier.position)
                assert isinstance(against, Accepted)
                against = (earlier.stream, earlier.seq, against.framed)
            bad.append((entry.reason, whole, against))
    return sorted(facts, key=repr), sorted(bad, key=repr)


def places(log: ReadableLog) -> list[Any]:
    """The coordinates of all entries that have some."""
    return [
        entry.coordinates
        for _, entry in log.entries()
        if isinstance(entry, Accepted | Quarantined) and entry.coordinates is not None
    ]


@contextmanager
def admin(broker: Broker) -> Iterator[KafkaAdminClient]:
    """An admin client."""
    client = KafkaAdminClient(bootstrap_servers=broker.bootstrap)
    try:
        yield client
    finally:
        client.close()


def send(
    broker: Broker,
    topic: str,
    records: list[tuple[bytes | None, bytes | None]],
    partition: int = 0,
    **options: Any,
) -> None:
    """Write records as any terminal could."""
    producer = KafkaProducer(bootstrap_servers=broker.bootstrap, **options)
    for key, value in records:
        producer.send(topic, key=key, value=value, partition=partition)
    producer.flush()
    producer.close()


def received(
    broker: Broker, topic: str, partitions: int, *, isolation: str = "read_uncommitted"
) -> list[Any]:
    """All records of a topic; with ``read_committed`` none that was given up."""
    asked = [TopicPartition(topic, number) for number in range(partitions)]
    consumer = KafkaConsumer(
        bootstrap_servers=broker.bootstrap,
        enable_auto_commit=False,
        auto_offset_reset="none",
        isolation_level=isolation,
    )
    consumer.assign(asked)
    for one in asked:
        consumer.seek(one, 0)
    ends = consumer.end_offsets(asked)
    out: list[Any] = []
    while any(consumer.position(one) < ends[one] for one in asked):
        for rows in consumer.poll(timeout_ms=500).values():
            out += rows
    consumer.close()
    return out
