"""Framed bytes and facts: round trips, held against another Avro library, and hostile bytes."""

from __future__ import annotations

import dataclasses
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ledger import events
from ledger.codec import (
    FRAME_BYTES,
    Fault,
    NotAFact,
    Reason,
    Schema,
    Undecodable,
    decode,
    frame,
    header_and_body,
    key_of,
    registry,
    same_record,
    schema_id_of,
    schema_of,
    validate,
)
from ledger.codec.limits import TIME_MAX, TIME_MIN
from ledger.codec.varint import long_bytes
from tests.codec import avro_library
from tests.strategies import as_fact, facts, records

SCHEMAS = sorted(registry(), key=lambda one: one.id)
IDS = [f"{one.name}.{one.version}" for one in SCHEMAS]
NEWEST = [one for one in SCHEMAS if one is registry().by_name(one.name)]

OPENED = events.BettingOpened(
    stream="SB-01", seq=1, event_time=1_623_513_600_000_000, source="T1", recorded_by=None
)
PLACED = events.WagerPlaced(
    stream="SB-01",
    seq=1234,
    event_time=1_623_513_745_123_456,
    source="SB-01-T1",
    recorded_by="E-1001",
    wager_id="W-17",
    position="3",
    patron=None,
    wager="Total Value Bet",
    picks=(9,),
    stake_cents=2500,
    instrument=events.Instrument.CHIPS,
    coupons=(events.CouponLaid(serial="MP-1", chips_cents=2500),),
)


def in_two(values: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """What every fact has, and the other fields by name, in the schema's order."""
    fields = [*values.items()]
    return [field for _, field in fields[:5]], dict(fields[5:])


def reason_of(data: bytes) -> Reason | None:
    """The reason why bytes are refused; three readers must agree."""
    outcomes = []
    for read in (decode, validate, header_and_body):
        try:
            read(data)
            outcomes.append(None)
        except Undecodable as refusal:
            outcomes.append(refusal.reason)
    assert outcomes[0] == outcomes[1] == outcomes[2]
    return outcomes[0]


@pytest.mark.row_by_row
@pytest.mark.parametrize("schema", SCHEMAS, ids=IDS)
def test_what_another_library_writes_is_read_by_every_reader(schema: Schema) -> None:
    newest = registry().by_name(schema.name)
    are_the_same_each_time = (
        settings().derandomize
    )  # so in `make test`; `make test-full` has others

    @settings(max_examples=10 if are_the_same_each_time else 25)
    @given(records(schema))
    def check(values: dict[str, Any]) -> None:
        data = avro_library.framed(schema, values)
        fact = decode(data)
        if schema is newest:
            assert fact == as_fact(json.loads(schema.text), values)
            assert frame(fact) == data
            assert avro_library.read(schema, frame(fact)) == values
        key = (values["stream"], values["seq"], values["event_time"])
        assert validate(data) == key_of(data) == key == (fact.stream, fact.seq, fact.event_time)
        *header, body = header_and_body(data)
        (_, *first), others = in_two(avro_library.read(schema, data))
        assert header == first
        assert body == json.dumps(
            others, ensure_ascii=False, separators=(",", ":"), default=bytes.hex
        )
        assert schema_of(data) is schema
        assert schema_id_of(data) == schema.id
        assert decode(frame(fact)) == fact

    check()


def test_a_decoded_fact_is_frozen_through_and_through() -> None:
    fact = decode(frame(PLACED))
    assert fact == PLACED
    assert type(fact) is events.WagerPlaced
    assert fact.instrument is events.Instrument.CHIPS
    assert type(fact.picks) is tuple
    assert hash(fact) == hash(PLACED)
    for part, name in ((fact, "stake_cents"), (fact, "stream"), (fact.coupons[0], "serial")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(part, name, None)


def test_an_older_version_is_upcast_with_null_for_what_it_did_not_record() -> None:
    old = registry().by_name("StaffRelieved", 1)
    values = {
        "stream": "SB-01", "seq": 2, "event_time": 0, "source": "T1", "recorded_by": None,
        "role": "DEALER", "person": "E-1001",
    }  # fmt: skip
    data = avro_library.framed(old, values)
    fact = events.StaffRelieved(**{**values, "role": events.Role.DEALER, "relieved_by": None})
    assert decode(data) == fact
    assert schema_id_of(data) == 11
    assert schema_id_of(frame(fact)) == 68
    assert same_record(data, frame(fact))
    assert not same_record(data, frame(dataclasses.replace(fact, relieved_by="E-1002")))


def test_arrays_in_other_blocks_are_the_same_record() -> None:
    whole = frame(PLACED)
    at = whole.index(b"\x02\x12\x00")  # one pick, nine, the end
    for blocks in (b"\x01\x02\x12\x00", b"\x02\x12\x00"):
        data = whole[:at] + blocks + whole[at + 3 :]
        assert same_record(whole, data)
    two = frame(dataclasses.replace(PLACED, picks=(9, 4)))
    cut_in_two = whole[:at] + b"\x02\x12\x02\x08\x00" + whole[at + 3 :]
    assert cut_in_two != two
    assert same_record(two, cut_in_two)
    assert not same_record(whole, two)


BODY = frame(OPENED)[5:]
HEAD = frame(OPENED)[:5]
LAST = BODY[:-1]  # without recorded_by, whose index is the last byte
THROWN = events.DiceThrown(
    stream="S", seq=1, event_time=0, source="T", recorded_by=None,
    dice=(events.Die(serial=None, colour=None, face=1, rest=events.Rest.FLAT),), thrown_by=None,
)  # fmt: skip
THROW = frame(THROWN)  # ends: block 02, die 00 00 02 02 00, end 00, thrown_by 00


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", Reason.TRUNCATED),
        (b"\x00\x00\x00", Reason.TRUNCATED),
        (b"\x01\x00\x00\x00\x2f" + BODY, Reason.BAD_MAGIC),
        (b"{", Reason.BAD_MAGIC),
        (b"\x00\x00\x00\x00\x00" + BODY, Reason.UNKNOWN_SCHEMA),
        (b"\x00\xff\xff\xff\xff" + BODY, Reason.UNKNOWN_SCHEMA),
        (HEAD, Reason.TRUNCATED),
        (HEAD + BODY[:-1], Reason.TRUNCATED),
        (HEAD + BODY + b"\x00", Reason.TRAILING_BYTES),
        (HEAD + LAST + b"\x01", Reason.NOT_AVRO),  # branch -1
        (HEAD + LAST + b"\x04", Reason.NOT_AVRO),  # branch 2
        (HEAD + LAST + b"\x80\x00", Reason.NOT_AVRO),  # branch 0 in two bytes
        (HEAD + LAST + b"\x02\x02\xff", Reason.BAD_TEXT),
        (HEAD + LAST + b"\x02\x04\xc3\xa9", None),
        (HEAD + LAST + b"\x02\x04\xc3", Reason.TRUNCATED),  # cut inside a character
        (HEAD + LAST + b"\x02\x01", Reason.NOT_AVRO),  # length -1
        (HEAD + LAST + b"\x02" + long_bytes(2**62), Reason.TRUNCATED),
        (HEAD + LAST + b"\x02" + b"\xff" * 11, Reason.NOT_AVRO),
        (HEAD + LAST + b"\x02" + b"\xff" * 9, Reason.TRUNCATED),
        (HEAD + b"\x00" + BODY[6:], Reason.BAD_TEXT),  # a stream without a name
        (HEAD + b"\x02\n" + BODY[6:], Reason.BAD_TEXT),
        (HEAD + b"\x02\xff" + BODY[6:], Reason.BAD_TEXT),
        (HEAD + long_bytes(200) + b"s" * 200 + BODY[6:], None),
        (HEAD + long_bytes(201) + b"s" * 201 + BODY[6:], Reason.BAD_TEXT),
        (HEAD + b"\x02S\x00" + BODY[7:], Reason.OUT_OF_RANGE),  # seq 0
        (HEAD + b"\x02S\x01" + BODY[7:], Reason.OUT_OF_RANGE),  # seq -1
        (HEAD + b"\x02S\x82\x00" + BODY[7:], Reason.NOT_AVRO),  # seq 1 in two bytes
        (HEAD + b"\x02S" + long_bytes(2**63 - 1) + BODY[7:], None),
        (HEAD + b"\x02S" + b"\xff" * 9 + b"\x02" + BODY[7:], Reason.NOT_AVRO),  # 65 bits
        (HEAD + b"\x02S\x02" + long_bytes(TIME_MIN) + b"\x02T\x00", None),
        (HEAD + b"\x02S\x02" + long_bytes(TIME_MIN - 1) + b"\x02T\x00", Reason.OUT_OF_RANGE),
        (HEAD + b"\x02S\x02" + long_bytes(TIME_MAX) + b"\x02T\x00", None),
        (HEAD + b"\x02S\x02" + long_bytes(TIME_MAX + 1) + b"\x02T\x00", Reason.OUT_OF_RANGE),
        (HEAD + b"\x02S\x02\x00\x02T\x00", None),  # 1970
        (HEAD + b"\x02S\x02" + b"\x80" * 7 + b"\x00\x02T\x00", Reason.NOT_AVRO),
        (HEAD + LAST + b"\x02" + long_bytes(FRAME_BYTES) + b"x" * FRAME_BYTES, Reason.OVERSIZE),
        (THROW[:-8] + b"\x02\x00\x00\x02\x0e\x00\x00\x00", Reason.OUT_OF_RANGE),  # a seven
        (THROW[:-8] + b"\x02\x00\x00\x02\x00\x00\x00\x00", Reason.OUT_OF_RANGE),  # a zero
        (THROW[:-8] + b"\x02\x00\x00\x02\x02\x01\x00\x00", Reason.NOT_AVRO),  # symbol -1
        (THROW[:-8] + b"\x02\x00\x00\x02\x02\x10\x00\x00", Reason.NOT_AVRO),  # symbol 8
        (THROW[:-8] + b"\x02\x00\x00\x02\x02\x0e\x00\x00", None),  # symbol 7
        (THROW[:-8] + b"\x01\x0a\x00\x00\x02\x02\x00\x00\x00", None),  # a block of 5 bytes
        (THROW[:-8] + b"\x01\x0c\x00\x00\x02\x02\x00\x00\x00", Reason.NOT_AVRO),  # not 6
        (THROW[:-8] + long_bytes(2**62) + b"\x00" * 8, Reason.TRUNCATED),  # two good dice
        (THROW[:-8] + long_bytes(2**62) + b"\x00\x00\x02\x02\x00" * 9, Reason.TRUNCATED),
        (THROW[:-8] + long_bytes(-(2**63)) + b"\x0a" + b"\x00\x00\x02\x02\x00" * 9, Reason.TRUNCATED),
    ],
    ids=lambda value: value[:16].hex() if isinstance(value, bytes) else str(value),
)  # fmt: skip
def test_bytes_that_nobody_wrote_are_refused_by_reason(data: bytes, reason: Reason | None) -> None:
    assert reason_of(data) == reason


def test_a_number_has_one_spelling() -> None:
    head = {"stream": "S", "seq": 1, "event_time": 0, "source": "T", "recorded_by": None}
    for count, spelling, longer in (
        (0, b"\x00", b"\x80\x00"),
        (63, b"\x7e", b"\xfe\x00"),
        (64, b"\x80\x01", b"\x80\x81\x00"),
    ):
        data = frame(events.PatronsCounted(**head, count=count))
        assert data.endswith(spelling)
        assert reason_of(data.removesuffix(spelling) + longer) is Reason.NOT_AVRO


def test_a_boolean_is_0_or_1() -> None:
    schema = registry().by_name("EquipmentApproved")
    good = avro_library.framed(
        schema,
        {"stream": "house", "seq": 1, "event_time": 0, "source": "H", "recorded_by": None,
         "equipment": "SHK-7", "bureau": "BOARD", "withdrawn": True},
    )  # fmt: skip
    assert reason_of(good) is None
    assert reason_of(good[:-1] + b"\x02") is Reason.NOT_AVRO
    assert reason_of(good[:-1] + b"\x80") is Reason.NOT_AVRO


@settings(max_examples=300)
@given(facts(), st.data())
def test_cut_bytes_are_never_a_fact(fact: Any, data: st.DataObject) -> None:
    whole = frame(fact)
    cut = data.draw(st.integers(0, len(whole) - 1))
    assert reason_of(whole[:cut]) is Reason.TRUNCATED


@settings(max_examples=500)
@given(facts(), st.data())
def test_damaged_bytes_are_a_fact_or_undecodable(fact: Any, data: st.DataObject) -> None:
    damaged = bytearray(frame(fact))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=4))
    check_any_bytes(bytes(damaged))


@settings(max_examples=500)
@given(st.sampled_from(SCHEMAS), st.binary(max_size=80))
@example(SCHEMAS[0], b"\xff" * 80)
@example(SCHEMAS[0], b"\x00" * 80)
def test_any_body_is_a_fact_or_undecodable(schema: Schema, body: bytes) -> None:
    check_any_bytes(b"\x00" + schema.id.to_bytes(4, "big") + body)


@given(st.binary(max_size=40))
def test_any_bytes_are_a_fact_or_undecodable(data: bytes) -> None:
    check_any_bytes(data)


def check_any_bytes(data: bytes) -> None:
    """Nothing but Undecodable escapes; a fact can be framed again and is then the same."""
    reason = reason_of(data)
    if reason is None:
        fact = decode(data)
        assert decode(frame(fact)) == fact
        assert key_of(data) == validate(data)
    else:
        with suppress(Undecodable):  # it may also be read: the rest is not looked at
            key_of(data)


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("changes", "fault", "path"),
    [
        ({"seq": 0}, Fault.OUT_OF_RANGE, "seq"),
        ({"seq": 2**63}, Fault.OUT_OF_RANGE, "seq"),
        ({"seq": True}, Fault.WRONG_TYPE, "seq"),
        ({"stake_cents": -1}, Fault.OUT_OF_RANGE, "stake_cents"),
        ({"stake_cents": 25.0}, Fault.WRONG_TYPE, "stake_cents"),
        ({"stake_cents": None}, Fault.WRONG_TYPE, "stake_cents"),
        ({"event_time": TIME_MAX + 1}, Fault.OUT_OF_RANGE, "event_time"),
        ({"stream": ""}, Fault.BAD_TEXT, "stream"),
        ({"stream": "a\x00b"}, Fault.BAD_TEXT, "stream"),
        ({"stream": None}, Fault.WRONG_TYPE, ""),
        ({"source": "\ud800"}, Fault.BAD_TEXT, ""),
        ({"picks": [9]}, Fault.WRONG_TYPE, "picks"),
        ({"picks": (9, -(2**63) - 1)}, Fault.OUT_OF_RANGE, "picks[]"),
        ({"instrument": "CHEQUE"}, Fault.WRONG_TYPE, ""),
        ({"coupons": (events.CouponLaid(serial="x", chips_cents=-1),)}, Fault.OUT_OF_RANGE, "coupons[].chips_cents"),
        ({"wager": "x" * FRAME_BYTES}, Fault.OVERSIZE, ""),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_what_could_not_be_decoded_is_not_framed(
    changes: dict[str, Any], fault: Fault, path: str
) -> None:
    with pytest.raises(NotAFact) as refused:
        frame(dataclasses.replace(PLACED, **changes))
    assert (refused.value.reason, refused.value.path) == (fault, path)


def test_the_longest_event_is_just_framed() -> None:
    room = FRAME_BYTES - len(frame(dataclasses.replace(PLACED, wager=""))) - 2
    longest = frame(dataclasses.replace(PLACED, wager="x" * room))
    assert len(longest) == FRAME_BYTES
    assert reason_of(longest) is None
    with pytest.raises(NotAFact):
        frame(dataclasses.replace(PLACED, wager="x" * (room + 1)))


def test_only_events_are_framed() -> None:
    with pytest.raises(NotAFact) as refused:
        frame(PLACED.coupons[0])  # type: ignore[arg-type]
    assert refused.value.reason is Fault.UNKNOWN_EVENT


def test_equal_fields_of_other_events_are_another_record() -> None:
    head = {"stream": "SB-01", "seq": 1, "event_time": 0, "source": "T", "recorded_by": None}
    one = frame(events.CashChanged(**head, position=None, patron=None, cash_cents=1, chips_cents=1))
    other = frame(events.PatronsCounted(**head, count=1))
    assert not same_record(one, other)
