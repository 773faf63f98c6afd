"""The broker that infra/kafka starts is a real one: it keeps what it acknowledged."""

import socket
import time
from uuid import uuid4

import pytest
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.errors import KafkaError

from infra.kafka import Broker, BrokerError, Topic, ensure_topics, load_topics
from infra.kafka.jars import read_lock
from tests.kafka_broker import free_ports

RECORDS = 1_000


def new_topic(broker: Broker, partitions: int = 1) -> Topic:
    topic = Topic(name=f"t-{uuid4().hex}", partitions=partitions, replication=1, settings=())
    assert ensure_topics(broker.bootstrap, [topic]) == (topic.name,)
    return topic


def produce(broker: Broker, topic: str, values: list[bytes]) -> None:
    producer = KafkaProducer(
        bootstrap_servers=broker.bootstrap, acks="all", enable_idempotence=True
    )
    sent = [producer.send(topic, key=b"SB-01", value=value) for value in values]
    producer.flush()
    assert [future.get(timeout=30).offset for future in sent] == sorted(
        future.get().offset for future in sent
    )
    producer.close()


def consume(broker: Broker, topic: str, count: int) -> list[bytes]:
    consumer = KafkaConsumer(
        bootstrap_servers=broker.bootstrap, enable_auto_commit=False, auto_offset_reset="none"
    )
    partition = TopicPartition(topic, 0)
    consumer.assign([partition])
    consumer.seek(partition, 0)
    values: list[bytes] = []
    deadline = time.monotonic() + 60
    while len(values) < count and time.monotonic() < deadline:
        for records in consumer.poll(timeout_ms=500).values():
            values += [record.value for record in records]
    assert consumer.end_offsets([partition])[partition] == count
    consumer.close()
    return values


def numbered(count: int) -> list[bytes]:
    return [str(number).encode() for number in range(count)]


def delete_topic(broker: Broker, topic: str) -> None:
    admin = KafkaAdminClient(bootstrap_servers=broker.bootstrap)
    admin.delete_topics([topic])
    deadline = time.monotonic() + 30
    while topic in admin.list_topics():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    admin.close()


def test_every_locked_jar_has_a_checksum():
    jars = tuple(read_lock())
    assert len({(jar.group, jar.artifact) for jar in jars}) == len(jars) == 47
    assert all(len(bytes.fromhex(jar.sha256)) == 32 for jar in jars)


def test_topics_are_kept_for_ever_and_one_replica_may_be_away():
    topics = {topic.name: topic for topic in load_topics("house", replication=3)}
    assert topics["house.tables.v1"].partitions == 6
    for topic in topics.values():
        assert {
            ("retention.ms", "-1"),
            ("retention.bytes", "-1"),
            ("cleanup.policy", "delete"),
            ("min.insync.replicas", "2"),
        } <= set(topic.settings)


def test_records_come_back_whole_and_in_order(kafka_broker: Broker):
    topic = new_topic(kafka_broker).name
    produce(kafka_broker, topic, numbered(RECORDS))
    assert consume(kafka_broker, topic, RECORDS) == numbered(RECORDS)


def test_a_topic_deleted_and_made_again_begins_at_nought(kafka_broker: Broker):
    topic = new_topic(kafka_broker)
    produce(kafka_broker, topic.name, numbered(3))
    delete_topic(kafka_broker, topic.name)
    assert ensure_topics(kafka_broker.bootstrap, [topic]) == (topic.name,)
    produce(kafka_broker, topic.name, [b"another"])
    assert consume(kafka_broker, topic.name, 1) == [b"another"]


def test_the_topics_of_the_file_are_made_once(kafka_broker: Broker):
    topics = load_topics(f"p-{uuid4().hex}")
    assert set(ensure_topics(kafka_broker.bootstrap, topics)) == {topic.name for topic in topics}
    assert ensure_topics(kafka_broker.bootstrap, topics) == ()


def test_another_number_of_partitions_is_refused(kafka_broker: Broker):
    topic = new_topic(kafka_broker, partitions=1)
    other = Topic(name=topic.name, partitions=2, replication=1, settings=())
    with pytest.raises(BrokerError) as refused:
        ensure_topics(kafka_broker.bootstrap, [other])
    assert refused.value.code == "kafka_topic_differs"


def test_a_taken_port_is_refused_by_name(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = server.getsockname()[1]
        broker = Broker(home=tmp_path, port=taken, controller_port=free_ports(1)[0])
        with pytest.raises(BrokerError, match=f":{taken} is in use") as refused:
            broker.start()
    assert refused.value.code == "kafka_port_taken"


def test_killed_and_started_again_it_has_all_it_acknowledged(own_kafka_broker: Broker):
    topic = new_topic(own_kafka_broker).name
    produce(own_kafka_broker, topic, numbered(RECORDS))
    own_kafka_broker.kill()
    assert own_kafka_broker.pid() is None
    own_kafka_broker.start()
    assert consume(own_kafka_broker, topic, RECORDS) == numbered(RECORDS)


def test_start_and_stop_may_be_said_twice(own_kafka_broker: Broker):
    pid = own_kafka_broker.pid()
    own_kafka_broker.start()
    assert own_kafka_broker.pid() == pid
    own_kafka_broker.stop()
    own_kafka_broker.stop()
    with pytest.raises(KafkaError):
        KafkaAdminClient(bootstrap_servers=own_kafka_broker.bootstrap, bootstrap_timeout_ms=500)
    own_kafka_broker.restart()
    assert own_kafka_broker.pid() not in (None, pid)
