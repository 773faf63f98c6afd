"""The rulings of rounds in order written in machine code: the twin of ``StretchRulings``."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numba
import numba.types

from ledger.kernel.machine_code import compiled

BRACE, COLON, COMMA, LINE_END, OPENS, CLOSES, QUOTE, ZERO = 125, 58, 44, 10, 91, 93, 34, 48
DIGITS: Final = 10

types: Any = numba.types


@numba.njit
def _copy(out, at, pool, first, last):  # type: ignore[no-untyped-def]
    """Write a stretch of a pool; return the place after it."""
    for place in range(first, last):
        out[at + place - first] = pool[place]
    return at + last - first


@numba.njit
def _write(out, at, number):  # type: ignore[no-untyped-def]
    """Write a number that is not negative; return the place after it."""
    size, rest = 1, number // DIGITS
    while rest:
        size, rest = size + 1, rest // DIGITS
    for place in range(at + size - 1, at - 1, -1):
        out[place] = ZERO + number % DIGITS
        number //= DIGITS
    return at + size


def _rulings(  # type: ignore[no-untyped-def]
    ranks, seqs, shown_of, status_of, lasts,
    names, wager_ranks, wager_seqs, acts_of,
    texts, text_starts, acts, act_starts, shown, shown_starts, statuses, status_starts,
    streams, stream_starts,
    before_shown, before_round,
    out, ends,
):  # fmt: skip
    at, wager = 0, 0
    for number in range(len(ranks)):
        at = _copy(out, at, before_shown, 0, len(before_shown))
        text = shown_of[number]
        at = _copy(out, at, shown, shown_starts[text], shown_starts[text + 1])
        at = _copy(out, at, before_round, 0, len(before_round))
        rank = ranks[number]
        at = _copy(out, at, streams, stream_starts[rank], stream_starts[rank + 1] - 1)
        out[at] = COLON
        at = _write(out, at + 1, seqs[number])
        out[at] = QUOTE
        text = status_of[number]
        at = _copy(out, at + 1, statuses, status_starts[text], status_starts[text + 1])
        begins = wager
        while wager < lasts[number]:
            if wager > begins:
                out[at] = COMMA
                at += 1
            out[at], out[at + 1] = OPENS, QUOTE
            text = names[wager]
            at = _copy(out, at + 2, texts, text_starts[text], text_starts[text + 1])
            out[at], out[at + 1], out[at + 2] = QUOTE, COMMA, OPENS
            rank = wager_ranks[wager]
            at = _copy(out, at + 3, streams, stream_starts[rank], stream_starts[rank + 1])
            out[at] = COMMA
            at = _write(out, at + 1, wager_seqs[wager])
            text = acts_of[wager]
            at = _copy(out, at, acts, act_starts[text], act_starts[text + 1])
            wager += 1
        out[at], out[at + 1], out[at + 2] = CLOSES, BRACE, LINE_END
        at += 3
        ends[number + 1] = at


_READ = types.Array(types.uint8, 1, "C", readonly=True)
_BYTES, _LONGS = types.uint8[::1], types.int64[::1]
_POOL = (_BYTES, _LONGS)
rulings = compiled(
    _rulings,
    types.void(*[_LONGS] * 9, *_POOL * 5, *[_READ] * 2, _BYTES, _LONGS),
    Path(__file__),
)
