"""Sequences watched after every throw, many at once, and shares with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np

from ledger.casework.e_values import CONCENTRATIONS


def crossings(
    drawn: np.ndarray, level: float, concentrations: Sequence[int] = CONCENTRATIONS
) -> np.ndarray:
    """After how many throws each row's e-process first reaches ``level``; one more than all: never.

    ``drawn`` holds one run of values (from 0, of an even law) per row.
    """
    runs, throws = drawn.shape
    values = int(drawn.max()) + 1
    even, row = 1 / max(values, 6), np.arange(runs)
    counts = np.zeros((runs, max(values, 6)))
    logs = np.zeros((len(concentrations), runs))
    a = np.array(concentrations, dtype=float)[:, None]
    first = np.full(runs, throws + 1)
    for t in range(throws):
        value = drawn[:, t]
        seen = counts[row, value]
        logs += np.log((a * even + seen) / ((a + t) * even))
        counts[row, value] = seen + 1
        reached = np.logaddexp.reduce(logs, axis=0) - log(len(concentrations)) >= log(level)
        first[reached & (first > throws)] = t + 1
    return first


def run_bias(chances: np.ndarray, runs: int, throws: int, seed: int, level: float) -> np.ndarray:
    """The same for runs drawn with these chances."""
    drawn = np.random.default_rng(seed).choice(len(chances), (runs, throws), p=chances)
    return crossings(drawn, level)


def orders(counts: Sequence[int], runs: int, throws: int, seed: int) -> np.ndarray:
    """The first throws of random orders of these counts."""
    rng = np.random.default_rng(seed)
    every = np.repeat(np.arange(len(counts)), counts)
    return np.stack([rng.permutation(every)[:throws] for _ in range(runs)])


def interval(hits: int, runs: int) -> tuple[float, float]:
    """Clopper and Pearson's 95 % interval for a share."""
    from scipy.stats import beta  # seconds, which each process that only collects would spend

    low = 0.0 if hits == 0 else float(beta.ppf(0.025, hits, runs - hits + 1))
    high = 1.0 if hits == runs else float(beta.ppf(0.975, hits + 1, runs - hits))
    return low, high


def counted_interval(count: int) -> tuple[float, float]:
    """The 95 % interval for the mean of a count by Poisson's law (F. Garwood, 1936)."""
    from scipy.stats import chi2  # seconds, which each process that only collects would spend

    low = 0.0 if count == 0 else float(chi2.ppf(0.025, 2 * count) / 2)
    return low, float(chi2.ppf(0.975, 2 * count + 2) / 2)


def share(hits: int, runs: int) -> str:
    """A share with its interval, in per cent."""
    low, high = interval(hits, runs)
    return f"{hits / runs:.1%} ({low:.1%} to {high:.1%})"
