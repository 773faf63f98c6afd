"""Entries as Avro: the hand-made encoding is fastavro's, and only that is read."""

from __future__ import annotations

import io
import json
from importlib.resources import files
from typing import Any

import fastavro
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.log import (
    Accepted,
    Arrival,
    Began,
    Coordinates,
    EarlierFact,
    Entry,
    FormatNewer,
    Quarantined,
    SchemaUsed,
)
from ledger.log.entry import (
    EntryUnreadable,
    coordinates_of,
    decode,
    encode,
    facts_in,
    long_bytes,
    read_long,
    unwrap,
)
from ledger.log.port import (
    ENTRY_BYTES,
    FRAMED_BYTES,
    HEAD_BYTES,
    KEY_BYTES,
    TOPIC_BYTES,
    KeyRotated,
    Sealed,
)
from tests.log.facts import HOUSE, ORIGIN, TIME, opened
from tests.log.memory_log import MemoryLog

SCHEMA = fastavro.parse_schema(
    json.loads(files("ledger.log").joinpath("entry.avsc").read_text(encoding="utf-8"))
)
LONGS = st.integers(-(2**63), 2**63 - 1)
TIMES = st.one_of(st.integers(1_500_000_000_000_000, 1_900_000_000_000_000), LONGS)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
PLACES = st.none() | st.builds(Coordinates, TEXTS, LONGS, LONGS)
BYTES = st.binary(max_size=300)
ACCEPTED = st.builds(
    Accepted,
    record_time=TIMES,
    coordinates=PLACES,
    odd_key=st.none() | BYTES,
    framed=BYTES | st.integers(0, 20_000).map(bytes),
)
ENTRIES: st.SearchStrategy[Entry] = st.one_of(
    ACCEPTED,
    st.builds(
        Quarantined,
        record_time=TIMES,
        reason=TEXTS,
        sha256=st.binary(min_size=32, max_size=32),
        length=LONGS,
        head=BYTES,
        key=st.none() | BYTES,
        coordinates=PLACES,
        conflicts_with=st.none() | st.builds(EarlierFact, TEXTS, LONGS, LONGS),
    ),
    st.builds(
        Sealed,
        record_time=TIMES,
        coordinates=PLACES,
        odd_key=st.none() | BYTES,
        likeness=st.binary(min_size=32, max_size=32),
        sealed=BYTES,
    ),
    st.builds(SchemaUsed, record_time=TIMES, id=LONGS, name=TEXTS, version=LONGS, text=TEXTS),
    st.builds(Began, record_time=TIMES, format_version=LONGS, origin=TEXTS, property=TEXTS),
    st.builds(
        KeyRotated,
        record_time=TIMES,
        old=TEXTS,
        new=TEXTS,
        size=LONGS,
        root=st.binary(min_size=32, max_size=32),
        signed_by_old=st.none() | BYTES,
        signed_by_new=BYTES,
    ),
)


def plain(entry: Entry) -> tuple[str, dict[str, Any]]:
    """The entry as fastavro takes it."""
    fields: dict[str, Any] = {name: getattr(entry, name) for name in entry.__slots__}
    for name, kind in (("coordinates", Coordinates), ("conflicts_with", EarlierFact)):
        if fields.get(name) is not None:
            fields[name] = dict(zip(kind._fields, fields[name], strict=True))
    return f"pitledger.ledger.{type(entry).__name__}", fields


@given(ENTRIES)
def test_the_encoding_is_fastavros(entry: Entry) -> None:
    out = io.BytesIO()
    fastavro.schemaless_writer(out, SCHEMA, plain(entry))
    assert encode(entry) == out.getvalue()
    assert decode(out.getvalue()) == entry


@given(ENTRIES, st.data())
def test_cut_or_followed_it_is_unreadable(entry: Entry, data: st.DataObject) -> None:
    raw = encode(entry)
    cut = data.draw(st.integers(0, len(raw) - 1))
    for spoilt in (raw[:cut], raw + b"\x00"):
        with pytest.raises(EntryUnreadable):
            decode(spoilt)


@given(st.binary(max_size=80))
def test_whatever_is_read_has_one_encoding(raw: bytes) -> None:
    try:
        entry = decode(raw)
    except (EntryUnreadable, FormatNewer):
        return
    assert encode(entry) == raw


@given(ACCEPTED)
def test_fast_reading_agrees(entry: Accepted) -> None:
    raw = encode(entry)
    assert unwrap(raw) == (entry.record_time, entry.framed)
    assert coordinates_of(raw) == entry.coordinates
    assert list(facts_in(7, [raw, raw])) == [
        (7, entry.record_time, entry.framed),
        (8, entry.record_time, entry.framed),
    ]


def test_an_entry_with_coordinates_does_not_lend_its_time_to_the_next() -> None:
    place = Coordinates("t", 0, 0)
    entries = [
        Accepted(record_time=2, coordinates=None, odd_key=None, framed=b"a"),
        Accepted(record_time=1, coordinates=place, odd_key=None, framed=b"b"),
        Accepted(record_time=2, coordinates=None, odd_key=None, framed=b"c"),
    ]
    assert [fact[1] for fact in facts_in(0, list(map(encode, entries)))] == [2, 1, 2]


@given(st.lists(ENTRIES, max_size=12))
def test_fast_reading_of_a_bundle_agrees(entries: list[Entry]) -> None:
    wanted = [
        (position, entry.record_time, entry.framed)
        for position, entry in enumerate(entries)
        if isinstance(entry, Accepted)
    ]
    assert list(facts_in(0, [encode(entry) for entry in entries])) == wanted


@pytest.mark.row_by_row
@pytest.mark.parametrize("length", [0, 1, 62, 63, 64, 65, 8_190, 8_191, 8_192, 8_193, 64_000])
def test_each_width_of_a_length(length: int) -> None:
    entry = Accepted(record_time=1, coordinates=None, odd_key=None, framed=bytes(length))
    raw = encode(entry)
    assert [fact[2] for fact in facts_in(0, [raw, raw])] == [entry.framed] * 2


def test_the_longest_entries_fit() -> None:
    place = Coordinates("t" * TOPIC_BYTES, 2**63 - 1, 2**63 - 1)
    accepted = Accepted(
        record_time=2**63 - 1,
        coordinates=place,
        odd_key=bytes(KEY_BYTES),
        framed=bytes(FRAMED_BYTES),
    )
    assert len(encode(accepted)) <= ENTRY_BYTES
    quarantined = Quarantined(
        record_time=2**63 - 1,
        reason="r" * 100,
        sha256=bytes(32),
        length=2**63 - 1,
        head=bytes(HEAD_BYTES),
        key=bytes(KEY_BYTES),
        coordinates=place,
        conflicts_with=EarlierFact("s" * 800, 2**63 - 1, 2**63 - 1),
    )
    assert len(encode(quarantined)) <= ENTRY_BYTES


def test_numbers_in_a_longer_form_are_refused() -> None:
    raw = encode(Began(record_time=0, format_version=0, origin="", property=""))
    assert raw == bytes(5)
    with pytest.raises(EntryUnreadable):
        decode(b"\x00\x80\x00" + raw[2:])
    assert long_bytes(-1) == b"\x01"


@pytest.mark.row_by_row
@pytest.mark.parametrize("edge", [1 << bits for bits in range(5, 63)])
def test_a_number_is_written_as_another_writer_writes_it(edge: int) -> None:
    for number in (edge - 1, edge, edge + 1, -edge, 1 - edge, 0, -1):
        out = io.BytesIO()
        fastavro.schemaless_writer(out, "long", number)
        assert long_bytes(number) == out.getvalue()
        assert read_long(long_bytes(number), 0) == (number, len(out.getvalue()))


def test_what_came_from_kafka_has_its_one_form_whatever_stood_before_it() -> None:
    log = MemoryLog(origin=ORIGIN, property=HOUSE, record_time=TIME)
    keys = [b"SB-01", b"SB-01", None, b"SB-01", b"odd", b"SB-01", b"", b"SB-01"]
    places = [(f"t-{number % 2}", number % 3, 62 + 8_000 * number) for number in range(len(keys))]
    came = [
        Arrival(opened(seq), key, *place)
        for seq, (key, place) in enumerate(zip(keys, places, strict=True), 1)
    ]
    log.append([*came, Arrival(opened(9), b"SB-01", "t-0", 0, 1 << 40)], TIME)
    raw = [entry for _, bundle in log.bundles() for entry in bundle]
    assert [encode(decode(entry)) for entry in raw] == raw
    facts = [one for one in map(decode, raw) if isinstance(one, Accepted)]
    assert [one.coordinates for one in facts] == [*places, ("t-0", 0, 1 << 40)]
    assert [one.odd_key for one in facts] == [None, None, b"", None, b"odd", None, b"", None, None]
    assert log.last_offsets()["t-0", 0][0] == 1 << 40
