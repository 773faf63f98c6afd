"""A copy made through Kafka says what the ledger says, whatever the batches and repetitions."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from infra.kafka import Broker
from ledger.codec import decode
from ledger.kernel import SourceUnavailable, event_id
from ledger.log import Arrival, Log
from ledger.log.kafka import RecordTooLong, in_topics, ingest, publish
from ledger.log.kafka_client import Cluster
from tests.log.contract import RecordContract, framed
from tests.log.facts import HOUSE, ORIGIN, TIME, arrivals, opened
from tests.log.kafka_helpers import (
    TROUBLE,
    clock_checked,
    fresh_prefix,
    made,
    memory,
    places,
    received,
    said,
    send,
    settings_of,
    small_day,
    wager,
)
from tests.log.kafka_log import KafkaLog


class TestContract(RecordContract):
    """The Kafka log, on the whole suite but what only the ledger's own arrivals can have."""

    @pytest.fixture
    def log(self, kafka_broker: Broker) -> Iterator[Log]:
        self.settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
        self.opened: list[KafkaLog] = []
        yield self._open()
        for log in self.opened:
            log.close()

    def _open(self) -> KafkaLog:
        log = KafkaLog(self.settings, origin=ORIGIN, property=HOUSE, record_time=TIME)
        self.opened.append(log)
        return log

    def reopen(self, log: Log) -> Log:
        log.close()
        return self._open()

    def test_where_in_kafka_it_came_from(self, log: Log) -> None:
        """Here the topic says where a record stands, not the arrival."""
        log.append([Arrival(opened(1), b"SB-01", "pit.v1", 3, 7)], TIME)
        ((topic, _, offset),) = places(log)
        assert (topic, offset) == (f"{self.settings.topic_prefix}.tables.v1", 0)

    def test_nothing_new_changes_nothing(self, log: Log) -> None:
        """The same, but for the root: it belongs to one opening of the topics."""
        batch = [*arrivals(1, 5), Arrival(b"x"), Arrival(opened(1, source="T-2"))]
        before = log.append(batch, TIME)
        for _ in range(2):
            after = log.append(batch, TIME + 1)
            assert (after.size, after.repeated) == (before.size, 7)
            assert log.append([], TIME).size == before.size
            log = self.reopen(log)


def test_the_kafka_log_names_the_troubles_of_a_long_append(kafka_broker: Broker):
    settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
    log = KafkaLog(settings, origin=ORIGIN, property=HOUSE, record_time=TIME)
    direct = memory([])
    for batch in (small_day(300), [*small_day(40), *TROUBLE]):
        here, there = log.append(batch, TIME), direct.append(batch, TIME)
        assert here.troubles == there.troubles
        assert (here.accepted, here.conflicts) == (there.accepted, there.conflicts)
    assert said(log) == said(direct)
    assert framed(log) == framed(direct)
    log.close()


@pytest.mark.parametrize(("batch", "facts"), [(1, 300), (7, 2_000), (10_000, 2_000)])
def test_the_copy_says_the_same_in_any_batches(
    kafka_broker: Broker, tmp_path: Path, batch: int, facts: int
):
    original = memory([*small_day(facts), *TROUBLE])
    settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
    sent = publish(original, settings)
    assert (sent.facts, sent.conflicts, sent.quarantined) == (facts, 3, 6)
    with made(tmp_path / "copy") as copy:
        done = ingest(copy, settings, batch=batch)
        assert done.read == done.accepted + done.conflicts + done.quarantined == facts + 9
        assert said(copy) == said(original)
        seen = places(copy)
        assert len(set(seen)) == len(seen) == facts + 9


def test_a_copy_of_the_copy_says_the_same(kafka_broker: Broker, tmp_path: Path):
    original = memory([*small_day(300), *TROUBLE])
    for number in range(2):
        settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
        publish(original, settings)
        with made(tmp_path / f"{number}") as copy:
            ingest(copy, settings)
            assert said(copy) == said(original)
            original = copy


def test_headers_are_written_from_the_body(kafka_broker: Broker):
    prefix = fresh_prefix(kafka_broker)
    original = memory([Arrival(wager("SB-03/dice", 7)), Arrival(clock_checked(1)), Arrival(b"?")])
    publish(original, settings_of(kafka_broker, prefix))
    (junk, bet) = sorted(
        received(kafka_broker, f"{prefix}.tables.v1", 6), key=lambda one: one.value
    )[::-1]
    assert bet.key == b"SB-03/dice"
    assert dict(bet.headers) == {
        "ce_specversion": b"1.0",
        "ce_id": event_id("SB-03/dice", 7).hex().encode(),
        "ce_source": b"/house.example/pit/SB-03/dice",
        "ce_type": b"pitledger.WagerPlaced",
        "ce_time": b"2021-06-12T12:13:27.000000Z",
        "content-type": b"application/avro",
    }
    assert unquote(dict(bet.headers)["ce_source"]).endswith(decode(bet.value).stream)
    assert (junk.key, junk.value) == (None, b"?")
    assert dict(junk.headers) == {"content-type": b"application/avro"}
    (checked,) = received(kafka_broker, f"{prefix}.house.v1", 1)
    assert (checked.key, checked.value) == (b"house", clock_checked(1))


def test_each_stream_lies_in_one_partition_in_order(kafka_broker: Broker):
    prefix = fresh_prefix(kafka_broker)
    publish(memory(small_day(900)), settings_of(kafka_broker, prefix))
    seen: dict[bytes, set[int]] = {}
    numbers: dict[bytes, list[int]] = {}
    for record in received(kafka_broker, f"{prefix}.tables.v1", 6):
        seen.setdefault(record.key, set()).add(record.partition)
        numbers.setdefault(record.key, []).append(decode(record.value).seq)
    assert all(len(partitions) == 1 for partitions in seen.values())
    assert numbers[b"SB-01"] == sorted(numbers[b"SB-01"])


class TestPublishAgain:
    def test_sends_nothing_that_is_there(self, kafka_broker: Broker, tmp_path: Path):
        settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
        original = memory([*small_day(500), *TROUBLE])
        first = publish(original, settings)
        again = publish(original, settings)
        assert (again.facts, again.conflicts, again.quarantined) == (0, 0, 0)
        assert again.already == first.facts + first.conflicts + first.quarantined == 509

    def test_sends_what_is_new(self, kafka_broker: Broker, tmp_path: Path):
        settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
        original = memory(small_day(100))
        publish(original, settings)
        original.append([*small_day(130), *TROUBLE], TIME)
        again = publish(original, settings)
        assert (again.already, again.facts, again.conflicts) == (99, 31, 3)
        with made(tmp_path / "copy") as copy:
            assert ingest(copy, settings).repeated == 0
            assert said(copy) == said(original)

    def test_goes_on_where_it_was_interrupted(self, kafka_broker: Broker, tmp_path: Path):
        settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
        original = memory(small_day(25_000))
        told: list[tuple[int, int]] = []
        first = publish(
            original,
            settings,
            progress=lambda done, total: told.append((done, total)),
            stop=lambda: told[-1][0] == 10_000,
        )
        assert first.interrupted
        assert (first.position, first.facts) == (10_000, told[-1][0] - 3)
        again = publish(original, settings)
        assert (again.already, again.facts) == (first.facts, 24_999 - first.facts)
        with made(tmp_path / "copy") as copy:
            assert ingest(copy, settings).repeated == 0
            assert said(copy) == said(original)

    def test_what_others_wrote_between_does_no_harm(self, kafka_broker: Broker, tmp_path: Path):
        prefix = fresh_prefix(kafka_broker)
        settings = settings_of(kafka_broker, prefix)
        everything = small_day(60)
        publish(memory(everything[:20]), settings)
        send(kafka_broker, f"{prefix}.tables.v1", [(b"k", b"theirs")] * 5, partition=2)
        publish(memory(everything[30:]), settings)
        assert publish(memory(everything), settings).facts == 10
        with made(tmp_path / "copy") as copy:
            done = ingest(copy, settings)
            assert (done.accepted, done.quarantined, done.repeated) == (59, 1, 4)

    def test_said_to_repeat_it_sends_all_and_nothing_is_doubled(
        self, kafka_broker: Broker, tmp_path: Path
    ):
        settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
        original = memory([*small_day(200), *TROUBLE])
        with made(tmp_path / "copy") as copy:
            publish(original, settings)
            ingest(copy, settings)
            publish(original, settings, repeat=True)
            done = ingest(copy, settings)
            assert (done.read, done.repeated) == (209, 209)
            assert said(copy) == said(original)


def test_bytes_too_long_for_the_topic_are_refused_by_position(kafka_broker: Broker):
    settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
    original = memory([*small_day(40), Arrival(bytes(2_000_000)), *small_day(60)])
    with pytest.raises(RecordTooLong, match="position 42") as refused:
        publish(original, settings)
    assert refused.value.exit_code == 3
    assert isinstance(refused.value, SourceUnavailable)


def test_the_topics_of_the_settings_are_described(kafka_broker: Broker):
    prefix = fresh_prefix(kafka_broker)
    cluster = Cluster(settings_of(kafka_broker, prefix))
    topics = cluster.topics(in_topics(prefix))
    cluster.close()
    assert {name: topic.partitions for name, topic in topics.items()} == {
        f"{prefix}.tables.v1": 6,
        f"{prefix}.coupons.v1": 2,
        f"{prefix}.house.v1": 1,
        f"{prefix}.cases.v1": 1,
    }
    assert len({topic.id for topic in topics.values()}) == 4


def test_the_client_library_is_loaded_only_to_connect(in_checkout: Callable[[], Path]):
    asked = "import sys, ledger.log.kafka; print('kafka' in sys.modules)"
    answer = subprocess.run(
        [sys.executable, "-c", asked], cwd=in_checkout(), capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "False"
