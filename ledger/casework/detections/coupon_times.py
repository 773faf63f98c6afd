"""Whether coupons are used at hours at which few wagers are decided.

If coupons come with wagers like others, a visit falls into an hour of a table's day with the share
of the wagers decided there in it. Each patron's first coupon of the day counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from math import log

from ledger.casework.detections.card import Card
from ledger.casework.detections.coupon_concentration import visits
from ledger.casework.detections.found import Evidence, began, ends, nights
from ledger.casework.evidence import mean_log
from ledger.casework.history import History, Night, Redeemed, fact_of
from ledger.casework.shuffles import ODDS, odds_words
from ledger.kernel import MICROSECONDS

HOUR = 3600 * MICROSECONDS


def examine(history: History, day: date, card: Card) -> Iterator[Evidence]:
    """Evidence of unusual hours, for each table that took coupons that day."""
    window = nights(history, day, card.settings["days"])
    since = began(history, day)
    for table in sorted({one.table for night in window for one in night.redeemed}):
        units: list[tuple[int, Mapping[int, float]]] = []
        held: list[Redeemed] = []
        every = 0
        for night in window:
            mine = [(night.day, one) for one in night.redeemed if one.table == table]
            every += len(mine)
            shares = _shares(night, table)
            for _, one in visits(mine):
                hour = (one.at - night.begins) // HOUR
                if shares.get(hour):
                    units.append((hour, shares))
                    held.append(one)
        if held and held[-1].at >= since:
            yield _judge(table, units, held, every - len(units))


def _shares(night: Night, table: str) -> dict[int, float]:
    of = sum(n for where, _, n in night.busy if where == table)
    return {hour: n / of for where, hour, n in night.busy if where == table and n}


def log_hours(units: Sequence[tuple[int, Mapping[int, float]]]) -> float:
    """The logarithm of an e-value for some hour of the day being preferred.

    Every hour and every odds are mixed equally; each factor has mean 1 given the day's shares.
    """
    hours = sorted({hour for _, shares in units for hour in shares})
    logs = [
        sum(
            (log(odds) if at == hour else 0.0) - log(1 + (odds - 1) * shares.get(hour, 0.0))
            for at, shares in units
        )
        for hour in hours
        for odds in ODDS
    ]
    return mean_log(logs)


def _judge(
    table: str,
    units: Sequence[tuple[int, Mapping[int, float]]],
    held: Sequence[Redeemed],
    left_out: int,
) -> Evidence:
    n = len(units)
    hours = len({hour for _, shares in units for hour in shares})
    return Evidence(
        table=table,
        subject=f"hours of coupons at {table}",
        log_e=log_hours(units),
        volume=n,
        left_out=left_out,
        at=held[-1].at,
        no_evidence=f"no evidence of unusual hours in {n:,} visits with coupons",
        found=f"{n:,} visits with coupons do not fall into the hours as wagers do",
        power=lambda level: odds_words(10, n, 1 / hours, level * hours, "visits"),
        facts=ends(held, fact_of),
    )
