"""Topics in memory: raw batches, handed out by the library's own reading of a fetched partition."""

from __future__ import annotations

from collections.abc import Sequence
from struct import unpack_from
from typing import Any

import pytest
from kafka import TopicPartition
from kafka.consumer.fetcher import Fetcher
from kafka.record.default_records import DefaultRecordBatch
from kafka.record.memory_records import MemoryRecords, MemoryRecordsBuilder
from kafka.record.util import calc_crc32c

from ledger.log import kafka_source
from ledger.log.kafka_batches import tolerant
from ledger.log.kafka_client import Place, Topic

Record = tuple[bytes | None, bytes | None, list[tuple[str, bytes]]]
NONE, GZIP, SNAPPY, LZ4, ZSTD = range(5)


def batch_of(records: Sequence[Record], offset: int = 0, codec: int = NONE) -> bytes:
    """A batch as a producer makes it and a broker places it."""
    builder = MemoryRecordsBuilder(magic=2, compression_type=codec, batch_size=1 << 26)
    for key, value, headers in records:
        assert builder.append(1, key, value, headers) is not None
    builder.close()
    return offset.to_bytes(8, "big") + bytes(builder.buffer())[8:]


def resealed(batch: bytes) -> bytes:
    """A batch with the checksum that its bytes have now."""
    crc = calc_crc32c(memoryview(batch)[DefaultRecordBatch.ATTRIBUTES_OFFSET :])
    at = DefaultRecordBatch.CRC_OFFSET
    return batch[:at] + crc.to_bytes(4, "big") + batch[at + 4 :]


class Topics:
    """What each partition holds, and the topics' ids."""

    def __init__(self, prefix: str, partitions: int = 2) -> None:
        self.topics = {
            name: Topic(name=name, id=name, partitions=partitions)
            for name in kafka_source.in_topics(prefix)
        }
        self.logs: dict[Place, list[bytes]] = {}

    def put(self, place: Place, *batches: bytes) -> None:
        """Add batches to a partition."""
        self.logs.setdefault(place, []).extend(batches)

    def end(self, place: Place) -> int:
        """The next offset of a partition."""
        batches = self.logs.get(place)
        if not batches:
            return 0
        (base,) = unpack_from(">q", batches[-1])
        (delta,) = unpack_from(">i", batches[-1], DefaultRecordBatch.ATTRIBUTES_OFFSET + 2)
        return int(base + delta + 1)

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Stand in for the broker."""
        double = self

        class Cluster:
            def __init__(self, *_: Any) -> None:
                pass

            def topics(self, _: Sequence[str]) -> dict[str, Topic]:
                return dict(double.topics)

            def terminal_topics(self, prefix: str) -> list[str]:
                return sorted(name for name in double.topics if f"{prefix}.terminal." in name)

            def close(self) -> None:
                pass

        monkeypatch.setattr(kafka_source, "Cluster", Cluster)
        monkeypatch.setattr(kafka_source, "Reader", lambda *_args, **_more: DoubleReader(double))


class DoubleReader:
    """Reads the partitions of the double."""

    def __init__(self, double: Topics) -> None:
        self._double = double
        self._next: dict[Place, int] = {}

    def limits(self, places: Sequence[Place]) -> dict[Place, tuple[int, int]]:
        return {place: (0, self._double.end(place)) for place in places}

    def start(self, offsets: dict[Place, int]) -> None:
        self._next = dict(offsets)

    def poll(self, _: float) -> dict[Place, list[Any]]:
        out = {}
        for place, offset in self._next.items():
            batches = b"".join(
                batch
                for number, batch in enumerate(self._double.logs.get(place, []))
                if self._last(place, number) >= offset
            )
            if batches:
                records, self._next[place] = taken(place, offset, batches)
                out[place] = records
        return out

    def _last(self, place: Place, number: int) -> int:
        batches = self._double.logs[place]
        if number + 1 < len(batches):
            return int(unpack_from(">q", batches[number + 1])[0]) - 1
        return self._double.end(place) - 1

    def position(self, place: Place) -> int:
        return self._next[place]

    def close(self) -> None:
        pass


def taken(place: Place, offset: int, batches: bytes) -> tuple[list[Any], int]:
    """What a fetch from an offset brings, and where the next one begins."""
    part = tolerant(Fetcher.PartitionRecords)(
        offset, TopicPartition(*place), MemoryRecords(batches)
    )
    records = part.take()
    return records, part.next_fetch_offset
