"""``stamped``: the fact as if it had been framed under that stream and number, by that person."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.codec import (
    RUN_TIMES,
    NotAFact,
    Undecodable,
    decode,
    frame,
    from_text,
    pieces,
    schemas_folder,
    stamped,
    stamped_run,
)
from ledger.codec.varint import long_bytes, raw_long
from ledger.events import WagerPlaced
from tests.benchmarks.bench_codec import WAGER


@pytest.mark.row_by_row
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


@pytest.mark.parametrize("at", [RUN_TIMES[0], WAGER.event_time, RUN_TIMES[-1]])
def test_a_run_is_stamped_as_each_of_it_would_be(at: int) -> None:
    for source in ("T", "s" * 64):
        bare = replace(WAGER, seq=1, event_time=at, source=source, recorded_by=None)
        seqs = (1, 64, 8_191, 8_192, 2**20 - 1, 2**20, 2**40)
        run = stamped_run([(frame(bare), seq) for seq in seqs], (bare.stream, source), "S~2", "Ä")
        assert run == [stamped(frame(bare), "S~2", seq, "Ä") for seq in seqs]
    for other in (RUN_TIMES[0] - 1, RUN_TIMES[-1] + 1):
        assert len(long_bytes(other)) != 8


def test_the_pieces_of_every_sample_are_the_framed_fact() -> None:
    for path in sorted((schemas_folder() / "samples").glob("*.pass.json")):
        fact = from_text(path.read_bytes())
        header, write = pieces(type(fact))
        said = [one(getattr(fact, field)) for field, one in write.items()]
        assert b"".join((header, *said)) == frame(fact)


def test_a_piece_refuses_what_the_whole_refuses() -> None:
    for field, value in (("stream", ""), ("seq", 0), ("wager_id", None), ("wager", "\ud800")):
        with pytest.raises(NotAFact) as whole:
            frame(replace(WAGER, **{field: value}))  # type: ignore[arg-type]
        with pytest.raises(NotAFact) as piece:
            pieces(WagerPlaced)[1][field](value)
        assert piece.value.reason is whole.value.reason


@pytest.mark.row_by_row
@pytest.mark.parametrize("raw", [14, 20, 21, 22, 48, 49, 55, 56, 63])
def test_long_numbers_on_both_sides_of_the_written_out_way(raw: int) -> None:
    for zigzag in ((1 << raw) - 2, (1 << raw) - 1, 1 << raw, (1 << raw) + 1):
        value = (zigzag >> 1) ^ -(zigzag & 1)
        written = long_bytes(value)
        assert raw_long(written, 0) == (zigzag, len(written))
        assert len(written) == max(1, -(-zigzag.bit_length() // 7))
