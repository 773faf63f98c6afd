"""The plain JSON form: what ``append`` reads and ``cat`` prints."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import events
from ledger.codec import (
    JSON_BYTES,
    Fault,
    NotAFact,
    decode,
    format_time,
    frame,
    from_plain,
    from_text,
    parse_object,
    parse_time,
    registry,
    to_plain,
    to_text,
)
from ledger.codec.limits import FRAME_BYTES, TIME_MAX, TIME_MIN
from ledger.codec.shapes import Blob, Maybe, Part, parse_record
from ledger.codec.value_conversion import build, from_json, to_json
from tests.strategies import facts

SPIN = {
    "event": "WheelSpun", "version": 1, "stream": "DC-01/wheel", "seq": 7,
    "event_time": "2021-06-12T16:05:12.500000Z", "source": "W1", "recorded_by": None,
    "started_time": "2021-06-12T16:04:58.000001Z", "direction": "CLOCKWISE",
    "revolutions_thousandths": 4250, "clapper": None, "section": 3, "between": None,
    "symbols": ["5"], "spun_by": None, "role": None,
}  # fmt: skip


@settings(max_examples=400)
@given(facts())
def test_every_fact_goes_to_json_and_back(fact: events.Fact) -> None:
    assert from_plain(to_plain(fact)) == fact
    assert from_text(to_text(fact).encode()) == fact
    assert decode(frame(from_text(to_text(fact).encode()))) == fact
    assert "\n" not in to_text(fact)


def test_the_form_is_the_documented_one() -> None:
    fact = from_plain(SPIN)
    assert isinstance(fact, events.WheelSpun)
    assert (fact.event_time, fact.started_time) == (1_623_513_912_500_000, 1_623_513_898_000_001)
    assert to_plain(fact) == SPIN
    assert list(to_plain(fact)) == list(SPIN)
    assert from_plain({key: value for key, value in SPIN.items() if key != "version"}) == fact


def test_older_versions_are_accepted_and_upcast() -> None:
    old = {
        "event": "StaffRelieved", "version": 1, "stream": "SB-01", "seq": 1,
        "event_time": "2021-06-12T17:00:00.000000Z", "source": "T1", "recorded_by": None,
        "role": "DEALER", "person": "E-1001",
    }  # fmt: skip
    fact = from_plain(old)
    assert isinstance(fact, events.StaffRelieved)
    assert fact.relieved_by is None
    assert to_plain(fact) == {**old, "version": 2, "relieved_by": None}
    with pytest.raises(NotAFact) as refused:
        from_plain({key: value for key, value in old.items() if key != "version"})
    assert (refused.value.reason, refused.value.path) == (Fault.MISSING_FIELD, "relieved_by")


@given(st.integers(TIME_MIN, TIME_MAX))
def test_times_are_written_one_way(moment: int) -> None:
    assert parse_time(format_time(moment)) == moment
    assert len(format_time(moment)) == 27


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    "text",
    [
        "2021-06-12T16:05:12.500000z", "2021-06-12 16:05:12.500000Z", "2021-06-12T16:05:12Z",
        "2021-06-12T16:05:12.5Z", "2021-06-12T16:05:12.500000+00:00", "2021-06-12T16:05:12.500000", "2021-06-12T24:00:00.000000Z",
        "2021-06-31T00:00:00.000000Z", "٢021-06-12T16:05:12.500000Z", "2021-06-12T16:05:12.500000Z\n",
        "2021-06-12T23:59:60.000000Z", "0000-01-01T00:00:00.000000Z", "12021-06-12T16:05:12.500000Z", "",
    ],
)  # fmt: skip
def test_no_other_time_is_read(text: str) -> None:
    with pytest.raises(NotAFact) as refused:
        from_plain({**SPIN, "started_time": text})
    assert (refused.value.reason, refused.value.path) == (Fault.BAD_TIME, "started_time")


@settings(max_examples=300)
@given(facts(), st.data())
def test_one_wrong_value_is_refused_at_its_field(fact: events.Fact, data: st.DataObject) -> None:
    values = to_plain(fact)
    key = data.draw(st.sampled_from(sorted(values)))
    strange = data.draw(st.sampled_from([1.5, {"a": 1}, [[]], [{}], float("nan")]))
    with pytest.raises(NotAFact) as refused:
        from_plain({**values, key: strange})
    assert refused.value.path.startswith(key)
    with pytest.raises(NotAFact):
        from_plain({**values, "strange": None})
    if key != "version":
        with pytest.raises(NotAFact) as refused:
            from_plain({name: value for name, value in values.items() if name != key})
        assert (refused.value.reason, refused.value.path) == (Fault.MISSING_FIELD, key)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=300)
@given(facts(), st.data())
def test_any_values_are_a_fact_or_refused(fact: events.Fact, data: st.DataObject) -> None:
    values: dict[str, Any] = to_plain(fact)
    values[data.draw(st.sampled_from(sorted(values)))] = data.draw(JSON)
    try:
        made = from_plain(values)
    except NotAFact as refusal:
        assert refusal.reason in Fault  # noqa: PT017
    else:
        assert decode(frame(made)) == made


@settings(max_examples=300)
@given(st.one_of(st.binary(max_size=60), JSON.map(lambda value: json.dumps(value).encode())))
def test_any_text_is_a_fact_or_refused(text: bytes) -> None:
    with pytest.raises(NotAFact):
        from_text(text)


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"", Fault.BAD_JSON),
        (b"\xff", Fault.BAD_UTF8),
        (b'\xef\xbb\xbf{"event": "TableClosed"}', Fault.BAD_JSON),
        (b"null", Fault.NOT_AN_OBJECT),
        (b"{} {}", Fault.BAD_JSON),
        (b'{"a": NaN}', Fault.BAD_JSON),
        (b'{"a": 1, "a": 1}', Fault.DUPLICATE_KEY),
        (b'{"a": {"b": 1, "b": 2}}', Fault.DUPLICATE_KEY),
        (b"[" * 500_000, Fault.TOO_DEEP),
        (b'{"a":' * 300_000, Fault.TOO_DEEP),
        (b'{"a": ' + b"9" * 5000 + b"}", Fault.OUT_OF_RANGE),
        (b" " * (JSON_BYTES + 1), Fault.OVERSIZE),
        (b"{}", Fault.MISSING_FIELD),
    ],
    ids=lambda value: str(value)[:24],
)
def test_texts_that_are_no_event(text: bytes, fault: Fault) -> None:
    with pytest.raises(NotAFact) as refused:
        from_text(text)
    assert refused.value.reason is fault


@pytest.mark.parametrize(
    "values", [None, [], "text", 1, {"event": None}, {1: 2}, {"event": "Fact"}]
)
def test_values_that_are_no_event(values: object) -> None:
    with pytest.raises(NotAFact):
        from_plain(values)


def test_a_path_leads_to_the_value() -> None:
    fact = events.DiceThrown(
        stream="S", seq=1, event_time=0, source="T", recorded_by=None, thrown_by=None,
        dice=(events.Die(serial=None, colour=None, face=1, rest=events.Rest.FLAT),) * 2,
    )  # fmt: skip
    values = to_plain(fact)
    values["dice"][1]["face"] = 7
    with pytest.raises(NotAFact, match=r"out_of_range at dice\[1\]\.face: allowed is 1 to 6"):
        from_plain(values)


def test_the_longest_event_fits_into_json() -> None:
    """The costliest shape is a die of four bytes: nulls and the longest word."""
    die = events.Die(serial=None, colour=None, face=None, rest=events.Rest.TWO_SIDES_PROPPED)
    fact = events.DiceThrown(
        stream="S", seq=1, event_time=0, source="T", recorded_by=None, thrown_by=None,
        dice=(die,) * ((FRAME_BYTES - 40) // 4),
    )  # fmt: skip
    assert len(frame(fact)) <= FRAME_BYTES
    text = json.dumps(to_plain(fact)).encode()
    assert len(text) < JSON_BYTES
    assert from_text(text) == fact


def test_bytes_are_hexadecimal() -> None:
    """No event holds bytes yet; commitments will."""
    fields = [
        {"name": "mark", "type": "bytes"},
        {"name": "more", "type": ["null", "bytes"], "default": None},
    ]
    shape = parse_record({"type": "record", "name": "Sealed", "fields": fields}, "Sealed")
    assert isinstance(shape, Part)
    assert [field.shape for field in shape.fields] == [Blob(), Maybe(Blob())]
    read = from_json(shape)
    assert read({"mark": "00ff", "more": ""}) == {"mark": b"\x00\xff", "more": b""}
    for wrong in ("0", "0G", "00FF", "00 ff", 7, None):
        with pytest.raises(NotAFact):
            read({"mark": wrong, "more": None})
    assert build(Blob(), {})(b"a") == b"a"
    assert to_json(Blob())(b"\x00\xff") == "00ff"


def test_a_parsed_object_keeps_everything() -> None:
    assert parse_object(b'{"a": [1, true, null, "x", 1.5]}') == {"a": [1, True, None, "x", 1.5]}
    assert len(registry()) >= 68
