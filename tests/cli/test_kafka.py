"""`publish` and `ingest` against a real broker: a copy made through it has the same digest."""

from __future__ import annotations

from pathlib import Path

from infra.kafka import Broker
from tests.cli.conftest import Command
from tests.cli.given import DAY, day
from tests.log.kafka_helpers import fresh_prefix


def test_a_copy_through_the_broker_is_the_same(
    command: Command, made: Path, empty: Path, kafka_broker: Broker
) -> None:
    prefix = fresh_prefix(kafka_broker)
    words = ("--bootstrap", kafka_broker.bootstrap, "--topic-prefix", prefix, "--format", "json")
    sent = command("publish", "--ledger", made, *words)
    assert (sent.code, sent.json["facts"]) == (0, len(day())), sent.err
    assert command("publish", "--ledger", made, *words).json["already"] == len(day())
    taken = command("ingest", "--ledger", empty, "--batch", "7", *words)
    assert (taken.code, taken.json["accepted"]) == (0, len(day())), taken.err
    assert command("ingest", "--ledger", empty, *words).json["read"] == 0
    one, two = (
        command("audit", "--day", DAY, "--ledger", folder, "--format", "json").json
        for folder in (made, empty)
    )
    assert one["digest"] == two["digest"]
    assert one["findings"] == two["findings"]


def test_topics_that_are_not_there(command: Command, made: Path, kafka_broker: Broker) -> None:
    words = ("--bootstrap", kafka_broker.bootstrap, "--topic-prefix", "nobody")
    said = command("publish", "--ledger", made, *words)
    assert said.code == 3
    assert "[kafka_topic_missing]" in said.err
