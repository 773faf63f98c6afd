"""Who may do what on the topics? A terminal only writes its own, the auditor only reads."""

from collections.abc import Iterable
from typing import Final

from kafka import KafkaAdminClient
from kafka.admin import (
    ACL,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    ResourcePattern,
    ResourceType,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

from infra.kafka.errors import BrokerError

MECHANISM: Final = "SCRAM-SHA-512"
ITERATIONS: Final = 8192
ANY_HOST: Final = "*"


def add_terminal(
    admin: KafkaAdminClient, *, name: str, password: str, prefix: str = "pitledger"
) -> None:
    """Let one terminal write to the topic of its own, and nothing else.

    No reader of a topic sees who wrote; so the topic says it. Make the topic first
    (``terminal_topics``), and register the terminal for its streams in the ledger.
    """
    below = f"{prefix}.terminal.{name}."  # the dot: SB-01 may not write for SB-010
    pattern = ResourcePattern(ResourceType.TOPIC, below, ACLResourcePatternType.PREFIXED)
    _set_password(admin, name, password)
    _allow(admin, name, [(pattern, ACLOperation.WRITE), (pattern, ACLOperation.DESCRIBE)])


def add_publisher(
    admin: KafkaAdminClient, *, name: str, password: str, topics: Iterable[str]
) -> None:
    """Let a system of the house write to the named shared topics, and nothing else."""
    _set_password(admin, name, password)
    _allow(
        admin,
        name,
        [
            (ResourcePattern(ResourceType.TOPIC, topic), operation)
            for topic in topics
            for operation in (ACLOperation.WRITE, ACLOperation.DESCRIBE)
        ],
    )


def add_auditor(
    admin: KafkaAdminClient, *, name: str, password: str, prefix: str = "pitledger."
) -> None:
    """Let the auditor read every topic of the prefix, and write none."""
    _set_password(admin, name, password)
    pattern = ResourcePattern(ResourceType.TOPIC, prefix, ACLResourcePatternType.PREFIXED)
    _allow(admin, name, [(pattern, ACLOperation.READ), (pattern, ACLOperation.DESCRIBE)])


def _set_password(admin: KafkaAdminClient, name: str, password: str) -> None:
    credential = UserScramCredentialUpsertion(
        name, ScramMechanism.SCRAM_SHA_512, password, iterations=ITERATIONS
    )
    problem = admin.alter_user_scram_credentials([credential]).get(name)
    if problem:
        raise BrokerError("kafka_access_refused", f"password of {name}: {problem}")


def _allow(
    admin: KafkaAdminClient, name: str, grants: Iterable[tuple[ResourcePattern, ACLOperation]]
) -> None:
    acls = [
        ACL(f"User:{name}", ANY_HOST, operation, ACLPermissionType.ALLOW, pattern)
        for pattern, operation in grants
    ]
    failed = admin.create_acls(acls)["failed"]
    if failed:
        raise BrokerError("kafka_access_refused", f"rights of {name}: {failed}")
