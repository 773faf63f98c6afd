"""The topics as a source: which record is next in each partition, and is it still the same topic?

The ledger alone says where to go on. Before anything new is taken, the last record that it has from
each partition is read again and compared, byte for byte. After every poll the topics are looked at
again: one that was deleted and made anew has another id, and is refused before its records count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from time import monotonic
from typing import Final

from ledger.codec import key_of
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.entry import SEALED
from ledger.log.kafka_batches import (
    UNREADABLE,
    PlainRecord,
    PolledRecord,
    Unplaced,
    Unreadable,
    read_raw,
    same_raw,
)
from ledger.log.kafka_client import Cluster, OutOfRange, Place, Reader, Stop, Topic, never
from ledger.log.kafka_errors import (
    KafkaUnreachable,
    RecordUnreadable,
    SourceGap,
    SourceNotRetained,
    SourceReplaced,
    SourceTruncated,
)
from ledger.log.kafka_registry import WRAPPED, Resolve
from ledger.log.kafka_settings import KafkaSettings
from ledger.log.kafka_wire import in_topics
from ledger.log.port import Accepted, Arrival, Quarantined, ReadableLog
from ledger.log.stream_writers import terminal_of

GATHER_SECONDS: Final = 0.1
"""How long more records are waited for before it is asked again whether to go on waiting."""
LOOK_SECONDS: Final = 2.0
"""How often a source is looked at, for new partitions and terminals and topics made again."""


@dataclass(slots=True)
class Polled:
    """Records in order, partition by partition, and why they end, if they must."""

    arrivals: list[Arrival] = field(default_factory=list)
    gap: SourceGap | RecordUnreadable | None = None


class Source:
    """The topics of facts, read from where a ledger stands.

    Args:
        log: the ledger.
        settings: how the broker is reached.
        records: how many records one poll brings at most.
        resolve: gives a record its published id.
        stop: whether to wait no longer for a broker that is away.
        gathers: a poll waits a moment for more where little has come, as for ``Reader``.
    """

    def __init__(
        self,
        log: ReadableLog,
        settings: KafkaSettings,
        records: int,
        resolve: Resolve,
        stop: Stop = never,
        *,
        gathers: bool = False,
    ) -> None:
        self._settings = settings
        self._records = records
        self._resolve = resolve
        self._cluster = Cluster(settings, stop)
        self._looked = monotonic()
        self._next: dict[Place, int] = {}
        self.ends: dict[Place, int] = {}
        """Where each partition ended when it was first looked at."""
        try:
            prefix = settings.topic_prefix
            shared = self._cluster.topics(in_topics(prefix))
            own = self._cluster.terminal_topics(prefix)
            self._topics = shared | (self._cluster.topics(own) if own else {})
            self._reader = Reader(settings, records, gathers=gathers)
        except BaseException:
            self._cluster.close()
            raise
        try:
            self._begin(log)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the connections."""
        self._cluster.close()
        self._reader.close()

    # ------------------------------------------------------------ where to begin

    def _begin(self, log: ReadableLog) -> None:
        below = f"{self._settings.topic_prefix}.terminal."
        for topic, _ in log.last_offsets():
            if topic.startswith(below) and terminal_of(topic) and topic not in self._topics:
                raise SourceReplaced(topic, "it is not there any more")
        recorded = {
            Place(*key): (offset, position)
            for key, (offset, position) in log.last_offsets().items()
            if key[0] in self._topics
        }
        places = [place for topic in self._topics.values() for place in topic.places()]
        for place in recorded:
            if place not in places:
                raise SourceReplaced(str(place), "it has no such partition any more")
        limits = self._reader.limits(places)
        again: dict[Place, tuple[bytes, str | None]] = {}
        twins: dict[Place, Callable[[bytes], bool]] = {}
        for place in places:
            begin, end = limits[place]
            offset, position = recorded.get(place, (-1, -1))
            self._next[place] = offset + 1
            _check_limits(place, offset + 1, begin, end)
            if begin <= offset:
                again[place] = _bytes_at(log, position)
                twins[place] = _twin_at(log, position)
        self._compare({place: recorded[place][0] for place in again}, again, twins)
        self.ends = {place: limits[place][1] for place in places}
        self._reader.start(self._next)

    def _compare(
        self,
        offsets: dict[Place, int],
        recorded: dict[Place, tuple[bytes, str | None]],
        twins: dict[Place, Callable[[bytes], bool]],
    ) -> None:
        """Read the last recorded record of each partition again."""
        if not recorded:
            return
        self._reader.start(offsets)
        deadline = monotonic() + self._settings.timeout_seconds
        while recorded:
            try:
                polled = self._reader.poll(0.5)
            except OutOfRange:
                self._explain()
            for place, records in polled.items():
                expected = recorded.pop(place, None)
                if expected is None:
                    continue
                where = f"{place}-{offsets[place]}"
                if records[0].offset != offsets[place]:
                    raise SourceReplaced(where, "the last recorded offset is not there")
                if isinstance(records[0], Unplaced):
                    raise RecordUnreadable(where, records[0].problem)
                payload = records[0].value or b""
                if not self._is_recorded(records[0], *expected) and not (
                    twins[place](payload) or twins[place](self._resolve(payload))
                ):
                    raise SourceReplaced(where, "another record stands at the last recorded offset")
            if recorded and monotonic() > deadline:
                raise KafkaUnreachable("reading", str(next(iter(recorded))), "nothing comes")

    def _is_recorded(self, record: PolledRecord, recorded: bytes, reason: str | None) -> bool:
        """Whether the ledger holds this record; its id may have been unknown when it came.

        One that could not be read then may be readable now, and its raw bytes say what it is.
        """
        payload = record.value or b""
        if isinstance(record, Unreadable):
            return same_raw(recorded, payload)
        if reason in UNREADABLE:
            return any(
                again.payload == payload
                and again.key == record.key
                and again.offset in (None, record.offset)
                for again in read_raw(str(reason), recorded)
            )
        return recorded in (payload, WRAPPED + payload) or recorded == self._resolve(payload)

    # ------------------------------------------------------------ going on

    @property
    def remaining(self) -> int:
        """How many records there are to the ends first seen."""
        return sum(max(0, end - self._next[place]) for place, end in self.ends.items())

    def to_the_end(self) -> None:
        """Take the ends that the partitions have now for those of a bounded reading."""
        limits = self._reader.limits(list(self._next))
        self.ends = {place: end for place, (_, end) in limits.items()}
        self._reader.start(self._next)

    def poll(
        self, seconds: float, *, bounded: bool, gather_until: Callable[[], float] = float
    ) -> Polled:
        """The next records of all partitions; with ``bounded`` none beyond the ends first seen.

        Args:
            seconds: how long it waits for the first of them.
            bounded: take none beyond the ends first seen.
            gather_until: asked again and again up to which moment of ``monotonic`` more of them
                are waited for, until there are as many as one poll brings at most.

        Raises:
            SourceReplaced, SourceTruncated, SourceNotRetained: none of these records may count.
            KafkaUnreachable, TopicsMissing: the broker is away for too long.
        """
        try:
            out = Polled()
            is_any = self._read_on(out, seconds, bounded=bounded)
            while is_any and out.gap is None and len(out.arrivals) < self._records:
                rest = gather_until() - monotonic()
                if rest <= 0:
                    break
                self._read_on(out, min(rest, GATHER_SECONDS), bounded=bounded)
            for place in self._next:
                if not (bounded and self._next[place] >= self.ends[place]):
                    self._check_position(out, place)
        except OutOfRange:
            self._explain()
        if is_any or monotonic() - self._looked > LOOK_SECONDS:
            self._look()
        return out

    def _read_on(self, out: Polled, seconds: float, *, bounded: bool) -> bool:
        """Add what comes within so many seconds; whether anything did."""
        polled = self._reader.poll(seconds)
        for place, records in polled.items():
            self._take(out, place, records, bounded)
        return bool(polled)

    def _take(self, out: Polled, place: Place, records: list[PolledRecord], bounded: bool) -> None:
        """Turn records into arrivals, as far as their offsets follow each other."""
        topic, partition = place
        resolve, add, expected = self._resolve, out.arrivals.append, self._next[place]
        end = self.ends[place] if bounded else None
        for record in records:
            if isinstance(record, PlainRecord):
                offset, key, payload = record
                if offset == expected and (end is None or offset < end):
                    add(Arrival(resolve(payload or b""), key, topic, partition, offset))
                    expected += 1
                    continue
            offset = record.offset
            if end is not None and offset >= end:
                break
            if isinstance(record, Unreadable):
                if not record.first <= expected <= offset:
                    out.gap = out.gap or SourceGap(f"{place}-{expected}", record.first)
                    break
                add(Arrival(record.raw, None, topic, partition, offset, record.reason))
                expected = offset + 1
                continue
            if isinstance(record, Unplaced):
                out.gap = out.gap or RecordUnreadable(f"{place}-{offset}", record.problem)
                break
            if offset != expected:
                out.gap = out.gap or SourceGap(f"{place}-{expected}", offset)
                break
            add(Arrival(resolve(record.value or b""), record.key, topic, partition, offset))
            expected += 1
        self._next[place] = expected

    def _check_position(self, out: Polled, place: Place) -> None:
        """Offsets that the broker passes over in silence are a gap too."""
        position, expected = self._reader.position(place), self._next[place]
        if position is not None and position > expected:
            out.gap = out.gap or SourceGap(f"{place}-{expected}", position)

    def _look(self) -> None:
        """Make sure that the topics are still the same ones, and take up new partitions."""
        names = list(self._topics)
        if monotonic() - self._looked > LOOK_SECONDS:
            own = self._cluster.terminal_topics(self._settings.topic_prefix)
            names += [name for name in own if name not in self._topics]
        seen = self._cluster.topics(names)
        self._looked = monotonic()
        fresh: list[Place] = []
        for name, topic in seen.items():
            before = self._topics.get(name)
            if before is None:  # a terminal got a topic of its own
                fresh += topic.places()
                continue
            if topic.id != before.id:
                raise SourceReplaced(name, "it was deleted and made again while we read")
            if topic.partitions != before.partitions:
                fresh += [place for place in topic.places() if place not in self._next]
        if fresh:
            self._take_up(seen, fresh)

    def _take_up(self, seen: dict[str, Topic], fresh: list[Place]) -> None:
        for place, (begin, end) in self._reader.limits(fresh).items():
            _check_limits(place, 0, begin, end)
            self._next[place] = 0
            self.ends[place] = end
        self._topics = seen
        self._reader.start(self._next)

    def _explain(self) -> None:
        """Say which of the ways in which an offset can be out of range it was."""
        self._look()
        for place, (begin, end) in self._reader.limits(list(self._next)).items():
            _check_limits(place, self._next[place], begin, end)
        raise KafkaUnreachable("reading", self._settings.bootstrap, "an offset is out of range")


def _check_limits(place: Place, wanted: int, begin: int, end: int) -> None:
    """Refuse a partition that ends before, or begins after, the next record."""
    if end < wanted:
        raise SourceTruncated(f"{place}-{wanted - 1}", end)
    if begin > wanted:
        raise SourceNotRetained(f"{place}-{wanted}", begin)


def _twin_at(log: ReadableLog, position: int) -> Callable[[bytes], bool]:
    """Return what says whether a record is a fact of which something was erased since."""
    from ledger.log.log_at_earlier_size import files_of  # who asks for no log is spared it

    files = files_of(log)
    raw = b"" if files is None else files.raw(position)
    if files is None or raw[:1] != bytes([SEALED]):
        return lambda _payload: False
    framed = files.framed_at([position])[position]
    key = key_of(framed)[:2]
    return lambda payload: files.openings.is_same(raw, framed, payload, key)


def _bytes_at(log: ReadableLog, position: int) -> tuple[bytes, str | None]:
    """The bytes of the arrival that an entry records, and why it was quarantined, if it was."""
    entry = log.read(position)
    if isinstance(entry, Accepted):
        return entry.framed, None
    if isinstance(entry, Quarantined):
        return log.quarantined(entry.sha256), entry.reason
    raise AssertionError("an offset is recorded for an entry that is no arrival")
