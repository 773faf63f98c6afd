"""Notices on the topic ``findings.v1``, each at least once, in the Avro single-object encoding.

After a restart the tail of the topic is read first, so that what stands there is not sent again.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any, Final

from ledger.log.kafka import KafkaSettings, KafkaUnreachable, TopicsMissing
from ledger.log.kafka_client import Cluster, Place, Reader, Sender, partition_of
from ledger.watch.notices import Notice, notice_data, notice_from

TOPIC: Final = "findings.v1"
TAIL: Final = 100_000
"""How many of the last records of a partition are read after a restart."""
POLL_SECONDS: Final = 0.2
POLL_RECORDS: Final = 2_000
MARK: Final = b"\xc3\x01"
"""With which the single-object encoding begins (Avro 1.12, section "Single-object encoding")."""
CONTENT_TYPE: Final = ("content-type", b"application/avro; encoding=single-object")


@cache
def _schema() -> tuple[Any, bytes]:
    """The schema as the library wants it, and its fingerprint: CRC-64-AVRO, little-endian."""
    from fastavro import parse_schema
    from fastavro.schema import fingerprint, to_parsing_canonical_form

    plain = json.loads(Path(__file__).with_name("finding.avsc").read_bytes())
    digits = fingerprint(to_parsing_canonical_form(plain), "CRC-64-AVRO")
    return parse_schema(plain), bytes.fromhex(digits)


def encode(origin: str, notice: Notice) -> bytes:
    """Return a notice as the value of a record."""
    from fastavro import schemaless_writer

    schema, mark = _schema()
    out = io.BytesIO()
    schemaless_writer(out, schema, {"origin": origin, **notice_data(notice)})
    return MARK + mark + out.getvalue()


def decode(record: bytes) -> tuple[str, Notice]:
    """Return the ledger's name and the notice of a record.

    Raises:
        ValueError: it is no notice that this version knows.
    """
    from fastavro import schemaless_reader

    schema, mark = _schema()
    if not record.startswith(MARK + mark):
        raise ValueError("it is of another schema")
    source = io.BytesIO(record[len(MARK) + len(mark) :])
    try:
        plain = schemaless_reader(source, schema, None)
        if not isinstance(plain, dict) or source.read(1):
            raise ValueError("it is no notice")
        return str(plain.pop("origin")), notice_from(plain)
    except (EOFError, KeyError, TypeError, IndexError, UnicodeDecodeError) as error:
        raise ValueError("it is no notice") from error


class FindingsTopic:
    """Sends notices of one ledger.

    Args:
        settings: how the broker is reached.
        origin: the ledger's name.

    Raises:
        TopicsMissing: the broker has no such topic.
        KafkaUnreachable, KafkaDenied: it cannot be asked.
    """

    def __init__(self, settings: KafkaSettings, origin: str) -> None:
        self._settings, self._origin = settings, origin
        self._name = f"{settings.topic_prefix}.{TOPIC}"
        cluster = Cluster(settings)
        try:
            topics = cluster.topics([self._name])
        finally:
            cluster.close()
        if self._name not in topics:
            raise TopicsMissing([self._name], settings.bootstrap)
        self._places = topics[self._name].places()
        self._sent = self._tail()
        self._sender: Sender | None = None

    def send(self, notices: Iterable[Notice]) -> None:
        """Send notices that are not there yet; they are durable when this returns.

        Raises:
            KafkaUnreachable, KafkaDenied: some may not be there; sending them again is harmless.
        """
        fresh = [notice for notice in notices if notice.key not in self._sent]
        if not fresh:
            return
        sender = self._sender or Sender(self._settings)
        self._sender = None
        try:
            for notice in fresh:
                key = notice.stream.encode()
                place = self._places[partition_of(key, len(self._places))]
                headers = [CONTENT_TYPE, ("id", notice.id.encode())]
                sender.send(place, key, encode(self._origin, notice), headers)
            sender.settle()
        except BaseException:
            sender.close()  # a new one begins without what this one may still hold
            raise
        self._sender = sender
        self._sent.update(notice.key for notice in fresh)

    def close(self) -> None:
        """Let go of the connection."""
        if self._sender is not None:
            self._sender.close()
            self._sender = None

    def _tail(self) -> set[tuple[str, str, str]]:
        """What stands in the topic already."""
        known: set[tuple[str, str, str]] = set()
        reader = Reader(self._settings, POLL_RECORDS)
        try:
            limits = reader.limits(self._places)
            ends = {place: end for place, (begin, end) in limits.items() if end > begin}
            if not ends:
                return known
            reader.start({p: max(limits[p][0], end - TAIL) for p, end in ends.items()})
            heard = monotonic()
            while any((reader.position(place) or 0) < end for place, end in ends.items()):
                polled = reader.poll(POLL_SECONDS)
                if polled:
                    heard = monotonic()
                elif monotonic() - heard > self._settings.timeout_seconds:
                    raise KafkaUnreachable("reading", self._name, "nothing comes")
                known |= _keys(polled, self._origin)
        finally:
            reader.close()
        return known


def _keys(polled: dict[Place, list[Any]], origin: str) -> set[tuple[str, str, str]]:
    keys = set()
    for records in polled.values():
        for record in records:
            try:
                whose, notice = decode(getattr(record, "value", None) or b"")
            except ValueError:  # what somebody else wrote there says nothing
                continue
            if whose == origin:
                keys.add(notice.key)
    return keys
