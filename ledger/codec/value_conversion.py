"""Between a fact, its plain values and JSON: one small function per shape.

*Plain values* are what an upcast works on: dicts, lists, words, numbers, bytes, and times as
microseconds. *JSON values* differ in two respects: a time is RFC 3339 UTC with microseconds and
``Z``, and bytes are lower-case hexadecimal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, assert_never, overload

from ledger.codec.errors import Fault, NotAFact
from ledger.codec.shapes import (
    Blob,
    Choice,
    FactValue,
    JsonValue,
    Many,
    Maybe,
    Part,
    PlainValue,
    Shape,
    Text,
    Truth,
    Whole,
)
from ledger.codec.varint import is_date
from ledger.kernel import to_datetime, to_micros

Parser = Callable[[object], PlainValue]
"""Checks a JSON value of any kind; returns the plain value, or raises ``NotAFact``."""
Builder = Callable[[FactValue], FactValue]
"""Makes a fact's value of a checked plain value."""
Formatter = Callable[[FactValue], JsonValue]
"""Makes a JSON value of a fact's value."""

_TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})*")


def format_time(moment: int) -> str:
    """Write a moment in the form of RFC 3339 that the JSON of facts has.

    Args:
        moment: microseconds since 1970-01-01 UTC, between the years 1 and 9999.

    >>> format_time(1_623_520_800_000_000)
    '2021-06-12T18:00:00.000000Z'
    """
    return to_datetime(moment).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def parse_time(text: str) -> int:
    """Read what ``format_time`` writes, and nothing else.

    Returns:
        Microseconds since 1970-01-01 UTC.

    Raises:
        NotAFact: ``bad_time``; a leap second is no moment of the count of microseconds.
    """
    if _TIME.fullmatch(text) is None:
        raise NotAFact(Fault.BAD_TIME, "write 2021-06-12T18:00:00.000000Z: UTC, microseconds, Z")
    try:
        return to_micros(datetime.fromisoformat(text[:-1]).replace(tzinfo=UTC))
    except ValueError as error:
        raise NotAFact(Fault.BAD_TIME, f"no such moment: {error}") from error


@overload
def from_json(shape: Part) -> Callable[[object], dict[str, PlainValue]]: ...
@overload
def from_json(shape: Shape) -> Parser: ...
def from_json(shape: Shape) -> Parser:
    """Make the function that checks a JSON value of a shape and returns its plain value.

    The function raises ``NotAFact`` with the path of the first fault.
    """
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
            convert = from_json(inner)
            return lambda value: None if value is None else convert(value)
        case Many(element=element):
            return _many(from_json(element))
        case Part():
            return _part(shape)
    assert_never(shape)


def build(shape: Shape, classes: Mapping[str, Callable[..., FactValue]]) -> Builder:
    """Make the function from a plain value to the fact's own: dataclasses, enum members, tuples.

    Args:
        shape: of the value, which was checked against it.
        classes: the dataclasses and enums by their names, as ``wire.classes`` returns them.
    """
    match shape:
        case Text() | Blob() | Truth() | Whole():
            return lambda value: value
        case Choice(name=name):
            return classes[name]  # an enum makes a member of its word
        case Maybe(inner=inner):
            convert = build(inner, classes)
            return lambda value: None if value is None else convert(value)
        case Many(element=element):
            each = build(element, classes)
            return lambda value: tuple([each(one) for one in value])
        case Part(name=name, fields=fields):
            record_class = classes[name]
            converters = [(field.name, build(field.shape, classes)) for field in fields]
            return lambda value: record_class(
                **{key: convert(value[key]) for key, convert in converters}
            )
    assert_never(shape)


@overload
def to_json(shape: Part) -> Callable[[FactValue], dict[str, JsonValue]]: ...
@overload
def to_json(shape: Shape) -> Formatter: ...
def to_json(shape: Shape) -> Formatter:
    """Make the function from a fact's value to its JSON value."""
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
            convert = to_json(inner)
            return lambda value: None if value is None else convert(value)
        case Many(element=element):
            each = to_json(element)
            return lambda value: [each(one) for one in value]
        case Part(fields=fields):
            converters = [(field.name, to_json(field.shape)) for field in fields]
            return lambda value: {key: convert(getattr(value, key)) for key, convert in converters}
    assert_never(shape)


def _kind(json_value: object) -> str:
    """What people call a JSON value."""
    names = {
        str: "a text",
        bool: "true or false",
        int: "an integer",
        float: "a number with a point",
    }
    names |= {list: "an array", dict: "an object", type(None): "null"}
    return names.get(type(json_value), type(json_value).__name__)


def _wrong(wanted: str, json_value: object) -> NotAFact:
    return NotAFact(Fault.WRONG_TYPE, f"{wanted} is wanted, not {_kind(json_value)}")


def _text(json_value: object, dated: bool) -> str:
    if type(json_value) is not str:
        raise _wrong("a date" if dated else "a text", json_value)
    if not json_value.isascii():
        try:
            json_value.encode()
        except UnicodeEncodeError:
            raise NotAFact(Fault.BAD_TEXT, "half of a surrogate pair is no character") from None
    if dated and not is_date(json_value):
        raise NotAFact(Fault.BAD_TEXT, "a date is wanted: 2021-06-12")
    return json_value


def _blob(json_value: object) -> bytes:
    if type(json_value) is not str:
        raise _wrong("bytes in hexadecimal", json_value)
    if _HEX.fullmatch(json_value) is None:
        raise NotAFact(Fault.BAD_HEX, "write two of 0-9 and a-f for each byte")
    return bytes.fromhex(json_value)


def _truth(json_value: object) -> bool:
    if type(json_value) is not bool:
        raise _wrong("true or false", json_value)
    return json_value


def _word(json_value: object, words: frozenset[str]) -> str:
    if type(json_value) is not str:
        raise _wrong("a word", json_value)
    if json_value not in words:
        raise NotAFact(
            Fault.UNKNOWN_SYMBOL, f"{json_value[:40]!r} is none of {', '.join(sorted(words))}"
        )
    return json_value


def _whole(shape: Whole) -> Parser:
    low, high = shape.low, shape.high

    def convert(json_value: object) -> int:
        if shape.is_time:
            if type(json_value) is not str:
                raise _wrong("a time", json_value)
            number = parse_time(json_value)
        elif type(json_value) is not int:
            raise _wrong("an integer", json_value)
        else:
            number = json_value
        if not low <= number <= high:
            raise NotAFact(Fault.OUT_OF_RANGE, _range(shape))
        return number

    return convert


def _range(shape: Whole) -> str:
    if shape.is_time:
        return f"a moment is from {format_time(shape.low)} to {format_time(shape.high)}"
    return f"allowed is {shape.low} to {shape.high}"


def _many(each: Parser) -> Parser:
    def convert(json_value: object) -> list[PlainValue]:
        if type(json_value) is not list:
            raise _wrong("an array", json_value)
        elements: list[PlainValue] = []
        try:
            for element in json_value:
                elements.append(each(element))
        except NotAFact as refusal:
            raise refusal.under(f"[{len(elements)}]") from None
        return elements

    return convert


def _part(shape: Part) -> Parser:
    converters = [(field.name, from_json(field.shape)) for field in shape.fields]
    names = frozenset(field.name for field in shape.fields)

    def convert(json_value: object) -> dict[str, PlainValue]:
        if type(json_value) is not dict:
            raise _wrong("an object", json_value)
        if json_value.keys() != names:
            raise _fields_differ(json_value, converters, names)
        plain: dict[str, PlainValue] = {}
        key = ""
        try:
            for key, convert_field in converters:
                plain[key] = convert_field(json_value[key])
        except NotAFact as refusal:
            raise refusal.under(key) from None
        return plain

    return convert


def _fields_differ(
    json_value: dict[str, object], converters: list[tuple[str, Parser]], names: frozenset[str]
) -> NotAFact:
    for key, _ in converters:
        if key not in json_value:
            return NotAFact(
                Fault.MISSING_FIELD, "the field is absent; write null for not recorded", key
            )
    strange = min((key for key in json_value if key not in names), key=str)
    return NotAFact(Fault.UNKNOWN_FIELD, "the schema has no such field", str(strange)[:80])
