"""Which strings of an event are personal, and where they stand in its framed bytes.

``schemas/personal.tsv`` declares it, field by field. A *sealed* event is the framed event with each
personal string replaced by its commitment: 0xFF, which no UTF-8 text contains, and 32 bytes. So a
sealed event says itself what is sealed in it, whatever the table says later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ledger.codec.errors import Reason, SchemaUnusable, Undecodable
from ledger.codec.limits import HEADER_BYTES
from ledger.codec.registry import registry, schemas_folder
from ledger.codec.shapes import Blob, Choice, Many, Maybe, Part, Shape, Text, Truth, Whole
from ledger.codec.varint import block, length, long_bytes, raw_long
from ledger.codec.wire import schema_of, validate

TABLE: Final = "personal.tsv"
MARK: Final = b"\xff"
COMMITMENT_BYTES: Final = 33
"""The mark, and a SHA-256."""
NESTED: Final = ">"
"""Stands in a path between a field that holds a framed event and the fields of that event."""


class PersonalKind(StrEnum):
    """What a personal string is."""

    PATRON = "patron"  # a reference to a patron
    STAFF = "staff"  # a credential
    NAME = "name"
    TEXT = "text"  # free text, which may name anybody
    EVENT = "event"  # a framed event, sealed inside
    BLOCK = "block"  # no string: the head of a block of items that says its size in bytes


class PersonalString(NamedTuple):
    """One string of a framed event.

    Attributes:
        start: where its length stands.
        begin: where its bytes begin.
        end: where they end.
        path: its field, with the number of each item from 0: ``counted_by[1]``.
        kind: what it is. The head of a block has the number of its items as its path; ``start``
            and ``begin`` are then the same.
    """

    start: int
    begin: int
    end: int
    path: str
    kind: PersonalKind


def declared_strings() -> dict[tuple[str, str], PersonalKind | None]:
    """Return what the table says of each (event, field); None: not personal.

    Raises:
        SchemaUnusable: the table is not there, or a line cannot be read.
    """
    return dict(_declared())


def undeclared_strings() -> list[str]:
    """Return the lines that the table lacks, to be completed, and those it has in vain."""
    declared, needed = set(_declared()), set()
    for schema in registry():
        for path, shape in _strings(schema.shape, ""):
            is_common = ("*", path) in declared
            if not (isinstance(shape, Text) and shape.is_date) and not is_common:
                needed.add((schema.name, path))
    lacking = [f"{event}\t{path}\t?" for event, path in sorted(needed - declared)]
    vain = {one for one in declared - needed if one[0] != "*"}
    return lacking + [f"no such string: {event} {path}" for event, path in sorted(vain)]


def personal_strings(framed: bytes) -> list[PersonalString]:
    """Return the personal strings of a framed event that was checked before, in their order."""
    return _WALKS[framed[:HEADER_BYTES]](framed, False)


def sealed_strings(sealed: bytes) -> list[PersonalString]:
    """Return where the commitments of a sealed event stand, and its events inside, in their order.

    Raises:
        Undecodable: the bytes are no sealed event.
    """
    try:
        strings = _WALKS[sealed[:HEADER_BYTES]](sealed, True)
    except IndexError as error:
        raise Undecodable(Reason.TRUNCATED, "a sealed event ends too early") from error
    for place in strings:
        is_commitment = sealed[place.begin : place.begin + 1] == MARK and place.start < place.begin
        if is_commitment and place.end - place.begin != COMMITMENT_BYTES:
            raise Undecodable(Reason.BAD_TEXT, "a commitment has another length", place.begin)
    return strings


def with_strings(framed: bytes, strings: list[PersonalString], new: list[bytes]) -> bytes:
    """Return a framed event with other bytes in place of some of its strings, in their order."""
    out, last = [], 0
    for place, replacement in zip(strings, new, strict=True):
        if place.start < place.begin:
            out += [framed[last : place.start], long_bytes(len(replacement)), replacement]
        else:
            out += [framed[last : place.start], replacement]
        last = place.end
    return b"".join([*out, framed[last:]])


def without_size(head: PersonalString) -> bytes:
    """Return the head of a block without its size in bytes, which other strings would belie."""
    return long_bytes(int(head.path))


def holds_event(content: bytes) -> bool:
    """Whether the bytes of a field are a framed event, so that it can be sealed inside."""
    try:
        validate(content)
    except Undecodable:
        return False
    return True


@lru_cache(maxsize=1)
def _declared() -> dict[tuple[str, str], PersonalKind | None]:
    out: dict[tuple[str, str], PersonalKind | None] = {}
    try:
        lines = schemas_folder().joinpath(TABLE).read_text(encoding="utf-8").splitlines()
        for line in lines:
            if line and not line.startswith("#"):
                event, path, kind = line.split("\t")
                out[event, path] = None if kind == "-" else PersonalKind(kind)
    except (OSError, ValueError) as error:
        raise SchemaUnusable(
            "The table of personal strings cannot be read.", where=TABLE, cause=str(error)
        ) from error
    return out


def _strings(shape: Shape, path: str) -> Iterator[tuple[str, Text | Blob]]:
    """The path and the shape of each text and each field of bytes inside a shape."""
    match shape:
        case Text() | Blob():
            yield path, shape
        case Maybe(inner=inner):
            yield from _strings(inner, path)
        case Many(element=element):
            yield from _strings(element, f"{path}[]")
        case Part(fields=fields):
            for field in fields:
                yield from _strings(field.shape, f"{path}.{field.name}" if path else field.name)
        case Whole() | Truth() | Choice():
            pass


# ---------------------------------------------------------------- walking

Walk = Callable[[bytes, bool], list[PersonalString]]


class _Walks(dict[bytes, Walk]):
    """A function for each schema, written out and compiled on first use, as readers are."""

    def __missing__(self, header: bytes) -> Walk:
        schema = schema_of(header)
        self[header] = walk = _compiled(schema.name, schema.shape)
        return walk


_WALKS: Final = _Walks()


def _compiled(name: str, part: Part) -> Walk:
    source = _Source(name)
    for field in part.fields:
        source.value(field.shape, field.name, field.name)
    lines = ["def walk(b, sealed):", f"    out = []; p = {HEADER_BYTES}", *source.lines]
    lines += ["    if p != len(b): raise IndexError", "    return out"]
    exec(compile("\n".join(lines), f"<strings of {name}>", "exec"), source.names)  # noqa: S102
    walk: Walk = source.names["walk"]
    return walk


def _kind_of(name: str, path: str) -> PersonalKind | None:
    declared = _declared()
    kind = declared.get((name, path))
    return kind or declared.get(("*", path))


class _Source:
    """The lines of a function that goes over the bytes of one schema and notes its strings.

    The bytes were checked against the schema, or are a sealed form of such bytes; what runs beyond
    their end raises ``IndexError`` at the latest when all is read.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.depth = 1
        self.count = 0
        self.lines: list[str] = []
        self.names: dict[str, Any] = {
            "block": block, "length": length, "raw_long": raw_long, "String": PersonalString,
            **{f"K_{kind.name}": kind for kind in PersonalKind},
        }  # fmt: skip

    def add(self, line: str) -> None:
        """One line at the present depth."""
        self.lines.append("    " * self.depth + line)

    def value(self, shape: Shape, path: str, shown: str) -> None:
        """Write the lines that go over one value.

        Args:
            shape: of the value.
            path: as the table has it.
            shown: the inside of an f-string that says its path, with the numbers of items.
        """
        match shape:
            case Text() | Blob():
                self.text(shape, path, shown)
            case Whole():
                self.add("while b[p] > 127: p += 1")
                self.add("p += 1")
            case Truth() | Choice():
                self.add("p += 1")
            case Maybe(inner=inner):
                self.add("k = b[p]; p += 1")
                self.add("if k:")
                self.depth += 1
                self.value(inner, path, shown)
                self.depth -= 1
            case Many(element=element):
                self.many(element, path, shown)
            case Part(fields=fields):
                for field in fields:
                    self.value(field.shape, f"{path}.{field.name}", f"{shown}.{field.name}")

    def text(self, shape: Text | Blob, path: str, shown: str) -> None:
        """A text or bytes; noted where they are declared, or bear the mark."""
        kind = _kind_of(self.name, path)
        self.add("s = p; k = b[p]")
        self.add("if k & 129: k, p = length(b, p)")
        self.add("else: k >>= 1; p += 1")
        place = f"out.append(String(s, p, p + k, f{shown!r}, K_%s))"
        if kind is PersonalKind.EVENT:
            self.add(place % kind.name)
        elif kind is not None and isinstance(shape, Blob):
            sealed = f"k == {COMMITMENT_BYTES} and b[p] == {MARK[0]}"
            self.add(f"if not sealed or {sealed}: {place % kind.name}")
        elif isinstance(shape, Text) and not shape.is_date:
            sealed = f"sealed and k and b[p] == {MARK[0]}"
            if kind is None:
                self.add(f"if {sealed}: {place % PersonalKind.TEXT.name}")
            else:
                self.add(f"if not sealed or {sealed[11:]}: {place % kind.name}")
        self.add("p += k")

    def many(self, element: Shape, path: str, shown: str) -> None:
        """Blocks of items up to an empty block."""
        self.count += 1
        number = f"i{self.count}"
        self.add(f"{number} = 0; k = b[p]")
        self.add("while k:")
        self.depth += 1
        self.add("if k & 129:")
        self.add("    s = p; k, p, e = block(b, p)")
        self.add("    if e >= 0: out.append(String(s, s, p, str(k), K_BLOCK))")
        self.add("else: k >>= 1; p += 1")
        self.add("for _ in range(k):")
        self.depth += 1
        self.value(element, f"{path}[]", f"{shown}[{{{number}}}]")
        self.add(f"{number} += 1")
        self.depth -= 2
        self.add("    k = b[p]")
        self.add("p += 1")
