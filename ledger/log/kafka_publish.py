"""Send what a ledger holds to the topics: every fact, and every byte that it could not accept.

A copy made through Kafka then has the same findings. A record is claimed as sent only when all
replicas in sync have it; a publish that was cut off is simply said again, and sends the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ledger.kernel import ERASED
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.entry import decode
from ledger.log.kafka_client import Cluster, Sender, Stop, never
from ledger.log.kafka_errors import RecordTooLong
from ledger.log.kafka_published_records import SentRecords
from ledger.log.kafka_settings import KafkaSettings
from ledger.log.kafka_wire import Record, Router, in_topics
from ledger.log.port import Accepted, Entry, Quarantined, ReadableLog
from ledger.log.stream_writers import FOREIGN

WINDOW: Final = 10_000
"""How many records are under way before all of them must be acknowledged."""
OVERHEAD: Final = 4_000
"""Bytes of a record beside its value, at most: key, headers, framing."""

Progress = Callable[[int, int], None]
"""Told how many entries are done, and of how many."""


def no_progress(_done: int, _total: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What became of the entries; each of the first three counts what was sent by this run."""

    facts: int
    conflicts: int
    quarantined: int
    already: int
    """Records that stood in the topics before."""
    position: int
    """Up to here all entries are in the topics; the size of the ledger unless interrupted."""
    interrupted: bool
    erased: int = 0
    """Facts that were not sent, since something in them is erased here."""


class _Run:
    """One publish under way."""

    def __init__(self, log: ReadableLog, router: Router, sender: Sender, longest: int) -> None:
        self.log = log
        self.router = router
        self.sender = sender
        self.longest = longest
        self.waiting = [0, 0, 0]
        self.sent = [0, 0, 0]
        self.already = 0
        self.erased = 0
        from ledger.log.log_at_earlier_size import files_of  # who asks for no log is spared it

        files = files_of(log)
        self.is_sealed = files is not None and files.is_sealed

    def record(self, entry: Entry) -> tuple[int, Record] | None:
        """Kind (fact, conflict, quarantined) and wire form of an entry; None for the others."""
        if isinstance(entry, Accepted):
            if self.is_sealed and ERASED.encode() in entry.framed:
                self.erased += 1  # a record of it may stand there, which says more
                return None
            return 0, self.router.accepted(entry)
        if not isinstance(entry, Quarantined) or entry.reason == FOREIGN:
            return None  # in a shared topic nothing would show any more who sent it
        whole = self.log.quarantined(entry.sha256)
        kind = 2 if entry.conflicts_with is None else 1
        return kind, self.router.quarantined(entry, whole, self._framed_at)

    def send(self, position: int, kind: int, record: Record) -> None:
        """Hand a record over; a conflict only when what it contradicts is acknowledged."""
        if len(record.payload) + OVERHEAD > self.longest:
            self.settle()
            raise RecordTooLong(position, len(record.payload), self.longest - OVERHEAD)
        if kind == 1:
            self.settle()
        self.sender.send(*record)
        self.waiting[kind] += 1
        if sum(self.waiting) >= WINDOW:
            self.settle()

    def settle(self) -> None:
        """Wait for the acknowledgements; only then are the records counted as sent."""
        self.sender.settle()
        self.sent = [done + more for done, more in zip(self.sent, self.waiting, strict=True)]
        self.waiting = [0, 0, 0]

    def _framed_at(self, position: int) -> bytes:
        earlier = self.log.read(position)
        if not isinstance(earlier, Accepted):
            raise AssertionError("a conflict is with an accepted fact")
        return earlier.framed


def publish(
    log: ReadableLog,
    settings: KafkaSettings,
    *,
    repeat: bool = False,
    progress: Progress = no_progress,
    stop: Stop = never,
) -> Published:
    """Send the ledger, as it stands now, to its topics; what is there already is not sent again.

    Args:
        log: the ledger.
        settings: how the broker is reached.
        repeat: send everything without looking what is there, as a principal must that may write
            and not read; what is sent twice is counted as repeated by those who read.
        progress: told now and then how far it is.
        stop: asked now and then whether to end early.

    Raises:
        TopicsMissing, KafkaUnreachable, KafkaDenied: what was acknowledged stays; say it again.
        RecordTooLong: quarantined bytes that the topics do not take.
    """
    cluster = Cluster(settings)
    try:
        topics = cluster.topics(in_topics(settings.topic_prefix))
    finally:
        cluster.close()
    places = [place for topic in topics.values() for place in topic.places()]
    sent_before = None if repeat else SentRecords(settings, places)
    try:
        sender = Sender(settings)
        try:
            run = _Run(log, Router(settings.topic_prefix, topics, log.origin), sender,
                       settings.record_bytes)  # fmt: skip
            return _publish(run, sent_before, progress, stop)
        finally:
            sender.close()
    finally:
        if sent_before is not None:
            sent_before.close()


def _publish(
    run: _Run, sent_before: SentRecords | None, progress: Progress, stop: Stop
) -> Published:
    size = run.log.size
    position, interrupted = 0, False
    for position, entry in _entries(run.log, size):
        if position % WINDOW == 0:
            progress(position, size)
            if stop():
                interrupted = True
                break
        outgoing = run.record(entry)
        if outgoing is None:
            continue
        kind, record = outgoing
        if sent_before is not None and sent_before.has(record.place, record.key, record.payload):
            run.already += 1
        else:
            run.send(position, kind, record)
    run.settle()
    done = position if interrupted else size
    progress(done, size)
    return Published(
        facts=run.sent[0],
        conflicts=run.sent[1],
        quarantined=run.sent[2],
        already=run.already,
        erased=run.erased,
        position=done,
        interrupted=interrupted,
    )


def _entries(log: ReadableLog, size: int) -> Iterator[tuple[int, Entry]]:
    for first, bundle in log.bundles(0, size):
        for position, raw in enumerate(bundle, first):
            yield position, decode(raw)
