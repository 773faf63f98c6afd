"""Who may write a stream: what a terminal sends beside its own is quarantined, and takes no place."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from ledger.codec import frame, source_of
from ledger.events import SourceRegistered
from ledger.log import (
    FOREIGN,
    Accepted,
    Arrival,
    FileLog,
    Quarantined,
    open_log,
    read_log,
    terminal_of,
    terminal_topic,
    verify,
)
from ledger.log.cache import rebuild_index
from ledger.log.kafka_ingest import ingest_again
from ledger.log.kafka_settings import KafkaSettings
from ledger.log.stream_writers import StreamWriters
from tests.log.facts import TIME, opened
from tests.log.test_file_log import begin

SHARED: Final = "pitledger.tables.v1"
HOUSE_TOPIC: Final = "pitledger.house.v1"


def own(terminal: str) -> str:
    return terminal_topic("pitledger", terminal)


def registered(
    seq: int, stream: str, terminal: str, where: str = "house", by: str = "H-1"
) -> bytes:
    """The fact that a terminal may write a stream."""
    return frame(
        SourceRegistered(
            stream=where, seq=seq, event_time=TIME, source=by, recorded_by=None,
            registered_stream=stream, registered_source=terminal, since=TIME,
            clock_uncertainty_micros=0, order_tolerance_micros=0,
        )
    )  # fmt: skip


def arrival(framed: bytes, topic: str | None, offset: int = 0) -> Arrival:
    place = (None, None) if topic is None else (0, offset)
    return Arrival(framed, None, topic, *place)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A ledger whose writer registered SB-01 and SB-02 for their streams, and H-1 for the house."""
    folder = tmp_path / "ledger"
    begin(folder)
    with open_log(folder) as log:
        log.append(
            [
                Arrival(registered(1, "SB-01", "SB-01")),
                Arrival(registered(2, "SB-02", "SB-02")),
                Arrival(registered(3, "house", "H-1")),
            ],
            TIME,
        )
    return folder


def reasons(log: FileLog, since: int) -> list[str]:
    """Of each arrival from a position on: accepted, or why it was quarantined."""
    entries = (entry for _, entry in log.entries(since))
    return [
        entry.reason if isinstance(entry, Quarantined) else "accepted"
        for entry in entries
        if isinstance(entry, Quarantined | Accepted)
    ]


def take(folder: Path, *arrivals: Arrival) -> list[str]:
    with open_log(folder) as log:
        size = log.size
        log.append(arrivals, TIME)
        return reasons(log, size)


def test_a_topic_names_its_terminal() -> None:
    assert terminal_of("pitledger.terminal.SB-01.v1") == "SB-01"
    assert terminal_of("a.b.terminal.SB.01_x.v1") == "SB.01_x"
    others = (
        SHARED,
        "pitledger.terminal.v1",
        "pitledger.terminal..v1",
        "terminal.x.v1",
        "p.terminal.x.v2",
    )
    assert [terminal_of(other) for other in others] == [None] * len(others)
    for name in ("", "a/b", ".hidden", "x" * 101, "ü"):
        with pytest.raises(ValueError, match="letters"):
            terminal_topic("pitledger", name)
    assert source_of(opened(5, source="Ünïcode")) == "Ünïcode"


def test_another_terminal_cannot_take_the_place_of_a_true_fact(folder: Path) -> None:
    forged = arrival(opened(1, "SB-02", "SB-02"), own("SB-01"))
    true = arrival(opened(1, "SB-02", "SB-02"), own("SB-02"))
    posing = arrival(opened(1, "SB-01", "T-9"), own("SB-01"))
    honest = arrival(opened(1, "SB-01", "SB-01"), own("SB-01"), 1)
    assert take(folder, forged, true, posing, honest) == [FOREIGN, "accepted", FOREIGN, "accepted"]
    log = read_log(folder)
    assert len(log.index().positions("SB-02")) == 1
    assert verify(folder).problem is None


def test_a_stream_with_a_topic_of_its_own_comes_by_no_shared_one(folder: Path) -> None:
    before = arrival(opened(1, "SB-02", "SB-02"), SHARED)
    proved = arrival(opened(2, "SB-02", "SB-02"), own("SB-02"))
    after = arrival(opened(3, "SB-02", "SB-02"), SHARED, 1)
    other = arrival(opened(1, "SB-03", "T-1"), SHARED, 2)
    assert take(folder, before, proved, after, other) == [
        "accepted",
        "accepted",
        FOREIGN,
        "accepted",
    ]


def test_the_same_fact_again_by_a_shared_topic_does_no_harm(folder: Path) -> None:
    fact = opened(1, "SB-02", "SB-02")
    with open_log(folder) as log:
        log.append([arrival(fact, own("SB-02"))], TIME)
        again = log.append([arrival(fact, SHARED), arrival(fact, own("SB-01"))], TIME)
        assert (again.accepted, again.repeated, again.quarantined) == (0, 2, 0)
        differing = arrival(opened(1, "SB-02", "T-5"), SHARED, 1)
        done = log.append([differing], TIME)
        assert (done.conflicts, done.quarantined) == (0, 1)
    assert verify(folder).problem is None


def test_in_one_group_the_order_decides(folder: Path) -> None:
    """Registered, used and refused within one append, without a checkpoint between."""
    assert take(
        folder,
        arrival(opened(1, "SB-07", "SB-07"), own("SB-07")),
        Arrival(registered(4, "SB-07", "SB-07")),
        arrival(opened(2, "SB-07", "SB-07"), own("SB-07"), 1),
        arrival(opened(3, "SB-07", "SB-07"), SHARED),
        arrival(opened(2, "SB-07", "X"), own("SB-01")),
    ) == [FOREIGN, "accepted", "accepted", FOREIGN, FOREIGN]
    assert verify(folder).problem is None


@pytest.mark.parametrize(
    ("where", "topic", "counts"),
    [
        ("house", None, True),
        ("house/sources", None, True),
        ("house/sources", HOUSE_TOPIC, True),
        ("house", own("H-1"), True),
        ("house/sources", own("H-1"), False),  # not a stream that it may write
        ("SB-01", own("SB-01"), False),  # a table cannot register
    ],
)
def test_a_registration_counts_where_its_way_is_rooted(
    folder: Path, where: str, topic: str | None, counts: bool
) -> None:
    sender = "H-1" if where.startswith("house") else where
    fact = registered(4, "SB-09", "SB-09", where, sender)
    take(folder, arrival(fact, topic))
    spoken = take(folder, arrival(opened(1, "SB-09", "SB-09"), own("SB-09")))
    assert spoken == (["accepted"] if counts else [FOREIGN])


def test_a_registration_that_conflicts_counts_for_nothing(folder: Path) -> None:
    take(folder, Arrival(registered(1, "SB-02", "SB-01")))
    assert take(folder, arrival(opened(1, "SB-02", "SB-01"), own("SB-01"))) == [FOREIGN]


def test_the_state_is_the_same_from_the_cache_and_from_the_entries(folder: Path) -> None:
    take(folder, arrival(opened(1, "SB-02", "SB-02"), own("SB-02")))
    with open_log(folder) as log:
        cached = log.snapshot.entries_state()[0].writers
    made = rebuild_index(read_log(folder)).known.writers
    expected = StreamWriters({"SB-01": {"SB-01"}, "SB-02": {"SB-02"}, "house": {"H-1"}}, {"SB-02"})
    assert cached == made == expected


def test_what_was_quarantined_enters_once_it_is_registered(folder: Path) -> None:
    early = arrival(opened(1, "SB-09", "SB-09"), own("SB-09"), 7)
    assert take(folder, early) == [FOREIGN]
    settings = KafkaSettings(bootstrap="nowhere:1")
    with open_log(folder) as log:
        assert ingest_again(log, settings).accepted == 0
        log.append([Arrival(registered(4, "SB-09", "SB-09"))], TIME)
        assert ingest_again(log, settings).accepted == 1
        assert ingest_again(log, settings).accepted == 0
        assert log.last_offsets()[own("SB-09"), 0][0] == 7
    assert verify(folder).problem is None


def test_verify_finds_a_fact_that_no_writer_would_have_let_in(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(StreamWriters, "may_write", lambda *_: True)
        take(folder, arrival(opened(1, "SB-02", "SB-02"), own("SB-01")))
    assert "which may not bring it" in (verify(folder).problem or "")
