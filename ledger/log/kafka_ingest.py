"""Take facts from the topics into a ledger: each record once, whatever stops, repeats or restarts.

Where to go on stands in the ledger's own entries; the broker's own memory of a reader's place is
neither written nor read. A batch is durable in the ledger before the next one is asked for, so a
cut at any moment loses nothing and doubles nothing.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, time_ns
from types import FrameType
from typing import Final

from ledger.kernel.cyclic_garbage import uncollected
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.kafka_batches import UNREADABLE, UNREADABLE_RECORD, read_raw
from ledger.log.kafka_client import Stop, Stopped, never
from ledger.log.kafka_errors import KafkaUnreachable
from ledger.log.kafka_publish import Progress, no_progress
from ledger.log.kafka_registry import Resolve, SchemaRegistry, as_published
from ledger.log.kafka_settings import KafkaSettings
from ledger.log.kafka_source import Source
from ledger.log.port import TROUBLES, Appended, Arrival, Log, Quarantined
from ledger.log.stream_writers import FOREIGN

BATCH: Final = 10_000
"""How many records become durable together, at most."""
POLL_SECONDS: Final = 0.5

Clock = Callable[[], int]
"""The record time, microseconds UTC."""
AtPoint = Callable[[str], None]
"""Told of each named point: compared, polled, appended."""


Turn = Callable[[Log], Log]
"""Lets others append to a ledger, and gives it back as it is open by then."""


def _pass(_: str) -> None:
    """Go on."""


def _keep(log: Log) -> Log:
    """Lend it to nobody."""
    return log


def system_clock() -> int:
    """Microseconds UTC."""
    return time_ns() // 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """What became of the records that were read."""

    read: int
    accepted: int
    repeated: int
    conflicts: int
    quarantined: int
    batches: int
    size: int
    root: bytes
    interrupted: bool
    unreadable: tuple[str, ...] = ()
    """What could not be read, by topic, partition, offset and position; the first thousand."""


class _Intake:
    """Appends what was polled, batch by batch, and counts."""

    def __init__(
        self, log: Log, batch: int, clock: Clock, stop: Stop, at_point: AtPoint, turn: Turn
    ) -> None:
        self._log = log
        self._turn = turn
        self._batch = batch
        self._clock = clock
        self._stop = stop
        self._at_point = at_point
        self.read = self.accepted = self.repeated = self.conflicts = self.quarantined = 0
        self.batches = 0
        self.unreadable: list[str] = []

    def append(self, arrivals: list[Arrival]) -> bool:
        """Append the records of one poll; False when we were told to end before the last batch."""
        for first in range(0, len(arrivals), self._batch):
            if first:
                if self._stop():
                    return False
                self.let_others()
            part = arrivals[first : first + self._batch]
            self._count(part, self._log.append(part, self._clock()))
            self._at_point("appended")
        return True

    def let_others(self) -> None:
        """Let whoever waits for the ledger append."""
        self._log = self._turn(self._log)

    def _count(self, part: list[Arrival], done: Appended) -> None:
        self.read += len(part)
        for trouble in done.troubles:
            if trouble.reason in UNREADABLE and len(self.unreadable) < TROUBLES:
                _, _, topic, partition, offset, reason = part[trouble.arrival]
                unit = "a record" if reason == UNREADABLE_RECORD else "a batch up to this record"
                self.unreadable.append(
                    f"{topic}-{partition}-{offset}: {unit} cannot be read; its raw bytes are "
                    f"quarantined at position {trouble.position}"
                )
        self.accepted += done.accepted
        self.repeated += done.repeated
        self.conflicts += done.conflicts
        self.quarantined += done.quarantined
        self.batches += 1

    def result(self, *, interrupted: bool) -> Ingested:
        """The counts so far."""
        return Ingested(
            read=self.read,
            accepted=self.accepted,
            repeated=self.repeated,
            conflicts=self.conflicts,
            quarantined=self.quarantined,
            batches=self.batches,
            size=self._log.size,
            root=self._log.root,
            interrupted=interrupted,
            unreadable=tuple(self.unreadable),
        )


def load_compiled() -> None:
    """Load the functions that are compiled for many facts, where there are any.

    It takes one or two seconds. Else it happens in the midst, once so many came that it is worth
    it, and what comes meanwhile waits.
    """
    from ledger.codec import bulk_validation
    from ledger.log import bulk_bundles, kafka_batches

    kafka_batches.machine()
    bulk_validation.machine(bulk_validation.WORTH)
    bulk_bundles.machine(bulk_bundles.WORTH)


def ingest(
    log: Log,
    settings: KafkaSettings,
    *,
    follow: bool = False,
    batch: int = BATCH,
    clock: Clock = system_clock,
    progress: Progress = no_progress,
    stop: Stop = never,
    at_point: AtPoint = _pass,
    turn: Turn = _keep,
    gather_until: Callable[[], float] = float,
) -> Ingested:
    """Append to a ledger what its topics hold beyond it.

    Args:
        log: the ledger, open for appending.
        settings: how broker and registry are reached.
        follow: go on after the ends that the partitions have now, until ``stop`` says so.
        batch: how many records become durable together, at most.
        clock: the record time.
        progress: told how many records are done, and of how many.
        stop: asked between batches whether to end; ``stop_on_signals`` makes one.
        at_point: told of each named point, for tests.
        turn: asked between batches for the ledger with which to go on; others may append before
            it answers.
        gather_until: asked again and again, with ``follow``: up to which moment of ``monotonic``
            records that come are gathered to become durable together, since an append of many costs
            little more than one of few.

    Raises:
        TopicsMissing, KafkaUnreachable, KafkaDenied, RegistryUnavailable: nothing can be read.
        SourceReplaced, SourceTruncated, SourceNotRetained, SourceGap: it is not what it was.
    """
    if batch < 1:
        raise ValueError("a batch has at least one record")
    resolve = _resolver(settings)
    intake = _Intake(log, batch, clock, stop, at_point, turn)
    interrupted = False
    try:
        source = Source(log, settings, max(batch, BATCH), resolve, stop, gathers=follow)
    except Stopped:
        return intake.result(interrupted=True)
    try:
        at_point("compared")
        heard = monotonic()
        while not interrupted and (follow or source.remaining):
            if stop():
                raise Stopped
            intake.let_others()
            with uncollected():
                polled = source.poll(
                    POLL_SECONDS, bounded=not follow, gather_until=gather_until if follow else float
                )
                at_point("polled")
                if polled.arrivals:
                    interrupted = not intake.append(polled.arrivals)
                    progress(intake.read, intake.read + source.remaining)
                    heard = monotonic()
                if polled.gap is not None and not interrupted:
                    raise polled.gap
                del polled
            if source.remaining and monotonic() - heard > settings.timeout_seconds:
                raise KafkaUnreachable("reading", settings.bootstrap, "nothing comes")
    except Stopped:
        interrupted = True
    finally:
        source.close()
    return intake.result(interrupted=interrupted)


def ingest_again(
    log: Log, settings: KafkaSettings, *, batch: int = BATCH, clock: Clock = system_clock
) -> Ingested:
    """Take from the quarantine what could not be read when it came and can be read today.

    So is a fact that its terminal was not registered to write, and is registered to write today.

    No broker is asked. What is read is appended under its own topic, partition and offset, once;
    the entries of the quarantine stay.

    Args:
        log: the ledger, open for appending.
        settings: how a registry is reached, if one resolves ids.
        batch: how many records become durable together, at most.
        clock: the record time.

    Raises:
        RegistryUnavailable: the registry gives no usable answer.
    """
    resolve = _resolver(settings)
    intake = _Intake(log, batch, clock, never, _pass, _keep)
    waiting: list[Arrival] = []
    for _, entry in log.entries(0, log.size):
        if not isinstance(entry, Quarantined) or entry.reason not in (*UNREADABLE, FOREIGN):
            continue
        topic, partition, offset = entry.coordinates or (None, None, None)
        if entry.reason == FOREIGN:
            framed = log.quarantined(entry.sha256)
            waiting.append(Arrival(framed, entry.key, topic, partition, offset))
            continue
        for record in read_raw(entry.reason, log.quarantined(entry.sha256)):
            own = offset if record.offset is None else record.offset
            waiting.append(Arrival(resolve(record.payload), record.key, topic, partition, own))
        if len(waiting) >= batch:
            intake.append(waiting)
            waiting = []
    if waiting:
        intake.append(waiting)
    return intake.result(interrupted=False)


def _resolver(settings: KafkaSettings) -> Resolve:
    if settings.registry_url is None:
        return as_published
    return SchemaRegistry(settings.registry_url, settings.timeout_seconds).resolve


@contextmanager
def stop_on_signals() -> Iterator[Stop]:
    """Let SIGINT and SIGTERM end a run between batches; a second one ends it at once."""
    heard: list[int] = []

    def hear(number: int, _: FrameType | None) -> None:
        if heard:
            raise KeyboardInterrupt
        heard.append(number)

    previous = {
        signal_number: signal.signal(signal_number, hear)
        for signal_number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield lambda: bool(heard)
    finally:
        for signal_number, handler in previous.items():
            signal.signal(signal_number, handler)
