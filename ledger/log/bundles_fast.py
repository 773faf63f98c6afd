"""Bundles cut, hashed and checked many at a time, in machine code: the twin of readable loops.

Each function here does what a loop elsewhere does, and says only whether all is as it should be;
who finds that it is not goes to that loop, which names what is wrong and where. Hashes are
libcrypto's, the very one that Python's ``hashlib`` calls, without an object for each.

    ``cut``       ``tiles.unpack``
    ``hash_leaves``, ``fold``    ``merkle.leaf_hash``, ``merkle.fold_complete``
    ``find_runs``      ``plain_facts.runs_of``

Numbers of bytes are checked before any byte is read: none of these trusts a length in its input.
"""

from __future__ import annotations

import _hashlib
import ctypes
from pathlib import Path
from typing import Any, Final

import llvmlite.binding
import numba.extending
import numba.np.arrayobj
import numba.types
import numpy as np

from ledger.kernel.machine_code import compiled
from ledger.log.plain_facts import HEAD, ONE_BYTE, STREAM, TWO_BYTES

HASH: Final = 32
CONTEXT_BYTES: Final = 256
"""Room for OpenSSL's SHA256_CTX, which has 112."""
_SHA256: Final = ("SHA256_Init", "SHA256_Update", "SHA256_Final")


def _name_hash_functions() -> None:
    """Let machine code call libcrypto by names of our own.

    Raises:
        ImportError: Python's own libcrypto does not show them.
    """
    library = ctypes.CDLL(_hashlib.__file__)
    for name in _SHA256:
        try:
            place = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        except AttributeError as error:
            raise ImportError(f"libcrypto shows no {name}") from error
        llvmlite.binding.add_symbol(f"pitledger_{name}", place)


_name_hash_functions()

types: Any = numba.types
make_array: Any = numba.np.arrayobj.make_array
_BYTE = types.CPointer(types.uint8)
_begin, _update, _end = (
    types.ExternalFunction(f"pitledger_{name}", types.int32(_BYTE, *others))
    for name, others in zip(_SHA256, ((), (_BYTE, types.uintp), (_BYTE,)), strict=True)
)


def _address(_context: Any, array: Any, _place: Any) -> Any:
    """The address of a byte of an array, in the words of the compiler."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.gep(first, [arguments[1]])

    return _BYTE(array, types.intp), generate


_at: Any = numba.extending.intrinsic(_address)

_READ = types.Array(types.uint8, 1, "C", readonly=True)
_BYTES = types.uint8[::1]
_LONGS = types.int64[::1]


def _cut(raw, places, counts, starts, ends):  # type: ignore[no-untyped-def]
    entry = 0
    for number in range(len(counts)):
        at, stop = places[number], places[number + 1]
        for _ in range(counts[number]):
            if at + 2 > stop:
                return False
            start = at + 2
            at = start + (np.int64(raw[at]) << 8 | np.int64(raw[at + 1]))
            starts[entry], ends[entry] = start, at
            entry += 1
        if at != stop:
            return False
    return True


def _hash_leaves(raw, starts, ends, out, context, mark):  # type: ignore[no-untyped-def]
    state = _at(context, 0)
    for entry in range(len(starts)):
        _begin(state)
        _update(state, _at(mark, 0), 1)
        _update(state, _at(raw, starts[entry]), ends[entry] - starts[entry])
        _end(_at(out, 32 * entry), state)


def _fold(hashes, width, out, scratch, context, mark):  # type: ignore[no-untyped-def]
    state = _at(context, 0)
    for group in range(len(out) // 32):
        for at in range(32 * width):
            scratch[at] = hashes[32 * width * group + at]
        left = width
        while left > 1:
            left >>= 1
            for node in range(left):  # what a node overwrites was read for a node before it
                _begin(state)
                _update(state, _at(mark, 0), 1)
                _update(state, _at(scratch, 64 * node), 64)
                _end(_at(scratch, 32 * node), state)
        for at in range(32):
            out[32 * group + at] = scratch[at]


@numba.njit
def _framed_at(raw, start, end):  # type: ignore[no-untyped-def]
    """Where the framed event of an entry starts; -1 where its head or its length is not plain."""
    if end - start < HEAD + 8 or raw[start] != 2 or raw[start + 9] or raw[start + 10]:
        return -1
    for at in range(start + 1, start + 8):
        if raw[at] < 128:
            return -1
    if not 0 < raw[start + 8] < 128:
        return -1
    rest = end - start - HEAD
    low, high = np.int64(raw[start + HEAD]), np.int64(raw[start + HEAD + 1])
    if rest < ONE_BYTE:
        return start + HEAD + 1 if low == (rest - 1) * 2 else -1
    event = (rest - 2) * 2  # as it stands there: a number with its sign, 128 and more
    if rest >= TWO_BYTES or event < 128 or low != (event & 127 | 128) or high != event >> 7:
        return -1
    return start + HEAD + 2


@numba.njit
def _is_known(raw, framed, schemas):  # type: ignore[no-untyped-def]
    """Whether a framed event has one of these schemas: a mark in the place of its id."""
    schema = np.int64(raw[framed + 1]) << 24 | np.int64(raw[framed + 2]) << 16
    schema |= np.int64(raw[framed + 3]) << 8 | np.int64(raw[framed + 4])
    return raw[framed] == 0 and schema < len(schemas) and schemas[schema] == 1


@numba.njit
def _seq_at(raw, at):  # type: ignore[no-untyped-def]
    """The positive number that starts here, in its shortest form of up to 3 bytes; else -1."""
    seq, last = np.int64(raw[at]), raw[at]
    if last >= 128:
        last = raw[at + 1]
        seq = seq & 127 | (np.int64(last) & 127) << 7
        if last >= 128:
            last = raw[at + 2]
            seq |= (np.int64(last) & 127) << 14
    return seq >> 1 if 0 < last < 128 and seq & 1 == 0 else -1


@numba.njit
def _slot_of(raw, name, width, slots, names, widths):  # type: ignore[no-untyped-def]
    """The slot of a stream, or the empty one for it; which it is, is seen from its bytes."""
    mixed = np.uint64(14695981039346656037)
    for at in range(name, name + width):
        mixed = (mixed ^ np.uint64(raw[at])) * np.uint64(1099511628211)
    slot = np.int64((mixed ^ mixed >> np.uint64(29)) & np.uint64(len(slots) - 1))
    while slots[slot] >= 0:
        stream = slots[slot]
        is_same = widths[stream] == width
        for byte in range(width):
            is_same = is_same and raw[names[stream] + byte] == raw[name + byte]
        if is_same:
            break
        slot = (slot + 1) & (len(slots) - 1)
    return slot


def _find_runs(raw, starts, ends, schemas, slots, names, widths, runs):  # type: ignore[no-untyped-def]
    streams = 0
    for entry in range(len(starts)):
        framed = _framed_at(raw, starts[entry], ends[entry])
        if framed < 0 or not _is_known(raw, framed, schemas) or raw[framed + 5] & 0x81:
            return entry, streams
        name, width = framed + 6, np.int64(raw[framed + 5]) >> 1
        if width > STREAM or name + width + 3 > ends[entry]:
            return entry, streams
        seq = _seq_at(raw, name + width)
        if seq < 0:
            return entry, streams
        slot = _slot_of(raw, name, width, slots, names, widths)
        stream = slots[slot]
        if stream < 0:
            slots[slot] = streams
            names[streams], widths[streams] = name, width
            runs[2 * streams] = runs[2 * streams + 1] = seq
            streams += 1
        elif seq == runs[2 * stream + 1] + 1:
            runs[2 * stream + 1] = seq
        else:
            return entry, streams
    return len(starts), streams


_FILE = Path(__file__)
cut = compiled(_cut, types.boolean(_READ, _LONGS, _LONGS, _LONGS, _LONGS), _FILE)
hash_leaves = compiled(
    _hash_leaves, types.void(_READ, _LONGS, _LONGS, _BYTES, _BYTES, _BYTES), _FILE
)
fold = compiled(_fold, types.void(_READ, types.int64, _BYTES, _BYTES, _BYTES, _BYTES), _FILE)
find_runs = compiled(
    _find_runs,
    types.UniTuple(types.int64, 2)(_READ, _LONGS, _LONGS, _BYTES, _LONGS, _LONGS, _LONGS, _LONGS),
    _FILE,
)
