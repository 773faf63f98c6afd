"""Rights on a broker with TLS and passwords: terminals write, the auditor reads, nobody does both."""

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.errors import KafkaError, TopicAuthorizationFailedError

from infra.kafka import Broker, ensure_topics, load_topics
from infra.kafka.access import MECHANISM, add_auditor, add_publisher, add_terminal
from infra.kafka.errors import BrokerError
from infra.kafka.topics import terminal_topics
from ledger.log import (
    FOREIGN,
    Accepted,
    Arrival,
    Quarantined,
    init,
    open_log,
    verify,
)
from ledger.log.kafka import KafkaSettings, ingest
from tests.certificates import write_certificate
from tests.kafka_broker import free_ports, quick_java
from tests.log.facts import HOUSE, ORIGIN, SIGNER, TIME, opened
from tests.log.test_stream_writers import registered

SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule required;"
TOPIC = "pitledger.tables.v1"
OTHER_TOPIC = "pitledger.house.v1"


ROLES = {"SB-01": "one", "SB-010": "ten", "house": "three", "auditor": "two", "nobody": "four"}
OWN = {name: f"pitledger.terminal.{name}.v1" for name in ("SB-01", "SB-010")}
TOPICS = (*OWN.values(), TOPIC, OTHER_TOPIC, "pitledger.findings.v1")
MAY_WRITE = {
    ("SB-01", OWN["SB-01"]),
    ("SB-010", OWN["SB-010"]),
    ("house", TOPIC),
    ("house", OTHER_TOPIC),
}


@dataclass(frozen=True)
class Secured:
    broker: Broker
    certificate: Path
    port: int

    def client(self, name: str, password: str) -> dict[str, object]:
        return {
            "bootstrap_servers": f"127.0.0.1:{self.port}",
            "security_protocol": "SASL_SSL",
            "ssl_cafile": str(self.certificate),
            "sasl_mechanism": MECHANISM,
            "sasl_plain_username": name,
            "sasl_plain_password": password,
        }


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    home = tmp_path_factory.mktemp("kafka-secured")
    public, both = write_certificate(home)
    plain, controller, safe = free_ports(3)
    listeners = f"PLAINTEXT://127.0.0.1:{plain},SASL_SSL://127.0.0.1:{safe}"
    broker = Broker(
        home=home,
        port=plain,
        controller_port=controller,
        dies_with_parent=True,
        java_options=quick_java(),
        settings={
            "listeners": f"{listeners},CONTROLLER://127.0.0.1:{controller}",
            "advertised.listeners": listeners,
            "sasl.enabled.mechanisms": MECHANISM,
            "listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config": SCRAM,
            "ssl.keystore.type": "PEM",
            "ssl.keystore.location": str(both),
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "super.users": "User:ANONYMOUS",
        },
    )
    broker.start()
    ensure_topics(broker.bootstrap, load_topics())
    ensure_topics(broker.bootstrap, terminal_topics(OWN))
    admin = KafkaAdminClient(bootstrap_servers=broker.bootstrap)
    for name in OWN:
        add_terminal(admin, name=name, password=ROLES[name])
    add_publisher(admin, name="house", password=ROLES["house"], topics=[TOPIC, OTHER_TOPIC])
    add_auditor(admin, name="auditor", password=ROLES["auditor"])
    add_publisher(admin, name="nobody", password=ROLES["nobody"], topics=[])
    admin.close()
    producer = KafkaProducer(bootstrap_servers=broker.bootstrap)
    for topic in TOPICS:
        producer.send(topic, value=b"first", partition=0).get(timeout=20)
    producer.close()
    yield Secured(broker=broker, certificate=public, port=safe)
    broker.kill()


def send(
    secured: Secured,
    name: str,
    password: str,
    topic: str,
    key: bytes = b"SB-01",
    value: bytes = b"fact",
) -> int:
    producer = KafkaProducer(
        **secured.client(name, password),
        acks="all",
        enable_idempotence=True,
        bootstrap_timeout_ms=5_000,
    )
    try:
        return producer.send(topic, key=key, value=value, partition=0).get(timeout=20).offset
    finally:
        producer.close(timeout=2)


def written(secured: Secured, role: str) -> set[str]:
    """The topics that a role can write to."""
    producer = KafkaProducer(
        **secured.client(role, ROLES[role]), acks="all", enable_idempotence=False,
        bootstrap_timeout_ms=5_000, max_block_ms=5_000,
    )  # fmt: skip
    done = set()
    try:
        for topic in TOPICS:
            with suppress(TopicAuthorizationFailedError):
                producer.send(topic, key=b"K", value=role.encode(), partition=0).get(timeout=20)
                done.add(topic)
    finally:
        producer.close(timeout=2)
    return done


def readable(secured: Secured, role: str) -> set[str]:
    """The topics that a role can read; one that it may not even see is none."""
    done = set()
    for topic in TOPICS:
        consumer = KafkaConsumer(
            **secured.client(role, ROLES[role]), enable_auto_commit=False, auto_offset_reset="none"
        )
        try:
            if topic not in consumer.topics():
                continue
            consumer.assign([TopicPartition(topic, 0)])
            consumer.seek(TopicPartition(topic, 0), 0)
            with suppress(TopicAuthorizationFailedError):
                limit = time.monotonic() + 20
                while not consumer.poll(timeout_ms=500):
                    assert time.monotonic() < limit, f"neither a record nor a refusal: {topic}"
                done.add(topic)
        finally:
            consumer.close()
    return done


@pytest.mark.kafka
@pytest.mark.xdist_group("kafka")
class TestRights:
    """Role x topic x action, each asked of the broker itself."""

    @pytest.mark.parametrize("role", ROLES)
    def test_a_role_writes_to_its_own_topics_and_no_other(self, secured: Secured, role: str):
        assert written(secured, role) == {topic for name, topic in MAY_WRITE if name == role}

    @pytest.mark.parametrize("role", ROLES)
    def test_only_the_auditor_reads(self, secured: Secured, role: str):
        assert readable(secured, role) == (set(TOPICS) if role == "auditor" else set())

    @pytest.mark.parametrize("role", ROLES)
    def test_nobody_makes_deletes_or_changes_a_topic_or_a_right(self, secured: Secured, role: str):
        admin = KafkaAdminClient(**secured.client(role, ROLES[role]))
        attempts = (
            lambda: admin.create_topics({"pitledger.terminal.new.v1": {"num_partitions": 1}}),
            lambda: admin.delete_topics([TOPIC]),
            lambda: admin.delete_records({TopicPartition(OWN["SB-01"], 0): 0}),
            lambda: add_terminal(admin, name="SB-01", password="mine"),
        )
        try:
            for attempt in attempts:
                with pytest.raises((KafkaError, BrokerError)):
                    attempt()
        finally:
            admin.close()

    def test_a_wrong_password_is_refused(self, secured: Secured):
        with pytest.raises(KafkaError):
            send(secured, "SB-01", "guess", OWN["SB-01"])


@pytest.mark.kafka
@pytest.mark.xdist_group("kafka")
def test_a_terminal_cannot_write_the_table_of_another(secured: Secured, tmp_path: Path):
    """From two terminals on a secured broker to the ledger: the first to arrive does not win."""
    names = {"SB-01": "one", "SB-010": "ten"}
    folder = tmp_path / "ledger"
    init(folder, origin=ORIGIN, property=HOUSE, record_time=TIME, signer=SIGNER)
    with open_log(folder) as log:
        log.append([Arrival(registered(n, name, name)) for n, name in enumerate(names, 1)], TIME)
    forged, true = opened(1, "SB-010", "SB-010"), opened(1, "SB-010", "SB-010")
    send(secured, "SB-01", "one", OWN["SB-01"], b"SB-010", forged[:-1] + b"\x02\x02x")
    send(secured, "SB-010", "ten", OWN["SB-010"], b"SB-010", true)
    settings = KafkaSettings(
        bootstrap=f"127.0.0.1:{secured.port}", security="SASL_SSL", ca_file=secured.certificate,
        username="auditor", password="two",
    )  # fmt: skip
    with open_log(folder) as log:
        size = log.size
        ingest(log, settings)
        rows = [entry for _, entry in log.entries(size)]
    accepted = {e.coordinates.topic for e in rows if isinstance(e, Accepted) and e.framed == true}
    assert accepted == {OWN["SB-010"]}
    assert FOREIGN in {e.reason for e in rows if isinstance(e, Quarantined)}
    assert verify(folder).problem is None
