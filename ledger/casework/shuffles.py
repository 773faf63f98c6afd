"""Labels shuffled within strata: does a mark fall on a group more often than chance would have it?

Within a stratum every order of the labels is as likely as every other if the mark has nothing to do
with the group. How many marks a group then has is hypergeometric; against it stands the same with
the odds of the group multiplied. Everything is conditional on the strata's own totals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import exp, lgamma, log
from typing import Final

from ledger.casework.e_values import SEED, mean_log
from ledger.kernel.quick_dataclass import dataclass

ODDS: Final = (2.0, 4.0, 10.0, 30.0)
"""By how much the odds of a group may be multiplied: fixed beforehand, mixed equally."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """Units by group, and how many of them are marked; all other groups count too."""

    units: Mapping[str, int]
    marked: Mapping[str, int]


def log_choose(n: int, k: int) -> float:
    """The logarithm of n over k."""
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def hypergeometric(units: int, of: int, marks: int) -> list[tuple[int, float]]:
    """How many of the marks fall on these units, with the chance of each number.

    Args:
        units: how many units the group has.
        of: how many there are in all.
        marks: how many of all are marked.
    """
    return [(k, exp(log_p)) for k, log_p in _log_hypergeometric(units, of, marks)]


def _log_hypergeometric(units: int, of: int, marks: int) -> list[tuple[int, float]]:
    low, high = max(0, marks - (of - units)), min(units, marks)
    whole = log_choose(of, marks)
    return [
        (k, log_choose(units, k) + log_choose(of - units, marks - k) - whole)
        for k in range(low, high + 1)
    ]


@lru_cache(maxsize=65_536)
def _log_mean(units: int, of: int, marks: int, odds: float) -> float:
    logs = [log_p + k * log(odds) for k, log_p in _log_hypergeometric(units, of, marks)]
    most = max(logs)  # hundreds of marks: the powers of the odds are beyond a float
    return most + log(sum(exp(one - most) for one in logs))


def log_groups(strata: Iterable[Stratum]) -> dict[str, float]:
    """The logarithms of e-values for each group having more marks than its share."""
    logs: dict[str, list[float]] = {}
    for stratum in strata:
        of, marks = sum(stratum.units.values()), sum(stratum.marked.values())
        for group, units in stratum.units.items():
            group_logs = logs.setdefault(group, [0.0] * len(ODDS))
            if 0 < units < of and 0 < marks < of:
                seen = stratum.marked.get(group, 0)
                for at, odds in enumerate(ODDS):
                    group_logs[at] += seen * log(odds) - _log_mean(units, of, marks, odds)
    return {group: mean_log(logs[group]) for group in sorted(logs)}


def concentration(strata: Sequence[Stratum], shuffles: int) -> tuple[int, float]:
    """How concentrated the marks are, and how often a shuffle is at least as much so.

    The statistic is the sum over groups of the square of their marks in all strata. The shuffles
    have a fixed seed; the chance counts the order that came as one of them, so it is never zero
    and is exact for any number of shuffles.
    """
    import numpy as np

    groups = sorted({group for one in strata for group in one.units})
    place = {group: at for at, group in enumerate(groups)}
    rng = np.random.default_rng(SEED)
    seen = np.zeros(len(groups), dtype=np.int64)
    drawn = np.zeros((shuffles, len(groups)), dtype=np.int64)
    for stratum in strata:
        marks = sum(stratum.marked.values())
        members = sorted(stratum.units)
        where = np.array([place[group] for group in members], dtype=np.int64)
        seen[where] += np.array([stratum.marked.get(group, 0) for group in members], dtype=np.int64)
        sizes = [stratum.units[group] for group in members]
        if marks:
            drawn[:, where] += rng.multivariate_hypergeometric(sizes, marks, shuffles)
    came = int((seen**2).sum())
    more = int(((drawn**2).sum(axis=1) >= came).sum())
    return came, (1 + more) / (shuffles + 1)


def shrunk(marked: Mapping[str, int], units: Mapping[str, int]) -> dict[str, float]:
    """Rates by group, drawn towards that of all by an empirical Bayes estimate.

    The rates of groups are taken as a beta distribution whose mean and spread are estimated from
    all of them by moments; a group with few units is drawn the most. Where the rates spread no more
    than chance would have it, every group has the rate of all.
    """
    of = sum(units.values())
    if not of:
        return {}
    mean = sum(marked.values()) / of
    noise = mean * (1 - mean)
    weighed = sum(n * (marked.get(group, 0) / n - mean) ** 2 for group, n in units.items() if n)
    rest = of - sum(n * n for n in units.values()) / of
    groups = sum(n > 0 for n in units.values())
    spread = (weighed - (groups - 1) * noise) / rest if rest > 0 else 0.0
    if noise <= 0 or spread <= 0:
        return {group: mean for group, n in units.items() if n}
    strength = max(noise / spread - 1, 0.0)
    return {
        group: (strength * mean + marked.get(group, 0)) / (strength + n)
        for group, n in units.items()
        if n
    }


def odds_words(odds: float, marks: int, share: float, level: float, units: str) -> str:
    """In words: how often one group's odds, so many times as high, would be detected.

    Args:
        odds: how many times as high the group's odds are.
        marks: how many marks there are.
        share: the group's part of all units, 0 to 1.
        level: the e-value that raises an alert.
        units: the noun for several of them, such as "coupons".
    """
    power = odds_seen(odds, marks, round(share, 2), float(f"{level:.2g}"))
    return (
        f"a {odds:g}-fold bias toward one of them would be detected {power:.0%} of the time "
        f"in {marks:,} {units}"
    )


@lru_cache(maxsize=1024)
def odds_seen(odds: float, marks: int, share: float, level: float) -> float:
    """The chance that a group with this share of the units is a discovery, by the binomial law.

    Args:
        odds: how many times as high the group's odds are.
        marks: how many marks there are.
        share: the group's part of all units, 0 to 1.
        level: the e-value that raises an alert.
    """
    share = min(max(share, 0.01), 0.99)
    high = odds * share / (1 - share + odds * share)
    chance = 0.0
    for k in range(marks + 1):
        log_e = mean_log([k * log(o) - marks * log(1 + (o - 1) * share) for o in ODDS])
        if log_e >= log(level):
            chance += exp(log_choose(marks, k) + k * log(high) + (marks - k) * log(1 - high))
    return min(chance, 1.0)
