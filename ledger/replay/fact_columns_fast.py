"""Facts cut out of bundles in machine code: the twin of ``fact_columns.Cut``.

It numbers texts and bodies by their bytes in one pass. Whatever is not laid out as most facts are
is marked as there, and each number of bytes is checked before any byte is read. Bundles are read
where they lie, eight bytes at a time, and none beyond their end.
"""

from __future__ import annotations

from ctypes import PYFUNCTYPE, c_void_p, py_object, pythonapi
from pathlib import Path
from typing import Any, Final

import numba
import numba.extending
import numba.np.arrayobj
import numba.types
import numpy as np

from ledger.kernel.machine_code import compiled

UNREAD: Final = -1
NULL: Final = -1
WRONG: Final = -2
HEAD: Final = 5
PARTS: Final = 4
WORD: Final = 8
QUOTE, BACKSLASH = 34, 92
ONES, HIGHEST = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)

types: Any = numba.types
carray: Any = vars(numba)["carray"]
make_array: Any = numba.np.arrayobj.make_array


def _word(_context: Any, array: Any, _place: Any) -> Any:
    """The eight bytes from a place of an array on, in the words of the compiler."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.gep(first, [arguments[1]])
        word = context.get_value_type(types.uint64)
        return builder.load(builder.bitcast(place, word.as_pointer()), align=1)

    return types.uint64(array, types.intp), generate


_word_at: Any = numba.extending.intrinsic(_word)


def _pointer(_context: Any, _address: Any) -> Any:
    """The bytes that lie at an address, in the words of the compiler."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.uint8)(types.int64), generate


_pointer_to: Any = numba.extending.intrinsic(_pointer)


address_of: Final = PYFUNCTYPE(c_void_p, py_object)(("PyBytes_AsString", pythonapi))
"""Where the bytes of a bundle lie; whoever asks keeps them as long as that is used."""


@numba.njit(forceinline=True)
def _rest_of(raw, at, end):  # type: ignore[no-untyped-def]
    """The next eight bytes of a stretch; those beyond its end are zero.

    There are eight bytes at least, though not behind its beginning.
    """
    left, beyond = end - at, at + WORD - len(raw)
    word = _word_at(raw, at - max(beyond, 0)) >> np.uint64(8 * max(beyond, 0))
    if left < WORD:
        word &= (np.uint64(1) << np.uint64(8 * left)) - np.uint64(1)
    return word


@numba.njit(forceinline=True)
def _slot_of(raw, begin, end, owner, pool, starts, owners, slots):  # type: ignore[no-untyped-def]
    """The slot of a stretch of bytes, or the empty one for it: which it is, its bytes decide."""
    mixed = np.uint64(owner) << np.uint64(32) ^ np.uint64(end - begin)
    at = begin
    while at < end:
        mixed = (mixed ^ _rest_of(raw, at, end)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
        at += WORD
    slot = np.int64((mixed ^ mixed >> np.uint64(32)) & np.uint64(len(slots) - 1))
    while slots[slot] >= 0:
        number = slots[slot]
        first = starts[number]
        is_same = owners[number] == owner and starts[number + 1] - first == end - begin
        at = begin
        while is_same and at < end:
            is_same = _rest_of(pool, first + at - begin, starts[number + 1]) == _rest_of(
                raw, at, end
            )
            at += WORD
        if is_same:
            break
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@numba.njit(forceinline=True)
def _number_of(raw, begin, end, owner, pool, starts, owners, slots, count):  # type: ignore[no-untyped-def]
    """The number of a stretch of bytes; room for a new one was made before."""
    slot = _slot_of(raw, begin, end, owner, pool, starts, owners, slots)
    number = slots[slot]
    if number >= 0:
        return number
    number = count[0]
    first = starts[number]
    if number >= len(owners) or first + end - begin + WORD > len(pool):
        return WRONG
    for at in range(end - begin):
        pool[first + at] = raw[begin + at]
    starts[number + 1] = first + end - begin
    owners[number] = owner
    slots[slot] = number
    count[0] = number + 1
    return number


@numba.njit(forceinline=True)
def _has_zero(word):  # type: ignore[no-untyped-def]
    """Whether one of eight bytes is zero."""
    return (word - ONES) & ~word & HIGHEST != 0


@numba.njit(forceinline=True)
def _is_plain(word, size):  # type: ignore[no-untyped-def]
    """Whether eight bytes, or the first of them, are printed ASCII without quote and backslash."""
    if size < WORD:  # letters stand for the others
        word |= ~((np.uint64(1) << np.uint64(8 * size)) - np.uint64(1)) & ONES * np.uint64(65)
    if word & HIGHEST or (word - ONES * np.uint64(32)) & ~word & HIGHEST:
        return False
    if _has_zero(word ^ ONES * np.uint64(127)) or _has_zero(word ^ ONES * np.uint64(QUOTE)):
        return False
    return not _has_zero(word ^ ONES * np.uint64(BACKSLASH))


@numba.njit(forceinline=True)
def _text_at(raw, at, end, nullable, spans, part):  # type: ignore[no-untyped-def]
    """Find the short plain text that begins here; where it ends, WRONG if none does."""
    spans[part, 0] = spans[part, 1] = NULL
    if at >= end:
        return WRONG
    if nullable:
        if raw[at] == 0:
            return at + 1
        if raw[at] != 2 or at + 1 >= end:
            return WRONG
        at += 1
    if raw[at] & 0x81:
        return WRONG
    begin = at + 1
    stop = begin + (raw[at] >> 1)
    if stop > end:
        return WRONG
    place = begin
    while place < stop:
        if not _is_plain(_rest_of(raw, place, stop), stop - place):
            return WRONG
        place += WORD
    spans[part, 0], spans[part, 1] = begin, stop
    return stop


@numba.njit(forceinline=True)
def _is_same(raw, begin, other, first, last):  # type: ignore[no-untyped-def]
    """Whether what begins at a place is a stretch of other bytes."""
    at, end = first, begin + last - first
    while at < last:
        if _rest_of(raw, begin + at - first, end) != _rest_of(other, at, last):
            return False
        at += WORD
    return True


@numba.njit(forceinline=True)
def _is_framed(raw, begin, place, heads, kind, source, first, last):  # type: ignore[no-untyped-def]
    """Whether a fact has the first bytes of its kind, and its stream's source before a place."""
    if _rest_of(raw, begin, begin + HEAD) != heads[kind]:
        return False
    size = last - first
    return place - size >= begin + HEAD and _is_same(raw, place - size, source, first, last)


@numba.njit(forceinline=True)
def _has_room(octets, pool, starts, owners, slots, count):  # type: ignore[no-untyped-def]
    """Whether all stretches of one more fact can be added."""
    most = count[0] + PARTS
    fits = most <= len(owners) and 2 * most <= len(slots)
    return fits and starts[count[0]] + octets + WORD <= len(pool)


def _number_facts(  # type: ignore[no-untyped-def]
    addresses, sizes, bundles, rows, begins, lengths, places, kinds, ranks,
    heads, nulls, sources, source_starts,
    texts, text_starts, text_owners, text_slots, text_count,
    bodies, body_starts, body_owners, body_slots, body_count, body_rows, most_bodies,
    body, named, start,
):  # fmt: skip
    spans = np.empty((PARTS, 2), np.int64)
    lately = np.full((PARTS, len(heads)), NULL, np.int64)
    for number in range(start, len(rows)):
        kind, row, begin = kinds[number], rows[number], begins[number]
        body[row] = UNREAD
        if kind < 0 or kind >= len(heads) or nulls[kind, 0] < 0:
            continue
        raw = carray(_pointer_to(addresses[bundles[number]]), sizes[bundles[number]])
        end, place = begin + lengths[number], begin + places[number]
        if len(raw) < WORD:
            continue
        if begin < 0 or end > len(raw) or begin + HEAD > end or place >= end or place < begin:
            continue
        if not _has_room(lengths[number], texts, text_starts, text_owners, text_slots, text_count):
            return number
        if not _has_room(lengths[number], bodies, body_starts, body_owners, body_slots, body_count):
            return number
        rank = ranks[number]
        first, last = source_starts[rank], source_starts[rank + 1]
        if not _is_framed(raw, begin, place, heads, kind, sources, first, last):
            continue
        count = 0
        while count < PARTS and nulls[kind, count] >= 0 and place != WRONG:
            place = _text_at(raw, place, end, nulls[kind, count] == 1, spans, count)
            count += 1
        if place == WRONG:
            continue
        for part in range(count):
            named[part, row] = NULL
            begin, stop, recent = spans[part, 0], spans[part, 1], lately[part, kind]
            if begin == NULL:
                continue
            if recent != NULL and text_starts[recent + 1] - text_starts[recent] == stop - begin:
                first, last = text_starts[recent], text_starts[recent + 1]
                if _is_same(raw, begin, texts, first, last):
                    named[part, row] = recent
                    continue
            named[part, row] = lately[part, kind] = _number_of(
                raw, begin, stop, 0,
                texts, text_starts, text_owners, text_slots, text_count,
            )  # fmt: skip
        if body_count[0] >= most_bodies:
            slot = _slot_of(raw, place, end, kind, bodies, body_starts, body_owners, body_slots)
            body[row] = body_slots[slot]  # empty is the mark of what was not read
            continue
        before = body_count[0]
        body[row] = _number_of(
            raw, place, end, kind, bodies, body_starts, body_owners, body_slots, body_count
        )
        if body_count[0] > before:
            body_rows[before] = row
    return len(rows)


def _fill(pool, starts, owners, slots, count):  # type: ignore[no-untyped-def]
    for number in range(count):
        slot = _slot_of(
            pool, starts[number], starts[number + 1], owners[number], pool, starts, owners, slots
        )
        slots[slot] = number


_BYTES, _LONGS = types.uint8[::1], types.int64[::1]
_SPANS = (_BYTES, _LONGS, _LONGS, _LONGS)
_FILE = Path(__file__)
number_facts = compiled(
    _number_facts,
    types.int64(
        *[_LONGS] * 9, types.uint64[::1], types.int64[:, ::1], _BYTES, _LONGS,
        *_SPANS, _LONGS, *_SPANS, _LONGS, _LONGS, types.int64, _LONGS, types.int64[:, ::1],
        types.int64,
    ),
    _FILE,
)  # fmt: skip
fill = compiled(_fill, types.void(*_SPANS, types.int64), _FILE)
