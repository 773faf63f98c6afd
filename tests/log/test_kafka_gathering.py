"""What comes within the time that is given for it becomes durable together, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest

from ledger.cli.lent_ledger import LentLedger
from ledger.log import open_log
from ledger.log.kafka import KafkaSettings, SourceGap, ingest
from ledger.log.kafka_client import Place
from ledger.log.kafka_registry import as_published
from ledger.log.kafka_source import Source
from ledger.log.lock_wishes import wish
from tests.log.facts import HOUSE, ORIGIN, TIME
from tests.log.kafka_double import Topics, batch_of
from tests.log.kafka_helpers import made, wager
from tests.log.memory_log import MemoryLog

PREFIX = "pitledger"
TABLES = Place(f"{PREFIX}.tables.v1", 0)
SETTINGS = KafkaSettings(bootstrap="double:1", topic_prefix=PREFIX, timeout_seconds=5)
LONG = 3_600.0


class Coming:
    """Three more facts come each time it is asked whether to wait for more.

    Args:
        topics: to which they come.
        waits: so often the answer is to wait.
    """

    def __init__(self, topics: Topics, waits: int) -> None:
        self.topics, self.waits, self.asked = topics, waits, 0
        self.come()

    def come(self, *, skipped: int = 0) -> None:
        begin = self.topics.end(TABLES) + skipped
        records = [(b"SB-01", wager("SB-01", begin + number), []) for number in (1, 2, 3)]
        self.topics.put(TABLES, batch_of(records, begin))

    def until(self) -> float:
        self.asked += 1
        if self.asked > self.waits:
            return 0.0
        self.come(skipped=5 if self.asked == 3 else 0)
        return monotonic() + LONG


@pytest.fixture
def topics(monkeypatch: pytest.MonkeyPatch) -> Topics:
    double = Topics(PREFIX)
    double.install(monkeypatch)
    return double


def empty_log() -> MemoryLog:
    return MemoryLog(origin=ORIGIN, property=HOUSE, record_time=TIME)


def once() -> Callable[[], bool]:
    """Stop after one batch."""
    answers = iter([False])
    return lambda: next(answers, True)


def test_records_that_come_meanwhile_are_one_batch(topics: Topics) -> None:
    coming, log = Coming(topics, waits=2), empty_log()
    done = ingest(log, SETTINGS, follow=True, stop=once(), gather_until=coming.until)
    assert (done.accepted, done.batches, coming.asked) == (9, 1, 3)


def test_a_bounded_reading_waits_for_nothing(topics: Topics) -> None:
    coming, log = Coming(topics, waits=2), empty_log()
    done = ingest(log, SETTINGS, gather_until=coming.until)
    assert (done.accepted, done.batches, coming.asked) == (3, 1, 0)


def test_nothing_is_gathered_after_a_gap(topics: Topics) -> None:
    coming, log = Coming(topics, waits=9), empty_log()
    with pytest.raises(SourceGap):
        ingest(log, SETTINGS, follow=True, stop=once(), gather_until=coming.until)
    assert coming.asked == 3
    assert log.last_offsets()[TABLES][0] == 8


def test_nothing_is_gathered_while_somebody_waits_for_the_ledger(
    topics: Topics, tmp_path: Path
) -> None:
    folder = tmp_path / "ledger"
    made(folder).close()
    ledger, coming = LentLedger(folder, lambda: open_log(folder)), Coming(topics, waits=2)
    source = Source(empty_log(), SETTINGS, 100, as_published)

    def polled() -> int:
        more = source.poll(
            0.0, bounded=False, gather_until=lambda: ledger.gather_until(coming.until())
        )
        return len(more.arrivals)

    with wish(folder):
        assert (polled(), coming.asked) == (3, 1)
    assert (polled(), coming.asked) == (6, 3)


def test_nothing_is_gathered_beyond_what_a_poll_brings(topics: Topics) -> None:
    coming = Coming(topics, waits=9)
    source = Source(empty_log(), SETTINGS, 5, as_published)
    polled = source.poll(0.0, bounded=False, gather_until=coming.until)
    assert (len(polled.arrivals), coming.asked) == (6, 1)
