"""Framed bytes and facts: frame, decode, check, compare.

The form on the wire is Confluent's: 0x00, the schema id as 4 bytes big-endian, the Avro body.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final, TypeVar, assert_never

from ledger import events
from ledger.codec.errors import Fault, NotAFact, Reason, Undecodable
from ledger.codec.limits import HEADER_BYTES
from ledger.codec.reader import HeaderAndBody, ReaderOutput, compile_reader, read_key
from ledger.codec.registry import Schema, registry
from ledger.codec.shapes import (
    Blob,
    Choice,
    FactValue,
    Many,
    Maybe,
    Part,
    PlainValue,
    Shape,
    Text,
    Truth,
    Whole,
)
from ledger.codec.upcast import upcast
from ledger.codec.value_conversion import build
from ledger.codec.varint import length, long_bytes, raw_long
from ledger.codec.writer import compile_piece, compile_writer

Key = tuple[str, int, int]
"""Stream, seq and event time in microseconds UTC: the first three fields of every fact."""


def frame(fact: events.Fact) -> bytes:
    """The framed bytes of a fact, in the newest version of its schema.

    Raises:
        NotAFact: a value that could not be decoded again (``out_of_range``, ``wrong_type``,
            ``bad_text``), or over 64,000 bytes (``oversize``).
    """
    return _WRITERS[fact.__class__](fact)


def pieces(event: type[events.Fact]) -> tuple[bytes, dict[str, Callable[[FactValue], bytes]]]:
    """``frame`` in pieces: the header of an event, and a function for each field, in their order.

    The header and then the bytes of all fields are the framed fact. The caller must check that it
    is no longer than ``FRAME_BYTES``. Each function refuses as ``frame`` does.

    Returns:
        The magic byte and the schema id, and by field name the function from its value to bytes.

    Raises:
        SchemaUnknown: the class is no event.
    """
    schema = registry().by_name(event.__name__)
    fields = schema.shape.fields
    header = b"\x00" + schema.id.to_bytes(4, "big")
    return header, {field.name: compile_piece(field.shape, field.name) for field in fields}


def decode(framed: bytes) -> events.Fact:
    """Decode framed bytes into the fact's dataclass, upcast to its newest version.

    Raises:
        Undecodable: they are no fact; nothing else is raised, whatever the bytes.
    """
    return _FACTS[framed[:HEADER_BYTES]](framed)


def plain_of(framed: bytes) -> dict[str, PlainValue]:
    """Decode framed bytes into plain values by field, in the version they were written in.

    Times are microseconds UTC. Nothing is upcast: version and values give the bytes again, but for
    lists that were written in several blocks, as Avro allows.

    Raises:
        Undecodable: for the same bytes, and with the same reason, as ``decode``.
    """
    return _PLAIN[framed[:HEADER_BYTES]](framed)


def header_and_body(framed: bytes) -> HeaderAndBody:
    """Decode framed bytes as ``plain_of`` does, into the header and the other fields as JSON.

    Raises:
        Undecodable: for the same bytes, and with the same reason, as ``decode``.
    """
    return _TEXTS[framed[:HEADER_BYTES]](framed)


def validate(framed: bytes) -> Key:
    """Check the bytes as ``decode`` does, in a third of the time, and return the fact's key.

    Raises:
        Undecodable: for the same bytes, and with the same reason, as ``decode``.
    """
    return _CHECKS[framed[:HEADER_BYTES]](framed)


def key_of(framed: bytes) -> Key:
    """Read the key of bytes that were checked before: only the first three fields are read.

    Raises:
        Undecodable: the header or the first three fields cannot be read; the rest is not looked at.
    """
    return _KEYS[framed[:HEADER_BYTES]](framed)


def source_of(framed: bytes) -> str:
    """Read who sent a fact that was checked before: the fourth field, ``source``.

    Raises:
        Undecodable: the first four fields cannot be read.
    """
    try:
        size, at = length(framed, HEADER_BYTES)
        _, at = raw_long(framed, at + size)
        _, at = raw_long(framed, at)
        size, at = length(framed, at)
        return framed[at : at + size].decode()
    except (IndexError, UnicodeDecodeError):
        raise Undecodable(Reason.TRUNCATED, "the fact ends too early", len(framed)) from None


def stamped(framed: bytes, stream: str, seq: int, recorded_by: str) -> bytes:
    """Rewrite a framed fact that nobody recorded yet: its stream, its number and who records it.

    The bytes after these fields are copied, not decoded.

    Args:
        framed: the fact, whose ``recorded_by`` is null.
        stream: the name it gets.
        seq: the sequence number it gets, from 1.
        recorded_by: who records it.

    Raises:
        Undecodable: the header or the first five fields cannot be read, or somebody recorded it.
    """
    try:
        size, at = length(framed, HEADER_BYTES)
        at += size
        while framed[at] > 127:  # the number that it had
            at += 1
        moment = at = at + 1
        while framed[at] > 127:
            at += 1
        size, at = length(framed, at + 1)
        person = at + size
        if framed[person] != 0:
            raise Undecodable(Reason.NOT_AVRO, "somebody recorded the fact", person)
    except IndexError:
        raise Undecodable(Reason.TRUNCATED, "the fact ends too early", len(framed)) from None
    return (
        framed[:HEADER_BYTES] + _text(stream) + long_bytes(seq) + framed[moment:person]
        + b"\x02" + _text(recorded_by) + framed[person + 1 :]
    )  # fmt: skip


def stamped_run(
    facts: Iterable[tuple[bytes, int]], before: tuple[str, str], stream: str, recorded_by: str
) -> list[bytes]:
    """Rewrite many facts of one stream and source as ``stamped`` does, without reading them.

    Args:
        facts: framed, each with the sequence number it gets. Each must have the number 1, be
            recorded by nobody, and have an event time in ``RUN_TIMES``. None of this is checked.
        before: the stream and the source that all of them have so far.
        stream: the name they get.
        recorded_by: who records them.
    """
    moment = HEADER_BYTES + len(_text(before[0])) + 1
    person = moment + 8 + len(_text(before[1]))
    rest = person + 1
    named, recorder = _text(stream), b"\x02" + _text(recorded_by)
    return [
        framed[:HEADER_BYTES] + named + long_bytes(seq) + framed[moment:person] + recorder
        + framed[rest:]
        for framed, seq in facts
    ]  # fmt: skip


RUN_TIMES: Final = range(1 << 48, 1 << 55)
"""The moments, in microseconds UTC, that take eight bytes: those ``stamped_run`` can rewrite."""


@lru_cache(maxsize=4_096)
def _text(text: str) -> bytes:
    """A text as it is written: its length, then its bytes."""
    raw = text.encode()
    return long_bytes(len(raw)) + raw


def schema_id_of(framed: bytes) -> int:
    """The id in the header, published or not.

    Raises:
        Undecodable: ``bad_magic`` or ``truncated``.
    """
    if framed[:1] != b"\x00":
        raise Undecodable(Reason.BAD_MAGIC if framed else Reason.TRUNCATED, "no Confluent header")
    if len(framed) < HEADER_BYTES:
        raise Undecodable(Reason.TRUNCATED, "no Confluent header", len(framed))
    return int.from_bytes(framed[1:HEADER_BYTES], "big")


def schema_of(framed: bytes) -> Schema:
    """The published schema that the bytes were written with.

    Raises:
        Undecodable: ``bad_magic``, ``truncated`` or ``unknown_schema``.
    """
    return _schema(framed[:HEADER_BYTES])


def same_record(framed: bytes, other: bytes) -> bool:
    """Whether two framed events are equal once upcast; both must be decodable.

    Raises:
        Undecodable: one of them is not.
    """
    return framed == other or decode(framed) == decode(other)


@lru_cache(maxsize=1)
def classes() -> dict[str, type[Any]]:
    """Every dataclass and enum of the events, by its name."""
    modules = (events.enums, events.parts, events.coupon_words, events.case_words)
    candidates = [
        *(one for module in modules for one in vars(module).values()),
        *events.EVENTS.values(),
    ]
    return {one.__name__: one for one in candidates if isinstance(one, type)}


def named(shape: Shape) -> list[Choice | Part]:
    """The enums and records inside a shape, itself too."""
    match shape:
        case Choice():
            return [shape]
        case Maybe(inner=inner) | Many(element=inner):
            return named(inner)
        case Part(fields=fields):
            return [shape, *(found for field in fields for found in named(field.shape))]
        case Text() | Blob() | Whole() | Truth():
            return []
    assert_never(shape)


def _schema(header: bytes) -> Schema:
    """The schema of a header; raises as ``schema_of``."""
    schema_id = schema_id_of(header)
    known = registry()
    if not known.has_id(schema_id):
        raise Undecodable(Reason.UNKNOWN_SCHEMA, f"no published schema has the id {schema_id}", 1)
    return known.by_id(schema_id)


def _fact_reader(header: bytes) -> Callable[[bytes], events.Fact]:
    schema = _schema(header)
    newest = registry().by_name(schema.name)
    if schema is newest:
        return compile_reader(schema.shape, ReaderOutput.FACT, classes())
    plain = compile_reader(schema.shape, ReaderOutput.PLAIN, {})
    construct = build(newest.shape, classes())
    name, version = schema.name, schema.version
    return lambda framed: construct(upcast(name, version, newest.version, plain(framed)))


def _plain(header: bytes) -> Callable[[bytes], dict[str, PlainValue]]:
    return compile_reader(_schema(header).shape, ReaderOutput.PLAIN, {})


def _header_and_body(header: bytes) -> Callable[[bytes], HeaderAndBody]:
    return compile_reader(_schema(header).shape, ReaderOutput.TEXT, {})


def _check(header: bytes) -> Callable[[bytes], Key]:
    return compile_reader(_schema(header).shape, ReaderOutput.KEY, {})


def _key(header: bytes) -> Callable[[bytes], Key]:
    _schema(header)
    return _READ_KEY


def _writer(kind: type) -> Callable[[events.Fact], bytes]:
    if events.EVENTS.get(kind.__name__) is not kind:
        raise NotAFact(Fault.UNKNOWN_EVENT, f"{kind.__name__[:80]} is no event")
    schema = registry().by_name(kind.__name__)
    return compile_writer(schema.shape, schema.id)


Source = TypeVar("Source")
Input = TypeVar("Input")
Output = TypeVar("Output")


class _Compiled(dict[Source, Callable[[Input], Output]]):
    """Functions by header or class, each made when it is first asked for and then kept.

    There are never more than schemas: a header without a schema raises and is not kept.
    """

    def __init__(self, make: Callable[[Source], Callable[[Input], Output]]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Source) -> Callable[[Input], Output]:
        self[key] = function = self._make(key)
        return function


_READ_KEY: Final = read_key()
_FACTS: Final[dict[bytes, Callable[[bytes], events.Fact]]] = _Compiled(_fact_reader)
_PLAIN: Final[dict[bytes, Callable[[bytes], dict[str, PlainValue]]]] = _Compiled(_plain)
_TEXTS: Final[dict[bytes, Callable[[bytes], HeaderAndBody]]] = _Compiled(_header_and_body)
_CHECKS: Final[dict[bytes, Callable[[bytes], Key]]] = _Compiled(_check)
_KEYS: Final[dict[bytes, Callable[[bytes], Key]]] = _Compiled(_key)
_WRITERS: Final[dict[type, Callable[[events.Fact], bytes]]] = _Compiled(_writer)
