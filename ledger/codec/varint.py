"""Avro's numbers and lengths on the wire, strictly: the slow paths of the generated readers.

A long is zig-zag coded, then cut into groups of seven bits, the lowest first, each but the last
with the top bit set. Writers always take the fewest bytes, so a number in more bytes than it needs
is refused: one fact has one spelling of each number.

Source: Apache Avro 1.12 specification, "Primitive Types" of "Binary Encoding", and "Arrays".

The functions raise ``IndexError`` when the bytes end too early; the readers say "truncated".
"""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import Final

from ledger.codec.errors import Reason, Undecodable
from ledger.kernel.ids import STREAM_BYTES

_CONTROL: Final = re.compile("[\x00-\x1f\x7f]")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOST: Final = 10  # bytes of a 64-bit number in groups of seven bits


def raw_long(encoded: bytes, at: int) -> tuple[int, int]:
    """A number as it lies there, still zig-zag coded, and the place after it.

    Raises:
        Undecodable: ``not_avro``, more than 64 bits or more bytes than needed.
        IndexError: the bytes end first.
    """
    number = shift = 0
    for place in range(at, at + _MOST):
        group = encoded[place]
        number |= (group & 127) << shift
        if group < 128:
            if (group == 0 and place > at) or number >> 64:
                break
            return number, place + 1
        shift += 7
    raise Undecodable(
        Reason.NOT_AVRO, "a number in more bytes than it needs, or of over 64 bits", at
    )


def length(encoded: bytes, at: int) -> tuple[int, int]:
    """The length of a text and the place after it; raises as ``raw_long``, and if negative."""
    raw, after = raw_long(encoded, at)
    if raw & 1:
        raise Undecodable(Reason.NOT_AVRO, "a negative length", at)
    return raw >> 1, after


def block(encoded: bytes, at: int) -> tuple[int, int, int]:
    """The head of an array's block: items, the place after the head, the block's end or -1.

    A negative count means that the block's size in bytes follows. The end is checked by the reader
    once it has read the items; no memory is set aside by a count or a size.
    """
    raw, after = raw_long(encoded, at)
    if not raw & 1:
        return raw >> 1, after, -1
    size, after = length(encoded, after)
    return (raw >> 1) + 1, after, after + size


def long_bytes(number: int) -> bytes:
    """Encode a 64-bit integer as Avro does: zig-zag, then groups of seven bits, the lowest first.

    >>> long_bytes(-1), long_bytes(64)
    (b'\\x01', b'\\x80\\x01')
    """
    raw = (number << 1) ^ (number >> 63)
    if 1 << 49 <= raw < 1 << 56:  # the moments of our time, written out since there are so many
        return bytes(
            (
                raw & 127 | 128, raw >> 7 & 127 | 128, raw >> 14 & 127 | 128, raw >> 21 & 127 | 128,
                raw >> 28 & 127 | 128, raw >> 35 & 127 | 128, raw >> 42 & 127 | 128, raw >> 49,
            )
        )  # fmt: skip
    if 1 << 14 <= raw < 1 << 21:  # the numbers of long streams
        return bytes((raw & 127 | 128, raw >> 7 & 127 | 128, raw >> 14))
    out = bytearray()
    while raw > 127:
        out.append(raw & 127 | 128)
        raw >>= 7
    out.append(raw)
    return bytes(out)


SMALL: Final = tuple(long_bytes(value) for value in range(2048))
"""The bytes of the small numbers, which are most of them."""


def is_stream_name(name: str) -> bool:
    """Whether a text can name a stream: 1 to 200 bytes of UTF-8 without control characters.

    The digest of a day writes one line per stream, so a name cannot hold an end of line.
    """
    return 0 < len(name.encode()) <= STREAM_BYTES and _CONTROL.search(name) is None


def is_date(text: str) -> bool:
    """Whether a text is a day of the calendar, YYYY-MM-DD, that has a day before and one after."""
    if _DATE.fullmatch(text) is None:
        return False
    try:
        return date.min < date.fromisoformat(text) < date.max
    except ValueError:
        return False


@lru_cache(maxsize=4096)
def stream_name(name: bytes) -> str:
    """The stream's name; cached, since few streams carry all facts.

    Raises:
        UnicodeDecodeError: not UTF-8.
        Undecodable: ``bad_text``, no name of a stream.
    """
    text = name.decode()
    if not is_stream_name(text):
        raise Undecodable(
            Reason.BAD_TEXT, "no name of a stream: 1 to 200 bytes, no control characters"
        )
    return text
