"""Evidence that may be looked at after every throw: e-processes, and tests beside them.

An e-process is the wealth of a bettor against the honest process: it begins at 1 and, if the
process is honest, its mean never grows, so by Ville's inequality it ever reaches 1000 with chance
at most 1 in 1000, however often it is looked at and whenever one stops. Nothing here reads a
ledger: counts and sequences come in, numbers go out.

Sources: J. Ville (1939); A. Ramdas, P. Grünwald, V. Vovk, G. Shafer, "Game-theoretic statistics and
safe anytime-valid inference" (2023); I. Waudby-Smith, A. Ramdas, "Estimating means of bounded
random variables by betting" (2024).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import cos, exp, inf, lgamma, log, log1p, pi
from typing import Final, TypeAlias

from ledger.kernel.quick_dataclass import dataclass

Counts: TypeAlias = Sequence[int]
Null: TypeAlias = Sequence[Fraction]
"""The chance of each value if the process is honest."""

CONCENTRATIONS: Final = (100, 300, 1000)
"""The prior over biases: Dirichlet around the honest chances, an equal mixture of these strengths.

Fixed on simulated mild biases (each chance times exp(s·normal), s from 0.05 to 0.20): 1000 is best
for s = 0.05, 300 for 0.10 and 0.15, 100 for 0.20, and the mixture loses to the best of them at most
a factor of 3. `make power` prints that comparison; how it does on real throws was seen in the same
run and was no criterion.
"""


def fair(values: int) -> tuple[Fraction, ...]:
    """Every value as likely as every other."""
    return (Fraction(1, values),) * values


def mean_log(logs: Sequence[float]) -> float:
    """The logarithm of the mean of e-values given by their logarithms; itself of an e-value."""
    top = max(logs)
    if top == -inf:
        return -inf
    return top + log(sum(exp(one - top) for one in logs) / len(logs))


def e_value(log_e: float) -> float:
    """An e-value for people and JSON: six digits, never above 1e300."""
    return float(f"{exp(min(log_e, 690.775)):.6g}")


# --- counts: any bias -----------------------------------------------------------------------------


def predictive(counts: Counts, null: Null, concentration: int) -> list[Fraction]:
    """The chance of each next value by one part of the prior, after these counts; exact.

    Args:
        counts: how often each value has been seen so far.
        null: the chances that are tested.
        concentration: how firmly this part of the prior holds to those chances.
    """
    drawn = sum(counts)
    return [
        (concentration * p + c) / (concentration + drawn) for p, c in zip(null, counts, strict=True)
    ]


def bias_by_steps(values: Iterable[int], null: Null) -> Iterator[Fraction]:
    """The e-process against any bias, exact, after each value: the prior's chance over the null."""
    counts = [0] * len(null)
    parts = [Fraction(1)] * len(CONCENTRATIONS)
    for drawn in values:
        for at, concentration in enumerate(CONCENTRATIONS):
            parts[at] *= predictive(counts, null, concentration)[drawn] / null[drawn]
        counts[drawn] += 1
        yield sum(parts, Fraction(0)) / len(parts)


def log_bias(counts: Counts, null: Null) -> float:
    """The logarithm of the same after all values: only their counts matter."""
    return mean_log([_log_dirichlet(counts, null, a) for a in CONCENTRATIONS])


def _log_dirichlet(counts: Counts, null: Null, concentration: int) -> float:
    out = lgamma(concentration) - lgamma(concentration + sum(counts))
    for p, c in zip(null, counts, strict=True):
        if c:
            a = concentration * float(p)
            out += lgamma(a + c) - lgamma(a) - c * log(p)
    return out


def highest_bias(values: Sequence[int], null: Null) -> float:
    """The logarithm of the highest value that the e-process reached on the way."""
    counts, best = [0] * len(null), 0.0
    logs = [0.0] * len(CONCENTRATIONS)
    chances = [float(p) for p in null]
    for drawn, outcome in enumerate(values):
        for at, a in enumerate(CONCENTRATIONS):
            p = chances[outcome]
            logs[at] += log((a * p + counts[outcome]) / ((a + drawn) * p))
        counts[outcome] += 1
        best = max(best, mean_log(logs))
    return best


# --- counts on a circle: a preferred arc ----------------------------------------------------------

STRENGTHS: Final = (0.15, 0.4, 0.8)
"""How much likelier the middle of a preferred arc is than an even chance: fixed beforehand."""


def log_arc(counts: Counts) -> float:
    """The logarithm of an e-value for a preferred arc of a circle of equally likely places.

    Every place as the middle of the arc and every strength are mixed equally: place ``i`` has the
    chance (1 + s·cos(2π(i - middle)/n))/n, which sums to 1 exactly.
    """
    n = len(counts)
    wave = [cos(2 * pi * i / n) for i in range(n)]
    logs = [
        sum(c * log1p(s * wave[(i - middle) % n]) for i, c in enumerate(counts) if c)
        for s in STRENGTHS
        for middle in range(n)
    ]
    return mean_log(logs)


FACTORS: Final = (1.25, 1.5, 2.0, 4.0)
"""By how much the chance of a single place may be raised: fixed beforehand."""


def log_single(counts: Counts) -> float:
    """The logarithm of an e-value for one place of many equally likely ones being likelier.

    Every place and every factor are mixed equally; the others share what is left evenly.
    """
    n, k = sum(counts), len(counts)
    logs = [c * log(f) + (n - c) * log((k - f) / (k - 1)) for f in FACTORS if f < k for c in counts]
    return mean_log(logs) if logs else 0.0


# --- sums of bounded steps whose stakes may hang on the past --------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """One round as a bet: what it came to, and what was known of it before it was decided.

    ``mean`` is its exact mean if the process is honest, ``low`` and ``high`` its bounds (``high``
    may be infinite), ``spread`` any scale that was known beforehand; all in cents, and all may
    hang on earlier rounds.
    """

    came: float
    mean: float
    low: float
    high: float
    spread: float


FRACTIONS: Final = (0.01, 0.03, 0.1, 0.3)
"""How much of its wealth the bettor stakes per spread: fixed beforehand, mixed equally."""
BOLD: Final = (0.1, 0.3, 1.0, 3.0)
"""The same where what is looked for would win nearly always."""
MOST: Final = 0.9
"""At most this part of the wealth can be lost in one round."""


def log_bets(
    steps: Sequence[Step], *, upward: bool, fractions: Sequence[float] = FRACTIONS
) -> float:
    """The logarithm of the wealth of a bettor that sums run above (or below) their means.

    Valid for stakes that hang on everything before: each factor has mean 1 given the past, and is
    never negative. A round without a bound on the losing side is passed over, with factor 1.

    Args:
        steps: what came in each round, its mean, its bounds and its spread.
        upward: whether the bettor bets on sums above their means.
        fractions: the shares of the wealth that are bet, mixed in equal parts.
    """
    import numpy as np

    if not steps:
        return 0.0
    off, risk, spread = (np.array(side) for side in zip(*_sides(steps, upward), strict=True))
    informative = (risk > 0) & (risk < inf) & (spread > 0)
    off, risk, spread = off[informative], risk[informative], spread[informative]
    return mean_log(
        [float(np.log1p(np.minimum(f / spread, MOST / risk) * off).sum()) for f in fractions]
    )


def _sides(steps: Sequence[Step], upward: bool) -> Iterator[tuple[float, float, float]]:
    """By how much each round fell the bettor's way, what it risked, and its spread."""
    for step in steps:
        if upward:
            yield step.came - step.mean, step.mean - step.low, step.spread
        else:
            yield step.mean - step.came, step.high - step.mean, step.spread


def bets_seen(n: int, shift: float, level: float) -> float:
    """The chance that ``log_bets`` reaches ``level`` in n rounds whose mean is shifted.

    ``shift`` is in spreads of a round. By the normal approximation to the sum; exact for no n.

    Args:
        n: rounds.
        shift: of the mean, in spreads of a round.
        level: the e-value that raises an alert.
    """
    from statistics import NormalDist

    def log_e(total: float) -> float:
        return mean_log([f * total - f * f * n * (1 + shift * shift) / 2 for f in FRACTIONS])

    low, high = 0.0, 60.0 * (n + 1)
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if log_e(middle) < log(level) else (low, middle)
    return 1 - NormalDist(n * shift, max(n, 1) ** 0.5).cdf(high)


def bet_words(steps: Sequence[Step], level: float, units: str) -> str:
    """In words: the smallest shift of the mean that would have been seen more often than not.

    Args:
        steps: the rounds that were seen.
        level: the e-value that raises an alert.
        units: the noun for several of them, such as "rounds".
    """
    n = len(steps)
    powers = [(shift, bets_seen(n, shift, level)) for shift in (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)]
    shift, power = next((pair for pair in powers if pair[1] >= 0.5), powers[-1])
    spread = sum(one.spread for one in steps) / n if n else 0.0
    return (
        f"a mean shifted by {shift:.0%} of a round's standard deviation "
        f"(${shift * spread / 100:,.2f} a round) would be detected {power:.0%} of the time "
        f"in {n:,} {units}"
    )


def knows_words(steps: Sequence[Step], level: float) -> str:
    """In words: which part of the rounds, won because the outcome was known, would have been seen.

    By 500 simulated runs with a fixed seed; each round is taken as one with two ends, its lowest
    and another such that mean and spread are its own.
    """
    import numpy as np

    rounds = [one for one in steps if one.mean > one.low and one.spread > 0]
    low = np.array([one.low for one in rounds])
    risk = np.array([one.mean - one.low for one in rounds])
    spread = np.array([one.spread for one in rounds])
    high = risk + spread**2 / risk
    blind = risk / high
    best = (0.0, 0.0)
    for part in (0.25, 0.5, 1.0):
        rng = np.random.default_rng(SEED)
        won = rng.random((RUNS // 2, len(rounds))) < part + (1 - part) * blind
        off = np.where(won, high, 0.0) - risk
        logs = [np.log1p(np.minimum(f / spread, MOST / risk) * off).sum(axis=1) for f in BOLD]
        e = np.logaddexp.reduce(logs, axis=0) - log(len(BOLD))
        best = (part, float((e >= log(level)).mean()))
        if best[1] >= 0.5:
            break
    return (
        f"{best[0]:.0%} of them made knowing the outcome would be detected "
        f"{best[1]:.0%} of the time in {len(low):,} rounds"
    )


# --- beside the e-processes: tests for a number of values fixed beforehand ------------------------

ENUMERABLE: Final = 20_000
"""Up to this many tables of counts the multinomial test is exact."""


def p_value(counts: Counts, null: Null) -> tuple[float, str]:
    """The chance of counts at least as unlikely, and by which test; not safe to repeat."""
    n, k = sum(counts), len(counts)
    if _tables(n, k) <= ENUMERABLE:
        return _exact(tuple(counts), tuple(null)), "exact multinomial"
    from scipy.special import gammaincc

    g = 2 * sum(c * log(c / (n * p)) for c, p in zip(counts, map(float, null), strict=True) if c)
    return float(gammaincc((k - 1) / 2, g / 2)), "G-test"


def _tables(n: int, k: int) -> int:
    out = 1
    for i in range(1, k):
        out = out * (n + i) // i
        if out > ENUMERABLE:
            return out
    return out


def _exact(counts: tuple[int, ...], null: tuple[Fraction, ...]) -> float:
    logs = [log(p) for p in null]

    def chance(table: Sequence[int]) -> float:
        return lgamma(sum(table) + 1) + sum(
            c * p - lgamma(c + 1) for c, p in zip(table, logs, strict=True)
        )

    seen = chance(counts) + 1e-9
    chances = (chance(table) for table in compositions(sum(counts), len(counts)))
    return min(1.0, sum(exp(one) for one in chances if one <= seen))


def compositions(n: int, k: int) -> Iterator[tuple[int, ...]]:
    """Every way of writing n as an ordered sum of k counts."""
    if k == 1:
        yield (n,)
        return
    for first in range(n + 1):
        for rest in compositions(n - first, k - 1):
            yield first, *rest


# --- what would have been seen --------------------------------------------------------------------

RUNS: Final = 1_000
SEED: Final = 20_140_131
BIASES: Final = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.2)


@lru_cache(maxsize=512)
def seen_with(values: int, n: int, level: float) -> tuple[tuple[float, float], ...]:
    """For each of ``BIASES`` of one value, the share of 1,000 simulated runs that reach ``level``.

    A bias of x makes one of the equally likely values 1 + x times as likely, and the others less.
    The runs have a fixed seed; the e-value is looked at once, after n values.

    Args:
        values: how many equally likely values there are.
        n: how many were seen.
        level: the e-value that raises an alert.
    """
    import numpy as np
    from scipy.special import gammaln, logsumexp

    rng = np.random.default_rng(SEED)
    out = []
    even = 1 / values
    for bias in BIASES:
        up = min(even * (1 + bias), 1.0)
        chances = [up] + [(1 - up) / (values - 1)] * (values - 1)
        drawn = rng.multinomial(n, chances, RUNS)
        logs = [
            gammaln(a)
            - gammaln(a + n)
            + (gammaln(a * even + drawn) - gammaln(a * even)).sum(axis=1)
            - n * log(even)
            for a in CONCENTRATIONS
        ]
        e = logsumexp(np.stack(logs), axis=0) - log(len(logs))
        out.append((bias, float((e >= log(level)).mean())))
    return tuple(out)


def power_words(values: int, n: int, level: float, side: str) -> str:
    """In words: the smallest bias that would have been seen more often than not.

    Args:
        values: how many equally likely values there are.
        n: how many were seen.
        level: the e-value that raises an alert.
        side: the noun for a value, such as "face".
    """
    powers = seen_with(values, _two_digits(n), float(f"{level:.2g}"))
    bias, power = next((pair for pair in powers if pair[1] >= 0.5), powers[-1])
    return (
        f"a bias of {bias:.0%} toward one {side} would be detected {power:.0%} of the time "
        f"in {_two_digits(n):,} {'throws' if side == 'face' else 'spins'}"
    )


def _two_digits(n: int) -> int:
    return int(float(f"{n:.2g}"))
