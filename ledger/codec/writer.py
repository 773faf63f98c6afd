"""Generated writers: from one schema to a function that frames a fact, or refuses it.

The same bounds are checked here as when the bytes are read, so that nothing is framed which could
not be decoded again. Numbers and lengths take the fewest bytes, arrays one block.

Source: Apache Avro 1.12 specification, "Binary Encoding".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, assert_never

from ledger.codec import limits
from ledger.codec.errors import Fault, NotAFact
from ledger.codec.shapes import (
    Blob,
    Choice,
    FactValue,
    Many,
    Maybe,
    Part,
    Shape,
    Text,
    Truth,
    Whole,
)
from ledger.codec.varint import SMALL, is_date, is_stream_name, long_bytes


def compile_writer(part: Part, schema_id: int) -> Callable[[FactValue], bytes]:
    """Write and compile the function that frames the facts of one schema.

    Args:
        part: the schema's shape.
        schema_id: written into the header, 4 bytes big-endian.

    Returns:
        A function that raises ``NotAFact`` for a fact that could not be decoded again.
    """
    source = _Source()
    lines = source.function(part, b"\x00" + schema_id.to_bytes(4, "big"))
    exec(compile("\n".join(lines), f"<writer of {part.name}>", "exec"), source.names)  # noqa: S102
    function: Callable[[FactValue], bytes] = source.names["write"]
    return function


def compile_piece(shape: Shape, where: str) -> Callable[[FactValue], bytes]:
    """Write and compile the function from the value of one field to its bytes.

    Args:
        shape: the field's shape; the bytes of a record are those of its fields in order.
        where: the field's name. The value of ``stream`` must also be a valid name of a stream.

    Returns:
        A function that raises ``NotAFact`` for a value that could not be decoded again.
    """
    source = _Source()
    lines = source.piece(shape, where)
    exec(compile("\n".join(lines), f"<writer of {where}>", "exec"), source.names)  # noqa: S102
    function: Callable[[FactValue], bytes] = source.names["write"]
    return function


def _refuse(fault: Fault, path: str) -> NotAFact:
    return NotAFact(fault, "this value cannot be framed", path)


def _length(size: int) -> bytes:
    return SMALL[size] if size < len(SMALL) else long_bytes(size)


_NAMES: Final[dict[str, Any]] = {
    "length": _length, "is_date": is_date, "is_stream_name": is_stream_name,
    "long_bytes": long_bytes, "SMALL": SMALL, "refuse": _refuse,
    **{fault.name: fault for fault in Fault},
}  # fmt: skip


_CATCH: Final = """\
    except UnicodeEncodeError: raise refuse(BAD_TEXT, '') from None
    except (AttributeError, KeyError, TypeError):
        raise refuse(WRONG_TYPE, '') from None""".splitlines()


class _Source:
    """The lines of one function and the objects they name; ``o`` is what is written so far."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = dict(_NAMES)
        self.lines: list[str] = []
        self.depth = 2
        self.count = 0

    def function(self, part: Part, header: bytes) -> list[str]:
        """All lines of ``write``."""
        for field in part.fields:
            self.value(field.shape, f"f.{field.name}", field.name)
        return [
            "def write(f):",
            f"    o = bytearray({header!r})",
            "    try:",
            "        if not is_stream_name(f.stream): raise refuse(BAD_TEXT, 'stream')",
            *self.lines,
            *_CATCH,
            f"    if len(o) > {limits.FRAME_BYTES}: raise refuse(OVERSIZE, '')",
            "    return bytes(o)",
        ]

    def piece(self, shape: Shape, where: str) -> list[str]:
        """All lines of ``write`` for one field."""
        self.value(shape, "f", where)
        named = "        if not is_stream_name(f): raise refuse(BAD_TEXT, 'stream')"
        start = ["def write(f):", "    o = bytearray()", "    try:"]
        start += [named] if where == "stream" else []
        return [*start, *self.lines, *_CATCH, "    return bytes(o)"]

    def add(self, line: str) -> None:
        """One line at the present depth."""
        self.lines.append("    " * self.depth + line)

    def fresh(self) -> str:
        """A name that no other value has."""
        self.count += 1
        return f"v{self.count}"

    def value(self, shape: Shape, expression: str, where: str) -> None:
        """Write the lines that write one value, given as an ``expression``."""
        name = self.fresh()
        match shape:
            case Text() | Blob():
                self.text(shape, name, expression, where)
            case Whole():
                self.whole(shape, name, expression, where)
            case Truth():
                self.add(f"{name} = {expression}")
                self.add(f"if {name} is True: o.append(1)")
                self.add(f"elif {name} is False: o.append(0)")
                self.add(f"else: raise refuse(WRONG_TYPE, {where!r})")
            case Choice():
                self.names[name] = {symbol: SMALL[i] for i, symbol in enumerate(shape.symbols)}
                self.add(f"o += {name}[{expression}]")
            case Many():
                part = self.fresh()
                self.add(f"{name} = {expression}")
                self.add(f"if {name}.__class__ is not tuple: raise refuse(WRONG_TYPE, {where!r})")
                self.add(f"if {name}: o += length(len({name}))")
                if isinstance(shape.element, Blob):  # thousands of hashes stand in one fact
                    wrong = f"raise refuse(WRONG_TYPE, {where + '[]'!r})"
                    self.add(f"if {name} and {{*map(type, {name})}} != {{bytes}}: {wrong}")
                    self.add(f"o += b''.join([length(len({part})) + {part} for {part} in {name}])")
                else:
                    self.add(f"for {part} in {name}:")
                    self.depth += 1
                    self.value(shape.element, part, f"{where}[]")
                    self.depth -= 1
                self.add("o.append(0)")
            case Maybe():
                self.add(f"{name} = {expression}")
                self.add(f"if {name} is None: o.append(0)")
                self.add("else:")
                self.depth += 1
                self.add("o.append(2)")
                self.value(shape.inner, name, where)
                self.depth -= 1
            case Part():
                self.add(f"{name} = {expression}")
                for field in shape.fields:
                    self.value(field.shape, f"{name}.{field.name}", f"{where}.{field.name}")
            case _:
                assert_never(shape)

    def text(self, shape: Text | Blob, name: str, expression: str, where: str) -> None:
        """A text, or bytes: a length and so many bytes."""
        if isinstance(shape, Blob):
            self.add(f"{name} = {expression}")
            self.add(f"if {name}.__class__ is not bytes: raise refuse(WRONG_TYPE, {where!r})")
        else:
            if shape.is_date:
                self.add(f"if not is_date({expression}): raise refuse(BAD_TEXT, {where!r})")
            self.add(f"{name} = {expression}.encode()")
        self.add(f"o += length(len({name}))")
        self.add(f"o += {name}")

    def whole(self, shape: Whole, name: str, expression: str, where: str) -> None:
        """A number within its bounds."""
        self.add(f"{name} = {expression}")
        self.add(f"if {name}.__class__ is not int: raise refuse(WRONG_TYPE, {where!r})")
        bounds = f"{shape.low} <= {name} <= {shape.high}"
        self.add(f"if not {bounds}: raise refuse(OUT_OF_RANGE, {where!r})")
        if shape.is_time:
            self.add(f"o += long_bytes({name})")
        else:
            self.add(f"o += SMALL[{name}] if 0 <= {name} < {len(SMALL)} else long_bytes({name})")
