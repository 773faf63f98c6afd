"""What detections on a circle share: counts of places, and the words for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import cos, log, pi

from ledger.casework.e_values import RUNS, SEED, STRENGTHS


def counted(places: Sequence[int], n: int) -> list[int]:
    """How often each of n places came."""
    counts = [0] * n
    for place in places:
        counts[place] += 1
    return counts


@lru_cache(maxsize=512)
def arc_seen(n: int, volume: int, strength: float, level: float) -> float:
    """The share of simulated runs with a preferred arc of this strength that reach ``level``.

    Args:
        n: the places on the circle.
        volume: how many displacements there are.
        strength: how much likelier than even the middle of the arc is, 0 to 1; each place has the
            chance (1 + strength * cos(angle)) / n.
        level: the e-value that raises an alert.
    """
    import numpy as np
    from scipy.special import logsumexp

    rng = np.random.default_rng(SEED)
    angles = np.arange(n) * (2 * pi / n)
    runs = RUNS // 4
    drawn = rng.multinomial(volume, (1 + strength * np.cos(angles)) / n, runs).astype(float)
    wave = np.array([[cos(2 * pi * (i - m) / n) for m in range(n)] for i in range(n)])
    logs = np.concatenate([drawn @ np.log1p(s * wave) for s in STRENGTHS], axis=1)
    e = logsumexp(logs, axis=1) - log(logs.shape[1])
    return float((e >= log(level)).mean())


def arc_words(n: int, volume: int, level: float) -> str:
    """In words: the weakest preferred arc that would be detected more often than not.

    Args:
        n: the places on the circle.
        volume: how many displacements there are.
        level: the e-value that raises an alert.
    """
    rounded, near = int(float(f"{volume:.2g}")), float(f"{level:.2g}")
    for s in (0.05, 0.1, 0.2, 0.4, 0.8):
        power = arc_seen(n, rounded, s, near)
        if power >= 0.5:
            break
    return (
        f"a place preferred by {s:.0%}, with its neighbours in proportion, would be detected "
        f"{power:.0%} of the time in {rounded:,} spins"
    )
