"""A batch that is read at once has the records that the library reads, or is left to it."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kafka.record.default_records import DefaultRecordBatch
from kafka.record.util import encode_varint

from ledger.log.kafka_batches import PlainRecord, Unreadable, _records_at_once, machine, records_in
from ledger.log.kafka_client import Place
from ledger.log.kafka_source import Polled, Source
from tests.log.kafka_double import GZIP, LZ4, ZSTD, batch_of, resealed

MACHINE = machine()
HEAD = DefaultRecordBatch.HEADER_STRUCT.size
MAYBE_BYTES = st.none() | st.binary(max_size=200)
ROWS = st.lists(
    st.tuples(
        MAYBE_BYTES,
        MAYBE_BYTES,
        st.lists(st.tuples(st.text("abcé", max_size=3), st.binary(max_size=70)), max_size=3),
    ),
    min_size=1,
    max_size=6,
)


def both(raw: bytes) -> list[list[object]]:
    """What a batch holds, read at once and read by the library."""
    out = []
    for functions in (MACHINE, None):
        records = records_in(DefaultRecordBatch(raw), raw, functions)
        out.append(
            [
                record
                if isinstance(record, Unreadable)
                else (record.offset, record.key, record.value)
                for record in records
            ]
        )
    return out


def test_a_plain_batch_is_read_at_once():
    assert MACHINE is not None
    headers = [("ce_id", b"1"), ("content-type", b"application/avro")]
    rows = [(b"SB-01", b"v" * size, headers) for size in (0, 1, 63, 64, 8191, 8192, 70_000)]
    rows += [(None, b"v", []), (b"k", None, [])]
    for codec in (0, GZIP, LZ4, ZSTD):
        raw = batch_of(rows, 100, codec)
        batch = DefaultRecordBatch(raw)
        iter(batch)
        records = _records_at_once(MACHINE, batch)
        assert records == [
            PlainRecord(100 + number, key, payload) for number, (key, payload, _) in enumerate(rows)
        ]
        at_once, by_library = both(raw)
        assert at_once == by_library


@settings(max_examples=200, deadline=None)
@given(ROWS, st.integers(0, 1 << 20), st.integers(0, 255), st.data())
def test_any_altered_byte_has_the_same_outcome(rows, at, byte, data):
    raw = bytearray(batch_of(rows, 7))
    harm = data.draw(st.sampled_from(["none", "byte", "head", "cut", "grow"]))
    if harm == "byte":
        raw[HEAD + at % (len(raw) - HEAD)] = byte
    elif harm == "head":  # attributes, last offset and count of records stand in it
        raw[21 + at % (HEAD - 21)] = byte
    elif harm == "cut":
        del raw[HEAD + at % (len(raw) - HEAD) :]
    elif harm == "grow":
        raw.append(byte)
    raw[8:12] = (len(raw) - 12).to_bytes(4, "big")
    at_once, by_library = both(resealed(bytes(raw)))
    assert at_once == by_library


def number(value: int) -> bytes:
    """A number as a record has it."""
    out = bytearray()
    encode_varint(value, out.append)
    return bytes(out)


def one_record(body: bytes) -> bytes:
    """A batch with one record, of this body."""
    plain = batch_of([(b"k", b"v", [])])
    raw = plain[:HEAD] + number(len(body)) + body
    return resealed(raw[:8] + (len(raw) - 12).to_bytes(4, "big") + raw[12:])


SOUND = (
    b"\0\0\0"
    + number(1)
    + b"k"
    + number(1)
    + b"v"
    + number(1)
    + number(1)
    + b"h"
    + number(1)
    + b"x"
)
ODD = {
    "sound": SOUND,
    "a key beyond its record": b"\0\0\0" + number(60) + b"k" * 9,
    "a value beyond its record": b"\0\0\0" + number(-1) + number(9) + b"v",
    "a header's name beyond its record": SOUND[:-4] + number(9) + b"h",
    "a header's value beyond its record": SOUND[:-2] + number(9) + b"x",
    "a header's name of a negative length": SOUND[:-4] + number(-1) + b"h" + number(1) + b"x",
    "a header's name of a negative length, and nothing after it": SOUND[:-4] + number(-1),
    "a header's value that is null": SOUND[:-2] + number(-1),
    "fewer headers than it says": SOUND[:7] + number(2) + SOUND[8:],
    "more bytes than headers": SOUND + b"z",
    "a negative number of headers": SOUND[:7] + number(-1),
    "numbers longer than they need be": b"\x80\0\x80\x80\0\x80\0" + b"\x82\x80\0k" + b"\x82\0v" + b"\x80\0",
    "a number without an end": b"\xff" * 12,
    "a time of nine bytes": b"\0" + b"\x80" * 8 + b"\1" + b"\0\1\1\0",
    "a time of ten bytes": b"\0" + b"\x80" * 9 + b"\1" + b"\0\1\1\0",
    "an offset of its own": b"\0\0" + number(5) + b"\1\1\0",
    "nothing": b"",
    "an attribute alone": b"\0",
}  # fmt: skip


@pytest.mark.row_by_row
@pytest.mark.parametrize("body", ODD.values(), ids=ODD)
def test_an_odd_record_has_the_same_outcome(body: bytes):
    at_once, by_library = both(one_record(body))
    assert at_once == by_library


def test_a_record_that_says_it_is_longer_is_not_read_at_once():
    raw = bytearray(batch_of([(b"k", b"v", []), (b"k", b"w", [])]))
    raw[HEAD] += 2
    at_once, by_library = both(resealed(bytes(raw)))
    assert at_once == by_library
    assert any(isinstance(record, Unreadable) for record in at_once)


@pytest.mark.row_by_row
@pytest.mark.parametrize("bounded", [True, False])
@pytest.mark.parametrize("offsets", [(5, 6, 7, 8), (5, 6, 8), (5, 5), (4, 5), ()])
def test_records_read_at_once_are_taken_as_far_as_their_offsets_follow(offsets, bounded):
    place = Place("t", 0)
    outcomes = []
    for kind in (PlainRecord, Other):
        source = Source.__new__(Source)
        source._resolve, source._next, source.ends = bytes.upper, {place: 5}, {place: 7}
        out = Polled()
        source._take(out, place, [kind(offset, b"k", b"v") for offset in offsets], bounded)
        gap = None if out.gap is None else str(out.gap)
        outcomes.append((out.arrivals, gap, source._next))
    assert outcomes[0] == outcomes[1]
    taken = [number for number, offset in enumerate(offsets, 5) if number == offset]
    assert len(outcomes[0][0]) <= len(taken)


class Other(NamedTuple):
    """A record as the library hands it out."""

    offset: int
    key: bytes | None
    value: bytes | None
