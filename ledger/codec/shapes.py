"""What a schema says about its values, as a closed family of small frozen types.

Avro is larger than what facts need. A schema may use string, long, boolean, bytes, enum, array,
record and a union of null and one of these, in that order; anything else is refused here, so that
every later step can match on a closed list.

Source: Apache Avro 1.12 specification, "Schema Declaration"; ``schemas/README.md`` for the
attributes ``minimum``, ``maximum`` and ``format``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ledger.codec.errors import SchemaUnusable
from ledger.codec.limits import LONG_MAX, LONG_MIN, SYMBOLS, TIME_MAX, TIME_MIN
from ledger.kernel.quick_dataclass import dataclass

JsonValue: TypeAlias = "str | int | float | bool | list[JsonValue] | dict[str, JsonValue] | None"
"""Any JSON value, as ``json.loads`` returns it."""

PlainValue: TypeAlias = "str | int | bool | bytes | list[PlainValue] | dict[str, PlainValue] | None"
"""A value of a fact as the wire has it, and as an upcast works on it: a record is a dict by field,
an enum its word, and a time is in microseconds UTC."""

FactValue: TypeAlias = Any
"""A value as a fact's dataclass holds it: a text, a number, bytes, an enum member, a tuple, a part
or None. Which of them it is stands in a schema that is read at run time, so that the type checker
cannot know it. Values from outside are checked against the schema before they are one."""


@dataclass(frozen=True, slots=True)
class Text:
    """UTF-8 text; ``is_date`` asks for a calendar date, YYYY-MM-DD."""

    is_date: bool = False


@dataclass(frozen=True, slots=True)
class Whole:
    """An integer between two bounds, both included; ``is_time`` is microseconds UTC."""

    low: int = LONG_MIN
    high: int = LONG_MAX
    is_time: bool = False


@dataclass(frozen=True, slots=True)
class Truth:
    """True or false."""


@dataclass(frozen=True, slots=True)
class Blob:
    """Bytes."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One word of a closed list.

    Attributes:
        name: of the enum, and of its class.
        symbols: the words, in the order of their numbers on the wire.
        default: as the schema says it, None if it says none; ``check_schemas`` asks for a word.
    """

    name: str
    symbols: tuple[str, ...]
    default: JsonValue


@dataclass(frozen=True, slots=True)
class Many:
    """Any number of one shape."""

    element: Shape


@dataclass(frozen=True, slots=True)
class Maybe:
    """The shape, or null: "not recorded"."""

    inner: Shape


@dataclass(frozen=True, slots=True)
class Part:
    """Named fields in order."""

    name: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """One field; ``default_null`` when the schema gives null for a missing one."""

    name: str
    shape: Shape
    default_null: bool


Shape = Text | Whole | Truth | Blob | Choice | Many | Maybe | Part


def parse_record(schema: JsonValue, where: str) -> Part:
    """Read a whole schema, a record.

    Args:
        schema: the JSON of a schema file.
        where: how an error names the schema, usually the event's name.

    Raises:
        SchemaUnusable: it is no record, or uses what facts do not use.
    """
    shape = _parse(schema, where, {})
    if not isinstance(shape, Part):
        raise SchemaUnusable("A schema of a fact must be a record.", where=where)
    return shape


def _parse(schema: Any, where: str, known: dict[str, Shape]) -> Shape:
    """One type; ``known`` holds the named types seen so far, which may be used again by name."""
    match schema:
        case str() if schema in known or schema.rpartition(".")[2] in known:
            return known[schema.rpartition(".")[2]]
        case str():
            return _simple({"type": schema}, where)
        case ["null", inner] if inner != "null" and not isinstance(inner, list):
            return Maybe(_parse(inner, where, known))
        case {"type": "array", "items": element}:
            inner_shape = _parse(element, f"{where}[]", known)
            if isinstance(inner_shape, Part) and not inner_shape.fields:
                raise SchemaUnusable("An item of an array must have a field.", where=where)
            return Many(inner_shape)
        case {"type": "enum", "name": str(name), "symbols": list(symbols)}:
            if not 0 < len(symbols) <= SYMBOLS:
                raise SchemaUnusable(f"An enum has 1 to {SYMBOLS} symbols.", where=where)
            default = schema.get("default")
            known[name] = Choice(name, tuple(symbols), default)
            return known[name]
        case {"type": "record", "name": str(name), "fields": list(fields)}:
            part = Part(name, tuple(_field(field, f"{where}.", known) for field in fields))
            known[name] = part
            return part
        case {"type": str()}:
            return _simple(schema, where)
        case _:
            raise SchemaUnusable(f"Facts do not use this Avro type: {schema!r}", where=where)


def _field(field: Any, where: str, known: dict[str, Shape]) -> Field:
    match field:
        case {"name": str(name), "type": kind}:
            shape = _parse(kind, f"{where}{name}", known)
            has_default = "default" in field
            if has_default and (field["default"] is not None or not isinstance(shape, Maybe)):
                raise SchemaUnusable("The only default of a field is null.", where=f"{where}{name}")
            return Field(name, shape, has_default)
        case _:
            raise SchemaUnusable("A field needs a name and a type.", where=where)


def _simple(schema: Mapping[str, object], where: str) -> Shape:
    match schema:
        case {"type": "string", "format": "date"}:
            return Text(is_date=True)
        case {"type": "string"} if "format" not in schema:
            return Text()
        case {"type": "boolean"}:
            return Truth()
        case {"type": "bytes"} if "logicalType" not in schema:
            return Blob()
        case {"type": "long", "logicalType": "timestamp-micros"}:
            return Whole(TIME_MIN, TIME_MAX, is_time=True)
        case {"type": "long"} if "logicalType" not in schema:
            low, high = schema.get("minimum", LONG_MIN), schema.get("maximum", LONG_MAX)
            if type(low) is int and type(high) is int and LONG_MIN <= low <= high <= LONG_MAX:
                return Whole(low, high)
            raise SchemaUnusable("The bounds are not two integers of 64 bits.", where=where)
        case _:
            raise SchemaUnusable(f"Facts do not use this Avro type: {schema!r}", where=where)
