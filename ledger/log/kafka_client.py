"""The client library behind typed words: connect, look at topics, read, send, and refuse clearly.

Only this module and `kafka_sign_in_refusals` import the library, when a connection is made: a
command that needs no broker never loads it.
"""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from mmap import mmap
from time import monotonic, sleep
from typing import Any, Final, NamedTuple, TypeGuard, TypeVar

from ledger.kernel import LedgerError
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.kafka_batches import PolledRecord, tolerant
from ledger.log.kafka_errors import (
    KafkaDenied,
    KafkaSettingsWrong,
    KafkaUnreachable,
    RecordUnreadable,
    TopicsMissing,
)
from ledger.log.kafka_settings import SASL_SSL, KafkaSettings
from ledger.log.kafka_sign_in_refusals import read_closing_words
from ledger.log.stream_writers import terminal_of

CLIENT_ID: Final = "pitledger"
RETRY_SECONDS: Final = 0.2
FETCH_BYTES: Final = 4_000_000
"""How much of one partition is fetched at once."""
FETCH_WAIT_MS: Final = 100
LOOK_MS: Final = 5_000
"""How long a broker may be silent when we connect, before another is asked."""
GATHERED_BYTES: Final = 65_536
"""Of an answer that is worth a commit of its own while facts keep coming."""
LINGER_MS: Final = 5
SEND_BYTES: Final = 256_000
"""How many bytes of one partition are sent together."""
ROOM_BYTES: Final = 96 << 20
"""What a client maps when it begins: two threads, each with its part of the heap, and buffers."""
CLOSE_SECONDS: Final = 5
MARKS: Final = range(30_000, 60_000)
"""Of these one is drawn for each ``OnlySender``. The broker keeps it as how long, in milliseconds,
it lets what is sent together be under way."""
COMPRESSION: Final = "lz4"


Stop = Callable[[], bool]
"""Whether to end early."""


def never() -> bool:
    """Go on."""
    return False


_Seen = TypeVar("_Seen")


class Stopped(Exception):  # never leaves ledger.log: the ingest then ends as it was told
    """We were told to end while we waited for a broker."""


class Place(NamedTuple):
    """A partition of a topic."""

    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A topic as the broker describes it; the id changes when it is made again."""

    name: str
    id: str
    partitions: int

    def places(self) -> list[Place]:
        """Its partitions."""
        return [Place(self.name, number) for number in range(self.partitions)]


@contextmanager
def refusing(doing: str, where: str) -> Iterator[None]:
    """Turn what the library raises into a refusal of ours."""
    from kafka import errors

    ear = _Ear()
    ear.listen()
    try:
        yield
    except (errors.KafkaError, OSError, UnicodeDecodeError) as error:
        raise _refusal(doing, where, ear.heard or error) from error
    finally:
        ear.listen(on=False)


class _Ear(logging.Handler):
    """Hears why a connection failed: the library says that to its log only, and then "timeout"."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.heard: Exception | None = None

    def listen(self, *, on: bool = True) -> None:
        """Listen to the library, or no longer."""
        logger = logging.getLogger("kafka")
        (logger.addHandler if on else logger.removeHandler)(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep what says more than that time is up."""
        for part in record.args if isinstance(record.args, tuple) else ():
            if isinstance(part, ssl.SSLError) or _denies(part):
                self.heard = part


def _denies(error: object) -> TypeGuard[Exception]:
    from kafka import errors

    denials = (
        errors.AuthorizationError,
        errors.SaslAuthenticationFailedError,
        errors.UnsupportedSaslMechanismError,
    )
    if isinstance(error, denials):
        return True
    return isinstance(error, errors.KafkaError) and "AuthorizationFailed" in str(error)


def _refusal(doing: str, where: str, error: Exception) -> LedgerError:
    from kafka import errors

    if _denies(error):
        return KafkaDenied(doing, where, _message_of(error))
    if isinstance(error, errors.CorruptRecordError | UnicodeDecodeError):
        return RecordUnreadable(where, _message_of(error))
    if isinstance(error, errors.KafkaConfigurationError | ssl.SSLError):
        return KafkaSettingsWrong(_message_of(error))
    return KafkaUnreachable(doing, where, _message_of(error))


def _message_of(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:300].replace("\n", " ")


def options(settings: KafkaSettings) -> dict[str, object]:
    """What every client of the library is told."""
    read_closing_words()
    choices: dict[str, object] = {
        "bootstrap_servers": settings.servers,
        "client_id": CLIENT_ID,
        "security_protocol": settings.security,
        "bootstrap_timeout_ms": settings.timeout_ms,
        "request_timeout_ms": settings.timeout_ms,
        "reconnect_backoff_max_ms": 1_000,
    }
    if settings.security == SASL_SSL:
        choices |= {
            "sasl_mechanism": settings.mechanism,
            "sasl_plain_username": settings.username,
            "sasl_plain_password": settings.password,
            "ssl_cafile": None if settings.ca_file is None else str(settings.ca_file),
        }
    return choices


def _ask_for_room() -> None:
    """Ask for the room of a client before there is one.

    A thread of it that runs out of memory while it begins is waited for without end.

    Raises:
        MemoryError: there is none.
    """
    try:
        mmap(-1, ROOM_BYTES).close()
    except OSError as error:
        raise MemoryError("no room for a connection to the broker") from error


def _connect(client: Callable[..., Any], settings: KafkaSettings, **choices: object) -> Any:
    """A client of the library, connected through whichever broker answers.

    The library picks a broker, and waits for a silent one as long as it may wait at all.
    """
    from kafka.errors import KafkaTimeoutError

    _ask_for_room()
    deadline = monotonic() + settings.timeout_seconds
    share_ms = _share_ms(settings)
    choices = options(settings) | choices | {"request_timeout_ms": share_ms}
    wait_ms = min(LOOK_MS, share_ms)
    while True:
        try:
            return client(**choices | {"bootstrap_timeout_ms": wait_ms})
        except KafkaTimeoutError:
            wait_ms = min(wait_ms, int(1_000 * (deadline - monotonic())))
            if wait_ms <= 0:
                raise


def _share_ms(settings: KafkaSettings) -> int:
    """How long one broker may be silent, so that all of them can be asked in time."""
    return settings.timeout_ms // len(settings.servers)


class Sent(NamedTuple):
    """A record that is to be sent."""

    place: Place
    key: bytes | None
    payload: bytes
    headers: list[tuple[str, bytes]]


class Cluster:
    """Looks at topics, over a connection of its own.

    Args:
        settings: how the broker is reached.
        stop: whether to wait no longer.
    """

    def __init__(self, settings: KafkaSettings, stop: Stop = never) -> None:
        self.settings = settings
        self._stop = stop
        self._admin: Any = None

    def topics(self, names: Sequence[str]) -> dict[str, Topic]:
        """The topics as they are now; a broker that is away is awaited.

        Raises:
            Stopped: we were told to end while the broker was away.
            TopicsMissing: one is not there, also after a while.
            KafkaUnreachable: nobody answers in time.
            KafkaDenied: we may not look.
        """
        missing_until = monotonic() + min(2.0, self.settings.timeout_seconds)
        while True:
            topics = self._awaited(lambda: self._describe(names))
            missing = [name for name in names if name not in topics]
            if not missing:
                return topics
            if monotonic() > missing_until:
                raise TopicsMissing(missing, self.settings.bootstrap)
            sleep(RETRY_SECONDS)

    def _awaited(self, look: Callable[[], _Seen]) -> _Seen:
        """What a look sees, once a broker that is away answers."""
        deadline = monotonic() + self.settings.timeout_seconds
        while True:
            try:
                return look()
            except KafkaUnreachable:
                self.close()
                if monotonic() > deadline:
                    raise
                if self._stop():
                    raise Stopped from None
            sleep(RETRY_SECONDS)

    def terminal_topics(self, prefix: str) -> list[str]:
        """The topics that terminals have of their own now, below a prefix, in byte order.

        Raises:
            Stopped: we were told to end while the broker was away.
            KafkaUnreachable: nobody answers in time.
            KafkaDenied: we may not look.
        """

        def look() -> list[str]:
            with refusing("looking at the topics", self.settings.bootstrap):
                names: list[str] = self._connected().list_topics()
            return names

        names = self._awaited(look)
        below = f"{prefix}.terminal."
        return sorted(n for n in names if n.startswith(below) and terminal_of(n) is not None)

    def mark_of(self, name: str) -> int | None:
        """The mark of the ``OnlySender`` that came last under a name; None where none is known.

        Raises:
            KafkaUnreachable: nobody answers.
            KafkaDenied: we may not look.
        """
        from kafka.errors import TransactionalIdNotFoundError

        with refusing("looking at the senders", self.settings.bootstrap):
            try:
                described = self._connected().describe_transactions([name])
            except TransactionalIdNotFoundError:
                return None
        return int(described[name].transaction_timeout_ms)

    def _connected(self) -> Any:
        from kafka import KafkaAdminClient

        if self._admin is None:
            _ask_for_room()
            brief = min(LOOK_MS, _share_ms(self.settings))
            choices = options(self.settings) | {"bootstrap_timeout_ms": brief}
            self._admin = KafkaAdminClient(**choices | {"request_timeout_ms": brief})
        return self._admin

    def _describe(self, names: Sequence[str]) -> dict[str, Topic]:
        from kafka import errors

        doing = "looking at the topics"
        with refusing(doing, self.settings.bootstrap):
            described = self._connected().describe_topics(list(names))
            for answer in described:
                if answer["error_code"] == errors.TopicAuthorizationFailedError.errno:
                    raise errors.TopicAuthorizationFailedError(answer["name"])
        return {
            one["name"]: Topic(
                name=one["name"], id=str(one["topic_id"]), partitions=len(one["partitions"])
            )
            for one in described
            if one["error_code"] == 0 and one["partitions"]
        }

    def close(self) -> None:
        """Let go of the connection."""
        if self._admin is not None:
            with suppress(Exception):  # it is over either way
                self._admin.close()
            self._admin = None


class Reader:
    """Reads partitions from offsets that the caller says; it commits nothing and skips nothing.

    Args:
        settings: how the broker is reached.
        records: how many records one poll brings at most.
        gathers: the broker answers once it has enough to be worth it, or a tenth of a second later.
        is_settled: only what an ``OnlySender`` sent to the end, and nothing that it gave up.
    """

    def __init__(
        self,
        settings: KafkaSettings,
        records: int,
        *,
        gathers: bool = False,
        is_settled: bool = False,
    ) -> None:
        from kafka import KafkaConsumer

        self._settings = settings
        with refusing("connecting", settings.bootstrap):
            self._consumer = _connect(
                KafkaConsumer,
                settings,
                group_id=None,
                metrics_enabled=False,
                enable_auto_commit=False,
                auto_offset_reset="none",  # any other value can skip data
                allow_auto_create_topics=False,
                max_poll_records=records,
                max_partition_fetch_bytes=FETCH_BYTES,
                fetch_min_bytes=GATHERED_BYTES if gathers else 1,
                fetch_max_wait_ms=FETCH_WAIT_MS,
                isolation_level="read_committed" if is_settled else "read_uncommitted",
            )
            if not is_settled:  # what says which batches were given up is the library's own
                fetcher = self._consumer._fetcher
                fetcher.PartitionRecords = tolerant(fetcher.PartitionRecords)

    def limits(self, places: Sequence[Place]) -> dict[Place, tuple[int, int]]:
        """First offset held and next offset to be written of each partition."""
        asked = [self._partition(place) for place in places]
        with refusing("asking for offsets", self._settings.bootstrap):
            begins = self._consumer.beginning_offsets(asked, self._settings.timeout_ms)
            ends = self._consumer.end_offsets(asked, self._settings.timeout_ms)
        return {place: (begins[one], ends[one]) for place, one in zip(places, asked, strict=True)}

    def start(self, offsets: dict[Place, int]) -> None:
        """Read these partitions, each from its offset, and no others."""
        with refusing("taking up the partitions", self._settings.bootstrap):
            self._consumer.assign([self._partition(place) for place in offsets])
            for place, offset in offsets.items():
                self._consumer.seek(self._partition(place), offset)

    def poll(self, seconds: float) -> dict[Place, list[PolledRecord]]:
        """Records by partition, each with offset, key and value; empty when none came in time.

        Where one cannot be read stands ``Unreadable`` in its place, or ``Unplaced`` as the last.

        Raises:
            OutOfRange: an offset that is asked for is not there.
        """
        from kafka import errors

        with refusing("reading", self._settings.bootstrap):
            try:
                polled = self._consumer.poll(timeout_ms=int(seconds * 1000))
            except (errors.OffsetOutOfRangeError, errors.LogTruncationError) as error:
                raise OutOfRange from error
        return {Place(one.topic, one.partition): records for one, records in polled.items()}

    def position(self, place: Place) -> int | None:
        """The offset that the next poll begins at."""
        from kafka import errors

        with refusing("reading", self._settings.bootstrap):
            try:
                offset: int | None = self._consumer.position(self._partition(place), 0)
            except errors.LogTruncationError as error:
                raise OutOfRange from error
        return offset

    def close(self) -> None:
        """Let go of the connection."""
        with suppress(Exception):  # it is over either way
            self._consumer.close(timeout_ms=1_000)

    @staticmethod
    def _partition(place: Place) -> Any:
        from kafka import TopicPartition

        return TopicPartition(*place)


class OutOfRange(Exception):  # never leaves ledger.log: the ingest says what it means
    """An offset that is asked for is not in the topic."""


class Sender:
    """Sends records so that each is there once and in order, and says when they are durable.

    Args:
        settings: how the broker is reached.
    """

    def __init__(self, settings: KafkaSettings) -> None:
        self._settings = settings
        self._waiting: list[Any] = []
        self._producer = _producer(settings, enable_idempotence=True)

    def send(
        self,
        place: Place,
        key: bytes | None,
        payload: bytes,
        headers: list[tuple[str, bytes]],
    ) -> None:
        """Hand over one record; ``settle`` says whether it arrived.

        Args:
            place: topic and partition.
            key: of the record.
            payload: its value.
            headers: names and values.
        """
        from kafka.errors import KafkaError

        try:
            sent = self._producer.send(
                place.topic, value=payload, key=key, headers=headers, partition=place.partition
            )
        except KafkaError as error:
            raise _refusal("sending", self._settings.bootstrap, error) from error
        self._waiting.append(sent)

    def settle(self) -> list[int]:
        """Wait until all that was handed over is acknowledged; the offset of each.

        Raises:
            KafkaUnreachable, KafkaDenied: one was not; those before it may have been.
        """
        if not self._waiting:
            return []
        with refusing("sending", self._settings.bootstrap):
            self._producer.flush(self._settings.timeout_seconds + 1)
            offsets = [sent.get(timeout=self._settings.timeout_seconds).offset
                       for sent in self._waiting]  # fmt: skip
        self._waiting.clear()
        return offsets

    def close(self) -> None:
        """Let go of the connection; what is not settled is given up, not sent after all."""
        with suppress(Exception):  # it is over either way
            if self._waiting:  # the library's own close would leave a thread that goes on sending
                self._producer._sender.force_close()
                self._producer._sender.join(CLOSE_SECONDS)
            self._producer.close(timeout=CLOSE_SECONDS)


class OnlySender:
    """Sends under a name that the broker gives to one sender at a time: the one that came last.

    What an earlier one of that name has under way is given up when the next one begins, and the
    broker takes nothing from it after that, however long it was paused. Records that are sent
    together are there together, for those who read only what is settled, or not at all.

    Args:
        settings: how the broker is reached.
        name: the name; one for each ledger and topic.
        mark: tells this sender from others of its name; of ``MARKS``.

    Raises:
        KafkaUnreachable, KafkaDenied: it is not the only one.
    """

    def __init__(self, settings: KafkaSettings, name: str, mark: int) -> None:
        self._settings = settings
        self._producer = _producer(settings, transactional_id=name, transaction_timeout_ms=mark)
        try:
            with refusing("becoming the only sender", settings.bootstrap):
                self._producer.init_transactions()
        except LedgerError:
            self.close()
            raise

    def send(self, records: Iterable[Sent]) -> None:
        """Send records together; all of them are durable when this returns.

        Raises:
            KafkaUnreachable, KafkaDenied: they are not there, or nobody can say; close this one.
        """
        with refusing("sending", self._settings.bootstrap):
            self._producer.begin_transaction()
            waiting = [
                self._producer.send(
                    place.topic, value=payload, key=key, headers=headers, partition=place.partition
                )
                for place, key, payload, headers in records
            ]
            self._producer.flush(self._settings.timeout_seconds + 1)
            for sent in waiting:
                sent.get(timeout=self._settings.timeout_seconds)
            self._commit()

    def _commit(self) -> None:
        """As the library's own, which waits for a broker that went away without end."""
        from kafka.errors import KafkaTimeoutError

        result = self._producer._transaction_manager.begin_commit()
        self._producer._sender.wakeup()
        if not result.wait(self._settings.timeout_ms):
            raise KafkaTimeoutError("what was sent together was not settled in time")

    def close(self) -> None:
        """Let go of the connection; what is not settled is given up, not sent after all."""
        with suppress(Exception):  # it is over either way
            self._producer._sender.force_close()
            self._producer._sender.join(CLOSE_SECONDS)
            self._producer.close(timeout=CLOSE_SECONDS)


def _producer(settings: KafkaSettings, **more: object) -> Any:
    """A producer whose records are there when the broker says so, with options of its own."""
    from kafka import KafkaProducer

    with refusing("connecting", settings.bootstrap):
        return _connect(
            KafkaProducer,
            settings,
            acks="all",
            metrics_enabled=False,
            allow_auto_create_topics=False,
            compression_type=COMPRESSION,
            linger_ms=LINGER_MS,
            batch_size=SEND_BYTES,
            delivery_timeout_ms=settings.timeout_ms + LINGER_MS,
            max_block_ms=settings.timeout_ms,
            max_request_size=settings.record_bytes + SEND_BYTES,
            **more,
        )


def partition_of(stream: bytes, partitions: int) -> int:
    """Where every common client puts a record with this key."""
    from kafka.partitioner import murmur2

    return int(murmur2(stream) & 0x7FFFFFFF) % partitions
