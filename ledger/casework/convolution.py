"""The law of many independent rounds together, on the coarsest grid on which all of them lie."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from math import lcm
from typing import Any, Final, TypeAlias

from ledger.kernel.quick_dataclass import dataclass

TRIMMED: Final = 1e-15
"""Chance cut off at each end after a convolution; the sum of all cuts is below 1e-10."""
LOOKED_AT: Final = 2_048
"""Places at each end that are added up first; seldom must more be cut off."""
CERTAIN: Final = ([1.0], 0)
"""The law of nothing."""
MOST_PLACES: Final = 1 << 21
MOST_WORK: Final = 500_000_000
"""Sums of places added one by one: about a second."""
Array: TypeAlias = Any
"""An array of numpy, which is loaded when one is made."""


@dataclass(frozen=True, slots=True)
class Summand:
    """What one round can come to, in ``1/parts`` of a cent, with chances; and what it came to."""

    nets: Array
    chances: Array
    parts: int
    came: float


def chances_of(laws: Sequence[Summand]) -> tuple[float, float] | None:
    """The chances that independent rounds sum to at most, and at least, what came.

    The laws are convolved (by FFT where they are long) into two on the coarsest grid on which all
    of them lie; where some reach far above what came, as odds with a factor do, only up to what
    came. None where that grid is too fine to hold. Right to about 1e-10, no better.
    """
    import numpy as np

    parts = lcm(*(law.parts for law in laws))
    nets = [law.nets * (parts // law.parts) for law in laws]
    lows = [int(net.min()) for net in nets]
    unit = (
        int(np.gcd.reduce([int(np.gcd.reduce(n - low)) for n, low in zip(nets, lows, strict=True)]))
        or 1
    )
    places = [(net - low) // unit for net, low in zip(nets, lows, strict=True)]
    came = (sum(round(law.came * parts) for law in laws) - sum(lows)) // unit
    longest = max(int(one.max()) for one in places)
    if longest >= MOST_PLACES or longest > came:
        return _up_to(came, [(one, law.chances) for one, law in zip(places, laws, strict=True)])
    grids = [
        (np.bincount(one, weights=law.chances), 0) for one, law in zip(places, laws, strict=True)
    ]
    return _around(came, *_in_two(grids))


def _around(came: int, left: tuple[Array, int], other: tuple[Array, int]) -> tuple[float, float]:
    """The chances that the sum of two variables is at most, and at least, what came.

    Each is a law and the place at which it begins. Their own law is not needed: for each place of
    one, all that the other may add is known from its sums.
    """
    import numpy as np

    (law, low), (added, then) = left, other
    sums = np.concatenate(([0.0], np.cumsum(added)))
    rests = np.concatenate((np.cumsum(added[::-1])[::-1], [0.0]))
    most = came - low - then - np.arange(len(law))
    below = float((law * sums[np.clip(most + 1, 0, len(added))]).sum())
    above = float((law * rests[np.clip(most, 0, len(added))]).sum())
    return min(below, 1.0), min(above, 1.0)


def _up_to(came: int, laws: Sequence[tuple[Array, Array]]) -> tuple[float, float] | None:
    """The same by the places up to ``came`` alone: no place is below 0, so none comes back."""
    import numpy as np

    kept = []
    for places, chances in laws:
        low, where = np.unique(places[places <= came], return_inverse=True)
        kept.append((low.tolist(), np.bincount(where, weights=chances[places <= came]).tolist()))
    if (came + 1) * sum(len(places) for places, _ in kept) > MOST_WORK:
        return None
    whole, last = np.zeros(came + 1), 0
    whole[0] = 1.0
    for places, chances in kept:
        after = np.zeros(came + 1)
        for place, chance in zip(places, chances, strict=True):
            reach = min(last, came - place) + 1
            after[place : place + reach] += chance * whole[:reach]
        whole, last = after, min(came, last + places[-1])
    below = float(whole.sum())
    return min(below, 1.0), min(max(1.0 - below + float(whole[came]), 0.0), 1.0)


def _in_two(grids: list[tuple[Array, int]]) -> list[tuple[Array, int]]:
    """All laws in two, each with where its grid begins; what cannot matter is cut off.

    The shortest two are always taken together, so that the long ones are handled seldom.
    """
    waiting = [(len(grid), number, grid, low) for number, (grid, low) in enumerate(grids)]
    heapify(waiting)
    for number in range(len(grids), 2 * len(grids) - 2):
        (_, _, shortest, low), (_, _, other, then) = heappop(waiting), heappop(waiting)
        grid, begins = _cut(convolve(shortest, other), low + then)
        heappush(waiting, (len(grid), number, grid, begins))
    left = [(grid, low) for _, _, grid, low in waiting]
    return left if len(left) == 2 else [*left, CERTAIN]


def convolve(left: Array, other: Array) -> Array:
    """The law of the sum of two independent variables on one grid."""
    import numpy as np

    if min(len(left), len(other)) < 64:
        return np.convolve(left, other)
    size = len(left) + len(other) - 1
    unit = 1 << max((size - 1).bit_length() - 3, 0)
    whole = -(-size // unit) * unit  # five to eight times a power of two, which an FFT likes
    both = np.fft.irfft(np.fft.rfft(left, whole) * np.fft.rfft(other, whole), whole)[:size]
    return np.maximum(both, 0.0)


def _cut(grid: Array, low: int) -> tuple[Array, int]:
    first, last = _tail(grid), len(grid) - _tail(grid[::-1])
    return grid[first:last], low + first


def _tail(grid: Array) -> int:
    """How many places from the beginning on come to less than what is cut off."""
    import numpy as np

    for reach in (LOOKED_AT, len(grid)):
        places = int(np.searchsorted(np.cumsum(grid[:reach]), TRIMMED))
        if places < reach:
            break
    return places
