"""The time a fact is merged by: its event time, unless the event times of its stream go back.

Facts keep the order of ``seq`` whatever their clocks say. A stream whose times go back a little is
merged by the highest time so far. Where they go back by more than a minute that would let a single
wrong time (a terminal that says 2099 once) carry the rest of the stream out of its day; there the
longest run of facts whose times rise is trusted, and every other fact takes the time of the
trusted one before it. Which facts are trusted depends on the stream's whole content and never on
the order of arrival.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ledger.kernel import MICROSECONDS

STRAY_MICROS: Final = 60 * MICROSECONDS
"""How far event times may go back before some of them are taken for strays."""

Times = NDArray[np.int64]


def merge_times(times: Times) -> tuple[Times, bool]:
    """Return the merge times of a stream's facts.

    Args:
        times: their event times by sequence number, in microseconds UTC; at least one.

    Returns:
        Their merge times in the same order, which never fall, and whether strays were found.

    >>> merge_times(np.array([10, 30, 20, 40]))
    (array([10, 30, 30, 40]), False)
    """
    if bool((times[1:] >= times[:-1]).all()):
        return times, False
    highest: Times = np.maximum.accumulate(times)
    if int((highest - times).max()) <= STRAY_MICROS:
        return highest, False
    kept = _longest_rise(array("q", np.ascontiguousarray(times).tobytes()))
    trusted = np.zeros(len(times), np.bool_)
    trusted[kept] = True
    last_trusted = np.maximum.accumulate(np.where(trusted, np.arange(len(times)), -1))
    last_trusted[last_trusted < 0] = kept[0]
    return times[last_trusted], True


def _longest_rise(times: array[int]) -> array[int]:
    """Indices of a longest run of times that never falls (patience sorting)."""
    ends, ends_at, before = array("q"), array("q"), array("q")
    for index, moment in enumerate(times):
        place = bisect_right(ends, moment)
        before.append(ends_at[place - 1] if place else -1)
        if place == len(ends):
            ends.append(moment)
            ends_at.append(index)
        else:
            ends[place] = moment
            ends_at[place] = index
    out = array("q")
    index = ends_at[-1]
    while index >= 0:
        out.append(index)
        index = before[index]
    return out[::-1]
