"""Between a fact, its plain values and JSON: one small function per shape.

*Plain values* are what an upcast works on: dicts, lists, words, numbers, and times as
microseconds. *JSON values* differ in two: a time is RFC 3339 UTC with microseconds and ``Z``, bytes
are lower-case hexadecimal.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, assert_never

from ledger.codec.errors import Fault, NotAFact
from ledger.codec.shapes import Blob, Choice, Many, Maybe, Part, Shape, Text, Truth, Whole
from ledger.codec.varint import is_date
from ledger.kernel import to_datetime, to_micros

Turn = Callable[[Any], Any]

_TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})*")


def format_time(moment: int) -> str:
    """Microseconds UTC as ``2021-06-12T18:00:00.000000Z``."""
    return to_datetime(moment).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def parse_time(text: str) -> int:
    """Read what ``format_time`` writes, and nothing else.

    Raises:
        NotAFact: ``bad_time``; a leap second is no moment of the count of microseconds.
    """
    if _TIME.fullmatch(text) is None:
        raise NotAFact(Fault.BAD_TIME, "write 2021-06-12T18:00:00.000000Z: UTC, microseconds, Z")
    try:
        return to_micros(datetime.fromisoformat(text[:-1]).replace(tzinfo=UTC))
    except ValueError as error:
        raise NotAFact(Fault.BAD_TIME, f"no such moment: {error}") from error


def from_json(shape: Shape) -> Turn:
    """A function from a JSON value to the plain value, which raises ``NotAFact``."""
    match shape:
        case Text(is_date=dated):
            return lambda value: _text(value, dated)
        case Blob():
            return _blob
        case Truth():
            return _truth
        case Whole():
            return _whole(shape)
        case Choice(symbols=symbols):
            words = frozenset(symbols)
            return lambda value: _word(value, words)
        case Maybe(inner=inner):
            turn = from_json(inner)
            return lambda value: None if value is None else turn(value)
        case Many(item=item):
            return _many(from_json(item))
        case Part():
            return _part(shape)
    assert_never(shape)


def build(shape: Shape, classes: dict[str, Any]) -> Turn:
    """A function from the plain value to the fact's own: dataclasses, enum members, tuples."""
    match shape:
        case Text() | Blob() | Truth() | Whole():
            return lambda value: value
        case Choice(name=name):
            return classes[name]  # type: ignore[no-any-return]  # an enum makes a member of its word
        case Maybe(inner=inner):
            turn = build(inner, classes)
            return lambda value: None if value is None else turn(value)
        case Many(item=item):
            each = build(item, classes)
            return lambda value: tuple([each(one) for one in value])
        case Part(name=name, fields=fields):
            made = classes[name]
            turns = [(field.name, build(field.shape, classes)) for field in fields]
            return lambda value: made(**{key: turn(value[key]) for key, turn in turns})
    assert_never(shape)


def to_json(shape: Shape) -> Turn:
    """A function from the fact's value to the JSON value."""
    match shape:
        case Text() | Truth():
            return lambda value: value
        case Whole(is_time=is_time):
            return format_time if is_time else lambda value: value
        case Choice():
            return str
        case Blob():
            return bytes.hex
        case Maybe(inner=inner):
            turn = to_json(inner)
            return lambda value: None if value is None else turn(value)
        case Many(item=item):
            each = to_json(item)
            return lambda value: [each(one) for one in value]
        case Part(fields=fields):
            turns = [(field.name, to_json(field.shape)) for field in fields]
            return lambda value: {key: turn(getattr(value, key)) for key, turn in turns}
    assert_never(shape)


def _kind(value: object) -> str:
    """What people call a JSON value."""
    names = {
        str: "a text",
        bool: "true or false",
        int: "an integer",
        float: "a number with a point",
    }
    names |= {list: "an array", dict: "an object", type(None): "null"}
    return names.get(type(value), type(value).__name__)


def _wrong(wanted: str, value: object) -> NotAFact:
    return NotAFact(Fault.WRONG_TYPE, f"{wanted} is wanted, not {_kind(value)}")


def _text(value: Any, dated: bool) -> str:
    if type(value) is not str:
        raise _wrong("a date" if dated else "a text", value)
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise NotAFact(Fault.BAD_TEXT, "half of a surrogate pair is no character") from None
    if dated and not is_date(value):
        raise NotAFact(Fault.BAD_TEXT, "a date is wanted: 2021-06-12")
    return value


def _blob(value: Any) -> bytes:
    if type(value) is not str:
        raise _wrong("bytes in hexadecimal", value)
    if _HEX.fullmatch(value) is None:
        raise NotAFact(Fault.BAD_HEX, "write two of 0-9 and a-f for each byte")
    return bytes.fromhex(value)


def _truth(value: Any) -> bool:
    if type(value) is not bool:
        raise _wrong("true or false", value)
    return value


def _word(value: Any, words: frozenset[str]) -> str:
    if type(value) is not str:
        raise _wrong("a word", value)
    if value not in words:
        raise NotAFact(
            Fault.UNKNOWN_SYMBOL, f"{value[:40]!r} is none of {', '.join(sorted(words))}"
        )
    return value


def _whole(shape: Whole) -> Turn:
    low, high = shape.low, shape.high

    def turn(value: Any) -> int:
        if shape.is_time:
            if type(value) is not str:
                raise _wrong("a time", value)
            value = parse_time(value)
        elif type(value) is not int:
            raise _wrong("an integer", value)
        if not low <= value <= high:
            raise NotAFact(Fault.OUT_OF_RANGE, _range(shape))
        number: int = value
        return number

    return turn


def _range(shape: Whole) -> str:
    if shape.is_time:
        return f"a moment is from {format_time(shape.low)} to {format_time(shape.high)}"
    return f"allowed is {shape.low} to {shape.high}"


def _many(each: Turn) -> Turn:
    def turn(value: Any) -> list[Any]:
        if type(value) is not list:
            raise _wrong("an array", value)
        made = []
        try:
            for one in value:
                made.append(each(one))
        except NotAFact as refusal:
            raise refusal.under(f"[{len(made)}]") from None
        return made

    return turn


def _part(shape: Part) -> Turn:
    turns = [(field.name, from_json(field.shape)) for field in shape.fields]
    names = frozenset(field.name for field in shape.fields)

    def turn(value: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise _wrong("an object", value)
        if value.keys() != names:
            raise _fields_differ(value, turns, names)
        made = {}
        key = ""
        try:
            for key, one in turns:
                made[key] = one(value[key])
        except NotAFact as refusal:
            raise refusal.under(key) from None
        return made

    return turn


def _fields_differ(value: Any, turns: list[tuple[str, Turn]], names: frozenset[str]) -> NotAFact:
    for key, _ in turns:
        if key not in value:
            return NotAFact(
                Fault.MISSING_FIELD, "the field is absent; write null for not recorded", key
            )
    strange = min((key for key in value if key not in names), key=str)
    return NotAFact(Fault.UNKNOWN_FIELD, "the schema has no such field", str(strange)[:80])
