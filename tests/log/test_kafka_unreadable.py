"""A record or batch that cannot be read is kept as raw bytes, and everything else goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from kafka import KafkaProducer
from kafka.record.default_records import DefaultRecordBatch

from infra.kafka import Broker
from ledger.log import Accepted, Quarantined, kafka_batches, open_log, verify
from ledger.log.kafka import KafkaSettings, RecordUnreadable, ingest, ingest_again
from ledger.log.kafka_client import Place
from tests.log.facts import HOUSE, ORIGIN, TIME
from tests.log.kafka_double import GZIP, LZ4, SNAPPY, ZSTD, Record, Topics, batch_of, resealed
from tests.log.kafka_helpers import fresh_prefix, made, places, send, settings_of, wager
from tests.log.memory_log import MemoryLog

PREFIX = "pitledger"
TABLES, HOUSE_TOPIC = f"{PREFIX}.tables.v1", f"{PREFIX}.house.v1"
FIRST, SECOND = Place(TABLES, 0), Place(TABLES, 1)
SETTINGS = KafkaSettings(bootstrap="double:1", topic_prefix=PREFIX, timeout_seconds=5)
HEADERS = [("name", b"value")]


def rows(first: int, last: int, stream: str = "SB-01") -> list[Record]:
    """Records of facts, each with a header."""
    return [(stream.encode(), wager(stream, seq), HEADERS) for seq in range(first, last + 1)]


def not_utf8(batch: bytes) -> bytes:
    """The same batch, the name of its first header no longer UTF-8."""
    return resealed(batch.replace(b"name", b"na\xff\xfe", 1))


def wrong_checksum(batch: bytes) -> bytes:
    return batch[:-3] + bytes([batch[-3] ^ 1]) + batch[-2:]


def spoilt_inside(batch: bytes) -> bytes:
    """Compressed bytes that no longer decompress, under a good checksum."""
    at = DefaultRecordBatch.HEADER_STRUCT.size + 12
    return resealed(batch[:at] + bytes(20) + batch[at + 20 :])


def longer_record(batch: bytes) -> bytes:
    """The first record says that it is longer than the batch."""
    at = DefaultRecordBatch.HEADER_STRUCT.size
    return resealed(batch[:at] + b"\xfe\xff\x7f" + batch[at + 3 :])


def trailing(batch: bytes) -> bytes:
    """Bytes follow the last record."""
    length = int.from_bytes(batch[8:12], "big") + 5
    return resealed(batch[:8] + length.to_bytes(4, "big") + batch[12:] + b"after")


def snappy(batch: bytes) -> bytes:
    """A codec that this machine may not have; here it has not."""
    at = DefaultRecordBatch.ATTRIBUTES_OFFSET
    return resealed(batch[:at] + SNAPPY.to_bytes(2, "big") + batch[at + 2 :])


def other_format(batch: bytes) -> bytes:
    return batch[:16] + b"\x03" + batch[17:]


UNREADABLE: list[tuple[Callable[[bytes], bytes], int]] = [
    (wrong_checksum, 0), (wrong_checksum, ZSTD), (spoilt_inside, GZIP), (spoilt_inside, LZ4),
    (spoilt_inside, ZSTD), (longer_record, 0), (trailing, 0), (snappy, 0), (other_format, 0),
]  # fmt: skip


@pytest.fixture(params=[0, 1 << 60], ids=["at once", "one by one"])
def topics(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Topics:
    monkeypatch.setattr(kafka_batches, "WORTH", request.param)
    double = Topics(PREFIX)
    double.install(monkeypatch)
    return double


def empty_log() -> MemoryLog:
    return MemoryLog(origin=ORIGIN, property=HOUSE, record_time=TIME)


def quarantined(log: MemoryLog) -> list[Quarantined]:
    return [entry for _, entry in log.entries() if isinstance(entry, Quarantined)]


def test_a_header_that_is_not_utf8_keeps_its_record_alone(topics: Topics) -> None:
    topics.put(FIRST, batch_of(rows(1, 3)), not_utf8(batch_of(rows(4, 6), 3)))
    topics.put(FIRST, batch_of(rows(7, 8), 6, LZ4))
    topics.put(SECOND, batch_of(rows(1, 2, "SB-02")))
    log = empty_log()
    done = ingest(log, SETTINGS)
    assert (done.read, done.accepted, done.quarantined) == (10, 9, 1)
    (entry,) = quarantined(log)
    assert entry.reason == "unreadable_record"
    assert entry.coordinates == (TABLES, 0, 3)
    assert wager("SB-01", 4) in log.quarantined(entry.sha256)
    assert b"na\xff\xfe" in log.quarantined(entry.sha256)
    assert len(done.unreadable) == 1
    assert done.unreadable[0].startswith(f"{TABLES}-0-3: a record cannot be read")
    assert ingest(log, SETTINGS).read == 0


@pytest.mark.by_turns(3)
@pytest.mark.parametrize(("spoil", "codec"), UNREADABLE)
def test_a_batch_that_cannot_be_read_is_kept_whole(
    topics: Topics, spoil: Callable[[bytes], bytes], codec: int
) -> None:
    bad = spoil(batch_of(rows(4, 6), 3, codec))
    topics.put(FIRST, batch_of(rows(1, 3)), bad, batch_of(rows(7, 8), 6))
    topics.put(SECOND, batch_of(rows(1, 2, "SB-02")))
    log = empty_log()
    done = ingest(log, SETTINGS)
    assert (done.accepted, done.quarantined) == (7, 1)
    (entry,) = quarantined(log)
    assert (entry.reason, entry.coordinates) == ("unreadable_batch", (TABLES, 0, 5))
    assert log.quarantined(entry.sha256) == bad
    assert ingest(log, SETTINGS).read == 0


@pytest.mark.parametrize("spoil", [not_utf8, wrong_checksum])
def test_it_goes_on_after_an_unreadable_end(
    topics: Topics, spoil: Callable[[bytes], bytes]
) -> None:
    """The last recorded offset is that of raw bytes; a new leader's epoch changes nothing."""
    bad = spoil(batch_of(rows(1, 1)))
    topics.put(FIRST, bad)
    log = empty_log()
    assert ingest(log, SETTINGS).quarantined == 1
    topics.logs[FIRST] = [bad[:12] + b"\x00\x00\x00\x07" + bad[16:], batch_of(rows(2, 3), 1)]
    assert ingest(log, SETTINGS).accepted == 2


@pytest.mark.parametrize(("base", "count"), [(900, None), (1, None), (0, 77)])
def test_offsets_that_cannot_be_believed_are_named_and_stop(
    topics: Topics, base: int, count: int | None
) -> None:
    bad = wrong_checksum(batch_of(rows(4, 6), 3))
    if count is not None:
        bad = bad[:57] + count.to_bytes(4, "big") + bad[61:]
    else:
        bad = base.to_bytes(8, "big") + bad[8:]
    topics.put(FIRST, batch_of(rows(1, 3)), bad, batch_of(rows(7, 8), 6))
    log = empty_log()
    with pytest.raises(RecordUnreadable, match=f"{TABLES}-0-3") as caught:
        ingest(log, SETTINGS)
    assert caught.value.exit_code == 4
    assert log.last_offsets()[TABLES, 0][0] == 2


def test_bytes_that_look_like_a_fact_stay_what_they_are(topics: Topics) -> None:
    """A raw record is never judged as a fact."""
    topics.put(FIRST, not_utf8(batch_of(rows(1, 1))))
    log = empty_log()
    ingest(log, SETTINGS)
    assert not any(isinstance(entry, Accepted) for _, entry in log.entries())


# ---------------------------------------------------------------- read again


def mend(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that takes any header name."""

    class Lenient(bytearray):
        def __getitem__(self, at: object) -> object:
            part = super().__getitem__(at)  # type: ignore[index]
            return Lenient(part) if isinstance(part, bytearray) else part

        def decode(self, *_: object) -> str:
            return bytes(self).decode("utf-8", "replace")

    plain = DefaultRecordBatch.__init__

    def lenient(batch: DefaultRecordBatch, buffer: bytes) -> None:
        plain(batch, buffer)
        batch._buffer = Lenient(buffer)

    monkeypatch.setattr(DefaultRecordBatch, "__init__", lenient)


def test_once_the_reader_is_mended_a_record_is_taken(
    topics: Topics, monkeypatch: pytest.MonkeyPatch
) -> None:
    topics.put(FIRST, not_utf8(batch_of(rows(1, 2))))
    log = empty_log()
    ingest(log, SETTINGS)
    assert ingest_again(log, SETTINGS).read == 0, "nothing can be read yet"
    mend(monkeypatch)
    done = ingest_again(log, SETTINGS)
    assert (done.read, done.accepted) == (1, 1)
    assert ingest_again(log, SETTINGS).repeated == 1
    facts = [entry for _, entry in log.entries() if isinstance(entry, Accepted)]
    assert facts[-1].framed == wager("SB-01", 1)
    assert (facts[-1].coordinates, facts[-1].odd_key) == ((TABLES, 0, 0), None)
    assert len(quarantined(log)) == 1, "what happened stays"
    topics.put(FIRST, batch_of(rows(3, 3), 2))
    assert ingest(log, SETTINGS).accepted == 1


def test_the_mended_reader_finds_the_same_topic(
    topics: Topics, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last recorded offset is raw bytes of what can be read today: no other topic."""
    topics.put(FIRST, not_utf8(batch_of(rows(1, 1))))
    log = empty_log()
    ingest(log, SETTINGS)
    mend(monkeypatch)
    assert ingest(log, SETTINGS).read == 0


def test_a_batch_is_read_again_once_its_codec_is_there(
    topics: Topics, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = batch_of(rows(1, 3))
    topics.put(FIRST, snappy(whole))
    log = empty_log()
    ingest(log, SETTINGS)
    body = whole[DefaultRecordBatch.HEADER_STRUCT.size :]
    monkeypatch.setattr("kafka.codec.snappy", object())
    monkeypatch.setattr("kafka.record.default_records.snappy_decode", lambda _: body)
    done = ingest_again(log, SETTINGS)
    assert (done.accepted, done.quarantined) == (3, 0)
    offsets = [place.offset for place in places(log)]
    assert offsets == [2, 0, 1, 2]
    assert ingest(log, SETTINGS).read == 0


# ---------------------------------------------------------------- the real broker


def test_a_real_topic_goes_on_after_a_header_that_is_not_utf8(
    kafka_broker: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_of(kafka_broker, fresh_prefix(kafka_broker))
    topic = f"{settings.topic_prefix}.tables.v1"
    send(kafka_broker, topic, [(b"SB-01", wager("SB-01", seq)) for seq in (1, 2)])

    class Raw(str):
        def encode(self, *_: object) -> bytes:
            return b"\xff\xfe"

    producer = KafkaProducer(bootstrap_servers=kafka_broker.bootstrap, compression_type="lz4")
    for seq in (3, 4):
        headers = [(Raw("x"), b"1")] if seq == 3 else []
        producer.send(topic, key=b"SB-01", value=wager("SB-01", seq), partition=0, headers=headers)
    producer.flush()
    producer.close()
    send(kafka_broker, topic, [(b"SB-01", wager("SB-01", 5)), (b"SB-01", None), (None, b"")])
    with made(tmp_path / "copy") as log:
        done = ingest(log, settings)
        assert (done.accepted, done.quarantined) == (4, 2)
        assert done.unreadable[0].startswith(f"{topic}-0-2: a record cannot be read")
        assert ingest(log, settings).accepted == 0
        mend(monkeypatch)
        assert ingest_again(log, settings).accepted == 1
        send(kafka_broker, topic, [(b"SB-01", wager("SB-01", 6))])
        assert ingest(log, settings).accepted == 1
    assert verify(tmp_path / "copy").problem is None
    with open_log(tmp_path / "copy") as log:
        assert log.index().gaps("SB-01") == []
