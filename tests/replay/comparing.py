"""Two replays of one ledger compared, and facts that arrive in any order and batches."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from typing import Any

import numpy as np

from ledger import events
from ledger.codec import frame
from ledger.log import Arrival
from ledger.replay import Replay
from ledger.replay.stream_index import StreamIndex
from tests.analytics import given
from tests.engine import of_tables

OF_STREAM = ("rows", "times", "conflicts")
"""What of a stream's index is an array."""


def same(one: Replay, other: Replay) -> None:
    """Compare everything that two replays of one ledger know, but for kept states of hashes."""
    mine, theirs = one._index, other._index
    for field in fields(mine):
        if field.name not in ("streams", "attendance", "unreadable"):
            assert getattr(mine, field.name) == getattr(theirs, field.name), field.name
    tables = {*mine.attendance.places, *mine.attendance.kept, *theirs.attendance.places}
    for table in tables:
        assert mine.attendance.all_places(table) == theirs.attendance.all_places(table)
    assert mine.attendance.added == theirs.attendance.added
    assert np.array_equal(mine.unreadable, theirs.unreadable)
    assert list(mine.streams) == list(theirs.streams)
    for name, stream in mine.streams.items():
        beside = theirs.streams[name]
        assert stream.ends == beside.ends, name
        assert one.extent(name) == other.extent(name)
        same_in_parts(stream, beside)
        for array in OF_STREAM:
            assert np.array_equal(getattr(stream, array), getattr(beside, array)), (name, array)
        names = {field.name for field in fields(stream)} - {
            "marks",
            "merged",
            "known_ends",
            "blocks",
        }
        names -= {*OF_STREAM, "_last_position"}
        for attribute in (*names, "is_rising", "has_strays", "last_position"):
            assert getattr(stream, attribute) == getattr(beside, attribute), (name, attribute)
        last = int(stream.rows["seq"][-1])
        for seq in {1, last // 2, last}:
            assert one.prefix_hash(name, seq) == other.prefix_hash(name, seq), (name, seq)
            assert one.prefix_key(name, seq) == other.prefix_key(name, seq), (name, seq)
    assert one.roster() == other.roster()
    streams = other.streams()
    assert list(one.walk(streams)) == list(other.walk(streams))


def same_in_parts(stream: StreamIndex, beside: StreamIndex) -> None:
    """Compare what is asked of a few rows with the whole columns of the other."""
    facts = beside.ends.facts
    seqs, times = beside.rows["seq"], beside.times
    for at in {0, 1, facts // 3, facts // 2, facts - 1}:
        low, high = max(at - 5, 0), min(at + 5, facts)
        assert np.array_equal(stream.rows_between(low, high), beside.rows[low:high])
        assert np.array_equal(stream.times_between(low, high), times[low:high])
        for more in (-1, 0, 1):
            seq, moment = (
                int(seqs[min(at, facts - 1)]) + more,
                int(times[min(at, facts - 1)]) + more,
            )
            assert stream.time_of(min(at, facts - 1)) == times[min(at, facts - 1)]
            assert stream.seq_of(min(at, facts - 1)) == seqs[min(at, facts - 1)]
            assert stream.row_at_seq(seq) == np.searchsorted(seqs, seq)
            assert stream.row_at_time(moment) == np.searchsorted(times, moment)
        size = int(beside.rows["position"][min(at, facts - 1)])
        rows, first = stream.rows_since(size)
        assert np.array_equal(rows, beside.rows[first:])
        assert bool((beside.rows["position"][:first] < size).all())


def arriving(random: Random) -> list[Arrival]:
    """Facts of three tables, some late, some twice, some rivals, some bytes that are none."""
    sent: list[Any] = [*of_tables(given.facts("overpaid", scale=0.03), "SB-01", "DC-01", "PH-01")]
    arrivals = [Arrival(frame(fact)) for fact in sent]
    for _ in range(40):
        arrivals.insert(
            random.randrange(len(arrivals)), arrivals.pop(random.randrange(len(arrivals)))
        )
    arrivals.insert(random.randrange(len(arrivals)), Arrival(b"\0\0\0\0\1no fact"))
    amended = events.FactAmended(
        stream="amendments", seq=1, event_time=given.RECORDED_AT, source="pitledger",
        recorded_by=None, amended_stream="SB-01", amended_seq=40, replacement=None, reason="none",
        amended_by="X-1", approved_by="X-2", approved_time=None, file_sha256=None, proof=None, approval_proof=None,
    )  # fmt: skip
    arrivals.insert(random.randrange(200, len(arrivals)), Arrival(frame(amended)))
    return arrivals
