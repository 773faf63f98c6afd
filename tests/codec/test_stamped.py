"""``stamped``: the fact as if it had been framed under that stream and number, by that person."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.codec import Undecodable, decode, frame, framer, stamped
from ledger.codec.varint import long_bytes, raw_long
from ledger.events import BettingOpened, WagerPlaced
from tests.benchmarks.bench_codec import WAGER


@pytest.mark.parametrize("stream", ["S", "SB-01/sheet~2", "x" * 60])
@pytest.mark.parametrize("seq", [1, 63, 64, 8_191, 8_192, 2**40])
@pytest.mark.parametrize("person", ["E-1", "Ä" * 70])
def test_it_is_the_fact_with_these_values(stream: str, seq: int, person: str) -> None:
    for first in (1, 100, 2**33):
        for source in ("T", "s" * 63, "s" * 64, "s" * 200):
            bare = replace(WAGER, seq=first, source=source, recorded_by=None)
            said = stamped(frame(bare), stream, seq, person)
            assert said == frame(replace(bare, stream=stream, seq=seq, recorded_by=person))
            assert decode(said).recorded_by == person


def test_what_somebody_recorded_or_what_is_cut_is_refused() -> None:
    with pytest.raises(Undecodable):
        stamped(frame(replace(WAGER, recorded_by="E-1")), "S", 1, "E-2")
    whole = frame(replace(WAGER, recorded_by=None))
    head = whole.index(WAGER.source.encode()) + len(WAGER.source)
    for size in range(head):
        with pytest.raises(Undecodable):
            stamped(whole[:size], "S", 1, "E-2")


def test_a_framer_takes_whatever_has_the_fields() -> None:
    assert framer(WagerPlaced)(WAGER) == frame(WAGER)
    opened = BettingOpened(stream="S", seq=1, event_time=2**50, source="T", recorded_by=None)
    assert framer(BettingOpened)(opened) == frame(opened)


@pytest.mark.parametrize("raw", [48, 49, 55, 56, 63])
def test_long_numbers_on_both_sides_of_the_written_out_way(raw: int) -> None:
    for zigzag in ((1 << raw) - 2, (1 << raw) - 1, 1 << raw, (1 << raw) + 1):
        value = (zigzag >> 1) ^ -(zigzag & 1)
        written = long_bytes(value)
        assert raw_long(written, 0) == (zigzag, len(written))
        assert len(written) == max(1, -(-zigzag.bit_length() // 7))
