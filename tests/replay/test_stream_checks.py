"""Order against seq (Ledger contract, L.5) and sources (L.6), as values."""

from __future__ import annotations

import pytest

from ledger.codec import frame
from ledger.log import Arrival
from ledger.replay import Registration, Replay, index, stream_checks
from tests.log.memory_log import MemoryLog
from tests.replay.given import SECOND, START, fact, memory


def registered(source: str, since: float = 0, stream: str = "SB-01") -> Registration:
    return Registration(stream=stream, source=source, since=START + int(since * SECOND))


def test_order_within_and_beyond_the_tolerance() -> None:
    replay = Replay(
        memory(
            [fact("SB-01", 1, 1), fact("SB-01", 2, 10), fact("SB-01", 3, 8), fact("SB-01", 4, 11)]
        )
    )
    assert not list(replay.out_of_order("SB-01", 2 * SECOND))
    (one,) = replay.out_of_order("SB-01", 2 * SECOND - 1)
    assert (one.seq, one.event_time, one.off_micros) == (3, START + 8 * SECOND, -2 * SECOND)
    assert not list(replay.out_of_order("SB-01", 0, until=START + 10 * SECOND))
    assert [hit.seq for hit in replay.out_of_order("SB-01", 0, since=START + 10 * SECOND)] == [3]
    assert not list(replay.out_of_order("SB-09", 0))


def test_a_single_wrong_time_is_one_fact_out_of_order() -> None:
    facts = [fact("SB-01", seq, 86_400 if seq == 4 else seq) for seq in range(1, 10)]
    (one,) = Replay(memory(facts)).out_of_order("SB-01", SECOND)
    assert (one.seq, one.off_micros) == (4, 86_397 * SECOND)


def test_the_source_registered_last_holds() -> None:
    facts = [fact("SB-01", seq, source="A" if seq < 5 else "B") for seq in range(1, 10)]
    replay = Replay(memory(facts))
    assert not list(replay.source_differs("SB-01", [registered("B", 5), registered("A")]))
    (late,) = replay.source_differs(
        "SB-01", [registered("A"), registered("B", 7), registered("C", 1, "SB-02")]
    )
    assert (late.first_seq, late.last_seq, late.facts, late.source, late.registered) == (
        5,
        6,
        2,
        "B",
        "A",
    )
    assert late.at == START + 5 * SECOND


def test_without_a_registration_in_force_every_source_differs() -> None:
    replay = Replay(memory([fact("SB-01", seq, source="AB"[seq % 2]) for seq in range(1, 5)]))
    runs = [
        (one.source, one.first_seq, one.registered) for one in replay.source_differs("SB-01", [])
    ]
    assert runs == [("B", 1, None), ("A", 2, None), ("B", 3, None), ("A", 4, None)]
    late = replay.source_differs("SB-01", [registered("A", 3), registered("B", 3)])
    assert [(one.first_seq, one.last_seq) for one in late] == [(1, 1), (2, 2)]


@pytest.mark.parametrize("block", [1, 2, 3, 100])
@pytest.mark.parametrize("told_apart", [0, 1, 100])
def test_runs_do_not_hang_on_blocks_or_on_how_many_sources_have_numbers(
    monkeypatch: pytest.MonkeyPatch, block: int, told_apart: int
) -> None:
    monkeypatch.setattr(stream_checks, "BLOCK", block)
    for module in (stream_checks, index):
        monkeypatch.setattr(module, "SOURCES", told_apart)
    facts = [fact("SB-01", seq, source=source) for seq, source in enumerate("AABBBCAAA", 1)]
    replay = Replay(memory(facts))
    window = {"since": START + 2 * SECOND, "until": START + 9 * SECOND}
    runs = replay.source_differs("SB-01", [registered("B")], **window)
    assert [(one.source, one.first_seq, one.last_seq) for one in runs] == [
        ("A", 2, 2),
        ("C", 6, 6),
        ("A", 7, 8),
    ]


def test_odd_keys_are_named() -> None:
    log = MemoryLog(origin="floor", property="Test", record_time=START)
    one, two, three, four, five = (frame(fact("SB-01", seq)) for seq in range(1, 6))
    six = frame(fact("SB-01", 6))
    log.append(
        [
            Arrival(one, b"SB-01", "t", 0, 0),
            Arrival(two, b"other\x00\x00", "t", 0, 1),
            Arrival(three, None, "t", 0, 2),
            Arrival(four, b"\x00\x00"),
            Arrival(five, b"\x00\x00"),
            Arrival(six),
        ],
        START,
    )
    replay = Replay(log)
    odd = [(hit.seq, hit.position, hit.key) for hit in replay.odd_keys("SB-01")]
    assert odd == [(2, 3, b"other\x00\x00"), (3, 4, b""), (4, 5, b"\x00\x00"), (5, 6, b"\x00\x00")]
    assert not list(replay.odd_keys("SB-02"))
    assert [step.fact.seq for step in replay.walk(["SB-01"])] == [1, 2, 3, 4, 5, 6]  # type: ignore[union-attr]
