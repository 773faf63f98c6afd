"""How fast facts go through a real broker: ledger -> topics, and topics -> another ledger."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from infra.kafka import Broker, ensure_topics, load_topics
from ledger.codec import bulk_validation
from ledger.log import bulk_bundles, init, kafka_batches, open_log
from ledger.log.kafka import KafkaSettings, ingest, publish
from tests.benchmarks.bench_peers import PYTHON
from tests.benchmarks.bench_replay import FACTS, START, arrivals
from tests.benchmarks.in_turns import Compared, Work, forked, in_turns, program
from tests.kafka_broker import running_broker

NOTE = """
100,000 wagers of five tables through a real broker. Publishing: by the wall clock. Ingest and its baselines take turns, in
processor time: kafka-python and quixstreams read every record, with its headers, and keep none; librdkafka (by confluent-kafka) does so
in C. Pitledger validates each fact, compares it with what the ledger holds, hashes it, and makes it durable.
"""
WANTED: dict[tuple[str, str], str] = {
    ("kafka -> ledger", "events/s"): "1.5 × kafka-python",
}
BASELINES: dict[str, str] = {
    "ledger -> kafka, all there already": "ledger -> kafka, acknowledged",
}
RAW = "kafka-python alone, reads and keeps nothing"


def run() -> list[tuple[str, float, str] | Compared]:
    """Measure publishing once; ingest and what it is compared with in turns."""
    with TemporaryDirectory() as name:
        home = Path(name)
        with running_broker(home / "kafka") as broker:
            return measured(home, broker)


def measured(home: Path, broker: Broker) -> list[tuple[str, float, str] | Compared]:
    """Publish one ledger to fresh topics, and read them in several ways."""
    source = home / "source"
    init(source, origin="bench", property="bench", record_time=START)
    settings = KafkaSettings(bootstrap=broker.bootstrap, topic_prefix="bench")
    ensure_topics(broker.bootstrap, load_topics(settings.topic_prefix))
    with open_log(source) as log:
        log.append(arrivals(), START)
        began = perf_counter()
        assert publish(log, settings).facts == FACTS
        sent = FACTS / (perf_counter() - began)
        began = perf_counter()
        assert publish(log, settings).already == FACTS
        again = FACTS / (perf_counter() - began)
    topic = f"{settings.topic_prefix}.tables.v1"
    works: dict[str, Work] = {
        "kafka -> ledger": forked(ingested(home, settings), machine_code),
        "kafka -> ledger, without [fast]": forked(ingested(home, settings), no_machine_code),
        RAW: forked(lambda: consumed(broker.bootstrap, topic)),
    }
    if PYTHON.exists():
        for peer in ("quixstreams", "librdkafka"):
            works[f"{peer} alone"] = program(
                [
                    str(PYTHON),
                    "-m",
                    "tests.benchmarks.peers",
                    peer,
                    broker.bootstrap,
                    topic,
                    str(FACTS),
                ]
            )
    return [
        *in_turns(works, "events/s", {label: RAW for label in works if label != RAW}),
        ("ledger -> kafka, acknowledged", sent, "events/s"),
        ("ledger -> kafka, all there already", again, "events/s"),
    ]


def machine_code() -> None:
    """Load the compiler before, as in a process that has run for a while."""
    kafka_batches.WORTH = 0  # type: ignore[misc]
    kafka_batches.machine()


def no_machine_code() -> None:
    """Let this process do without what numba compiles."""
    kafka_batches.machine = lambda: None  # type: ignore[assignment]
    bulk_bundles._machine = lambda: None  # type: ignore[assignment]
    bulk_validation._machine = lambda: None  # type: ignore[assignment]


def ingested(home: Path, settings: KafkaSettings) -> Callable[[], int]:
    """A work that ingests all into a new ledger."""

    def work() -> int:
        with TemporaryDirectory(dir=home) as scratch:
            copy = Path(scratch) / "copy"
            init(copy, origin="copy", property="bench", record_time=START)
            with open_log(copy) as log:
                return ingest(log, settings).accepted

    return work


def consumed(bootstrap: str, topic: str) -> int:
    """Read every record with the library alone."""
    from kafka import KafkaConsumer, TopicPartition

    consumer = KafkaConsumer(
        bootstrap_servers=bootstrap, auto_offset_reset="earliest", enable_auto_commit=False,
        max_poll_records=10_000, max_partition_fetch_bytes=4_000_000, metrics_enabled=False,
    )  # fmt: skip
    parts = [TopicPartition(topic, number) for number in consumer.partitions_for_topic(topic)]
    consumer.assign(parts)
    consumer.seek_to_beginning(*parts)
    records = 0
    while records < FACTS:
        records += sum(map(len, consumer.poll(500).values()))
    consumer.close()
    return records
