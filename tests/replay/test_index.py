"""The index: what it reads from entries, what it refuses, how small it is."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.codec import frame, key_of
from ledger.log import Accepted, Coordinates
from ledger.log.entry import EntryUnreadable, encode
from ledger.replay import Replay
from ledger.replay.errors import EntryWrong, KeyTwice
from ledger.replay.fact_header import fact_head, framed_after, framed_at, head_of
from tests.log.memory_log import MemoryLog
from tests.replay.given import SECOND, START, fact, memory

MOMENTS = st.integers(-60_000_000_000, 250_000_000_000)  # seconds around START: years 120 to 9940


@given(
    stream=st.text(
        st.characters(min_codepoint=32, exclude_characters="\x7f", exclude_categories=["Cs"]),
        min_size=1,
        max_size=60,
    ),
    seq=st.one_of(st.integers(1, 20_000), st.integers(1, 2**63 - 1)),
    seconds=MOMENTS,
    source=st.text(st.characters(exclude_categories=["Cs"]), max_size=200),
    record_time=st.integers(0, 2**60),
    coordinates=st.none()
    | st.builds(
        Coordinates, st.text("abc", max_size=200), st.integers(0, 500), st.integers(0, 2**60)
    ),
    odd_key=st.none() | st.binary(max_size=300),
)
def test_heads_are_read_as_the_codec_reads_them(
    stream: str,
    seq: int,
    seconds: int,
    source: str,
    record_time: int,
    coordinates: Coordinates | None,
    odd_key: bytes | None,
) -> None:
    framed = frame(fact(stream, seq, seconds, source=source or "T"))
    entry = encode(
        Accepted(record_time=record_time, coordinates=coordinates, odd_key=odd_key, framed=framed)
    )
    at, odd = framed_at(entry)
    assert (entry[at:], odd) == (framed, odd_key)
    head = head_of(entry)
    assert entry.startswith(head.raw)
    assert head.topic == (None if coordinates is None else coordinates.topic)
    assert framed_after(entry, head) == (at if odd_key is None else None)
    name, number, moment, origin = fact_head(entry, at)
    assert (name.decode(), number, moment) == key_of(framed)
    assert origin.decode() == (source or "T")


@given(cut=st.integers(0, 10_000), data=st.data())
def test_cut_entries_are_refused(cut: int, data: st.DataObject) -> None:
    entry = encode(
        Accepted(record_time=5, coordinates=None, odd_key=b"k", framed=frame(fact("SB-01", 3)))
    )
    with pytest.raises(EntryUnreadable):
        framed_at(entry[: cut % len(entry)])
    with pytest.raises(EntryUnreadable):
        fact_head(b"\x00\x00\x00\x00\x01\x0aSB-01\x02\x80\x80", 0)


class Forged:
    """A log that holds what no writer of ours writes."""

    def __init__(self, *entries: bytes) -> None:
        self.held = list(entries)
        self.size, self.root = len(entries), b"r"

    def bundles(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, list[bytes]]]:
        yield start, self.held[start:stop]


def accepted(framed: bytes) -> bytes:
    return encode(Accepted(record_time=5, coordinates=None, odd_key=None, framed=framed))


@pytest.mark.parametrize(
    "entry",
    [
        b"",
        b"\x02",
        b"\x08\x00",
        b"\x04\x00",
        accepted(b""),
        accepted(b"\x00\x00\x00\x00\x01\x0aSB"),
    ],
)
def test_an_entry_that_is_none_is_named_by_its_position(entry: bytes) -> None:
    with pytest.raises(EntryWrong) as refusal:
        Replay(Forged(accepted(frame(fact("SB-01", 1))), entry))  # type: ignore[arg-type]
    assert (refusal.value.position, refusal.value.exit_code) == (1, 4)


def test_a_fact_that_ends_inside_its_source_is_refused() -> None:
    whole = accepted(frame(fact("SB-01", 1)))
    at, _ = framed_at(whole)
    with pytest.raises(EntryUnreadable):
        fact_head(whole[: whole.index(b"T-SB-01") + 3], at)


def test_a_key_accepted_twice_is_refused() -> None:
    entry = accepted(frame(fact("SB-01", 1)))
    with pytest.raises(KeyTwice) as refusal:
        Replay(Forged(entry, entry))  # type: ignore[arg-type]
    assert refusal.value.position == 1


def test_a_fact_of_an_unknown_schema_stops_the_walk_at_its_position() -> None:
    known = frame(fact("SB-01", 1))
    newer = b"\x00\x00\x0f\x00\x00" + frame(fact("SB-01", 2))[5:]
    replay = Replay(Forged(accepted(known), accepted(newer)))  # type: ignore[arg-type]
    steps = replay.walk(["SB-01"])
    next(steps)
    with pytest.raises(EntryWrong, match="unknown_schema") as refusal:
        next(steps)
    assert refusal.value.position == 1


def large(count: int) -> MemoryLog:
    streams = ("SB-01", "SB-02", "SB-03", "house")
    return memory(fact(streams[n % 4], n // 4 + 1, n / 4) for n in range(count))


def test_memory_is_a_few_bytes_a_fact() -> None:
    count = 6_000
    log = large(count)
    gc.collect()
    tracemalloc.start()
    replay = Replay(log)
    gc.collect()
    held, peak = tracemalloc.get_traced_memory()
    walked = sum(
        1
        for _ in replay.walk(
            replay.streams(), since=START + 100 * SECOND, until=START + 900 * SECOND
        )
    )
    tracemalloc.stop()
    assert walked == 3200
    assert held / count < 32
    assert peak / count < 64, "while it is made, an index takes at most twice its size"
