"""Framed events checked in machine code, by a program for each schema: the twin of the readers.

It takes an event only where every byte is as the generated reader of its schema wants it, in the
commonest form: names and texts of ASCII, numbers of up to nine bytes, arrays of one block with up
to 63 items. Whatever else there is stays with that reader. No byte is read beyond the end of its
event, whatever a length says.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numba
import numba.types
import numpy as np

from ledger.codec.limits import FRAME_BYTES
from ledger.codec.validation_steps import Step
from ledger.kernel.machine_code import compiled

BYTES: Final = int(Step.BYTES)
WHOLE: Final = int(Step.WHOLE)
SEQ: Final = int(Step.SEQ)
TIME: Final = int(Step.TIME)
BYTE: Final = int(Step.BYTE)
MAYBE: Final = int(Step.MAYBE)
MANY: Final = int(Step.MANY)
NEXT: Final = int(Step.NEXT)
END: Final = int(Step.END)
LEAST: Final = 6
"""Bytes up to the name of the stream."""
LONGEST: Final = 63
"""Bits of the longest number that is read here."""
types: Any = numba.types


@numba.njit
def _key_after(raw, at, stop, program, row, counts):  # type: ignore[no-untyped-def]
    """Whether all bytes are as the program says; the number and the time of the fact."""
    seq = time = np.int64(0)
    depth = -1
    while at < stop:
        step, low, high = program[row], program[row + 1], program[row + 2]
        row += 3
        if step <= TIME:
            if step == END:
                return False, seq, time
            number, shift, begin = np.int64(raw[at]) & 127, 7, at
            while raw[at] >= 128 and shift < LONGEST and at + 1 < stop:
                at += 1
                number |= (np.int64(raw[at]) & 127) << shift
                shift += 7
            if raw[at] >= 128 or (at > begin and not raw[at]):
                return False, seq, time
            at += 1
            whole = (number >> 1) ^ -(number & 1)
            if step == BYTES:
                if whole < 0 or whole > stop - at:
                    return False, seq, time
                marks = 0
                for place in range(at, at + whole):
                    marks |= raw[place]
                if low and marks >= 128:
                    return False, seq, time
                at += whole
            elif step == TIME:
                if at - begin != 8:
                    return False, seq, time
                time = whole
            elif low <= whole <= high:
                seq = whole if step == SEQ else seq
            else:
                return False, seq, time
        elif step == BYTE and raw[at] <= high and not raw[at] & low:
            at += 1
        elif step == MAYBE and raw[at] in (0, 2):
            row = row if raw[at] else 3 * low
            at += 1
        elif step == MANY and not raw[at] & 129:
            if raw[at]:
                depth += 1
                counts[depth] = raw[at] >> 1
            else:
                row = 3 * low
            at += 1
        elif step == NEXT and (counts[depth] > 1 or not raw[at]):
            counts[depth] -= 1
            if counts[depth]:
                row = 3 * low
            else:
                depth -= 1
                at += 1
        else:
            return False, seq, time
    return at == stop and program[row] == END, seq, time


def _check(raw, ends, begins, program, counts, widths, seqs, times):  # type: ignore[no-untyped-def]
    stop = 0
    for event in range(len(ends)):
        start, stop = stop, ends[event]
        widths[event] = -1
        if not LEAST < stop - start <= FRAME_BYTES or raw[start] or raw[start + 1]:
            continue
        if raw[start + 2] or raw[start + 5] & 129:
            continue
        schema = np.int64(raw[start + 3]) << 8 | np.int64(raw[start + 4])
        if schema >= len(begins) or begins[schema] < 0:
            continue
        width = np.int64(raw[start + 5]) >> 1
        at, row = start + LEAST + width, 3 * begins[schema]
        is_plain, seqs[event], times[event] = _key_after(raw, at, stop, program, row, counts)
        if is_plain:
            widths[event] = width


_LONGS = types.int64[::1]
check = compiled(
    _check,
    types.void(
        types.Array(types.uint8, 1, "C", readonly=True),
        _LONGS, _LONGS, _LONGS, _LONGS, _LONGS, _LONGS, _LONGS,
    ),
    Path(__file__),
)  # fmt: skip
