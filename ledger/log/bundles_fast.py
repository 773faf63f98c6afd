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
from ledger.log.plain_facts import HEAD, ONE_BYTE, SEQ_BYTES, STREAM, TWO_BYTES

HASH: Final = 32
CONTEXT_BYTES: Final = 256
"""Room for OpenSSL's SHA256_CTX, which has 112."""
OFFSET_BYTES: Final = 9
"""The longest offset of a partition that is taken here: all that there can be, but for one bit."""
MORE: Final = np.uint64(0x8080808080808080)
LAST: Final = np.uint64(0x0080808080808080)
"""The highest bits of eight bytes, and those of a number that ends with the eighth."""
ALL: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
MIXER: Final = np.uint64(0x9E3779B97F4A7C15)
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
    """The address of a place in an array, in the words of the compiler.

    A function that gets an array counts who holds it, which costs more than what it does here; one
    that gets an address does not. Nothing holds an address against the end of its array.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.gep(first, [arguments[1]])

    return types.CPointer(array.dtype)(array, types.intp), generate


_at: Any = numba.extending.intrinsic(_address)

_READ = types.Array(types.uint8, 1, "C", readonly=True)
_BYTES = types.uint8[::1]
_LONGS = types.int64[::1]
_WORDS = types.uint64[::1]


def _cut(raw, stops, width, starts, ends, mark):  # type: ignore[no-untyped-def]
    entry, at = 0, np.int64(0)
    for number in range(len(stops)):
        stop = stops[number]
        for _ in range(width):
            if at + 2 > stop:
                return False
            start = at + 2
            at = start + (np.int64(raw[at]) << 8 | np.int64(raw[at + 1]))
            raw[start - 1] = mark
            starts[entry], ends[entry] = start, at
            entry += 1
        if at != stop:
            return False
    return True


def _hash_leaves(raw, starts, ends, out, context):  # type: ignore[no-untyped-def]
    state = _at(context, 0)
    for entry in range(len(starts)):
        _begin(state)
        _update(state, _at(raw, starts[entry] - 1), ends[entry] - starts[entry] + 1)
        _end(_at(out, 32 * entry), state)


def _fold(hashes, width, out, scratch, context, mark):  # type: ignore[no-untyped-def]
    state = _at(context, 0)
    for group in range(len(out) // 32):
        for at in range(32 * width):
            scratch[1 + at] = hashes[32 * width * group + at]
        left = width
        while left > 1:
            left >>= 1
            for node in range(left):  # what a mark or a node overwrites was read for nodes before
                scratch[64 * node] = mark
                _begin(state)
                _update(state, _at(scratch, 64 * node), 65)
                _end(_at(scratch, 1 + 32 * node), state)
        for at in range(32):
            out[32 * group + at] = scratch[1 + at]


@numba.njit
def _word_at(raw, at):  # type: ignore[no-untyped-def]
    """Eight bytes as a number, the first one lowest."""
    word = np.uint64(0)
    for byte in range(8):
        word |= np.uint64(raw[at + byte]) << np.uint64(8 * byte)
    return word


@numba.njit
def _is_moment(raw, at):  # type: ignore[no-untyped-def]
    """Whether a number of eight bytes starts here, as every moment of our time is."""
    word = _word_at(raw, at)
    return word & MORE == LAST and word >> np.uint64(56) != 0


@numba.njit
def _are_here(raw, at, wanted, size):  # type: ignore[no-untyped-def]
    """Whether so many bytes stand here."""
    for byte in range(size):  # noqa: SIM110
        if raw[at + byte] != wanted[byte]:
            return False
    return True


@numba.njit
def _after_offset(raw, at):  # type: ignore[no-untyped-def]
    """Where the offset ends that starts here, in its shortest form and not negative; else -1."""
    if raw[at] & 1:
        return -1
    for byte in range(OFFSET_BYTES):
        last = raw[at + byte]
        if last < 128:
            return at + byte + 1 if last or byte == 0 else -1
    return -1


@numba.njit
def _framed_at(raw, start, end, head, size):  # type: ignore[no-untyped-def]
    """Where the framed event of an entry starts; -1 where its head or its length is not plain.

    ``head`` is what stands before the offset of an entry from Kafka; of no bytes where it is none.
    """
    if end - start < max(size + OFFSET_BYTES + 1, HEAD) + 8:
        return -1
    if size:
        at = _after_offset(raw, start + size) if _are_here(raw, start, head, size) else -1
        if at < 0 or raw[at]:
            return -1
        at += 1
    else:
        is_plain = raw[start] == 2 and not raw[start + 9] and not raw[start + 10]
        if not is_plain or not _is_moment(raw, start + 1):
            return -1
        at = start + HEAD
    rest = end - at
    low, high = np.int64(raw[at]), np.int64(raw[at + 1])
    if rest < ONE_BYTE:
        return at + 1 if low == (rest - 1) * 2 else -1
    event = (rest - 2) * 2  # as it stands there: a number with its sign, 128 and more
    if rest >= TWO_BYTES or event < 128 or low != (event & 127 | 128) or high != event >> 7:
        return -1
    return at + 2


@numba.njit
def _is_known(raw, framed, schemas, ids):  # type: ignore[no-untyped-def]
    """Whether a framed event has one of these schemas: a mark in the place of its id."""
    schema = np.int64(raw[framed + 1]) << 24 | np.int64(raw[framed + 2]) << 16
    schema |= np.int64(raw[framed + 3]) << 8 | np.int64(raw[framed + 4])
    return raw[framed] == 0 and schema < ids and schemas[schema] == 1


@numba.njit
def _seq_at(raw, at):  # type: ignore[no-untyped-def]
    """The positive number that starts here, in its shortest form, and its end; else -1."""
    seq = np.int64(0)
    for byte in range(SEQ_BYTES):
        last = np.int64(raw[at + byte])
        seq |= (last & 127) << (7 * byte)
        if last < 128:
            return (seq >> 1 if last and seq & 1 == 0 else np.int64(-1)), at + byte + 1
    return np.int64(-1), at


@numba.njit
def _first_bytes(count):  # type: ignore[no-untyped-def]
    """A mask of so many of eight bytes, the lowest first; of none where that is less than one."""
    bits = np.uint64(8 * min(max(count, 0), 8))
    return ALL >> (np.uint64(64) - bits) if bits else np.uint64(0)


@numba.njit
def _words_of(raw, name, width):  # type: ignore[no-untyped-def]
    """The bytes of a name as three numbers, with zeros after its end."""
    first = _word_at(raw, name) & _first_bytes(width)
    second = _word_at(raw, name + 8) & _first_bytes(width - 8)
    third = _word_at(raw, name + 16) & _first_bytes(width - 16)
    return first, second, third


@numba.njit
def _slot_of(words, width, slots, last, keys, widths):  # type: ignore[no-untyped-def]
    """The slot of a stream, or the empty one for it; which it is, is seen from its bytes."""
    first, second, third = words
    mixed = (first ^ second * MIXER ^ third << np.uint64(7)) * MIXER + np.uint64(width)
    slot = np.int64((mixed ^ mixed >> np.uint64(29)) & np.uint64(last))
    while slots[slot] >= 0:
        stream = slots[slot]
        if (
            widths[stream] == width
            and keys[3 * stream] == first
            and keys[3 * stream + 1] == second
            and keys[3 * stream + 2] == third
        ):
            break
        slot = (slot + 1) & last
    return slot


def _find_runs(  # type: ignore[no-untyped-def]
    raw, starts, ends, schemas, head, terminal, slots, names, widths, keys, runs
):  # fmt: skip
    bytes_of, marks, table = _at(raw, 0), _at(schemas, 0), _at(slots, 0)
    words_of, widths_of = _at(keys, 0), _at(widths, 0)
    head_of, source_of, sourced = _at(head, 0), _at(terminal, 0), len(terminal) - 1
    streams = 0
    for entry in range(len(starts)):
        end = ends[entry]
        framed = _framed_at(bytes_of, starts[entry], end, head_of, len(head) - 1)
        if framed < 0 or not _is_known(bytes_of, framed, marks, len(schemas)):
            return entry, streams
        name, width = framed + 6, np.int64(raw[framed + 5]) >> 1
        if raw[framed + 5] & 0x81 or width > STREAM or name + width + 3 > end:
            return entry, streams
        seq, after = _seq_at(bytes_of, name + width)
        if seq < 0 or after + 2 > end:
            return entry, streams
        if sourced:
            is_of_terminal = after + 9 + sourced <= end and raw[after + 8] == 2 * sourced
            is_of_terminal = is_of_terminal and _is_moment(bytes_of, after)
            if not is_of_terminal or not _are_here(bytes_of, after + 9, source_of, sourced):
                return entry, streams
        words = _words_of(bytes_of, name, width)
        slot = _slot_of(words, width, table, len(slots) - 1, words_of, widths_of)
        stream = slots[slot]
        if stream < 0:
            slots[slot] = streams
            names[streams], widths[streams] = name, width
            keys[3 * streams], keys[3 * streams + 1], keys[3 * streams + 2] = words
            runs[2 * streams] = runs[2 * streams + 1] = seq
            streams += 1
        elif seq == runs[2 * stream + 1] + 1:
            runs[2 * stream + 1] = seq
        else:
            return entry, streams
    return len(starts), streams


_FILE = Path(__file__)
cut = compiled(_cut, types.boolean(_BYTES, _LONGS, types.int64, _LONGS, _LONGS, types.int64), _FILE)
hash_leaves = compiled(_hash_leaves, types.void(_BYTES, _LONGS, _LONGS, _BYTES, _BYTES), _FILE)
fold = compiled(_fold, types.void(_READ, types.int64, _BYTES, _BYTES, _BYTES, types.int64), _FILE)
find_runs = compiled(
    _find_runs,
    types.UniTuple(types.int64, 2)(
        _BYTES, _LONGS, _LONGS, _BYTES, _READ, _READ, _LONGS, _LONGS, _LONGS, _WORDS, _LONGS
    ),
    _FILE,
)
