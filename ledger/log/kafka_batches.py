"""Batches of records as the broker hands them out, also those that cannot be read.

The library stops for good at the first record that its format does not allow. Here such a record,
or the whole batch where its records cannot be told apart, comes out as raw bytes with the offsets
it takes up, in its place among the others; what can be read is read by the library.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from struct import error as struct_error
from types import ModuleType
from typing import Any, ClassVar, Final, NamedTuple, Protocol

from ledger.kernel.machine_code import is_available

UNREADABLE_RECORD: Final = "unreadable_record"
"""The raw bytes are one record as it stands in its batch, after decompression."""
UNREADABLE_BATCH: Final = "unreadable_batch"
"""The raw bytes are a whole batch."""
UNREADABLE: Final = (UNREADABLE_RECORD, UNREADABLE_BATCH)
WORTH: Final = 50_000
"""From how many records on the compiler is loaded."""
_EPOCH: Final = slice(12, 16)
"""Where a batch says its leader's epoch: no checksum covers it, and a broker may change it."""


class PolledRecord(Protocol):
    """A record as the library hands it out, or what stands in place of one."""

    @property
    def offset(self) -> int:
        """Its offset."""

    @property
    def key(self) -> bytes | None:
        """Its key."""

    @property
    def value(self) -> bytes | None:
        """What it carries."""


class Unreadable(NamedTuple):
    """Raw bytes in place of records; they take up the offsets from ``first`` to ``offset``."""

    offset: int
    first: int
    raw: bytes
    reason: str
    problem: str
    key: None = None

    @property
    def value(self) -> bytes:
        """The raw bytes, under the name that the library gives to what a record carries."""
        return self.raw


class Unplaced(NamedTuple):
    """A batch of which not even the offsets can be believed: nothing after it can be reached."""

    offset: int
    problem: str
    key: None = None

    @property
    def value(self) -> None:
        """Nothing, under the name that the library gives to what a record carries."""
        return


class RecoveredRecord(NamedTuple):
    """A record that was read out of raw bytes; the offset is None where they do not say it."""

    offset: int | None
    key: bytes | None
    payload: bytes


class PlainRecord(NamedTuple):
    """A record of a batch that is well formed throughout."""

    offset: int
    key: bytes | None
    payload: bytes | None

    @property
    def value(self) -> bytes | None:
        """What it carries, under the name that the library gives to it."""
        return self.payload


def records_in(batch: Any, raw: bytes, functions: ModuleType | None = None) -> list[PolledRecord]:
    """The records of a batch, each readable one as the library has it.

    Args:
        batch: of the library, before anything was read from it.
        raw: its bytes.
        functions: the compiled ones, by which a well-formed batch is read at once.
    """
    try:
        if batch.magic != 2:
            raise ValueError(f"a batch of format {batch.magic}")
        if not batch.validate_crc():
            raise ValueError("its checksum is wrong")
        iter(batch)  # decompresses it
        at_once = None if functions is None else _records_at_once(functions, batch)
        return _records_one_by_one(batch) if at_once is None else at_once
    except MemoryError:
        raise
    except Exception as error:  # codecs raise what they like; nothing is lost, and it is said
        unit = Unreadable(
            batch.last_offset, batch.base_offset, raw, UNREADABLE_BATCH, _message_of(error)
        )
        return [unit]


def _records_at_once(functions: ModuleType, batch: Any) -> list[PolledRecord] | None:
    """All records of a decompressed batch; None where one is not plain, and nothing is read."""
    import numpy as np

    raw, count = bytes(memoryview(batch._buffer)[batch._pos :]), batch.records_count
    if not 0 <= count * functions.LEAST_BYTES <= len(raw):
        return None
    deltas = np.empty(count, np.int64)
    starts, ends = np.empty((2, count, 2), np.int64)
    if not functions.find_records(np.frombuffer(raw, np.uint8), deltas, starts, ends):
        return None
    first = batch.base_offset
    return [
        PlainRecord(
            first + delta,
            None if key_end < 0 else raw[key:key_end],
            None if value_end < 0 else raw[value:value_end],
        )
        for delta, (key, value), (key_end, value_end) in zip(
            deltas.tolist(), starts.tolist(), ends.tolist(), strict=True
        )
    ]


@cache
def machine() -> ModuleType | None:
    """The compiled functions, where functions can be compiled."""
    if not is_available():
        return None
    try:
        from ledger.log import kafka_records_fast
    except ImportError:  # no numba that loads
        return None
    return kafka_records_fast


def _records_one_by_one(batch: Any) -> list[PolledRecord]:
    """Each record; one that is cut out well but cannot be read as raw bytes."""
    from kafka.errors import KafkaError
    from kafka.record.util import decode_varint

    out: list[PolledRecord] = []
    for index in range(batch.records_count):
        start, buffer = batch._pos, batch._buffer
        length, body = decode_varint(buffer, start)
        if length < 0 or body + length > len(buffer):
            raise ValueError("its records cannot be told apart")
        try:
            out.append(next(batch))
        except (KafkaError, ValueError, IndexError) as error:
            offset = batch.base_offset + index
            raw = bytes(buffer[start : body + length])
            out.append(Unreadable(offset, offset, raw, UNREADABLE_RECORD, _message_of(error)))
            batch._pos = body + length
            batch._next_record_index += 1
        if batch._pos != body + length:
            raise ValueError("a record does not end where it says")
    if batch._pos != len(batch._buffer):
        raise ValueError("bytes follow its last record")
    return out


def _message_of(error: Exception) -> str:
    return (str(error) or type(error).__name__)[:200].replace("\n", " ")


@cache
def tolerant(base: type[Any]) -> type[Any]:
    """The library's records of one fetched partition, with unreadable ones as raw bytes."""
    from kafka.errors import KafkaError

    class Tolerant(base):  # type: ignore[misc]
        next_fetch_offset: int
        leader_epoch: int
        records_seen: ClassVar[int] = 0
        """In this process: after many it is worth a second to load the compiler."""

        def _unpack_records(self, _tp: object, records: Any, *_: object) -> Iterator[PolledRecord]:
            while records.has_next():
                raw = bytes(records._next_slice)
                try:
                    batch = records.next_batch()
                    functions = machine() if Tolerant.records_seen >= WORTH else None
                    records_of = records_in(batch, raw, functions)
                    Tolerant.records_seen += len(records_of)
                except (KafkaError, ValueError, struct_error) as error:
                    yield Unplaced(self.next_fetch_offset, _message_of(error))
                    return
                if not _is_placed(batch, records_of, self.next_fetch_offset, records._next_slice):
                    yield Unplaced(self.next_fetch_offset, "its offsets cannot be believed")
                    return
                self.leader_epoch = batch.leader_epoch
                if not batch.is_control_batch or any(
                    isinstance(record, Unreadable) for record in records_of
                ):
                    for record in records_of:
                        if record.offset >= self.fetch_offset:
                            self.next_fetch_offset = record.offset + 1
                            yield record
                self.next_fetch_offset = batch.next_offset
            self.drain()

    return Tolerant


def _is_placed(
    batch: Any, records: list[PolledRecord], expected: int, following: bytes | None
) -> bool:
    """Whether the offsets of a batch can be believed; its own bytes say them."""
    if not any(
        isinstance(record, Unreadable) and record.reason == UNREADABLE_BATCH for record in records
    ):
        return True
    first, last = batch.base_offset, batch.last_offset
    if not first <= expected <= last or batch.records_count != last - first + 1:
        return False
    return following is None or int.from_bytes(following[:8], "big", signed=True) == last + 1


def same_raw(recorded: bytes, raw: bytes) -> bool:
    """Whether two raw batches or records are the same, whoever led the partition meanwhile."""
    return recorded == raw or (
        len(recorded) == len(raw) and _without_epoch(recorded) == _without_epoch(raw)
    )


def _without_epoch(raw: bytes) -> bytes:
    return raw[: _EPOCH.start] + raw[_EPOCH.stop :]


# ---------------------------------------------------------------- read again


def read_raw(reason: str, raw: bytes) -> list[RecoveredRecord]:
    """The records that today's reader finds in raw bytes of the quarantine; empty if it cannot."""
    from kafka.record.default_records import DefaultRecordBatch

    try:
        batch = DefaultRecordBatch(raw if reason == UNREADABLE_BATCH else _batch_of(raw))
    except struct_error:
        return []
    records = records_in(batch, raw)
    if any(isinstance(record, Unreadable) for record in records):
        return []
    alone = reason == UNREADABLE_RECORD
    return [
        RecoveredRecord(None if alone else record.offset, record.key, record.value or b"")
        for record in records
    ]


def _batch_of(record: bytes) -> bytes:
    """A batch with this one record in it, so that the library's own reader reads it."""
    from kafka.record.default_records import DefaultRecordBatch as Batch
    from kafka.record.util import calc_crc32c

    fields = [0, len(record) + Batch.HEADER_STRUCT.size - Batch.AFTER_LEN_OFFSET, 0, 2, 0]
    fields += [0, 0, 0, 0, -1, -1, -1, 1]
    whole = bytearray(Batch.HEADER_STRUCT.pack(*fields) + record)
    fields[4] = calc_crc32c(memoryview(whole)[Batch.ATTRIBUTES_OFFSET :])
    Batch.HEADER_STRUCT.pack_into(whole, 0, *fields)
    return bytes(whole)
