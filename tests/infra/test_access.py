"""Rights on a broker with TLS and passwords: terminals write, the auditor reads, nobody does both."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.errors import KafkaError, TopicAuthorizationFailedError

from infra.kafka import Broker, ensure_topics, load_topics
from infra.kafka.access import MECHANISM, add_auditor, add_terminal
from tests.kafka_broker import free_ports

SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule required;"
TOPIC = "pitledger.tables.v1"
OTHER_TOPIC = "pitledger.house.v1"


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


def write_certificate(folder: Path) -> tuple[Path, Path]:
    """Make a key and a certificate for 127.0.0.1; the broker's file holds both."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "broker")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
        .public_bytes(serialization.Encoding.PEM)
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    public, both = folder / "broker.crt", folder / "broker.pem"
    public.write_bytes(certificate)
    both.write_bytes(secret + certificate)
    return public, both


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
    admin = KafkaAdminClient(bootstrap_servers=broker.bootstrap)
    add_terminal(admin, name="SB-01", password="one", topics=[TOPIC])
    add_auditor(admin, name="auditor", password="two")
    admin.close()
    yield Secured(broker=broker, certificate=public, port=safe)
    broker.kill()


def send(secured: Secured, name: str, password: str, topic: str) -> int:
    producer = KafkaProducer(
        **secured.client(name, password),
        acks="all",
        enable_idempotence=True,
        bootstrap_timeout_ms=5_000,
    )
    try:
        return producer.send(topic, key=b"SB-01", value=b"fact", partition=0).get(timeout=20).offset
    finally:
        producer.close(timeout=2)


def read(secured: Secured, name: str, password: str) -> list[bytes]:
    consumer = KafkaConsumer(
        **secured.client(name, password), enable_auto_commit=False, auto_offset_reset="none"
    )
    try:
        consumer.assign([TopicPartition(TOPIC, 0)])
        consumer.seek(TopicPartition(TOPIC, 0), 0)
        batches = [consumer.poll(timeout_ms=1_000) for _ in range(5)]
        return [record.value for batch in batches for rows in batch.values() for record in rows]
    finally:
        consumer.close()


@pytest.mark.kafka
@pytest.mark.xdist_group("kafka")
class TestRights:
    def test_a_terminal_writes_and_the_auditor_reads_it(self, secured: Secured):
        assert send(secured, "SB-01", "one", TOPIC) == 0
        assert read(secured, "auditor", "two") == [b"fact"]

    def test_a_terminal_cannot_read(self, secured: Secured):
        with pytest.raises(TopicAuthorizationFailedError):
            read(secured, "SB-01", "one")

    @pytest.mark.parametrize(
        ("name", "password", "topic"),
        [("SB-01", "one", OTHER_TOPIC), ("auditor", "two", TOPIC)],
        ids=["a terminal on another topic", "the auditor"],
    )
    def test_a_write_without_the_right_is_refused(self, secured: Secured, name, password, topic):
        with pytest.raises(KafkaError, match="AuthorizationFailed"):
            send(secured, name, password, topic)

    def test_a_wrong_password_is_refused(self, secured: Secured):
        with pytest.raises(KafkaError):
            send(secured, "SB-01", "guess", TOPIC)
