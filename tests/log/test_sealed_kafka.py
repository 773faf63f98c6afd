"""Sealed entries and Kafka: compared after erasure, and not sent again in another form."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.codec import key_of
from ledger.log import Arrival, init, open_log, read_log, verify
from ledger.log.kafka import KafkaSettings, SourceReplaced, ingest
from ledger.log.kafka_client import Place
from ledger.log.kafka_publish import _Run
from ledger.log.kafka_wire import Router
from tests.log.facts import HOUSE, ORIGIN, TIME
from tests.log.kafka_double import Topics, batch_of
from tests.log.test_sealed import DEALER, FACTS, PATRON, framed, taken

SETTINGS = KafkaSettings(bootstrap="double:1", topic_prefix="pitledger", timeout_seconds=5)
LAST = taken(9)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sealed ledger without facts."""
    init(tmp_path / "ledger", origin=ORIGIN, property=HOUSE, record_time=TIME, sealed=True)
    return tmp_path / "ledger"


def topics(monkeypatch: pytest.MonkeyPatch, *facts: bytes) -> None:
    """Topics with these facts in one partition."""
    made = Topics("pitledger", partitions=1)
    made.install(monkeypatch)
    records = [(key_of(fact)[0].encode(), fact, []) for fact in facts]
    made.put(Place("pitledger.tables.v1", 0), batch_of(records))


def test_the_last_record_is_known_again_after_erasure(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    topics(monkeypatch, taken(1), LAST)
    with open_log(folder) as log:
        assert ingest(log, SETTINGS).accepted == 2
    assert framed(folder) == [taken(1), LAST]
    for person in (PATRON, DEALER):
        assert read_log(folder).openings.forget(person)
    assert framed(folder) != [taken(1), LAST]
    with open_log(folder) as log:
        again = ingest(log, SETTINGS)
    assert (again.accepted, again.conflicts) == (0, 0)
    assert verify(folder).problem is None


def test_another_last_record_is_still_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    topics(monkeypatch, taken(1), LAST)
    with open_log(folder) as log:
        ingest(log, SETTINGS)
    read_log(folder).openings.forget(PATRON)
    topics(monkeypatch, taken(1), taken(9, "p-0002"))
    with open_log(folder) as log, pytest.raises(SourceReplaced):
        ingest(log, SETTINGS)


def test_what_is_erased_is_not_sent(folder: Path) -> None:
    with open_log(folder) as log:
        log.append([Arrival(fact) for fact in FACTS], TIME)
    read_log(folder).openings.forget(PATRON)
    log_now = read_log(folder)
    run = _Run(log_now, Router.__new__(Router), None, 1 << 20)  # type: ignore[arg-type]
    sent = []
    run.router.accepted = lambda entry: sent.append(entry.framed)  # type: ignore[assignment,method-assign]
    for _, entry in log_now.entries():
        run.record(entry)
    assert sent == [fact for fact in FACTS if PATRON.encode() not in fact]
    assert run.erased == 2
