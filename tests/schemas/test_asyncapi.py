"""The AsyncAPI document is one, by the specification's own JSON Schema, and says what we publish."""

from __future__ import annotations

import copy
import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from ledger.codec import registry
from ledger.log.asyncapi import asyncapi
from ledger.log.kafka import IN_TOPICS

ROOT = Path(__file__).parent.parent.parent
SPECIFICATION = Path(__file__).parent / "asyncapi" / "3.0.0.json"
DOCUMENT = asyncapi("0.1.0")


@cache
def validator() -> Draft7Validator:
    return Draft7Validator(json.loads(SPECIFICATION.read_text(encoding="utf-8")))


def with_messages(names: list[str]) -> dict[str, Any]:
    """The document with these messages alone."""
    document = copy.deepcopy(DOCUMENT)
    messages = document["components"]["messages"]
    document["components"]["messages"] = {name: messages[name] for name in names}
    return document


def small() -> dict[str, Any]:
    """The document with one message, to be spoiled."""
    return with_messages(["WagerPlaced.1"])


PARTS = 8


@pytest.mark.by_turns(PARTS)
@pytest.mark.parametrize("part", range(PARTS))
def test_the_document_is_asyncapi_3(part: int) -> None:
    document = with_messages(sorted(DOCUMENT["components"]["messages"])[part::PARTS])
    assert [error.json_path for error in validator().iter_errors(document)] == []


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (("asyncapi",), "2.6.0"),
        (("info",), {"title": "Pitledger"}),
        (("operations", "ingest_tables", "action"), "subscribe"),
        (("channels", "tables", "messages"), []),
        (("components", "messages", "WagerPlaced.1", "payload", "schema", "type"), "recrd"),
        (("components", "messages", "WagerPlaced.1", "bindings", "kafka", "schemaIdLocation"), 4),
    ],
)
def test_a_document_that_is_none_is_refused(path: tuple[str, ...], wrong: object) -> None:
    document = small()
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = wrong
    assert not validator().is_valid(document)


def test_each_published_schema_is_a_message_of_one_topic() -> None:
    messages = DOCUMENT["components"]["messages"]
    assert {
        (one["x-schema-id"], one["title"], one["x-schema-version"]) for one in messages.values()
    } == {(schema.id, schema.name, schema.version) for schema in registry()}
    for schema in registry():
        message = messages[f"{schema.name}.{schema.version}"]
        assert message["payload"]["schema"] == json.loads(schema.text)
    references = [name for channel in DOCUMENT["channels"].values() for name in channel["messages"]]
    assert sorted(references) == sorted(messages)


def test_the_channels_are_the_topics_of_facts() -> None:
    addresses = {channel["address"] for channel in DOCUMENT["channels"].values()}
    assert addresses == {f"pitledger.{name}" for name in IN_TOPICS}
    topics = tomllib.loads((ROOT / "infra" / "topics.toml").read_text(encoding="utf-8"))["topic"]
    assert addresses <= {f"pitledger.{topic['name']}" for topic in topics}


def test_an_operation_leads_to_its_channel() -> None:
    for operation in DOCUMENT["operations"].values():
        assert operation["channel"]["$ref"].removeprefix("#/channels/") in DOCUMENT["channels"]


def test_a_prefix_of_ones_own() -> None:
    document = asyncapi("0.1.0", "trial")
    assert document["channels"]["tables"]["address"] == "trial.tables.v1"
    assert document["channels"]["tables"]["bindings"]["kafka"]["topic"] == "trial.tables.v1"
