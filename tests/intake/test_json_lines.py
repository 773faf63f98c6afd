"""JSON lines to framed facts: every odd file is read to its end, each bad line named."""

from __future__ import annotations

import io
import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.codec import Fault, decode, frame, to_text
from ledger.events import Fact, WagerPlaced
from ledger.intake import LINE_BYTES, FactLine, Line, LineFault, RefusedLine, json_lines, read_lines
from tests.strategies import facts

GOOD = {
    "event": "ShakerCovered", "version": 1, "stream": "SB-01", "seq": 1,
    "event_time": "2021-06-12T16:02:10.000000Z", "source": "T1", "recorded_by": None, "shaker": "Ö",
}  # fmt: skip
TEXT = json.dumps(GOOD, ensure_ascii=False).encode()


def read(data: bytes) -> list[Line]:
    return list(read_lines(io.BytesIO(data)))


def outcome(data: bytes) -> list[tuple[int, str]]:
    """Number and code of each line, "fact" for a good one."""
    return [(one.number, "fact" if isinstance(one, FactLine) else one.code) for one in read(data)]


@settings(max_examples=50)
@given(st.lists(facts(), max_size=5), st.sampled_from([b"\n", b"\r\n", b"\n\n", b" \r\n\t\n"]))
def test_facts_come_out_as_they_went_in(given_facts: list[Fact], end: bytes) -> None:
    data = b"".join(to_text(fact).encode() + end for fact in given_facts)
    read_facts = [one.framed for one in read(data) if isinstance(one, FactLine)]
    assert read_facts == [frame(fact) for fact in given_facts]


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"\n\r\n  \n", []),
        (TEXT, [(1, "fact")]),
        (TEXT + b"\n", [(1, "fact")]),
        (TEXT + b"\r\n" + TEXT + b"\r\n", [(1, "fact"), (2, "fact")]),
        (b"\n\n" + TEXT + b"\n\n" + TEXT, [(3, "fact"), (5, "fact")]),
        (b"\xef\xbb\xbf" + TEXT + b"\n", [(1, "fact")]),
        (b"\xef\xbb\xbf", []),
        (TEXT + b"\n\xef\xbb\xbf" + TEXT + b"\n", [(1, "fact"), (2, Fault.BAD_JSON)]),
        (TEXT + b"\n" + TEXT[:-10], [(1, "fact"), (2, LineFault.LINE_CUT)]),
        (TEXT[: TEXT.index("Ö".encode()) + 1], [(1, LineFault.LINE_CUT)]),
        (TEXT[:-10] + b"\n" + TEXT, [(1, Fault.BAD_JSON), (2, "fact")]),
        (TEXT.replace("Ö".encode(), b"\xd6") + b"\n" + TEXT, [(1, Fault.BAD_UTF8), (2, "fact")]),
        (TEXT.decode().encode("utf-16"), [(1, Fault.BAD_UTF8)]),
        (b"\x00\n" + TEXT, [(1, Fault.BAD_JSON), (2, "fact")]),
        (b"[" * 100_000 + b"\n" + TEXT, [(1, Fault.TOO_DEEP), (2, "fact")]),
        (b"[]\n{}\n7\n" + TEXT, [(1, Fault.NOT_AN_OBJECT), (2, Fault.MISSING_FIELD), (3, Fault.NOT_AN_OBJECT), (4, "fact")]),
        (TEXT + TEXT + b"\n", [(1, Fault.BAD_JSON)]),
        (TEXT + b"\r" + TEXT + b"\n", [(1, Fault.BAD_JSON)]),
    ],
    ids=lambda value: f"{len(value)}-{type(value).__name__}",
)  # fmt: skip
def test_odd_files(data: bytes, expected: list[tuple[int, str]]) -> None:
    assert outcome(data) == expected


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_the_longest_line_and_one_longer(start: bytes, end: bytes) -> None:
    longest = b" " * (LINE_BYTES - len(TEXT)) + TEXT
    after = [(2, "fact")] if end else []
    assert outcome(start + longest + end + (TEXT if end else b"")) == [(1, "fact"), *after]
    too_long = start + b" " + longest + end + (TEXT if end else b"")
    assert outcome(too_long) == [(1, LineFault.LINE_TOO_LONG), *after]


@pytest.mark.parametrize("more", [b"\r" * 9, b" " * 9, b"x" * (3 * LINE_BYTES)], ids=range(3))
def test_a_long_line_is_one_line(more: bytes) -> None:
    data = b" " * (LINE_BYTES - len(TEXT)) + TEXT + more + b"\n" + TEXT
    assert outcome(data) == [(1, LineFault.LINE_TOO_LONG), (2, "fact")]


def test_an_event_too_large_for_the_ledger_is_refused() -> None:
    text = json.dumps({**GOOD, "shaker": "x" * 70_000}).encode()
    assert outcome(text + b"\n" + TEXT) == [(1, Fault.OVERSIZE), (2, "fact")]


def test_a_refusal_says_line_field_and_reason() -> None:
    (refused,) = read(json.dumps({**GOOD, "seq": 0}).encode())
    assert isinstance(refused, RefusedLine)
    assert str(refused).startswith("line 1: out_of_range at seq: allowed is 1 to ")


@settings(max_examples=200)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_to_their_end(data: bytes) -> None:
    numbers = [one.number for one in read(data)]
    assert numbers == sorted(set(numbers))
    assert len(numbers) <= data.count(b"\n") + 1


class Endless(io.RawIOBase):
    """A file that makes its lines as they are read."""

    def __init__(self, line: bytes, count: int) -> None:
        self.line, self.left = line, count

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        if not self.left:
            return 0
        self.left -= 1
        into[: len(self.line)] = self.line
        return len(self.line)


@pytest.mark.parametrize("line", [TEXT + b"\n", b"x" * 8000], ids=["many", "one"])
def test_memory_is_flat(line: bytes) -> None:
    """Many lines, and one line of 24 MB."""
    tracemalloc.start()
    try:
        count = sum(1 for _ in read_lines(io.BufferedReader(Endless(line, 3000))))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count in (1, 3000)
    assert peak < 4 * LINE_BYTES


def test_the_facts_are_framed_in_the_newest_version() -> None:
    (line,) = read(TEXT)
    assert isinstance(line, FactLine)
    fact = decode(line.framed)
    assert not isinstance(fact, WagerPlaced)
    assert fact.stream == "SB-01"
    assert set(json_lines.LineFault) == {"line_too_long", "line_cut"}
