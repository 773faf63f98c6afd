"""Which topics are there, and with what settings? `infra/topics.toml` says so; this makes them."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from kafka import KafkaAdminClient

from infra.kafka.errors import BrokerError

TOPICS: Final = Path(__file__).parent.parent / "topics.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    name: str
    partitions: int
    replication: int
    settings: tuple[tuple[str, str], ...]


def load_topics(
    prefix: str = "pitledger", *, replication: int = 1, file: Path = TOPICS
) -> tuple[Topic, ...]:
    """Read the topics; on more than one node each has one replica less to wait for than it has."""
    document = tomllib.loads(file.read_text(encoding="utf-8"))
    common: dict[str, str] = {key: str(value) for key, value in document["settings"].items()}
    common["min.insync.replicas"] = str(max(1, replication - 1))
    return tuple(
        Topic(
            name=f"{prefix}.{topic['name']}",
            partitions=topic["partitions"],
            replication=replication,
            settings=tuple(sorted(common.items())),
        )
        for topic in document["topic"]
    )


def terminal_topics(
    terminals: Iterable[str], prefix: str = "pitledger", *, replication: int = 1
) -> tuple[Topic, ...]:
    """Name the topics that terminals have of their own: one partition each, kept for ever."""
    common = load_topics(prefix, replication=replication)[0]
    return tuple(
        replace(common, name=f"{prefix}.terminal.{terminal}.v1", partitions=1)
        for terminal in terminals
    )


def ensure_topics(bootstrap: str, topics: Iterable[Topic]) -> tuple[str, ...]:
    """Make the topics that are missing, and refuse one that has another number of partitions."""
    wanted = {topic.name: topic for topic in topics}
    admin = KafkaAdminClient(bootstrap_servers=bootstrap)
    try:
        present = set(admin.list_topics()) & set(wanted)
        for description in admin.describe_topics(sorted(present)) if present else ():
            _check(wanted[description["name"]], len(description["partitions"]))
        missing = sorted(set(wanted) - present)
        if missing:
            admin.create_topics(
                {
                    name: {
                        "num_partitions": wanted[name].partitions,
                        "replication_factor": wanted[name].replication,
                        "configs": dict(wanted[name].settings),
                    }
                    for name in missing
                },
                wait_for_metadata=True,
            )
        return tuple(missing)
    finally:
        admin.close()


def _check(topic: Topic, partitions: int) -> None:
    if partitions != topic.partitions:
        raise BrokerError(
            "kafka_topic_differs",
            f"{topic.name} has {partitions} partitions, topics.toml says {topic.partitions}",
        )
