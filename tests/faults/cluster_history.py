"""What terminals sent and a cluster acknowledged, journalled, and held against a ledger.

Every stream has at most one fact under way: the next one is sent when the last is acknowledged, and
a fact whose outcome is unknown is sent again until it is. So each stream's order is known, though
facts are sent more than once.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.errors import KafkaError

from ledger.codec import key_of
from ledger.log import Accepted, Coordinates, Quarantined, ReadableLog
from ledger.log.kafka import KafkaSettings
from ledger.log.kafka_wire import in_topics
from tests.log.kafka_helpers import clock_checked, wager

SENT: Final = "sent"
ACKNOWLEDGED: Final = "acknowledged"
UNKNOWN: Final = "unknown"
OUTCOME_SECONDS: Final = 3
"""How long a terminal waits for an outcome before it is unknown."""
GIVE_UP_SECONDS: Final = 120
"""How long a terminal sends the same fact again before the test fails."""

Fact = tuple[str, int, str]
"""Stream, number in it, SHA-256 of the framed bytes."""


class Line(NamedTuple):
    """A line of the journal; the place is that of the acknowledgement."""

    kind: str
    fact: Fact
    place: Coordinates | None = None


class Taken(NamedTuple):
    """A fact as the ledger has it."""

    fact: Fact
    place: Coordinates | None


class Journal:
    """A file beside cluster and ledger: it has a line before a fact is sent, and for each outcome."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._stream = file.open("a", encoding="ascii")

    def write(self, lines: Iterable[Line]) -> None:
        """Add lines; they are in the file when this returns."""
        for kind, fact, place in lines:
            print(kind, *fact, *(place or ()), file=self._stream)
        self._stream.flush()

    def read(self) -> list[Line]:
        """All lines, in the order in which they were written."""
        lines = []
        for text in self._file.read_text(encoding="ascii").splitlines():
            kind, stream, seq, digest, *place = text.split(" ")
            where = Coordinates(place[0], int(place[1]), int(place[2])) if place else None
            lines.append(Line(kind, (stream, int(seq), digest), where))
        return lines

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def identify(framed: bytes) -> Fact:
    """Name a fact by its stream, its number and its bytes."""
    stream, seq, _ = key_of(framed)
    return stream, seq, sha256(framed).hexdigest()


# ---------------------------------------------------------------- the sending side


class Terminals(threading.Thread):
    """Sends the facts of many streams, round by round, one of each stream in a round.

    Args:
        settings: how the cluster is reached.
        journal: told of each sending before it begins and of each outcome.
        streams: how many.
        rounds: how many facts each stream has.
        pause_seconds: how long it rests between two rounds.
    """

    def __init__(
        self,
        settings: KafkaSettings,
        journal: Journal,
        streams: int,
        rounds: int,
        pause_seconds: float,
    ) -> None:
        super().__init__(daemon=True)
        self._settings = settings
        self._journal = journal
        self._rounds = rounds
        self._pause = pause_seconds
        self._names = [f"house-{n}" if n % 10 == 0 else f"SB-{n}" for n in range(streams)]
        self._allowed = 0
        self._closed = False
        self._producer: KafkaProducer | None = None
        self.renewed = 0
        """How often the library hung and was started anew."""
        self.acknowledged = 0
        """How many facts are."""
        self.failure: BaseException | None = None

    def allow(self, rounds: int) -> None:
        """Let it go on up to this round; beyond it, it waits."""
        self._allowed = rounds

    def has(self, facts: int) -> bool:
        """Whether more facts than these are acknowledged; the thread must be well."""
        if self.failure is not None:
            raise self.failure
        return self.acknowledged > facts

    def end(self) -> None:
        """Wait until all is acknowledged."""
        self.allow(self._rounds)
        self.join()
        if self.failure is not None:
            raise self.failure

    def close(self) -> None:
        """Send nothing more."""
        self._closed = True
        self.join()

    def run(self) -> None:
        """Send everything."""
        try:
            for seq in range(1, self._rounds + 1):
                while seq > self._allowed and not self._closed:
                    time.sleep(0.01)
                if self._closed:
                    return
                self._send_round(seq)
                time.sleep(self._pause)
        except Exception as failure:
            self.failure = failure
        finally:
            self._let_go()

    def _send_round(self, seq: int) -> None:
        waiting = [
            clock_checked(seq, name) if name.startswith("house") else wager(name, seq)
            for name in self._names
        ]
        deadline = time.monotonic() + GIVE_UP_SECONDS
        while waiting and not self._closed:
            if time.monotonic() > deadline:
                raise AssertionError(f"{len(waiting)} facts of round {seq} are never acknowledged")
            waiting = self._send(waiting)

    def _send(self, facts: list[bytes]) -> list[bytes]:
        """Send facts once; those whose outcome is unknown."""
        self._journal.write(Line(SENT, identify(framed)) for framed in facts)
        sendings = self._hand_over(facts)
        deadline = time.monotonic() + OUTCOME_SECONDS
        lines, unknown, hangs = [], [], False
        for framed, sending in zip_longest(facts, sendings):
            try:
                if sending is None:
                    raise KafkaError("not handed over")
                receipt = sending.get(timeout=max(0.0, deadline - time.monotonic()))
            except KafkaError:
                lines.append(Line(UNKNOWN, identify(framed)))
                unknown.append(framed)
                hangs = hangs or sending is None or not sending.is_done
            else:
                place = Coordinates(receipt.topic, receipt.partition, receipt.offset)
                lines.append(Line(ACKNOWLEDGED, identify(framed), place))
        self._journal.write(lines)
        self.acknowledged += len(facts) - len(unknown)
        if hangs:  # the library can wait for ever for the id of an idempotent producer
            self._let_go()
            self.renewed += 1
        return unknown

    def _hand_over(self, facts: list[bytes]) -> list[Any]:
        """The library's promises of outcomes, as far as it takes the facts."""
        sendings = []
        with suppress(KafkaError):  # the outcome of the rest is unknown
            if self._producer is None:
                self._producer = self._connect()
            for framed in facts:
                stream = identify(framed)[0]
                topic = "house.v1" if stream.startswith("house") else "tables.v1"
                topic = f"{self._settings.topic_prefix}.{topic}"
                sendings.append(self._producer.send(topic, key=stream.encode(), value=framed))
        return sendings

    def _connect(self) -> KafkaProducer:
        return KafkaProducer(
            bootstrap_servers=self._settings.servers,
            acks="all",
            enable_idempotence=True,
            allow_auto_create_topics=False,
            bootstrap_timeout_ms=1_500,
            linger_ms=5,
            max_block_ms=2_000,
            request_timeout_ms=1_000,
            delivery_timeout_ms=2_000,  # shorter than a fault: outcomes do become unknown
            reconnect_backoff_max_ms=500,
        )

    def _let_go(self) -> None:
        if self._producer is not None:
            self._producer._sender.force_close()  # its own close would wait for what hangs
            self._producer.close(timeout=1)
            self._producer = None


# ---------------------------------------------------------------- held against the ledger


def taken_by(log: ReadableLog) -> tuple[list[Taken], int]:
    """The facts of a ledger in its order, and how many arrivals it could not accept."""
    entries = [entry for _, entry in log.entries()]
    facts = [
        Taken(identify(entry.framed), entry.coordinates)
        for entry in entries
        if isinstance(entry, Accepted)
    ]
    return facts, sum(isinstance(entry, Quarantined) for entry in entries)


def records_of(settings: KafkaSettings) -> list[Taken]:
    """All records of the topics of facts, each with its place, read by another reader."""
    consumer = KafkaConsumer(
        bootstrap_servers=settings.servers, enable_auto_commit=False, auto_offset_reset="none"
    )
    try:
        places = [
            TopicPartition(topic, number)
            for topic in in_topics(settings.topic_prefix)
            for number in consumer.partitions_for_topic(topic)
        ]
        consumer.assign(places)
        for place in places:
            consumer.seek(place, 0)
        rest = sum(consumer.end_offsets(places).values())
        records = []
        deadline = time.monotonic() + GIVE_UP_SECONDS
        while len(records) < rest:
            assert time.monotonic() < deadline, f"{len(records)} of {rest} records came"
            for rows in consumer.poll(timeout_ms=500).values():
                records += [
                    Taken(identify(row.value), Coordinates(row.topic, row.partition, row.offset))
                    for row in rows
                ]
    finally:
        consumer.close()
    return records


def compare(
    journal: Sequence[Line], ledger: Sequence[Taken], records: Sequence[Taken]
) -> list[str]:
    """What a ledger says otherwise than the journal, or the topics do; empty when all agree.

    Args:
        journal: what was sent, and what became of it.
        ledger: facts in the order of the ledger.
        records: what the topics hold.
    """
    return [
        *_compare_facts(journal, ledger),
        *_compare_orders(journal, ledger),
        *_compare_places(journal, ledger, records),
    ]


def _compare_facts(journal: Sequence[Line], ledger: Sequence[Taken]) -> list[str]:
    """Each acknowledged fact once, and nothing that nobody sent."""
    times = Counter(fact for fact, _ in ledger)
    sent = {line.fact for line in journal if line.kind == SENT}
    acknowledged = {line.fact for line in journal if line.kind == ACKNOWLEDGED}
    problems = [f"{fact}: acknowledged, and not there" for fact in acknowledged - times.keys()]
    problems += [f"{fact}: there, and never sent" for fact in times.keys() - sent]
    numbers = Counter(fact[:2] for fact, _ in ledger)
    return problems + [f"{key}: there {count} times" for key, count in numbers.items() if count > 1]


def _compare_orders(journal: Sequence[Line], ledger: Sequence[Taken]) -> list[str]:
    """The facts of each stream stand in the order in which they were first acknowledged."""
    first_acknowledged, in_ledger = defaultdict(list), defaultdict(list)
    for fact in dict.fromkeys(line.fact for line in journal if line.kind == ACKNOWLEDGED):
        first_acknowledged[fact[0]].append(fact[1])
    for fact, _ in ledger:
        in_ledger[fact[0]].append(fact[1])
    return [
        f"{stream}: another order than that of the acknowledgements"
        for stream, order in first_acknowledged.items()
        if in_ledger[stream] != order
    ]


def _compare_places(
    journal: Sequence[Line], ledger: Sequence[Taken], records: Sequence[Taken]
) -> list[str]:
    """At each acknowledged offset stands that fact; the ledger has it from there or from before.

    From before only where the outcome of an earlier sending was unknown.
    """
    at_place = {place: fact for fact, place in records}
    from_place = dict(ledger)
    doubtful: set[Fact] = set()
    problems = []
    for kind, fact, place in journal:
        if kind == UNKNOWN:
            doubtful.add(fact)
        if kind != ACKNOWLEDGED or fact not in from_place:
            continue
        origin = from_place[fact]
        if place is None or at_place.get(place) != fact:
            problems.append(f"{fact}: acknowledged at {place}, where the topic has something else")
        elif origin is None or origin[:2] != place[:2] or origin.offset > place.offset:
            problems.append(f"{fact}: acknowledged at {place}, taken from {origin}")
        elif origin != place and fact not in doubtful:
            problems.append(f"{fact}: taken from {origin}, and sent once only, to {place}")
    return problems + [
        f"{fact}: taken from {place}, where the topic has something else"
        for fact, place in ledger
        if place is None or at_place.get(place) != fact
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What a run went through."""

    network: str
    facts: int
    streams: int
    kills: int
    pauses: int
    cuts: int
    delays: int
    renewed: int
    refusals: int
    during_faults: int
    unknown: int
    duplicates: int
    seconds: float

    def __str__(self) -> str:
        rows = (
            ("network", self.network),
            ("facts acknowledged, and in the ledger once", f"{self.facts:,}"),
            ("streams", f"{self.streams:,}"),
            ("kills", f"{self.kills:,}"),
            ("pauses", f"{self.pauses:,}"),
            ("cuts", f"{self.cuts:,}"),
            ("delays", f"{self.delays:,}"),
            ("kills of the ingest, started again at once", f"{self.renewed:,}"),
            ("refusals of the ingest, started again", f"{self.refusals:,}"),
            ("facts acknowledged while a broker was away", f"{self.during_faults:,}"),
            ("sendings of unknown outcome, sent again", f"{self.unknown:,}"),
            ("duplicates in the topics, not in the ledger", f"{self.duplicates:,}"),
            ("seconds", f"{self.seconds:,.0f}"),
        )
        return "\n".join(f"| {name:<45} | {figure:>19} |" for name, figure in rows)
