"""What every log owes, whatever holds it: subclass ``LogContract`` with a fixture ``log``.

``reopen`` gives a log over the same records; a log that lives in memory gives itself.
"""

from __future__ import annotations

from hashlib import sha256

import pytest

from ledger.kernel import UsageError
from ledger.log import (
    CONFLICT,
    Accepted,
    Arrival,
    Began,
    Log,
    Quarantined,
    SchemaUsed,
    facts_in,
)
from tests.log.facts import ORIGIN, TIME, arrivals, no_more_bets, opened


def framed(log: Log) -> list[bytes]:
    """All accepted facts, read one by one."""
    return [entry.framed for _, entry in log.entries() if isinstance(entry, Accepted)]


def bad(log: Log) -> list[Quarantined]:
    """All that was quarantined."""
    return [entry for _, entry in log.entries() if isinstance(entry, Quarantined)]


class LogContract:
    """Held by the memory log, the file log and the Kafka log."""

    def reopen(self, log: Log) -> Log:
        return log

    def test_begins_with_its_origin(self, log: Log) -> None:
        assert log.origin == ORIGIN
        first = log.read(0)
        assert isinstance(first, Began)
        assert first.origin == ORIGIN

    def test_what_goes_in_comes_out_in_order(self, log: Log) -> None:
        batch = arrivals(1, 300)
        log.append(batch, TIME)
        assert framed(log) == [arrival.framed for arrival in batch]

    def test_the_same_after_opening_again(self, log: Log) -> None:
        log.append([*arrivals(1, 20), Arrival(b"rubbish")], TIME)
        again = self.reopen(log)
        assert framed(again) == [arrival.framed for arrival in arrivals(1, 20)]
        assert [entry.reason for entry in bad(again)] == ["bad_magic"]

    def test_a_schema_stands_before_its_first_use(self, log: Log) -> None:
        log.append([*arrivals(1, 2), Arrival(no_more_bets(3))], TIME)
        seen: set[int] = set()
        for _, entry in log.entries():
            if isinstance(entry, SchemaUsed):
                assert entry.id not in seen
                seen.add(entry.id)
            elif isinstance(entry, Accepted):
                assert int.from_bytes(entry.framed[1:5], "big") in seen
        assert len(seen) == 2

    def test_the_same_fact_twice_is_kept_once(self, log: Log) -> None:
        log.append(arrivals(1, 10), TIME)
        log.append([*arrivals(5, 12), *arrivals(1, 12)], TIME + 1)
        assert framed(log) == [arrival.framed for arrival in arrivals(1, 12)]
        assert bad(log) == []

    def test_a_late_fact_is_kept_once(self, log: Log) -> None:
        numbers = [5, 1, 9, 2, 5, 3, 1, 4]
        log.append([Arrival(opened(seq)) for seq in numbers], TIME)
        assert framed(log) == [opened(seq) for seq in (5, 1, 9, 2, 3, 4)]

    def test_the_same_key_with_another_record_is_a_conflict(self, log: Log) -> None:
        log.append(arrivals(1, 3), TIME)
        other = opened(2, source="T-2")
        log.append([Arrival(other), Arrival(other)], TIME)
        assert framed(log) == [arrival.framed for arrival in arrivals(1, 3)]
        (entry,) = bad(log)
        assert entry.reason == CONFLICT
        assert entry.sha256 == sha256(other).digest()
        assert entry.conflicts_with is not None
        assert entry.conflicts_with[:2] == ("SB-01", 2)
        earlier = log.read(entry.conflicts_with.position)
        assert isinstance(earlier, Accepted)
        assert earlier.framed == opened(2)
        assert log.quarantined(entry.sha256) == other

    def test_a_conflict_within_one_append(self, log: Log) -> None:
        other = opened(2, source="T-2")
        log.append([*arrivals(1, 2), Arrival(b"\x07"), Arrival(other), *arrivals(3, 3)], TIME)
        conflict = bad(log)[1]
        assert conflict.conflicts_with is not None
        earlier = log.read(conflict.conflicts_with.position)
        assert isinstance(earlier, Accepted)
        assert earlier.framed == opened(2)

    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            (b"", "truncated"),
            (b"\x00\x00", "truncated"),
            (b"\x01" + opened(1)[1:], "bad_magic"),
            (b"\x00\xff\xff\xff\xff" + opened(1)[5:], "unknown_schema"),
            (opened(1)[:-1], "truncated"),
            (opened(1) + b"\x00", "trailing_bytes"),
            (opened(1) + bytes(64_000), "oversize"),
        ],
    )
    def test_bytes_that_are_no_fact(self, log: Log, data: bytes, reason: str) -> None:
        log.append([*arrivals(1, 1), Arrival(data), *arrivals(2, 2)], TIME)
        assert framed(log) == [opened(1), opened(2)]
        (entry,) = bad(log)
        assert (entry.reason, entry.length) == (reason, len(data))
        assert entry.head == data[:4_096]
        assert entry.conflicts_with is None
        assert log.quarantined(entry.sha256) == data

    def test_a_key_that_is_not_the_stream_is_kept(self, log: Log) -> None:
        keys = [b"SB-01", b"SB-99", b"k" * 5_000]
        batch = [Arrival(opened(seq), key) for seq, key in enumerate(keys, 1)]
        log.append(batch, TIME)
        odd = [entry.odd_key for _, entry in log.entries() if isinstance(entry, Accepted)]
        assert odd == [None, b"SB-99", b"k" * 1_024]

    def test_reading_by_bundle(self, log: Log) -> None:
        log.append([*arrivals(1, 600), Arrival(b"rubbish")], TIME)
        one_by_one = [
            (position, entry.record_time, entry.framed)
            for position, entry in log.entries()
            if isinstance(entry, Accepted)
        ]
        bundled = [fact for first, raw in log.bundles() for fact in facts_in(first, raw)]
        assert bundled == one_by_one
        assert sum(len(raw) for _, raw in log.bundles(250, 520)) == 270
        assert next(position for position, _ in log.bundles(250, 520)) == 250

    def test_a_position_beyond_the_end(self, log: Log) -> None:
        log.append(arrivals(1, 3), TIME)
        for position in (-1, log.size):
            with pytest.raises(UsageError):
                log.read(position)


class RecordContract(LogContract):
    """Held by the logs that record arrivals themselves: memory and files."""

    def test_counts(self, log: Log) -> None:
        batch = [*arrivals(1, 5), *arrivals(3, 3), Arrival(b"x"), Arrival(opened(1, source="T-2"))]
        done = log.append(batch, TIME)
        assert (done.accepted, done.repeated, done.conflicts, done.quarantined) == (5, 1, 1, 1)
        assert done.size == log.size == 1 + 1 + 5 + 2
        assert done.root == log.root
        assert [(one.arrival, one.reason) for one in done.troubles] == [
            (6, "bad_magic"),
            (7, CONFLICT),
        ]
        assert all(isinstance(log.read(one.position), Quarantined) for one in done.troubles)

    def test_nothing_new_changes_nothing(self, log: Log) -> None:
        batch = [*arrivals(1, 5), Arrival(b"x"), Arrival(opened(1, source="T-2"))]
        before = log.append(batch, TIME)
        for _ in range(2):
            after = log.append(batch, TIME + 1)
            assert (after.size, after.root, after.repeated) == (before.size, before.root, 7)
            assert log.append([], TIME).size == before.size
            log = self.reopen(log)

    def test_where_in_kafka_it_came_from(self, log: Log) -> None:
        def at(offset: int, framed: bytes, key: bytes | None = b"SB-01") -> Arrival:
            return Arrival(framed, key, "pit.v1", 3, offset)

        log.append([at(7, opened(1)), at(8, b"rubbish"), at(9, opened(2), None)], TIME)
        for _ in range(2):
            places = [
                entry.coordinates
                for _, entry in log.entries()
                if isinstance(entry, Accepted | Quarantined)
            ]
            assert places == [("pit.v1", 3, 7), ("pit.v1", 3, 8), ("pit.v1", 3, 9)]
            assert log.last_offsets() == {("pit.v1", 3): (9, log.size - 1)}
            last = log.read(log.size - 1)
            assert isinstance(last, Accepted)
            assert last.odd_key == b""
            assert log.recorded_bytes("pit.v1", 3) == opened(2)
            assert log.recorded_bytes("pit.v1", 4) is None
            log = self.reopen(log)
        log.append([at(10, b"more rubbish")], TIME)
        assert log.recorded_bytes("pit.v1", 3) == b"more rubbish"

    def test_the_index_names_every_fact(self, log: Log) -> None:
        numbers = [1, 2, 3, 9, 8, 5]
        batch = [Arrival(opened(seq)) for seq in numbers]
        log.append([*batch, *arrivals(1, 4, "DC-01")], TIME)
        for own in (log, self.reopen(log)):  # a closed log can still be read
            index = own.index()
            assert index.streams() == ["DC-01", "SB-01"]
            assert index.gaps("SB-01") == [(4, 4), (6, 7)]
            rows = index.positions("SB-01").tolist()
            assert [row[0] for row in rows] == sorted(numbers)
            for seq, position in rows:
                entry = own.read(position)
                assert isinstance(entry, Accepted)
                assert entry.framed == opened(seq)
            assert sum(index.dates["SB-01"].values()) == len(numbers)
            assert index.positions("nowhere").tolist() == []
            assert index.find("SB-01", [9, 4, 1])[1] == -1
