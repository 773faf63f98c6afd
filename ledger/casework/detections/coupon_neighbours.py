"""Whether neighbouring serials of different patrons come to the same dealer.

Coupons leave the printer in order and go to many patrons; that neighbours meet again at one dealer
is chance, unless they never left one hand. Within a table and a gaming day dealers are shuffled
among the coupons used there; the number of neighbours at the same dealer is what is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import pairwise
from math import log
from typing import Final

from ledger.casework.detections.card import Card
from ledger.casework.detections.subject_evidence import Evidence, began, ends, nights, shown
from ledger.casework.e_values import RUNS, SEED
from ledger.casework.history import History, Redeemed, fact_of
from ledger.casework.serial_in_series import serial_place

LIFTS: Final = (0.5, 1.0, 2.0)
"""How steeply the evidence grows per standard deviation: fixed beforehand, mixed equally."""


def examine(history: History, day: date, card: Card) -> Iterator[Evidence]:
    """Evidence of neighbours that come together, over the property."""
    log_e, p_logs, left_out = 0.0, 0.0, 0
    sizes: list[tuple[int, int]] = []
    redeemed: list[Redeemed] = []
    for night in nights(history, day, card.settings["days"]):
        for table in sorted({one.table for one in night.redeemed}):
            mine = [one for one in night.redeemed if one.table == table]
            recorded = [
                one for one in mine if one.dealer and one.patron and serial_place(one.serial)
            ]
            left_out += len(mine) - len(recorded)
            near = neighbours(recorded, card.settings["reach"])
            if near:
                shuffled_log, p = log_shuffled(
                    [one.dealer for one in recorded], near, card.settings["shuffles"]
                )
                log_e, p_logs = log_e + shuffled_log, p_logs - 2 * log(p)
                sizes.append((len(near), len({one.dealer for one in recorded})))
                redeemed.extend(recorded[at] for pair in near for at in pair)
    if redeemed and max(one.at for one in redeemed) >= began(history, day):
        pairs = sum(near for near, _ in sizes)
        redeemed.sort(key=lambda one: (one.at, one.stream, one.seq))
        yield Evidence(
            table="",
            subject="neighbouring serials",
            log_e=log_e,
            volume=pairs,
            left_out=left_out,
            at=redeemed[-1].at,
            no_evidence=f"nothing unusual in {pairs:,} pairs of neighbouring serials",
            discovery=f"neighbouring serials meet again at one dealer, in {pairs:,} pairs",
            power=lambda level: meet_words(tuple(sizes), level),
            facts=ends(redeemed, fact_of),
            detail=(
                (
                    "stratified permutation test, all days together",
                    shown(_fisher(p_logs, len(sizes))),
                ),
            ),
        )


def neighbours(used: Sequence[Redeemed], reach: int) -> list[tuple[int, int]]:
    """Pairs of coupons of different patrons whose numbers are next to each other, within reach."""
    placed = sorted((spot, at) for at, one in enumerate(used) if (spot := serial_place(one.serial)))
    return [
        (one, other)
        for ((series, number), one), ((then, next_number), other) in pairwise(placed)
        if series == then
        and next_number - number <= reach
        and used[one].patron != used[other].patron
    ]


def log_shuffled(
    dealers: Sequence[str], pairs: Sequence[tuple[int, int]], shuffles: int
) -> tuple[float, float]:
    """The logarithm of an e-value, and a p-value, for pairs at the same dealer.

    The order that came is one among the shuffles: its evidence over the mean of all has mean 1 if
    every order is as likely. Fixed seed.

    Args:
        dealers: who took each coupon, in order of the serial numbers.
        pairs: places of neighbors in that order.
        shuffles: how many orders are drawn.
    """
    import numpy as np

    rng = np.random.default_rng(SEED)
    names = sorted(set(dealers))
    places = np.array([names.index(one) for one in dealers])
    left, other = (np.array(side) for side in zip(*pairs, strict=True))
    orders = rng.permuted(np.tile(places, (shuffles, 1)), axis=1)
    same = np.append(
        (orders[:, left] == orders[:, other]).sum(axis=1), (places[left] == places[other]).sum()
    )
    spread = float(same.std())
    if spread == 0:
        return 0.0, 1.0
    z = (same - same.mean()) / spread
    lifted = np.mean([np.exp(lift * z) for lift in LIFTS], axis=0)
    return float(np.log(lifted[-1] / lifted.mean())), float((same >= same[-1]).mean())


def _fisher(total: float, strata: int) -> float:
    """The chance of table days at least as unlikely all together (R. A. Fisher, 1932)."""
    from scipy.special import gammaincc

    return float(gammaincc(strata, total / 2))


@lru_cache(maxsize=64)
def meet_seen(sizes: tuple[tuple[int, int], ...], part: float, level: float) -> float:
    """The share of simulated runs that reach ``level`` if this part of the pairs never separates.

    Dealers are taken as equally busy.

    Args:
        sizes: for each table day how many pairs there are, and how many dealers.
        part: the share of pairs, 0 to 1, that never separates.
        level: the e-value that a run must reach, not its logarithm.
    """
    import numpy as np

    rng = np.random.default_rng(SEED)
    logs = np.zeros(RUNS)
    for pairs, dealers in sizes:
        even = 1 / dealers
        spread = (pairs * even * (1 - even)) ** 0.5
        if spread:
            met = rng.binomial(pairs, even + (1 - even) * part, RUNS)
            z = (met - pairs * even) / spread
            lifted = [lift * z - lift * lift / 2 for lift in LIFTS]
            logs += np.logaddexp.reduce(lifted, axis=0) - np.log(len(LIFTS))
    return float((logs >= np.log(level)).mean())


def meet_words(sizes: tuple[tuple[int, int], ...], level: float) -> str:
    """In words: the smallest part of pairs kept together that would have been seen."""
    powers = [
        (part, meet_seen(sizes, part, float(f"{level:.2g}"))) for part in (0.1, 0.2, 0.4, 0.8)
    ]
    part, power = next((pair for pair in powers if pair[1] >= 0.5), powers[-1])
    return f"{part:.0%} of the pairs kept in one hand would be detected {power:.0%} of the time"
