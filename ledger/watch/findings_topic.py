"""Notices on the topic ``findings.v1``, each at least once, in the Avro single-object encoding.

One watch of a ledger sends at a time. The tail of the topic is read when it begins, so that what
stands there is not sent again. Readers must pass over what was given up, as every client of Kafka
does that reads only what is committed.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from secrets import choice
from time import monotonic
from typing import Any, Final

from ledger.kernel import LedgerError
from ledger.log.kafka import KafkaSettings, KafkaUnreachable
from ledger.log.kafka_client import (
    MARKS,
    Cluster,
    OnlySender,
    OutOfRange,
    Place,
    Reader,
    Sent,
    Topic,
    partition_of,
)
from ledger.watch.erasures import is_masked
from ledger.watch.errors import WatchFenced
from ledger.watch.notices import Change, Notice, notice_data, notice_from

TOPIC: Final = "findings.v1"
TAIL: Final = 100_000
"""How many of the last records of a partition are read after a restart."""
POLL_SECONDS: Final = 0.2
POLL_RECORDS: Final = 2_000
NOT_FOUND_AGAIN: Final = "an earlier watch told it, and it is not found any more"
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
    """Sends notices of one ledger; of several watches of it, the one that began last does.

    The broker gives the ledger's name to one sender at a time (``OnlySender``): what a watch that
    was paused had under way is given up, and nothing is taken from it any more. Who lost the
    connection looks who has the name now before it takes it again, so that it never takes it from
    one that began later.

    Args:
        settings: how the broker is reached.
        origin: the ledger's name.

    Raises:
        TopicsMissing: the broker has no such topic.
        KafkaUnreachable, KafkaDenied: it cannot be asked.

    Attributes:
        readings: counts how often what stands there was read anew.
    """

    def __init__(self, settings: KafkaSettings, origin: str) -> None:
        self._settings, self._origin = settings, origin
        self._topic_name = f"{settings.topic_prefix}.{TOPIC}"
        self._sender_name = f"{self._topic_name}/{origin}"
        self._mark = choice(MARKS)
        self._cluster = Cluster(settings)
        self._sender: OnlySender | None = None
        self._last: dict[str, Notice] = {}
        self.readings = 0
        self._topic = self._looked()
        try:
            self._begin()
        except LedgerError:
            self.close()
            raise

    @property
    def target(self) -> str:
        """What it is called among those who take notices."""
        return f"topic {self._topic_name}"

    def send(self, notices: Iterable[Notice]) -> None:
        """Send notices that are not there yet; they are durable when this returns.

        Of what is said of one finding only what follows its last word there is sent.

        Raises:
            WatchFenced: another watch of the ledger began later.
            KafkaUnreachable, KafkaDenied: some may not be there; sending them again is harmless.
        """
        waiting = list(notices)
        if not waiting:
            return
        try:
            self._go_on()
            fresh = self._fresh(waiting)
            if fresh and self._sender is not None:
                self._sender.send(map(self._record, fresh))
        except LedgerError:
            self._let_go()
            self._check_name()
            raise
        self._last.update((notice.id, notice) for notice in fresh)

    def missing(self, standing: Iterable[Notice]) -> list[Notice]:
        """Return what stands and is not the last word of the topic; it may have been made again."""
        return [notice for notice in standing if not self._says(notice)]

    def last_words(self) -> list[Notice]:
        """Return the last word on each finding that the topic has of this ledger."""
        return list(self._last.values())

    def standing_since(self, day: date) -> dict[str, Notice]:
        """Return what the topic says to stand of a gaming day and those after it, by id."""
        return {
            notice.id: notice
            for notice in self._last.values()
            if notice.change is not Change.WITHDRAWN and notice.gaming_day >= day
        }

    def withdrawal_of(self, notice: Notice) -> Notice:
        """Return what withdraws a finding that an earlier watch told."""
        return replace(
            notice,
            change=Change.WITHDRAWN,
            because=NOT_FOUND_AGAIN,
            telling=notice.telling + 1,
        )

    @property
    def is_made_again(self) -> bool:
        """Whether another topic of the same name took the place of the one that was read last."""
        return self._looked().id != self._topic.id

    def close(self) -> None:
        """Let go of the connections."""
        self._let_go()
        self._cluster.close()

    # ------------------------------------------------------------ being the only one

    def _begin(self) -> None:
        """Take the name, then read what stands in the topic: nobody else adds to it any more."""
        self._sender = OnlySender(self._settings, self._sender_name, self._mark)
        self._last = self._tail()
        self.readings += 1

    def _go_on(self) -> None:
        """Have a sender, and know what stands in the topic."""
        if self._sender is not None and not self.is_made_again:
            return
        self._let_go()
        self._check_name()
        self._topic = self._looked()
        self._begin()

    def _check_name(self) -> None:
        """Refuse to go on where another sender has the name.

        Raises:
            WatchFenced: it has.
        """
        try:
            mark = self._cluster.mark_of(self._sender_name)
        except LedgerError:  # nobody answers: it is asked again before anything is sent
            self._cluster.close()
            return
        if mark not in (None, self._mark):
            raise WatchFenced(self._topic_name)

    def _let_go(self) -> None:
        if self._sender is not None:
            self._sender.close()
            self._sender = None

    def _looked(self) -> Topic:
        """The topic as the broker describes it now."""
        return self._cluster.topics([self._topic_name])[self._topic_name]

    # ------------------------------------------------------------ what stands there

    def _fresh(self, waiting: Iterable[Notice]) -> list[Notice]:
        """What is not there yet, in order."""
        fresh: list[Notice] = []
        for of_finding in _by_id(waiting).values():
            there = [number for number, one in enumerate(of_finding, 1) if self._says(one)]
            for notice in of_finding[there[-1] if there else 0 :]:
                fresh.append(self._numbered(notice, fresh))
        return fresh

    def _says(self, notice: Notice) -> bool:
        """Whether the last word of the topic on a finding is this one."""
        last = self._last.get(notice.id)
        if last is None:
            return False
        if notice.change is last.change is Change.WITHDRAWN and is_masked(notice):
            return is_masked(last)
        return last.says_what(notice)

    def _numbered(self, notice: Notice, before: list[Notice]) -> Notice:
        """The notice with a number above those that the topic has for the finding."""
        earlier = [one.telling for one in before if one.id == notice.id]
        if notice.id in self._last:
            earlier.append(self._last[notice.id].telling)
        return replace(notice, telling=max([notice.telling, *(one + 1 for one in earlier)]))

    def _record(self, notice: Notice) -> Sent:
        places = self._topic.places()
        headers = [CONTENT_TYPE, ("id", notice.id.encode())]
        place = places[partition_of(notice.stream.encode(), len(places))]
        return Sent(place, record_key(notice), encode(self._origin, notice), headers)

    def _tail(self) -> dict[str, Notice]:
        """The last word on each finding that stands in the topic."""
        known: dict[str, Notice] = {}
        places = self._topic.places()
        reader = Reader(self._settings, POLL_RECORDS, is_settled=True)
        try:
            limits = reader.limits(places)
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
                    raise KafkaUnreachable("reading", self._topic_name, "nothing comes")
                for notice in _notices(polled, self._origin):
                    known[notice.id] = notice
        except OutOfRange as error:
            raise KafkaUnreachable(
                "reading", self._topic_name, "the topic changed while it was read"
            ) from error
        finally:
            reader.close()
        return known


def record_key(notice: Notice) -> bytes:
    """Return the key of a notice's record: its stream, which alone decides the partition, and
    its id, so that a compacted topic keeps the last word on each finding."""
    return f"{notice.stream} {notice.id}".encode()


def _notices(polled: dict[Place, list[Any]], origin: str) -> Iterator[Notice]:
    for records in polled.values():
        for record in records:
            try:
                whose, notice = decode(getattr(record, "value", None) or b"")
            except ValueError:  # what somebody else wrote there says nothing
                continue
            if whose == origin:
                yield notice


def _by_id(notices: Iterable[Notice]) -> dict[str, list[Notice]]:
    by_id: dict[str, list[Notice]] = {}
    for notice in notices:
        by_id.setdefault(notice.id, []).append(notice)
    return by_id
