"""Hypothesis strategies for facts, made from the published schemas themselves.

``facts()`` gives any fact, ``facts("WagerPlaced")`` one kind, ``records(schema)`` the plain values
of any version as an Avro library takes them (times as microseconds, enums as words, arrays as lists).
They read the schema's JSON text, not the codec's own idea of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from functools import cache
from typing import Any, Final

from hypothesis import strategies as st

from ledger import events
from ledger.codec import Schema, registry

LONG: Final = 2**63
MICROSECOND: Final = 1_000_000
YEAR_2: Final = int(datetime(2, 1, 1, tzinfo=UTC).timestamp()) * MICROSECOND
YEAR_9999: Final = int(datetime(9999, 1, 1, tzinfo=UTC).timestamp()) * MICROSECOND
OPENED: Final = int(datetime(2021, 6, 12, 10, tzinfo=UTC).timestamp()) * MICROSECOND

TEXTS: Final = st.one_of(
    st.sampled_from(["E-1001", "P-77", "Small Bet", "", "Zoë", "骰子"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
)
STREAMS: Final = st.one_of(
    st.sampled_from(["SB-01", "SB-01/wheel", "DC-01", "house"]),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=50),
)
TIMES: Final = st.one_of(
    st.integers(OPENED, OPENED + 86_400 * MICROSECOND), st.integers(YEAR_2, YEAR_9999 - 1)
)
DATES: Final = st.dates(date(2, 1, 1), date(9998, 12, 31)).map(date.isoformat)


@cache
def records(schema: Schema) -> st.SearchStrategy[dict[str, Any]]:
    """Plain values of one version of an event."""
    return values(spelled_out(json.loads(schema.text), {}))


def values(kind: Any, name: str = "") -> st.SearchStrategy[Any]:
    """Plain values of one Avro type; ``name`` is the field's, since a stream's text is special."""
    if isinstance(kind, list):
        return st.one_of(*[values(one) for one in kind])
    if isinstance(kind, str):
        kind = {"type": kind}
    match kind:
        case {"type": "null"}:
            return st.none()
        case {"type": "boolean"}:
            return st.booleans()
        case {"type": "bytes"}:
            return st.binary(max_size=40)
        case {"type": "string", "format": "date"}:
            return DATES
        case {"type": "string"}:
            return STREAMS if name == "stream" else TEXTS
        case {"type": "long", "logicalType": "timestamp-micros"}:
            return TIMES
        case {"type": "long"}:
            low, high = kind.get("minimum", -LONG), kind.get("maximum", LONG - 1)
            near = st.integers(max(low, -200), min(high, 1_000_000))
            return st.one_of(near, st.integers(low, high), st.sampled_from([low, high]))
        case {"type": "enum", "symbols": symbols}:
            return st.sampled_from(symbols)
        case {"type": "array", "items": items}:
            return st.lists(values(items), max_size=5)
        case {"type": "record", "fields": fields}:
            return st.fixed_dictionaries(
                {one["name"]: values(one["type"], one["name"]) for one in fields}
            )
    raise AssertionError(f"no strategy for {kind!r}")


def spelled_out(kind: Any, known: dict[str, Any]) -> Any:
    """The type with each named type that is used again written out again."""
    match kind:
        case str():
            return known.get(kind, kind)
        case list():
            return [spelled_out(one, known) for one in kind]
        case {"type": "array", "items": items}:
            return {**kind, "items": spelled_out(items, known)}
        case {"type": "record", "fields": fields}:
            inner = [{**one, "type": spelled_out(one["type"], known)} for one in fields]
            known[kind["name"]] = known[full_name(kind)] = {**kind, "fields": inner}
            return known[kind["name"]]
        case {"type": "enum"}:
            known[kind["name"]] = known[full_name(kind)] = kind
    return kind


def full_name(kind: dict[str, Any]) -> str:
    """The name of a record or an enum with its namespace, which is the same for all of ours."""
    return f"pitledger.{kind['name']}"


@cache
def bounds(record: str, field: str) -> tuple[int, int]:
    """The least and the greatest number that a field of a record may hold, by its newest schema.

    A record is an event or a part of one; of an array they are those of its members.
    """
    return _whole(_fields()[record][field])


def numbers(record: str, field: str, wanted: Iterable[int]) -> st.SearchStrategy[int]:
    """Those of the wanted numbers that the field may hold, and the least and greatest it may."""
    low, high = bounds(record, field)
    return st.sampled_from(sorted({n for n in wanted if low <= n <= high} | {low, high}))


@cache
def _fields() -> dict[str, dict[str, Any]]:
    """The types of the fields of every record, by its name."""
    texts = (json.loads(registry().by_name(name).text) for name in events.EVENTS)
    return {name: fields for text in texts for name, fields in _records(spelled_out(text, {}))}


def _records(kind: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    match kind:
        case list():
            for one in kind:
                yield from _records(one)
        case {"type": "array", "items": items}:
            yield from _records(items)
        case {"type": "record", "name": name, "fields": fields}:
            yield name, {one["name"]: one["type"] for one in fields}
            for one in fields:
                yield from _records(one["type"])


def _whole(kind: Any) -> tuple[int, int]:
    match kind:
        case ["null", inner] | {"type": "array", "items": inner}:
            return _whole(inner)
        case {"type": "long", "logicalType": "timestamp-micros"}:
            return YEAR_2, YEAR_9999 - 1
        case {"type": "long"}:
            return kind.get("minimum", -LONG), kind.get("maximum", LONG - 1)
        case "long":
            return -LONG, LONG - 1
    raise TypeError(f"no number: {kind!r}")


@st.composite
def facts(draw: st.DrawFn, *names: str) -> events.Fact:
    """Any fact of these kinds, of every kind if none is named."""
    name = draw(st.sampled_from(names or sorted(events.EVENTS)))
    schema = registry().by_name(name)
    made: events.Fact = as_fact(json.loads(schema.text), draw(records(schema)))
    return made


def as_fact(kind: Any, value: Any) -> Any:
    """The dataclass, enum member or tuple of a plain value; a second way to the codec's own."""
    return _as_fact(spelled_out(kind, {}), value)


def _as_fact(kind: Any, value: Any) -> Any:
    if isinstance(kind, list):
        return None if value is None else _as_fact(kind[1], value)
    match kind:
        case {"type": "enum", "name": name}:
            return getattr(events, name)(value)
        case {"type": "array", "items": items}:
            return tuple(_as_fact(items, one) for one in value)
        case {"type": "record", "name": name, "fields": fields}:
            made = events.EVENTS.get(name) or getattr(events, name)
            return made(
                **{one["name"]: _as_fact(one["type"], value[one["name"]]) for one in fields}
            )
    return value
