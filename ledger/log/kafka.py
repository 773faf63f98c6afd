"""The broker's side of the ledger: publish to topics, ingest from them.

Imported by name only (``ledger.log`` itself does not bring it), and even then the client library is
loaded only when a connection is made.
"""

from ledger.log.kafka_errors import (
    KafkaDenied,
    KafkaSettingsWrong,
    KafkaUnreachable,
    RecordTooLong,
    RecordUnreadable,
    RegistryUnavailable,
    SourceGap,
    SourceNotRetained,
    SourceReplaced,
    SourceTruncated,
    TopicsMissing,
)
from ledger.log.kafka_ingest import (
    BATCH,
    Ingested,
    ingest,
    ingest_again,
    load_compiled,
    stop_on_signals,
)
from ledger.log.kafka_publish import Published, publish
from ledger.log.kafka_records_as_they_are import TopicRecord, records_in_topics
from ledger.log.kafka_settings import KafkaSettings, settings_from
from ledger.log.kafka_wire import IN_TOPICS, TOPIC_OF_SUBJECT, in_topics

__all__ = [
    "BATCH",
    "IN_TOPICS",
    "TOPIC_OF_SUBJECT",
    "Ingested",
    "KafkaDenied",
    "KafkaSettings",
    "KafkaSettingsWrong",
    "KafkaUnreachable",
    "Published",
    "RecordTooLong",
    "RecordUnreadable",
    "RegistryUnavailable",
    "SourceGap",
    "SourceNotRetained",
    "SourceReplaced",
    "SourceTruncated",
    "TopicRecord",
    "TopicsMissing",
    "in_topics",
    "ingest",
    "ingest_again",
    "load_compiled",
    "publish",
    "records_in_topics",
    "settings_from",
    "stop_on_signals",
]
