"""Reads what the index needs from bytes that were checked when they entered the log.

An entry is not decoded here: only where its framed event begins, the key it came under, and the
first four fields of the fact, which every schema begins with: stream, seq, event time, source.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.log.entry import EntryUnreadable, read_long

_FRAME: Final = 5  # magic byte and schema id


def framed_at(entry: bytes) -> tuple[int, bytes | None]:
    """Return where the framed event of an ``Accepted`` begins.

    Returns:
        The offset in the entry, and the key under which the fact came where that is not its
        stream; else None.

    Raises:
        EntryUnreadable: the bytes are no such entry.
    """
    _, at = read_long(entry, 1)
    present, at = _flag(entry, at)
    if present:
        length, at = read_long(entry, at)
        _, at = read_long(entry, at + length)
        _, at = read_long(entry, at)
    odd: bytes | None = None
    present, at = _flag(entry, at)
    if present:
        length, at = read_long(entry, at)
        odd = entry[at : at + length]
        at += length
    length, at = read_long(entry, at)
    if at + length != len(entry):
        raise EntryUnreadable("the framed event does not end with its entry")
    return at, odd


class EntryHead(NamedTuple):
    """What entries of one append begin with alike, where they come from one partition.

    Attributes:
        raw: the bytes, up to the offset of an entry that came from Kafka.
        topic: of the partition; None where they came from no topic.
    """

    raw: bytes
    topic: str | None


def head_of(entry: bytes) -> EntryHead:
    """Return what an ``Accepted`` has in common with those beside it.

    Raises:
        EntryUnreadable: the bytes are no such entry.
    """
    _, at = read_long(entry, 1)
    present, at = _flag(entry, at)
    if not present:
        return EntryHead(entry[:at], None)
    length, at = read_long(entry, at)
    topic = entry[at : at + length].decode()
    _, at = read_long(entry, at + length)
    return EntryHead(entry[:at], topic)


def framed_after(entry: bytes, head: EntryHead) -> int | None:
    """Return where the framed event of an ``Accepted`` with this head begins.

    Returns:
        None where the fact came under a key that is not its stream.
    """
    at = len(head.raw)
    if head.topic is not None:
        while entry[at] > 127:
            at += 1
        at += 1
    if entry[at]:
        return None
    return at + (2 if entry[at + 1] < 128 else 3 if entry[at + 2] < 128 else 4)


def fact_head(entry: bytes, at: int) -> tuple[bytes, int, int, bytes]:
    """Return the first four fields of the framed event that begins at ``at``.

    Returns:
        Stream (UTF-8), sequence number, event time in microseconds UTC, source (UTF-8).

    Raises:
        EntryUnreadable: the bytes are no fact.
    """
    try:
        at += _FRAME
        length = entry[at] >> 1
        if entry[at] < 128:
            at += 1
        else:
            length, at = read_long(entry, at)
        end = at + length
        stream = entry[at:end]
        number = entry[end]
        if number < 128:
            at = end + 1
        elif entry[end + 1] < 128:
            number = number & 127 | entry[end + 1] << 7
            at = end + 2
        else:
            number, at = read_long(entry, end)
            number <<= 1
        moment, at = _moment(entry, at)
        length = entry[at] >> 1
        if entry[at] < 128:
            at += 1
        else:
            length, at = read_long(entry, at)
        end = at + length
        if end > len(entry):
            raise EntryUnreadable("a fact ends too early")
        return stream, number >> 1, moment, entry[at:end]
    except IndexError as error:
        raise EntryUnreadable("a fact ends too early") from error


def _moment(framed: bytes, at: int) -> tuple[int, int]:
    """A long of eight bytes, as every moment of our time is, in three steps; others as any long."""
    bits = int.from_bytes(framed[at : at + 8], "little")
    if bits & 0x8080808080808080 != 0x0080808080808080 or not bits >> 56:
        return read_long(framed, at)
    bits &= 0x7F7F7F7F7F7F7F7F
    bits = bits & 0x007F007F007F007F | (bits & 0x7F007F007F007F00) >> 1
    bits = bits & 0x00003FFF00003FFF | (bits & 0x3FFF00003FFF0000) >> 2
    bits = bits & 0x000000000FFFFFFF | bits >> 32 << 28
    return bits >> 1 ^ -(bits & 1), at + 8


def _flag(entry: bytes, at: int) -> tuple[bool, int]:
    if entry[at : at + 1] not in (b"\x00", b"\x02"):
        raise EntryUnreadable("no such branch of a union")
    return entry[at] == 2, at + 1
