"""Facts checked many at a time: those that follow one another as almost all do.

What is decided here is only that everything is as it should be, in its commonest form. Whatever is
wrong, late, rare or long is left to the check that takes one entry after the other, which alone
names a problem: so there is one authority, and this file cannot word a refusal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

HEAD: Final = 11
"""Bytes of a plain head: its branch, a record time of eight bytes, neither place nor odd key."""
ONE_BYTE: Final = 65
"""From how many bytes after the head on a length takes two of them."""
TWO_BYTES: Final = 8194
"""From how many bytes after the head on a length takes three."""
STREAM: Final = 24
"""The longest name of a stream that is taken here, in bytes."""
_KEY: Final = 32
"""Bytes read of a name with its length before it."""
_BEYOND: Final = bytes(2 * _KEY)
"""What follows the last entry, so that reading ahead ends in it."""
_MORE: Final = 0x8080808080808080
_LAST: Final = 0x0080808080808080
_BLOCK_BITS: Final = 16
_MASKS: Final = np.tri(STREAM + 1, _KEY, dtype=np.uint8) * np.uint8(255)
"""By the length of a name, which of the bytes read are of it."""
_MIXERS: Final = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], np.uint64
)

Run = tuple[bytes, int, int]
"""A stream with the first and last number of a stretch of it that has no gap."""


def runs_of(entries: list[bytes], schemas: Iterable[bytes]) -> list[Run] | None:
    """Return the stretch that each stream has in these entries; None where one is not plain.

    Args:
        entries: in the order of the log, at most 65,536.
        schemas: the ids that a fact may have, four bytes each.
    """
    lengths = np.fromiter(map(len, entries), np.int64, len(entries))
    if not 0 < len(entries) <= 1 << _BLOCK_BITS or lengths.min() < HEAD + 8:
        return None
    raw = np.frombuffer(b"".join([*entries, _BEYOND]), np.uint8)
    ends = np.cumsum(lengths)
    starts = ends - lengths
    framed = _framed_at(raw, starts, lengths)
    if framed is None:
        return None
    known = np.frombuffer(b"".join(sorted(schemas)), ">u4")
    ids = sliding_window_view(raw, 4)[framed + 1].view(">u4")[:, 0]
    sizes = raw[framed + 5]
    if raw[framed].any() or (sizes & 0x81).any() or not np.isin(ids, known).all():
        return None
    widths = (sizes >> 1).astype(np.int64)
    if widths.max() > STREAM:
        return None
    seqs = _seqs_at(raw, framed + 6 + widths, ends)
    if seqs is None:
        return None
    names = sliding_window_view(raw, _KEY)[framed + 5]
    names &= _MASKS[widths]
    return _stretches(names, seqs)


def _framed_at(
    raw: NDArray[np.uint8], starts: NDArray[np.int64], lengths: NDArray[np.int64]
) -> NDArray[np.int64] | None:
    """Where each framed event starts, if every head is plain and every length in its one form."""
    heads = sliding_window_view(raw, HEAD)[starts]
    times = np.ascontiguousarray(heads[:, 1:9]).view("<u8")[:, 0]
    plain = (heads[:, 0] == 2) & (heads[:, 9] == 0) & (heads[:, 10] == 0)
    if not (plain & (times & _MORE == _LAST) & (times >> np.uint64(56) != 0)).all():
        return None
    rest = lengths - HEAD
    wide = rest >= ONE_BYTE
    event = rest - 1 - wide
    low, high = raw[starts + HEAD], raw[starts + HEAD + 1]
    short = event * 2 == low
    long = (event >= 64) & ((event * 2 & 0x7F | 0x80) == low) & (event * 2 >> 7 == high)
    if rest.max() >= TWO_BYTES or not np.where(wide, long, short).all():
        return None
    return starts + HEAD + 1 + wide


def _seqs_at(
    raw: NDArray[np.uint8], at: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.int64] | None:
    """The numbers that start here, if each is positive, in its shortest form of up to 3 bytes."""
    if (at + 3 > ends).any():  # there are other fields behind it in every schema
        return None
    three = sliding_window_view(raw, 3)[at].astype(np.int64)
    ends_first, ends_second = three[:, 0] < 0x80, three[:, 1] < 0x80
    last = np.where(ends_second, three[:, 1], three[:, 2])
    last = np.where(ends_first, three[:, 0], last)
    number = three[:, 0] & 0x7F
    number |= np.where(ends_first, 0, (three[:, 1] & 0x7F) << 7)
    number |= np.where(ends_first | ends_second, 0, (three[:, 2] & 0x7F) << 14)
    good = (last > 0) & (last < 0x80) & (number & 1 == 0)
    return number >> 1 if good.all() else None


def _stretches(names: NDArray[np.uint8], seqs: NDArray[np.int64]) -> list[Run] | None:
    """Each stream's first and last number, if each goes up by one all the way.

    A mixed number only brings the entries of a stream together; that they are of one stream is
    seen from the bytes of its name, and two names with one number are left to the other check.
    """
    words = names.view(np.uint64)
    count, places = len(seqs), np.uint64((1 << _BLOCK_BITS) - 1)
    mixed = np.bitwise_xor.reduce(words * _MIXERS, axis=1)
    order = np.sort(mixed & ~places | np.arange(count, dtype=np.uint64))
    at = (order & places).astype(np.int64)
    same_number = (order[1:] & ~places) == (order[:-1] & ~places)
    same_name = (words[at[1:]] == words[at[:-1]]).all(axis=1)
    in_order = seqs[at]
    if (same_number & (~same_name | (np.diff(in_order) != 1))).any():
        return None
    begins = np.flatnonzero(np.concatenate([[True], ~same_number]))
    stops = np.append(begins[1:], count)
    firsts, lasts = in_order[begins].tolist(), in_order[stops - 1].tolist()
    heads = [names[place].tobytes() for place in at[begins]]
    streams = [head[1 : 1 + (head[0] >> 1)] for head in heads]
    return list(zip(streams, firsts, lasts, strict=True))
