"""Generated readers: from one schema to a function that reads, or only checks, its bytes.

For each schema one Python function is written out, field after field, and compiled on first use,
as the standard library does for dataclasses. It is strict where common Avro readers are not: they
take a union's index -1, an enum's index -1 or the byte 7 for a boolean as good values, and read
bytes that nobody wrote as a fact. Tests hold these functions against fastavro on every schema.

Names in the generated code: ``b`` the framed bytes, ``n`` their length, ``p`` the place, ``k`` the
raw number just read, ``q`` the end of a text.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from json.encoder import encode_basestring
from struct import Struct
from typing import Any, Final, Literal, assert_never, overload

from ledger.codec import limits
from ledger.codec.errors import Reason, Undecodable
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
from ledger.codec.varint import block, is_date, length, raw_long, stream_name

HeaderAndBody = tuple[int, int, str, str | None, str]
"""Sequence number, event time in microseconds UTC, source, who recorded the fact, and the fields
after these as a JSON object: in the schema's order, bytes as hexadecimal, without spaces."""


class ReaderOutput(StrEnum):
    """What a generated reader hands back."""

    KEY = "key"  # (stream, seq, event_time) after a full check
    PLAIN = "plain"  # dicts, lists, words and numbers: what an upcast works on
    FACT = "fact"  # the frozen dataclass
    TEXT = "text"  # what every fact has but its stream, and the other fields as one JSON object


@overload
def compile_reader(
    part: Part, output: Literal[ReaderOutput.KEY], classes: dict[str, type[Any]]
) -> Callable[[bytes], tuple[str, int, int]]: ...
@overload
def compile_reader(
    part: Part, output: Literal[ReaderOutput.PLAIN], classes: dict[str, type[Any]]
) -> Callable[[bytes], dict[str, PlainValue]]: ...
@overload
def compile_reader(
    part: Part, output: Literal[ReaderOutput.TEXT], classes: dict[str, type[Any]]
) -> Callable[[bytes], HeaderAndBody]: ...
@overload
def compile_reader(
    part: Part, output: Literal[ReaderOutput.FACT], classes: dict[str, type[Any]]
) -> Callable[[bytes], FactValue]: ...
def compile_reader(
    part: Part, output: ReaderOutput, classes: dict[str, type[Any]]
) -> Callable[[bytes], FactValue]:
    """Write and compile the function that reads the framed bytes of one schema.

    Args:
        part: the schema's shape; its first three fields are stream, seq and event_time.
        output: what the function returns.
        classes: dataclasses and enums by their names, for ``ReaderOutput.FACT``; else it may be
            empty.

    Returns:
        A function that raises ``Undecodable`` for bytes that are no fact of this schema. It does
        not look at the header: the caller chooses the function by it.
    """
    source = _Source(output, classes)
    lines = source.function(part)
    exec(compile("\n".join(lines), f"<reader of {part.name}>", "exec"), source.names)  # noqa: S102
    function: Callable[[bytes], FactValue] = source.names["read"]
    return function


def read_key() -> Callable[[bytes], tuple[str, int, int]]:
    """Compile the function that reads stream, sequence number and event time, and nothing after.

    These fields are the same in every schema, so one function serves all.
    """
    names: dict[str, Any] = dict(_NAMES)
    body = ["        " + line for line in _HEAD] + ["        return stream, seq, event_time"]
    lines = [*_START, *body, *_CATCH]
    exec(compile("\n".join(lines), "<reader of keys>", "exec"), names)  # noqa: S102
    function: Callable[[bytes], tuple[str, int, int]] = names["read"]
    return function


def _refuse(reason: Reason, detail: str, at: int) -> Undecodable:
    return Undecodable(reason, detail, at)


_EIGHT: Final = Struct("<Q").unpack_from
_NAMES: Final[dict[str, Any]] = {
    "block": block, "eight": _EIGHT, "is_date": is_date, "length": length, "new": object.__new__,
    "quoted": encode_basestring, "raw_long": raw_long, "refuse": _refuse,
    "stream_name": stream_name, "Undecodable": Undecodable,
    **{reason.name: reason for reason in Reason},
}  # fmt: skip

# The first three fields. A moment between the years 829 and 3111 takes eight bytes: their groups
# of seven bits are closed up in three steps (pairs, quads, halves) in place of eight single ones.
_HEAD: Final = f"""\
k = b[p]
if k & 129: k, p = length(b, p)
else: k >>= 1; p += 1
q = p + k
if q > n: raise refuse(TRUNCATED, 'stream', p)
stream = stream_name(b[p:q])
p = q
k = b[p]
if k < 128: p += 1
elif 0 < b[p + 1] < 128: k = k & 127 | b[p + 1] << 7; p += 2
elif b[p + 1] and 0 < b[p + 2] < 128:
    k = k & 127 | (b[p + 1] & 127) << 7 | b[p + 2] << 14
    p += 3
else: k, p = raw_long(b, p)
if k & 1 or not k: raise refuse(OUT_OF_RANGE, 'seq', p)
seq = k >> 1
k = eight(b, p)[0] if n - p > 8 else 0
if k & 0x8080808080808080 == 0x0080808080808080 and k >> 56:
    k &= 0x7F7F7F7F7F7F7F7F
    k = k & 0x007F007F007F007F | (k & 0x7F007F007F007F00) >> 1
    k = k & 0x00003FFF00003FFF | (k & 0x3FFF00003FFF0000) >> 2
    k = k & 0x000000000FFFFFFF | k >> 32 << 28
    event_time = k >> 1 ^ -(k & 1)
    p += 8
else:
    k, p = raw_long(b, p)
    event_time = k >> 1 ^ -(k & 1)
    if not {limits.TIME_MIN} <= event_time <= {limits.TIME_MAX}:
        raise refuse(OUT_OF_RANGE, 'event_time', p)
""".splitlines()

_CATCH: Final = """\
    except IndexError:
        raise refuse(TRUNCATED, 'the bytes end before the record does', n) from None
    except UnicodeDecodeError:
        if q > n: raise refuse(TRUNCATED, 'the bytes end before the record does', n) from None
        raise refuse(BAD_TEXT, 'not UTF-8', p) from None""".splitlines()


_START: Final = f"""\
def read(b):
    n = len(b)
    if n > {limits.FRAME_BYTES}: raise refuse(OVERSIZE, 'over {limits.FRAME_BYTES} bytes', 0)
    p = q = {limits.HEADER_BYTES}
    try:""".splitlines()

_END: Final = """\
    if p > n: raise refuse(TRUNCATED, 'the bytes end before the record does', n)
    if p < n: raise refuse(TRAILING_BYTES, 'the record ends before the bytes do', p)""".splitlines()


def _unguarded(kind: type[Any]) -> type[Any]:
    """A class of the same slots whose instances can be assigned to.

    A record is filled as one of these and then becomes one of its own class: a fact has a dozen
    fields, and each costs a tenth of what it costs where a guard must be passed.
    """
    free = {name: getattr(object, name) for name in ("__setattr__", "__delattr__")}
    return type(kind.__name__, kind.__bases__, {"__slots__": kind.__slots__, **free})


TRUTH_AS_TEXT: Final = "'true' if k else 'false'"
HEADER_FIELDS: Final = 5
"""The fields that every fact has: stream, seq, event_time, source, recorded_by."""


class _Source:
    """The lines of one function, and the objects that they name."""

    def __init__(self, output: ReaderOutput, classes: dict[str, type[Any]]) -> None:
        self.output = output
        self.classes = classes
        self.names: dict[str, Any] = dict(_NAMES)
        self.lines: list[str] = []
        self.depth = 2
        self.count = 0
        self.is_quoted = False
        """Whether a value becomes the JSON text of it."""

    def function(self, part: Part) -> list[str]:
        """All lines of ``read``."""
        for line in _HEAD:
            self.add(line)
        values = {"stream": "stream", "seq": "seq", "event_time": "event_time"}
        for field in part.fields[3:]:
            self.is_quoted = self.output is ReaderOutput.TEXT and len(values) >= HEADER_FIELDS
            values[field.name] = self.value(field.shape, field.name)
        returned = "stream, seq, event_time"
        if self.output is ReaderOutput.TEXT:
            _, *header = [values.pop(name) for name in [*values][:HEADER_FIELDS]]
            returned = ", ".join([*header, self.record(part, values)])
        elif self.output is not ReaderOutput.KEY:
            returned = self.record(part, values)
        return [*_START, *self.lines, *_CATCH, *_END, f"    return {returned}"]

    def add(self, line: str) -> None:
        """One line at the present depth."""
        self.lines.append("    " * self.depth + line)

    def fresh(self) -> str:
        """A name that no other value has."""
        self.count += 1
        return f"v{self.count}"

    def keep(self, constant: object) -> str:
        """A name for an object that the function uses."""
        self.count += 1
        self.names[f"c{self.count}"] = constant
        return f"c{self.count}"

    def refuse(self, reason: Reason, where: str) -> str:
        """A statement that refuses at a field."""
        return f"raise refuse({reason.name}, {where!r}, p)"

    def value(self, shape: Shape, where: str) -> str:
        """Write the lines that read one value; hand back the name it then has."""
        name = self.fresh()
        match shape:
            case Text() | Blob():
                self.text(shape, name, where)
            case Whole():
                self.whole(shape, name, where)
            case Truth():
                self.add("k = b[p]")
                self.add(f"if k > 1: {self.refuse(Reason.NOT_AVRO, where)}")
                self.add("p += 1")
                self.result(f"{name} = {TRUTH_AS_TEXT if self.is_quoted else 'k == 1'}")
            case Choice():
                self.choice(shape, name, where)
            case Many():
                self.many(shape, name, where)
            case Maybe():
                self.maybe(shape, name, where)
            case Part():
                values = {f.name: self.value(f.shape, f"{where}.{f.name}") for f in shape.fields}
                self.result(f"{name} = {self.record(shape, values)}")
            case _:
                assert_never(shape)
        return name

    def result(self, line: str) -> None:
        """A line that only makes a value: a mere check leaves it out."""
        if self.output is not ReaderOutput.KEY:
            self.add(line)

    def record(self, part: Part, values: dict[str, str]) -> str:
        """The expression that puts the fields together."""
        if self.output is ReaderOutput.PLAIN:
            return "{" + ", ".join(f"{key!r}: {value}" for key, value in values.items()) + "}"
        if self.output is ReaderOutput.KEY:
            return "None"
        if self.output is ReaderOutput.TEXT:
            pairs = ",".join(f'"{key}":{{{value}}}' for key, value in values.items())
            return f"f'{{{{{pairs}}}}}'"
        kind = self.classes[part.name]
        record = self.fresh()
        self.add(f"{record} = new({self.keep(_unguarded(kind))})")
        for name, content in values.items():
            self.add(f"{record}.{name} = {content}")
        self.add(f"{record}.__class__ = {self.keep(kind)}")
        return record

    def text(self, shape: Text | Blob, name: str, where: str) -> None:
        """A text, or bytes: a length and so many bytes."""
        self.add("k = b[p]")
        self.add("if k & 129: k, p = length(b, p)")
        self.add("else: k >>= 1; p += 1")
        self.add("q = p + k")
        if isinstance(shape, Blob):
            self.result(f"{name} = b[p:q]")
            if self.is_quoted:
                self.add(f"""{name} = f'"{{{name}.hex()}}"'""")
        elif self.output is not ReaderOutput.KEY or shape.is_date:
            self.add(f"{name} = b[p:q].decode()")
        else:
            self.add("if not b[p:q].isascii(): b[p:q].decode()")
        if isinstance(shape, Text) and shape.is_date:
            self.add(f"if q <= n and not is_date({name}): {self.refuse(Reason.BAD_TEXT, where)}")
        if isinstance(shape, Text) and self.is_quoted:
            self.add(f"{name} = quoted({name})")
        self.add("p = q")

    def whole(self, shape: Whole, name: str, where: str) -> None:
        """A number, and its bounds; ``k`` is the number zig-zag coded."""
        self.add("k = b[p]")
        self.add("if k < 128: p += 1")
        self.add("elif 0 < b[p + 1] < 128: k = k & 127 | b[p + 1] << 7; p += 2")
        three = "k & 127 | (b[p + 1] & 127) << 7 | b[p + 2] << 14"
        self.add(f"elif b[p + 1] and 0 < b[p + 2] < 128: k = {three}; p += 3")
        self.add("else: k, p = raw_long(b, p)")
        refusal = self.refuse(Reason.OUT_OF_RANGE, where)
        if shape.low >= 0:
            low = f" or k < {2 * shape.low}" if shape.low else ""
            high = f" or k > {2 * shape.high}" if shape.high < limits.LONG_MAX else ""
            self.add(f"if k & 1{low}{high}: {refusal}")
            self.result(f"{name} = k >> 1")
        elif (shape.low, shape.high) != (limits.LONG_MIN, limits.LONG_MAX):
            self.add(f"{name} = k >> 1 ^ -(k & 1)")
            self.add(f"if not {shape.low} <= {name} <= {shape.high}: {refusal}")
        else:
            self.result(f"{name} = k >> 1 ^ -(k & 1)")

    def choice(self, shape: Choice, name: str, where: str) -> None:
        """A word: its index in one byte, since an enum has at most 64."""
        self.add("k = b[p]")
        self.add(
            f"if k & 1 or k > {2 * (len(shape.symbols) - 1)}: {self.refuse(Reason.NOT_AVRO, where)}"
        )
        self.add("p += 1")
        if self.output is not ReaderOutput.KEY:
            words: tuple[object, ...] = shape.symbols
            if self.output is ReaderOutput.FACT:
                words = tuple(self.classes[shape.name](symbol) for symbol in shape.symbols)
            elif self.is_quoted:
                words = tuple(map(encode_basestring, shape.symbols))
            self.add(f"{name} = {self.keep(words)}[k >> 1]")

    def many(self, shape: Many, name: str, where: str) -> None:
        """Blocks of items up to an empty block."""
        end = self.fresh()
        self.result(f"{name} = []")
        self.add("k = b[p]")
        self.add("while k:")
        self.depth += 1
        self.add(f"{end} = -1")
        self.add(f"if k & 129: k, p, {end} = block(b, p)")
        self.add("else: k >>= 1; p += 1")
        self.add("for _ in range(k):")
        self.depth += 1
        element = self.value(shape.element, f"{where}[]")
        self.result(f"{name}.append({element})")
        self.depth -= 1
        self.add(f"if {end} >= 0 and {end} != p: {self.refuse(Reason.NOT_AVRO, where)}")
        self.add("k = b[p]")
        self.depth -= 1
        self.add("p += 1")
        if self.output is ReaderOutput.FACT:
            self.add(f"{name} = tuple({name})")
        elif self.is_quoted:
            self.add(f"{name} = '[' + ','.join(map(str, {name})) + ']'")

    def maybe(self, shape: Maybe, name: str, where: str) -> None:
        """Null or the value: the index of the branch, 0 or 1."""
        self.add("k = b[p]")
        self.add("p += 1")
        self.add("if k == 2:")
        self.depth += 1
        inner = self.value(shape.inner, where)
        self.result(f"{name} = {inner}")
        self.depth -= 1
        self.add(f"elif k: {self.refuse(Reason.NOT_AVRO, where)}")
        if self.output is not ReaderOutput.KEY:
            nothing = "'null'" if self.is_quoted else "None"
            self.add(f"else: {name} = {nothing}")
