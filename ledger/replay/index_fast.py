"""Where facts stand, in machine code: the twin of ``IndexPass.accepted``.

It takes only what that has taken before: entries of one head, facts of a stream in a schema that
the stream had, from a source that it had. At any other entry it stops, and leaves it to its twin.
Each number of bytes is checked before any byte is read; what is read beyond an entry lies in
``plain_facts.BEYOND`` at the most.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numba
import numba.types
import numpy as np

from ledger.kernel.machine_code import compiled

ACCEPTED: Final = 2
"""The first byte of an accepted fact."""
MOMENT: Final = 8
"""Bytes of every moment of our time, as a number of seven bits a byte."""
SEQ_BYTES: Final = 5
"""The longest number of a fact that is taken here."""
LENGTH_BYTES: Final = 3
FRAME: Final = 5
"""Bytes before the fields of a fact: a zero, and the id of its schema."""
OF_STREAMS: Final = -1
"""In place of a stream, what the keys of streams belong to."""
MORE: Final = np.uint64(0x8080808080808080)
LAST: Final = np.uint64(0x0080808080808080)
"""The highest bits of eight bytes, and those of a number that ends with the eighth."""
ALL: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
MIXER: Final = np.uint64(0x9E3779B97F4A7C15)

types: Any = numba.types


@numba.njit
def _word_at(raw, at, end):  # type: ignore[no-untyped-def]
    """Eight bytes as a number, the first one lowest; those beyond an end are zero."""
    word = np.uint64(0)
    for byte in range(8):
        word |= np.uint64(raw[at + byte]) << np.uint64(8 * byte)
    left = end - at
    return word if left >= 8 else word & ~(ALL << np.uint64(8 * left))


@numba.njit
def _slot_of(raw, begin, end, owner, pool, places, owners, slots):  # type: ignore[no-untyped-def]
    """The slot of a key, or the empty one for it: which it is, its owner and its bytes decide.

    A key has its length among its bytes, so none begins with another.
    """
    mixed = np.uint64(owner + 1) << np.uint64(32) ^ np.uint64(end - begin)
    for at in range(begin, end, 8):
        mixed = (mixed ^ _word_at(raw, at, end)) * MIXER
        mixed ^= mixed >> np.uint64(29)
    slot = np.int64((mixed ^ mixed >> np.uint64(32)) & np.uint64(len(slots) - 1))
    while slots[slot] >= 0:
        key = slots[slot]
        first, last = places[key], places[key + 1]
        is_same = owners[key] == owner
        at = 0
        while is_same and at < end - begin:
            is_same = _word_at(pool, first + at, last) == _word_at(raw, begin + at, end)
            at += 8
        if is_same:
            break
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@numba.njit
def _event_at(raw, at, end):  # type: ignore[no-untyped-def]
    """Where an event begins whose length stands here, if it ends with its entry; else -1."""
    length = np.int64(0)
    for byte in range(LENGTH_BYTES):
        last = np.int64(raw[at + byte])
        length |= (last & 127) << (7 * byte)
        if last < 128:
            begin = at + byte + 1
            is_shortest = last > 0 or byte == 0
            return begin if is_shortest and not length & 1 and begin + (length >> 1) == end else -1
    return -1


@numba.njit
def _framed_at(raw, start, end, head, in_topic):  # type: ignore[no-untyped-def]
    """Where the framed event of an entry begins; -1 where the entry has another head."""
    if end - start < len(head) + MOMENT + FRAME or raw[start] != ACCEPTED:
        return -1
    if in_topic:
        for at in range(len(head)):
            if raw[start + at] != head[at]:
                return -1
        at = start + len(head)
        while at < end and raw[at] > 127:  # its offset in the partition
            at += 1
        at += 1
    else:
        time = _word_at(raw, start + 1, end)
        at = start + 1 + MOMENT
        if time & MORE != LAST or time >> np.uint64(56) == 0 or raw[at]:
            return -1
        at += 1
    if at + 1 >= end or raw[at]:  # another key than its stream
        return -1
    return _event_at(raw, at + 1, end)


@numba.njit
def _seq_at(raw, at):  # type: ignore[no-untyped-def]
    """The number that starts here, in its shortest form, and its end; -1 where it is none."""
    seq = np.int64(0)
    for byte in range(SEQ_BYTES):
        last = np.int64(raw[at + byte])
        seq |= (last & 127) << (7 * byte)
        if last < 128:
            is_good = (last > 0 or byte == 0) and not seq & 1
            return (seq >> 1 if is_good else np.int64(-1)), at + byte + 1
    return np.int64(-1), at


@numba.njit
def _moment_at(raw, at):  # type: ignore[no-untyped-def]
    """The moment whose eight bytes start here, microseconds UTC."""
    bits = np.int64(0)
    for byte in range(MOMENT):
        bits |= np.int64(raw[at + byte] & 127) << (7 * byte)
    return bits >> 1 ^ -(bits & 1)


def _place_facts(  # type: ignore[no-untyped-def]
    raw, starts, ends, width, entry, head, in_topic,
    pool, places, owners, slots, meanings, columns, kept,
):  # fmt: skip
    kept_count = 0
    while entry < len(starts):
        start, end = starts[entry], ends[entry]
        framed = _framed_at(raw, start, end, head, in_topic)
        if framed < 0 or framed + FRAME >= end or raw[framed]:
            break
        named = framed + FRAME + 1 + (raw[framed + FRAME] >> 1)
        if named >= end:
            break
        seq, at = _seq_at(raw, named)
        if seq < 0 or at + MOMENT >= end:
            break
        time = _word_at(raw, at, end)
        if time & MORE != LAST or time >> np.uint64(56) == 0:
            break
        source = at + MOMENT
        sourced = source + 1 + (raw[source] >> 1)
        if sourced > end:
            break
        stream_key = slots[
            _slot_of(raw, framed + 1, named, OF_STREAMS, pool, places, owners, slots)
        ]
        if stream_key < 0:
            break
        stream = meanings[stream_key, 0]
        source_key = slots[_slot_of(raw, source, sourced, stream, pool, places, owners, slots)]
        if source_key < 0:
            break
        columns[0, entry], columns[1, entry], columns[2, entry] = stream, seq, _moment_at(raw, at)
        columns[3, entry] = framed - starts[entry - entry % width] + 2
        columns[4, entry], columns[5, entry] = end - framed, meanings[source_key, 0]
        columns[6, entry] = meanings[stream_key, 1]
        if meanings[stream_key, 2]:
            kept[kept_count] = entry
            kept_count += 1
        entry += 1
    return entry, kept_count


def _learn(key, owner, number, pool, places, owners, slots):  # type: ignore[no-untyped-def]
    end = len(key) - 8
    slots[_slot_of(key, 0, end, owner, pool, places, owners, slots)] = number
    owners[number] = owner
    for at in range(end):
        pool[places[number] + at] = key[at]
    places[number + 1] = places[number] + end


_BYTES, _LONGS, _TABLE = types.uint8[::1], types.int64[::1], types.int64[:, ::1]
_READ = types.Array(types.uint8, 1, "C", readonly=True)
_KEYS = (_BYTES, _LONGS, _LONGS, _LONGS)
_FILE = Path(__file__)
place_facts = compiled(
    _place_facts,
    types.UniTuple(types.int64, 2)(
        _BYTES, _LONGS, _LONGS, types.int64, types.int64, _READ, types.boolean,
        *_KEYS, _TABLE, _TABLE, _LONGS,
    ),
    _FILE,
)  # fmt: skip
learn = compiled(_learn, types.void(_READ, types.int64, types.int64, *_KEYS), _FILE)
