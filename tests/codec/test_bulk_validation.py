"""Events checked at once have the keys that each reader finds, and what it refuses has none."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import events
from ledger.codec import Undecodable, frame, registry, validate
from ledger.codec import bulk_validation as bulk
from ledger.codec.limits import FRAME_BYTES, TIME_MAX, TIME_MIN
from ledger.codec.shapes import Many, Maybe, Part, Text, Truth
from ledger.codec.validation_steps import Step
from ledger.codec.varint import long_bytes
from tests.codec.test_wire import OPENED, PLACED
from tests.strategies import facts

MACHINE = bulk.machine(bulk.WORTH)
PLAIN = [one.name for one in registry() if one is registry().by_name(one.name)]


def key_or_refusal(framed: bytes) -> object:
    """What the reader of one event makes of it."""
    try:
        return validate(framed)
    except Undecodable as refused:
        return refused


def check(framed: list[bytes]) -> list[bool]:
    """Hold both against each other; which events were taken at once."""
    assert MACHINE is not None
    at_once = bulk.keys_of(MACHINE, framed)
    for event, key in zip(framed, at_once, strict=True):
        assert key is None or key == key_or_refusal(event), event.hex()
    return [key is not None for key in at_once]


def test_usual_facts_are_taken_at_once():
    assert check([frame(PLACED), frame(OPENED), frame(PLACED)]) == [True] * 3
    assert check([]) == []


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(facts(name) for name in PLAIN), min_size=1, max_size=4), st.data())
def test_whole_and_altered_facts_of_all_schemas(whole: list[events.Fact], data: st.DataObject):
    framed = [frame(one) for one in whole]
    random = Random(data.draw(st.integers(0, 1 << 30)))
    altered = list(framed)
    for event in framed:
        for _ in range(25):
            spoilt, at = bytearray(event), random.randrange(len(event))
            match random.randrange(5):
                case 0:
                    spoilt[at] ^= 1 << random.randrange(8)
                case 1:
                    spoilt[at] = random.choice((0, 1, 2, 127, 128, 255))
                case 2:
                    del spoilt[at:]
                case 3:
                    spoilt[at:at] = random.choice((b"\0", b"\x80", b"\x02\0"))
                case 4:
                    del spoilt[at]
            altered.append(bytes(spoilt))
    random.shuffle(altered)
    check(altered)


def test_each_byte_of_a_wager_with_any_value():
    wager = frame(PLACED)
    for at in range(len(wager)):
        check([wager[:at] + bytes([byte]) + wager[at + 1 :] for byte in range(256)])
        check([wager[:at], wager[:at] + wager, wager[:at] + b"\x80" + wager[at:]])


@pytest.mark.parametrize(
    "body",
    [
        b"\x00" * 70_000,
        b"\x7f" * 40,
        b"\x80" * 40,
        b"\xff" * 9 + b"\x01",
        b"\x02A" + b"\xff" * 12,
        long_bytes(-5) + b"abcde",
        b"",
    ],
    ids=range(7),
)
def test_bytes_that_nobody_wrote(body: bytes):
    heads = [b"\0" + number.to_bytes(4, "big") for number in (0, 1, 7, 4095, 4096, 1 << 31)]
    joined = [head + body for head in heads] + [
        body,
        frame(OPENED) + body,
        frame(PLACED)[:-1] + body,
    ]
    assert check([*joined, frame(PLACED)])[-1]
    assert len(joined[0]) < FRAME_BYTES or not check(joined)[0]


def test_times_of_any_length():
    times = [0, 5, -5, TIME_MIN - 1, TIME_MAX + 1, TIME_MIN, TIME_MAX, 1 << 62, -(1 << 62)]
    at = long_bytes(OPENED.event_time)
    assert frame(OPENED).count(at) == 1
    assert check([frame(OPENED).replace(at, long_bytes(time)) for time in times]) == [False] * 9


def test_programs_say_what_stands_in_the_bytes():
    rows: list[tuple[int, int, int]] = []
    bulk._write(rows, Maybe(Many(Part("P", ()))), bulk.DEPTH)
    assert rows == [(Step.MAYBE, 2, 0), (Step.UNSURE, 0, 0)]
    rows = []
    bulk._write(rows, Many(Truth()), 0)
    assert [row[0] for row in rows] == [Step.MANY, Step.BYTE, Step.NEXT]
    bulk._write(rows, Text(is_date=True), 0)
    assert rows[-1][0] == Step.UNSURE
    assert rows[0][1] == 3
    assert rows[2][1] == 1
