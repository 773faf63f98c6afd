"""The plain JSON form of a fact: what ``append`` reads, ``cat`` prints and the samples are.

``{"event": "WagerPlaced", "version": 1, ...}``: the version may be left out and is then the newest;
times are RFC 3339 UTC with microseconds and ``Z``, cents and other numbers integers, bytes
hexadecimal; every field is written out, null too, and no other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final, NoReturn

from ledger.codec.errors import Fault, NotAFact
from ledger.codec.limits import JSON_BYTES
from ledger.codec.registry import Schema, registry
from ledger.codec.shapes import FactValue, JsonValue, PlainValue
from ledger.codec.upcast import upcast
from ledger.codec.value_conversion import Builder, build, from_json, to_json
from ledger.codec.varint import is_stream_name
from ledger.codec.wire import classes
from ledger.events import Fact

EVENT: Final = "event"
VERSION: Final = "version"
RESERVED: Final = frozenset({EVENT, VERSION})
"""Keys beside the fields; no schema may have a field of such a name."""


def to_plain(fact: Fact) -> dict[str, JsonValue]:
    """A fact as JSON values, ``event`` and ``version`` first, then the fields in order.

    Raises:
        SchemaUnknown: the object is no event.
    """
    schema = registry().by_name(type(fact).__name__)
    values = _to_json(schema.name)(fact)
    return {EVENT: schema.name, VERSION: schema.version, **values}


def from_plain(values: object) -> Fact:
    """Read the JSON values of one event, of any published version.

    Raises:
        NotAFact: they are none; ``reason`` is stable, ``path`` names the field.
    """
    if type(values) is not dict:
        raise NotAFact(Fault.NOT_AN_OBJECT, "an event is a JSON object")
    schema = schema_named(values)
    fields = {key: value for key, value in values.items() if key not in RESERVED}
    read, construct, newest = _from_json(schema.name, schema.version)
    plain = read(fields)
    stream = plain["stream"]
    if type(stream) is not str or not is_stream_name(stream):
        detail = "a stream's name is 1 to 200 bytes, without control characters"
        raise NotAFact(Fault.BAD_TEXT, detail, "stream")
    fact: Fact = construct(upcast(schema.name, schema.version, newest, plain))
    return fact


def to_text(fact: Fact) -> str:
    """A fact as one line of JSON, without the end of line."""
    return json.dumps(to_plain(fact), ensure_ascii=False, separators=(",", ":"))


def from_text(text: bytes) -> Fact:
    """Read the JSON text of one event.

    Raises:
        NotAFact: it is none.
    """
    return from_plain(parse_object(text))


def parse_object(text: bytes) -> dict[str, JsonValue]:
    """Read one JSON object, strictly: UTF-8, no key twice, no NaN, a size and a depth.

    Raises:
        NotAFact: it is none.
    """
    if len(text) > JSON_BYTES:
        raise NotAFact(Fault.OVERSIZE, f"longer than {JSON_BYTES} bytes")
    try:
        parsed = json.loads(
            text.decode(), object_pairs_hook=_refuse_duplicate_keys, parse_constant=_refuse_constant
        )
    except UnicodeDecodeError as error:
        raise NotAFact(Fault.BAD_UTF8, f"not UTF-8 at byte {error.start}") from None
    except RecursionError:
        raise NotAFact(Fault.TOO_DEEP, "nested beyond reason") from None
    except json.JSONDecodeError as error:
        raise NotAFact(Fault.BAD_JSON, f"not JSON at character {error.pos}: {error.msg}") from None
    except ValueError:  # an integer of thousands of digits
        raise NotAFact(Fault.OUT_OF_RANGE, "an integer of thousands of digits") from None
    if type(parsed) is not dict:
        raise NotAFact(Fault.NOT_AN_OBJECT, "an event is a JSON object")
    return parsed


def schema_named(values: Mapping[str, object]) -> Schema:
    """The schema that ``event`` and ``version`` name.

    Raises:
        NotAFact: no published schema has that name and version.
    """
    if EVENT not in values:
        raise NotAFact(Fault.MISSING_FIELD, "the event's name is absent", EVENT)
    name, known = values[EVENT], registry()
    if type(name) is not str:
        raise NotAFact(Fault.WRONG_TYPE, "the event's name is a text", EVENT)
    if not known.has_name(name):
        raise NotAFact(Fault.UNKNOWN_EVENT, f"{name[:80]!r} is no event", EVENT)
    if VERSION not in values:
        return known.by_name(name)
    version = values[VERSION]
    if type(version) is not int:
        raise NotAFact(Fault.WRONG_TYPE, "the version is an integer", VERSION)
    if not known.has_name(name, version):
        raise NotAFact(Fault.UNKNOWN_VERSION, f"{name} has no version {version}", VERSION)
    return known.by_name(name, version)


@cache
def _from_json(
    name: str, version: int
) -> tuple[Callable[[object], dict[str, PlainValue]], Builder, int]:
    """What reads the JSON values, what builds the fact once upcast, and the newest version."""
    newest = registry().by_name(name)
    shape = registry().by_name(name, version).shape
    return from_json(shape), build(newest.shape, classes()), newest.version


@cache
def _to_json(name: str) -> Callable[[FactValue], dict[str, JsonValue]]:
    return to_json(registry().by_name(name).shape)


def _refuse_duplicate_keys(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        twin = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise NotAFact(Fault.DUPLICATE_KEY, "the key stands twice", twin[:80])
    return members


def _refuse_constant(word: str) -> NoReturn:
    raise NotAFact(Fault.BAD_JSON, f"{word} is no JSON")
