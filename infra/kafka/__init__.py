"""A real Apache Kafka broker from Python packages and Maven artifacts alone."""

from infra.kafka.broker import Broker
from infra.kafka.errors import BrokerError
from infra.kafka.topics import Topic, ensure_topics, load_topics

__all__ = ["Broker", "BrokerError", "Topic", "ensure_topics", "load_topics"]
