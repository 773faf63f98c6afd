"""Entries as bytes: the Avro union of ``entry.avsc``, written and read by hand for speed.

Reading is strict: each entry has exactly one encoding, and any other bytes are refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.log.errors import FormatNewer
from ledger.log.port import (
    FRAMED_BYTES,
    Accepted,
    Began,
    Coordinates,
    EarlierFact,
    Entry,
    KeyRotated,
    Quarantined,
    SchemaUsed,
    Sealed,
)

BEGAN: Final = 0
ACCEPTED: Final = 2
QUARANTINED: Final = 4
SCHEMA_USED: Final = 6
KEY_ROTATED: Final = 8
SEALED: Final = 10
"""First byte of an entry: its branch of the union, zigzag."""
LIKENESS_BYTES: Final = 32


class EntryUnreadable(ValueError):
    """Bytes that are not an entry."""


# ---------------------------------------------------------------- writing


def long_bytes(number: int) -> bytes:
    """An Avro long: zigzag, seven bits at a time."""
    rest = (number << 1) ^ (number >> 63)
    if rest < 1 << 7:
        return bytes((rest,))
    if rest < 1 << 14:
        return bytes((rest & 0x7F | 0x80, rest >> 7))
    if rest < 1 << 21:
        return bytes((rest & 0x7F | 0x80, rest >> 7 & 0x7F | 0x80, rest >> 14))
    out = bytearray()
    while rest > 0x7F:
        out.append(rest & 0x7F | 0x80)
        rest >>= 7
    out.append(rest)
    return bytes(out)


class _Longs(dict[int, bytes]):
    """Encoded numbers, each made once: lengths of framed events are few."""

    def __missing__(self, number: int) -> bytes:
        encoded = long_bytes(number)
        if len(self) <= FRAMED_BYTES:
            self[number] = encoded
        return encoded


LENGTHS: Final = _Longs()


def _counted(payload: bytes) -> bytes:
    return long_bytes(len(payload)) + payload


def _text(text: str) -> bytes:
    return _counted(text.encode())


def _optional_bytes(payload: bytes | None) -> bytes:
    return b"\x00" if payload is None else b"\x02" + _counted(payload)


def _coordinates(place: Coordinates | None) -> bytes:
    if place is None:
        return b"\x00"
    return b"\x02" + _text(place[0]) + long_bytes(place[1]) + long_bytes(place[2])


def accepted_head(record_time: int, place: Coordinates | None, odd_key: bytes | None) -> bytes:
    """All of an ``Accepted`` that stands before the length of its framed event.

    Args:
        record_time: microseconds UTC.
        place: where in Kafka it was read; None where it did not come from there.
        odd_key: the key that it came under where that was not its stream.
    """
    return b"\x02" + long_bytes(record_time) + _coordinates(place) + _optional_bytes(odd_key)


def kafka_head(record_time: int, topic: str, partition: int) -> bytes:
    """What stands before the offset in the ``accepted_head`` of a fact from Kafka.

    Args:
        record_time: microseconds UTC.
        topic, partition: where it was read.
    """
    return b"\x02" + long_bytes(record_time) + b"\x02" + _text(topic) + long_bytes(partition)


def sealed_entry(head: bytes, likeness: bytes, sealed: bytes) -> bytes:
    """The bytes of a ``Sealed``, from those that an ``Accepted`` of the fact would begin with."""
    return b"\x0a" + head[1:] + likeness + _counted(sealed)


def encode(entry: Entry) -> bytes:
    """The one encoding of an entry."""
    time = long_bytes(entry.record_time)
    match entry:
        case Accepted():
            head = accepted_head(entry.record_time, entry.coordinates, entry.odd_key)
            return head + _counted(entry.framed)
        case Sealed():
            head = accepted_head(entry.record_time, entry.coordinates, entry.odd_key)
            return sealed_entry(head, entry.likeness, entry.sealed)
        case Quarantined():
            parts = [b"\x04", time, _text(entry.reason), entry.sha256, long_bytes(entry.length)]
            parts += [_counted(entry.head), _optional_bytes(entry.key)]
            parts += [_coordinates(entry.coordinates)]
            if entry.conflicts_with is None:
                parts.append(b"\x00")
            else:
                stream, seq, position = entry.conflicts_with
                parts += [b"\x02", _text(stream), long_bytes(seq), long_bytes(position)]
            return b"".join(parts)
        case SchemaUsed():
            parts = [b"\x06", time, long_bytes(entry.id), _text(entry.name)]
            return b"".join([*parts, long_bytes(entry.version), _text(entry.text)])
        case KeyRotated():
            parts = [b"\x08", time, _text(entry.old), _text(entry.new), long_bytes(entry.size)]
            parts += [entry.root, _optional_bytes(entry.signed_by_old)]
            return b"".join([*parts, _counted(entry.signed_by_new)])
        case Began():
            parts = [b"\x00", time, long_bytes(entry.format_version), _text(entry.origin)]
            return b"".join([*parts, _text(entry.property)])


# ---------------------------------------------------------------- reading


class _Reader:
    """A walk over the bytes of one entry."""

    __slots__ = ("at", "raw")

    def __init__(self, raw: bytes, at: int) -> None:
        self.raw = raw
        self.at = at

    def long(self) -> int:
        number, self.at = read_long(self.raw, self.at)
        return number

    def take(self, count: int) -> bytes:
        end = self.at + count
        if count < 0 or end > len(self.raw):
            raise EntryUnreadable("an entry ends too early")
        out = self.raw[self.at : end]
        self.at = end
        return out

    def counted(self) -> bytes:
        return self.take(self.long())

    def text(self) -> str:
        try:
            return self.counted().decode()
        except UnicodeDecodeError as error:
            raise EntryUnreadable("a text is not UTF-8") from error

    def present(self) -> bool:
        mark = self.take(1)
        if mark not in (b"\x00", b"\x02"):
            raise EntryUnreadable("no such branch of a union")
        return mark == b"\x02"

    def optional_bytes(self) -> bytes | None:
        return self.counted() if self.present() else None

    def coordinates(self) -> Coordinates | None:
        return Coordinates(self.text(), self.long(), self.long()) if self.present() else None

    def earlier(self) -> EarlierFact | None:
        return EarlierFact(self.text(), self.long(), self.long()) if self.present() else None


def read_long(raw: bytes, at: int) -> tuple[int, int]:
    """A long and where it ends; a longer encoding than needed is refused."""
    number = shift = 0
    try:
        while True:
            byte = raw[at]
            at += 1
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
    except IndexError as error:
        raise EntryUnreadable("an entry ends inside a number") from error
    if shift > 63 or number >> 64 or (byte == 0 and shift):
        raise EntryUnreadable("a number is not in its shortest form")
    return (number >> 1) ^ -(number & 1), at


def decode(raw: bytes) -> Entry:
    """The entry of these bytes.

    Raises:
        EntryUnreadable: they are not exactly one entry.
    """
    reader = _Reader(raw, 1)
    entry = _decode_branch(raw[0] if raw else -1, reader)
    if reader.at != len(raw):
        raise EntryUnreadable("bytes follow the entry")
    return entry


def _decode_branch(branch: int, r: _Reader) -> Entry:
    if branch == ACCEPTED:
        time, place, odd = r.long(), r.coordinates(), r.optional_bytes()
        return Accepted(record_time=time, coordinates=place, odd_key=odd, framed=r.counted())
    if branch == QUARANTINED:
        return Quarantined(
            record_time=r.long(),
            reason=r.text(),
            sha256=r.take(32),
            length=r.long(),
            head=r.counted(),
            key=r.optional_bytes(),
            coordinates=r.coordinates(),
            conflicts_with=r.earlier(),
        )
    if branch == SCHEMA_USED:
        return SchemaUsed(
            record_time=r.long(), id=r.long(), name=r.text(), version=r.long(), text=r.text()
        )
    if branch == BEGAN:
        return Began(
            record_time=r.long(), format_version=r.long(), origin=r.text(), property=r.text()
        )
    if branch == KEY_ROTATED:
        return KeyRotated(
            record_time=r.long(),
            old=r.text(),
            new=r.text(),
            size=r.long(),
            root=r.take(32),
            signed_by_old=r.optional_bytes(),
            signed_by_new=r.counted(),
        )
    if branch == SEALED:
        return Sealed(
            record_time=r.long(),
            coordinates=r.coordinates(),
            odd_key=r.optional_bytes(),
            likeness=r.take(LIKENESS_BYTES),
            sealed=r.counted(),
        )
    if branch > SEALED and branch % 2 == 0:
        raise FormatNewer(f"an entry is of kind {branch // 2}, which this one does not know")
    raise EntryUnreadable("no such kind of entry")


# ---------------------------------------------------------------- reading fast


def unwrap(entry: bytes) -> tuple[int, bytes] | None:
    """Record time and framed event of an ``Accepted``; None for any other entry."""
    if entry[:1] != b"\x02":
        return None
    time, at = read_long(entry, 1)
    for skip in (_after_coordinates, _after_optional_bytes):
        at = skip(entry, at)
    length, at = read_long(entry, at)
    if at + length != len(entry):
        raise EntryUnreadable("the framed event does not end with its entry")
    return time, entry[at:]


def coordinates_of(entry: bytes) -> Coordinates | None:
    """Where in Kafka an accepted entry came from."""
    at = 1
    while entry[at] > 0x7F:
        at += 1
    return None if entry[at + 1] == 0 else _Reader(entry, at + 1).coordinates()


def _after_coordinates(entry: bytes, at: int) -> int:
    if entry[at : at + 1] == b"\x00":
        return at + 1
    reader = _Reader(entry, at)
    reader.coordinates()
    return reader.at


def _after_optional_bytes(entry: bytes, at: int) -> int:
    if entry[at : at + 1] == b"\x00":
        return at + 1
    reader = _Reader(entry, at)
    reader.optional_bytes()
    return reader.at


def facts_in(first: int, entries: list[bytes]) -> Iterator[tuple[int, int, bytes]]:
    """Position, record time and framed event of each accepted fact of a bundle.

    Entries of one append share their first bytes, so most need no walk over their head.
    """
    head, time = b"\xff", 0
    for position, entry in enumerate(entries, first):
        if entry.startswith(head):
            at = len(head)
            length = len(entry) - at
            at += 1 if length < 65 else 2 if length < 8194 else 3
            yield position, time, entry[at:]
            continue
        unwrapped = unwrap(entry)
        if unwrapped is None:
            continue
        plain = accepted_head(unwrapped[0], None, None)
        if entry.startswith(plain):
            head, time = plain, unwrapped[0]
        yield position, *unwrapped
