"""Facts checked many at a time: those that follow one another as almost all do.

What is decided here is only that everything is as it should be, in its commonest form. Whatever is
wrong, late, rare or long is left to the check that takes one entry after the other, which alone
names a problem: so there is one authority, and this file cannot word a refusal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

HEAD: Final = 11
"""Bytes of a plain head: its branch, a record time of eight bytes, neither place nor odd key."""
ONE_BYTE: Final = 65
"""From how many bytes after the head on a length takes two of them."""
TWO_BYTES: Final = 8194
"""From how many bytes after the head on a length takes three."""
STREAM: Final = 24
"""The longest name of a stream that is taken here, in bytes."""
BEYOND: Final = bytes(64)
"""What follows the last entry, so that reading ahead ends in it."""
SEQ_BYTES: Final = 5
"""The longest number of a fact that is taken here: up to 17 thousand million in a stream."""
OFFSET: Final = 8
"""The longest offset of a partition that is taken here, in bytes."""
SCHEMAS: Final = 1 << 12
"""Ids of schemas from here on are not looked at: published ones are counted from 1."""
_U64: Final = np.uint64
_BYTE: Final = _U64(0xFF)
_FIRST: Final = _U64(0x8080808080808002)
_FIRST_MASK: Final = _U64(0x80808080808080FF)
"""How an accepted fact begins: its branch, then seven bytes of a number that goes on."""
_ENDING: Final = _U64(int.from_bytes(b"\x80" * SEQ_BYTES, "little"))
_ANY_ENDING: Final = _U64(0x8080808080808080)
_LAST_ENDING: Final = _U64(0x0080808080808080)
"""The highest bits of eight bytes, and those of a number that ends with the eighth."""
_PAYLOAD: Final = _U64(int.from_bytes(b"\x7f" * SEQ_BYTES, "little"))
_BLOCK_BITS: Final = 16
_MASKS: Final = np.tri(STREAM + 1, STREAM, -1, np.uint8).view("<u8") * _BYTE
"""By the length of a name, which of the bytes read are of it, in three words."""
_MIXERS: Final = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5], np.uint64
)
Words = NDArray[np.uint64]

Run = tuple[bytes, int, int]
"""A stream with the first and last number of a stretch of it that has no gap."""


def runs_of(entries: list[bytes], schemas: Iterable[bytes]) -> list[Run] | None:
    """Return the stretch that each stream has in these entries; None where one is not plain.

    Args:
        entries: in the order of the log, at most 65,536.
        schemas: the ids that a fact may have, four bytes each.
    """
    lengths = np.fromiter(map(len, entries), np.int64, len(entries))
    raw = np.frombuffer(b"".join([*entries, BEYOND]), np.uint8)
    ends = np.cumsum(lengths)
    count, runs = first_runs(raw, ends - lengths, ends, schemas)
    return runs if 0 < count == len(entries) else None


def first_runs(
    raw: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    schemas: Iterable[bytes],
    head: bytes = b"",
    terminal: bytes = b"",
) -> tuple[int, list[Run]]:
    """Return how many entries, from the first on, are plain, and the stretches of these.

    Args:
        raw: the entries, in the order of the log, with ``BEYOND`` after the last one.
        starts: where each begins in it.
        ends: where each ends.
        schemas: the ids that a fact may have, four bytes each.
        head: what stands before the offset of each, if they came from Kafka.
        terminal: the only source that they may have; empty for any.
    """
    starts, ends = starts[: 1 << _BLOCK_BITS], ends[: 1 << _BLOCK_BITS]
    words = np.ndarray(len(raw) - 7, np.dtype("<u8"), raw.data, strides=(1,))
    if head:
        starts, ends = _long_enough(starts, ends, len(head) + OFFSET + 2 + 8)
        framed, is_plain = _framed_after(words, starts, ends, head)
    else:
        framed, is_plain = _framed_at(words, starts, ends - starts)
    first = words[framed]  # a zero, the schema's id in four bytes, the length of the stream's name
    ids = (first >> _U64(24) & _BYTE) << _U64(8) | first >> _U64(32) & _BYTE
    sizes = first >> _U64(40)
    is_plain &= (first & _U64(0xFFFFFF) == 0) & (marked(schemas)[np.minimum(ids, SCHEMAS)] == 1)
    is_plain &= (sizes & _U64(0x81) == 0) & (sizes & _BYTE <= 2 * STREAM)
    widths = np.minimum((sizes & _BYTE) >> _U64(1), STREAM).astype(np.int64)
    at = framed + (6 + widths)
    seqs, sizes_of_seqs = _seqs(words[at])
    is_plain &= sizes_of_seqs > 0
    is_plain &= at + sizes_of_seqs + 2 <= ends  # every schema has other fields after the number
    if terminal:
        is_plain &= _is_from(words, at + sizes_of_seqs, ends, terminal)
    count = len(starts) if is_plain.all() else int(np.argmin(is_plain))
    if not count:
        return 0, []
    names, masks = framed[:count] + 6, _MASKS[widths[:count]]
    keys = np.stack([words[names + 8 * part] & masks[:, part] for part in range(3)], axis=1)
    return _stretches(keys, widths, seqs[:count])


def marked(schemas: Iterable[bytes]) -> NDArray[np.uint8]:
    """Return a table with a 1 in the place of each id below ``SCHEMAS``, and one 0 more.

    Args:
        schemas: ids, four bytes each.
    """
    known = np.zeros(SCHEMAS + 1, np.uint8)
    ids = np.frombuffer(b"".join(schemas), ">u4")
    known[ids[ids < SCHEMAS]] = 1
    return known


def _framed_at(
    words: Words, starts: NDArray[np.int64], lengths: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Where each framed event starts, if its head is plain and its length in its one form."""
    first, second = words[starts], words[starts + 8]
    plain = (first & _FIRST_MASK == _FIRST) & (second & _U64(0xFFFF80) == 0)
    plain &= second & _U64(0x7F) != 0
    return _after_length(starts + HEAD, lengths - HEAD, second >> _U64(24), plain)


def _after_length(
    at: NDArray[np.int64], rest: NDArray[np.int64], word: Words, plain: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Where each framed event starts whose length stands at these places, and is in its one form.

    Args:
        at: the places.
        rest: how many bytes there are from there on.
        word: what stands there.
        plain: whether all before it is.
    """
    wide = rest >= ONE_BYTE
    event = (rest - 1 - wide) * 2
    low, high = (word & _BYTE).astype(np.int64), (word >> _U64(8) & _BYTE).astype(np.int64)
    long = (event >= 128) & ((event & 0x7F | 0x80) == low) & (event >> 7 == high)
    plain &= (rest >= 8) & (rest < TWO_BYTES) & np.where(wide, long, event == low)
    return at + 1 + wide, plain


def _long_enough(
    starts: NDArray[np.int64], ends: NDArray[np.int64], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The entries, from the first on, that have so many bytes."""
    short = np.flatnonzero(ends - starts < size)
    count = int(short[0]) if len(short) else len(starts)
    return starts[:count], ends[:count]


def _framed_after(
    words: Words, starts: NDArray[np.int64], ends: NDArray[np.int64], head: bytes
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Where each event starts that came from Kafka: after this head, an offset, and no odd key."""
    plain = _stands(words, starts, head)
    offset = words[starts + len(head)]
    ending = ~offset & _ANY_ENDING
    ending &= ~ending + _U64(1)
    taken = (ending << _U64(1)) - _U64(1)  # all bits, where no byte of these is the last
    last = taken ^ (taken >> _U64(8))
    size = np.bitwise_count(taken).astype(np.int64) >> 3
    plain &= (ending != 0) & ((offset & last != 0) | (size == 1))
    at = starts + len(head) + size
    word = words[at]
    plain &= word & _BYTE == 0
    return _after_length(at + 1, ends - at - 1, word >> _U64(8), plain)


def _is_from(
    words: Words, at: NDArray[np.int64], ends: NDArray[np.int64], terminal: bytes
) -> NDArray[np.bool_]:
    """Whether a moment of eight bytes stands at these places, and then this source."""
    source = bytes([2 * len(terminal)]) + terminal
    fits = at + 8 + len(source) <= ends
    at = np.where(fits, at, 0)
    moment = words[at]
    is_moment = (moment & _ANY_ENDING == _LAST_ENDING) & (moment >> _U64(56) != 0)
    is_source: NDArray[np.bool_] = fits & is_moment & _stands(words, at + 8, source)
    return is_source


def _stands(words: Words, at: NDArray[np.int64], octets: bytes) -> NDArray[np.bool_]:
    """Whether these bytes stand at these places."""
    stands = np.ones(len(at), np.bool_)
    for start in range(0, len(octets), 8):
        part = octets[start : start + 8]
        mask = _U64((1 << 8 * len(part)) - 1)
        stands &= words[at + start] & mask == _U64(int.from_bytes(part, "little"))
    return stands


def _seqs(words: Words) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The numbers that stand first in these, and how many bytes each takes.

    Returns:
        0 bytes where it is not positive, longer than it need be, or longer than ``SEQ_BYTES``.
    """
    ending = ~words & _ENDING  # the highest bit of each byte that no other of the number follows
    ending &= ~ending + _U64(1)
    taken = (ending << _U64(1)) - _U64(1)
    last = taken ^ (taken >> _U64(8))
    bits = words & taken & _PAYLOAD
    number = bits & _U64(0x7F)
    for byte in range(1, SEQ_BYTES):
        number |= (bits >> _U64(byte)) & _U64(0x7F << (7 * byte))
    good = (ending != 0) & (bits & last != 0) & (number & _U64(1) == 0)
    sizes = np.where(good, np.bitwise_count(taken) >> 3, 0)
    return (number >> _U64(1)).astype(np.int64), sizes.astype(np.int64)


def _stretches(
    keys: Words, widths: NDArray[np.int64], seqs: NDArray[np.int64]
) -> tuple[int, list[Run]]:
    """How many facts are in order, and each stream's first and last number in them.

    A mixed number only brings the entries of a stream together; that they are of one stream is
    seen from its name, and two names with one number are left to the other check.
    """
    count, places = len(seqs), _U64((1 << _BLOCK_BITS) - 1)
    mixed = keys[:, 0] * _MIXERS[0] ^ keys[:, 1] * _MIXERS[1] ^ keys[:, 2] * _MIXERS[2]
    mixed ^= widths[: len(keys)].astype(np.uint64) * _MIXERS[3]  # a name may end in zeros
    order = np.sort(mixed & ~places | np.arange(count, dtype=np.uint64))
    at = (order & places).astype(np.int64)
    same_number = (order[1:] & ~places) == (order[:-1] & ~places)
    sorted_keys, sorted_widths = keys[at], widths[at]
    is_new = (sorted_keys[1:] != sorted_keys[:-1]).any(axis=1)
    is_new |= sorted_widths[1:] != sorted_widths[:-1]
    breaks = same_number & (is_new | (np.diff(seqs[at]) != 1))
    if breaks.any():  # in what stands before the first of them, each pair is one of these pairs
        count = int(at[1:][breaks].min())
        order, at = order[at < count], at[at < count]
        same_number = (order[1:] & ~places) == (order[:-1] & ~places)
    in_order = seqs[at]
    begins = np.flatnonzero(np.concatenate([[True], ~same_number]))
    stops = np.append(begins[1:], count)
    firsts, lasts = in_order[begins].tolist(), in_order[stops - 1].tolist()
    streams = [keys[place].tobytes()[: widths[place]] for place in at[begins]]
    return count, list(zip(streams, firsts, lasts, strict=True))
