"""The contract with producers as an AsyncAPI 3 document, made from the schemas and the topics.

Source: AsyncAPI Specification 3.0.0; its Kafka bindings, version 0.5.0.
"""

from __future__ import annotations

import json
from typing import Final

from ledger.codec import Schema, registry, sample_of
from ledger.codec.limits import FRAME_BYTES
from ledger.codec.shapes import JsonValue
from ledger.events import SUBJECTS
from ledger.log.kafka_settings import BOOTSTRAP, TOPIC_PREFIX
from ledger.log.kafka_wire import IN_TOPICS, TOPIC_OF_SUBJECT

SPECIFICATION: Final = "3.0.0"
BINDING: Final = "0.5.0"
AVRO: Final = "application/vnd.apache.avro+json;version=1.9.0"
DESCRIPTION: Final = (
    "Facts of a casino's table games, as terminals write them. Each record is one event:"
    " the byte 0, the schema's id in four bytes (highest first), then the Avro body, at most"
    f" {FRAME_BYTES:,} bytes together. Ids are those of x-schema-id, or those of a"
    " Confluent-compatible registry that Pitledger is told of. The key is the stream. Facts are"
    " never refused for what they say; bytes that are no fact are quarantined."
    " `pitledger schemas try` says field by field what is wrong with what a terminal writes."
)
KEY: Final = "The stream, as UTF-8: all records of a stream are in one partition, in order."


def asyncapi(version: str, prefix: str = TOPIC_PREFIX) -> dict[str, JsonValue]:
    """Make the document.

    Args:
        version: of the product.
        prefix: what stands before the topics' names.

    Returns:
        Plain data, for JSON or YAML: one channel per topic of facts, one message per published
        version of each event, and the operation by which Pitledger receives them.
    """
    schemas = sorted(registry(), key=lambda schema: (schema.name, schema.version))
    return {
        "asyncapi": SPECIFICATION,
        "info": {"title": "Pitledger", "version": version, "description": DESCRIPTION},
        "defaultContentType": "application/avro",
        "servers": {
            "local": {
                "host": BOOTSTRAP,
                "protocol": "kafka",
                "description": "The broker that `make kafka-up` starts.",
            }
        },
        "channels": {_channel(topic): _topic(topic, prefix, schemas) for topic in IN_TOPICS},
        "operations": {
            f"ingest_{_channel(topic)}": {
                "action": "receive",
                "channel": {"$ref": f"#/channels/{_channel(topic)}"},
                "summary": f"Pitledger takes what stands in {prefix}.{topic} into the ledger.",
            }
            for topic in IN_TOPICS
        },
        "components": {"messages": {_message(schema): _event(schema) for schema in schemas}},
    }


def _channel(topic: str) -> str:
    return topic.partition(".")[0]


def _message(schema: Schema) -> str:
    return f"{schema.name}.{schema.version}"


def _topic(topic: str, prefix: str, schemas: list[Schema]) -> dict[str, JsonValue]:
    here = [one for one in schemas if TOPIC_OF_SUBJECT[SUBJECTS[one.name]] == topic]
    return {
        "address": f"{prefix}.{topic}",
        "messages": {
            _message(schema): {"$ref": f"#/components/messages/{_message(schema)}"}
            for schema in here
        },
        "bindings": {"kafka": {"topic": f"{prefix}.{topic}", "bindingVersion": BINDING}},
    }


def _event(schema: Schema) -> dict[str, JsonValue]:
    text: dict[str, JsonValue] = json.loads(schema.text)
    sample = sample_of(schema)
    message: dict[str, JsonValue] = {
        "name": schema.full_name,
        "title": schema.name,
        "summary": text.get("doc", ""),
        "contentType": "application/avro",
        "payload": {"schemaFormat": AVRO, "schema": text},
        "bindings": {
            "kafka": {
                "key": {"type": "string", "description": KEY},
                "schemaIdLocation": "payload",
                "schemaIdPayloadEncoding": "confluent",
                "schemaLookupStrategy": "RecordNameStrategy",
                "bindingVersion": BINDING,
            }
        },
        "x-schema-id": schema.id,
        "x-schema-version": schema.version,
    }
    if sample is not None:
        message["x-json-example"] = sample
    return message
