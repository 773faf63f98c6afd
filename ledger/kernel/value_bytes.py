"""Canonical bytes of declared values: each is read back the same, and nothing undeclared is read.

What may be written is a closed list of kinds, drawn from the declared types of a few roots: the
fields of a dataclass or named tuple, the fields of theirs, and so on. A value holds numbers, text,
flags, dates, fractions, tuples, lists, dicts, sets, enums and these kinds. What is looked up again
elsewhere, such as a table of rules, is written as a reference and never as a value.

Each value begins with one byte that says how it is written; lengths and numbers of kinds follow in
big-endian order. Sets are written in the order of their bytes, dicts in their own. What can change
is written once and pointed to from then on, so that a value read back shares what it shared; so
are values of the kinds in ``shared``, which are compared by what they say.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AnySet
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import chain
from operator import attrgetter
from struct import Struct
from types import MemberDescriptorType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    ForwardRef,
    Literal,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from ledger.kernel.errors import IntegrityBroken
from ledger.kernel.quick_dataclass import dataclass

PLAIN: Final = frozenset({type(None), bool, int, str, bytes, date, Fraction})
MANY: Final[Mapping[object, frozenset[type]]] = {
    list: frozenset({list}),
    tuple: frozenset({tuple}),
    dict: frozenset({dict}),
    set: frozenset({set}),
    frozenset: frozenset({frozenset}),
    Sequence: frozenset({list, tuple}),
    Mapping: frozenset({dict}),
    AnySet: frozenset({set, frozenset}),
}
"""The containers that a declared type admits."""
DEPTH: Final = 200
"""How deep values may lie in each other."""
SHARED_KEPT: Final = 4_096
"""Of how many shared values a format keeps the bytes at most: then it begins anew."""

_NONE, _INTEGER, _TEXT = b"nis"
"""The bytes with which most values begin."""


def _whole(number: int) -> bytes:
    """The bytes of a number."""
    size = number.bit_length() // 8 + 1
    return b"i%b%b" % (size.to_bytes(2, "big"), number.to_bytes(size, "big", signed=True))


_SMALL: Final = {number: _whole(number) for number in range(-128, 1_024)}
"""The bytes of frequent numbers."""

NOTHING_PACKED: Final[Mapping[type[object], Struct]] = {}

Reference: TypeAlias = tuple[str | int | bool | None, ...]


class ValueUnreadable(IntegrityBroken):
    """Bytes are not a value of these kinds, or a value holds what is never written."""

    code = "value_unreadable"


def declared_kinds(
    roots: Iterable[object], elsewhere: AnySet[type[object]] = frozenset()
) -> frozenset[type[object]]:
    """Every class that values of some kinds may hold, by the declared types of their fields.

    Args:
        roots: the declared types to begin with, as they would stand in annotations.
        elsewhere: kinds that are looked up again: neither they nor what they hold is a value.
    """
    kinds: set[type[object]] = set()
    waiting: list[object] = list(roots)
    while waiting:
        hint = waiting.pop()
        waiting += [] if get_origin(hint) is Literal else get_args(hint)
        if not isinstance(hint, type) or hint in kinds or hint in elsewhere:
            continue
        if issubclass(hint, Enum):
            kinds.add(hint)
        elif _is_record(hint):
            kinds.add(hint)
            hints = _hints(hint)
            waiting += [hints[name] for name in _field_names(hint)]
    return frozenset(kinds)


def _hints(kind: type[Any]) -> Mapping[str, Any]:
    """What ``typing.get_type_hints`` gives; each annotation of a module is compiled once."""
    hints: dict[str, Any] = {}
    try:
        for base in reversed(kind.__mro__):
            for name, hint in vars(base).get("__annotations__", {}).items():
                text = hint.__forward_arg__ if isinstance(hint, ForwardRef) else hint
                hints[name] = _meant(base.__module__, text) if isinstance(text, str) else text
    except NameError:  # a name of the class's own
        return get_type_hints(kind)
    return hints


@cache
def _meant(module: str, annotation: str) -> Any:
    """What an annotation in a module means."""
    hint = eval(annotation, vars(sys.modules[module]))  # noqa: S307  our own source, as typing does
    while get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if "Annotated[" in repr(hint) or "ForwardRef(" in repr(hint):  # deeper inside
        raise NameError(annotation)
    return type(None) if hint is None else hint


def _is_record(kind: type[object]) -> bool:
    return is_dataclass(kind) or (issubclass(kind, tuple) and hasattr(kind, "_fields"))


def _field_names(kind: Any) -> tuple[str, ...]:
    if issubclass(kind, tuple):
        names: tuple[str, ...] = kind._fields
        return names
    return tuple(field.name for field in fields(kind))


def _contents(kind: type[object], names: tuple[str, ...]) -> Callable[[Any], Iterable[object]]:
    """What reads all fields of a value of a kind, in order."""
    if issubclass(kind, tuple):
        return iter
    if len(names) > 1:
        return attrgetter(*names)
    return lambda part: [getattr(part, name) for name in names]


@dataclass(frozen=True, slots=True)
class _Record:
    """How values of one kind are written: its number and the names of its fields in order."""

    kind: Any
    number: bytes
    names: tuple[str, ...]
    admitted: tuple[frozenset[type[object]] | None, ...]
    """By field the types that its declared type admits; None: any of the format."""
    can_change: bool
    is_pointed_to: bool
    is_tuple: bool
    is_enum: bool
    fills: tuple[Callable[[Any, object], None], ...]
    """By field what sets it, whether or not it can be set by others."""
    seen: set[tuple[type, ...]]
    """The types of fields that were met and are admitted."""
    contents: Callable[[Any], Iterable[object]]
    """What reads all fields of a value."""
    members: dict[int, bytes]
    """The bytes of members of an enum that were written, by their ids."""


def _fill(kind: type[object], name: str) -> Callable[[Any, object], None]:
    """What sets a field of a class, frozen or not."""
    slot = vars(kind).get(name)
    if isinstance(slot, MemberDescriptorType):
        return slot.__set__
    return lambda part, content: object.__setattr__(part, name, content)


def _refer_to_nothing(_part: object) -> None:
    """Let nothing stand in a value but what is written whole."""


class ValueFormat:
    """Writes and reads values of a closed list of kinds.

    Args:
        kinds: the dataclasses, named tuples and enums that values may hold.
        shared: those of them that are pointed to where the same value stands a second time. They
            hold plain values alone, and cannot change.
        packed: further numbers, each with the layout of its bytes; none by default.
    """

    def __init__(
        self,
        kinds: Iterable[type[object]],
        shared: AnySet[type[object]] = frozenset(),
        packed: Mapping[type[object], Struct] = NOTHING_PACKED,
    ) -> None:
        self._packed = dict(packed)
        self._layouts = tuple(packed.values())
        self.kinds = tuple(sorted(kinds, key=lambda kind: (kind.__module__, kind.__qualname__)))
        self._shared = shared
        self._written: dict[int, tuple[object, bytes]] = {}  # by id; who is kept keeps its id
        self._records: dict[type[object], _Record] = {}
        listed = frozenset({*self.kinds, *packed})
        for place, kind in enumerate(self.kinds):
            names = () if issubclass(kind, Enum) else _field_names(kind)
            hints = _hints(kind) if names else {}
            params = getattr(kind, "__dataclass_params__", None)
            can_change = params is not None and not params.frozen and not params.unsafe_hash
            self._records[kind] = _Record(
                kind,
                place.to_bytes(2, "big"),
                names,
                tuple(_admitted(hints[name], listed) for name in names),
                can_change,
                can_change or kind in shared,
                issubclass(kind, tuple),
                issubclass(kind, Enum),
                () if issubclass(kind, tuple) else tuple(_fill(kind, name) for name in names),
                set(),
                _contents(kind, names),
                {},
            )
        self._by_number = tuple(self._records.values())

    def write(
        self, content: object, refer: Callable[[object], Reference | None] = _refer_to_nothing
    ) -> bytes:
        """The bytes of a value.

        Args:
            content: what is to be written.
            refer: how something that is no value is referred to, None where it may not stand there.

        Raises:
            ValueUnreadable: the value holds what is neither of these kinds nor referred to.
        """
        written = bytearray()
        self._write((content,), written, {}, refer)
        return bytes(written)

    def read(
        self, stored: bytes, resolve: Callable[[Reference], object] = lambda _reference: None
    ) -> Any:
        """The value that was written.

        Args:
            stored: its bytes.
            resolve: what a reference refers to.

        Raises:
            ValueUnreadable: these bytes were not written by this format; no other error is raised,
                whatever they are, but by ``resolve``.
        """
        reader = _Reader(stored, self._by_number, self._layouts, resolve)
        try:
            content = reader.read(DEPTH)
        except (IndexError, TypeError, ValueError, OverflowError, ArithmeticError) as error:
            raise ValueUnreadable(f"Bytes of a value are damaged: {error}") from error
        if reader.at != len(stored):
            raise ValueUnreadable("Bytes of a value go on after its end")
        return content

    def read_first(self, stored: bytes, kind: type[object], count: int) -> list[Any]:
        """The first fields of a record that was written; what follows is not looked at.

        Args:
            stored: its bytes.
            kind: of the record.
            count: how many fields.

        Raises:
            ValueUnreadable: these bytes do not begin with fields of such a record.
        """
        begins = b"c" + self._records[kind].number
        if not stored.startswith(begins):
            raise ValueUnreadable(f"Bytes of a value are no {kind.__qualname__}")
        reader = _Reader(stored, self._by_number, self._layouts, lambda _reference: None)
        reader.at = len(begins)
        try:
            return reader.parts(count, DEPTH)
        except (IndexError, TypeError, ValueError, OverflowError, ArithmeticError) as error:
            raise ValueUnreadable(f"Bytes of a value are damaged: {error}") from error

    def _write(
        self,
        parts: Iterable[Any],
        written: bytearray,
        places: dict[object, int],
        refer: Callable[[object], Reference | None],
    ) -> None:
        """Write values one after the other; those that are frequent are written here at once."""
        records, small = self._records, _SMALL
        for part in parts:
            kind: Any = type(part)
            if kind is int:
                written += small.get(part) or _whole(part)
            elif part is None:
                written += b"n"
            elif kind is str:
                text = part.encode()
                written += b"s%b%b" % (len(text).to_bytes(4, "big"), text)
            elif kind in records:
                self._write_record(part, records[kind], written, places, refer)
            elif kind is tuple or kind is list:
                written += b"(" if kind is tuple else b"["
                written += len(part).to_bytes(4, "big")
                self._write(part, written, places, refer)
            elif kind is bool:
                written += b"t" if part else b"f"
            elif kind is dict:
                written += b"{" + len(part).to_bytes(4, "big")
                self._write(chain.from_iterable(part.items()), written, places, refer)
            elif kind is set or kind is frozenset:
                written += b"<" if kind is set else b"="
                written += len(part).to_bytes(4, "big")
                written += b"".join(sorted(self.write(inner, refer) for inner in part))
            elif kind in self._packed:
                layout = self._packed[kind]
                written += b"r%c" % self._layouts.index(layout) + layout.pack(part)
            elif kind is date:
                written += b"d" + part.toordinal().to_bytes(4, "big")
            elif kind is bytes:
                written += b"b%b%b" % (len(part).to_bytes(4, "big"), part)
            elif kind is Fraction:
                written += b"q"
                self._write((part.numerator, part.denominator), written, places, refer)
            else:
                reference = refer(part)
                if reference is None:
                    raise ValueUnreadable(f"No value holds a {kind.__module__}.{kind.__qualname__}")
                written += b"@"
                self._write((reference,), written, places, refer)

    def _write_record(
        self,
        part: Any,
        record: _Record,
        written: bytearray,
        places: dict[object, int],
        refer: Callable[[object], Reference | None],
    ) -> None:
        if record.is_enum:
            if id(part) not in record.members:
                record.members[id(part)] = b"e" + record.number + self.write(part.value, refer)
            written += record.members[id(part)]
            return
        if record.is_pointed_to:
            here = len(places)
            place = places.setdefault(id(part) if record.can_change else part, here)
            if place != here:
                written += b"^" + place.to_bytes(4, "big")
                return
            if not record.can_change:
                written += self._bytes_of_shared(part, record)
                return
        written += b"c" + record.number
        self._write(record.contents(part), written, places, refer)

    def _bytes_of_shared(self, part: Any, record: _Record) -> bytes:
        """The bytes of a shared value, written once for many that hold the same object."""
        known = self._written.get(id(part))
        if known is None:
            inside: dict[object, int] = {}
            stored = bytearray(b"c" + record.number)
            self._write(record.contents(part), stored, inside, _refer_to_nothing)
            if inside:
                raise ValueUnreadable(f"A shared {record.kind.__qualname__} holds another one")
            if len(self._written) >= SHARED_KEPT:
                self._written.clear()
            known = self._written[id(part)] = (part, bytes(stored))
        return known[1]


def _admitted(hint: Any, listed: AnySet[type[object]]) -> frozenset[type[object]] | None:
    """The types of values that a declared type admits, None where it admits any."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        members = [_admitted(member, listed) for member in get_args(hint)]
        if None in members:
            return None
        return frozenset().union(*(member for member in members if member is not None))
    if origin is Literal:
        return frozenset(map(type, get_args(hint)))
    if hint in PLAIN or hint in listed:
        return frozenset({hint})
    return MANY.get(origin or hint)


class _Reader:
    """Reads one value; ``at`` is where the next part begins."""

    def __init__(
        self,
        stored: bytes,
        records: Sequence[_Record],
        layouts: Sequence[Struct],
        resolve: Callable[[Reference], object],
    ) -> None:
        self.at = 0
        self._stored = stored
        self._records = records
        self._layouts = layouts
        self._resolve = resolve
        self._places: list[object] = []

    def read(self, depth: int) -> Any:
        """The value that begins here; its parts may lie so deep in each other."""
        return self.parts(1, depth)[0]

    def _take(self, size: int) -> bytes:
        begins = self.at
        ends = self.at = begins + size
        if ends > len(self._stored):
            raise ValueError("they end too early")
        return self._stored[begins:ends]

    def _number(self, size: int) -> int:
        return int.from_bytes(self._take(size), "big")

    def parts(self, count: int, depth: int) -> list[Any]:
        """So many values in a row; those that are frequent are read here, without a call."""
        if not depth:
            raise ValueError("its parts lie too deep in each other")
        stored, at, readers = self._stored, self.at, _READERS
        parts: list[Any] = []
        for _ in range(count):
            tag, begins = stored[at], at + 5
            if tag == _INTEGER:
                begins = at + 3
                at = begins + (stored[at + 1] << 8 | stored[at + 2])
                parts.append(int.from_bytes(stored[begins:at], "big", signed=True))
            elif tag == _TEXT:
                at = begins + int.from_bytes(stored[at + 1 : begins], "big")
                parts.append(stored[begins:at].decode())
            elif tag == _NONE:
                at += 1
                parts.append(None)
            else:
                self.at = at + 1
                if tag not in readers:
                    raise ValueError(f"no part begins with {chr(tag)!r}")
                parts.append(readers[tag](self, depth - 1))
                at = self.at
        if at > len(stored):
            raise ValueError("they end too early")
        self.at = at
        return parts

    def _many(self, depth: int) -> list[Any]:
        return self.parts(self._number(4), depth)

    def _pairs(self, depth: int) -> dict[Any, Any]:
        parts = self.parts(2 * self._number(4), depth)
        return dict(zip(parts[::2], parts[1::2], strict=True))

    def _elements(self, depth: int) -> list[object]:
        """The elements of a set: each is written by itself and points to nothing outside."""
        places, elements = self._places, []
        for _ in range(self._number(4)):
            self._places = []
            elements.append(self.read(depth))
        self._places = places
        return elements

    def _packed(self) -> object:
        layout = self._layouts[self._number(1)]
        return layout.unpack(self._take(layout.size))[0]

    def _member(self, depth: int) -> Enum:
        kind = self._records[self._number(2)].kind
        if not issubclass(kind, Enum):
            raise ValueError(f"{kind.__qualname__} has no members")
        member: Enum = kind(self.read(depth))
        return member

    def _record(self, depth: int) -> Any:
        record = self._records[self._number(2)]
        kind = record.kind
        if record.is_enum:
            raise ValueError(f"{kind.__qualname__} has no fields")
        if record.is_tuple:
            return tuple.__new__(kind, self._fields(record, depth))
        part = object.__new__(kind)
        if record.is_pointed_to:
            self._places.append(part)
        for fill, content in zip(record.fills, self._fields(record, depth), strict=True):
            fill(part, content)
        return part

    def _fields(self, record: _Record, depth: int) -> list[Any]:
        parts = self.parts(len(record.names), depth)
        types = tuple(map(type, parts))
        if types not in record.seen:
            for name, admitted, kind in zip(record.names, record.admitted, types, strict=True):
                if admitted is not None and kind not in admitted:
                    raise ValueError(f"{name} is a {kind.__qualname__}")
            record.seen.add(types)
        return parts


_READERS: Final[Mapping[int, Callable[[_Reader, int], Any]]] = {
    ord("t"): lambda _reader, _depth: True,
    ord("f"): lambda _reader, _depth: False,
    ord("("): lambda reader, depth: tuple(reader._many(depth)),
    ord("["): _Reader._many,
    ord("{"): _Reader._pairs,
    ord("<"): lambda reader, depth: set(reader._elements(depth)),
    ord("="): lambda reader, depth: frozenset(reader._elements(depth)),
    ord("c"): _Reader._record,
    ord("e"): _Reader._member,
    ord("^"): lambda reader, _depth: reader._places[reader._number(4)],
    ord("r"): lambda reader, _depth: reader._packed(),
    ord("d"): lambda reader, _depth: date.fromordinal(reader._number(4)),
    ord("b"): lambda reader, _depth: reader._take(reader._number(4)),
    ord("q"): lambda reader, depth: Fraction(reader.read(depth), reader.read(depth)),
    ord("@"): lambda reader, depth: reader._resolve(reader.read(depth)),
}
"""By the first byte of a value that is less frequent, what reads the rest of it."""
