"""Whether wrong payments gather with one dealer, above and below what the rules give.

Each wrong payment is a finding by itself. Within a table and a gaming day the errors are shuffled
among the wagers settled: how many fall to one dealer is then hypergeometric. Rates are shown
shrunk towards that of all (empirical Bayes), and only where the evidence is a discovery.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Final

from ledger.casework.detections.card import Card
from ledger.casework.detections.subject_evidence import Evidence, began, nights
from ledger.casework.history import Handled, History
from ledger.casework.shuffles import Stratum, log_groups, odds_words, shrunk
from ledger.kernel import FactRef

SIDES: Final[tuple[tuple[str, Callable[[Handled], int]], ...]] = (
    ("above the rules", lambda one: one.over),
    ("below the rules", lambda one: one.under),
)


def examine(history: History, day: date, card: Card) -> Iterator[Evidence]:
    """Evidence of errors that gather, for each dealer who settled wagers that day."""
    window = nights(history, day, card.settings["days"])
    since = began(history, day)
    rows = [(night.day, one) for night in window for one in night.handled if one.dealer]
    unnamed = sum(one.wagers for night in window for one in night.handled if not one.dealer)
    for side, marks in SIDES:
        strata = _strata(rows, marks)
        logs = log_groups(strata)
        for dealer in sorted({one.dealer for _, one in rows if one.at >= since}):
            mine = [one for _, one in rows if one.dealer == dealer]
            yield _judge(side, dealer, logs[dealer], mine, strata, unnamed)


def _strata(rows: Sequence[tuple[date, Handled]], marks: Callable[[Handled], int]) -> list[Stratum]:
    units: dict[tuple[date, str], dict[str, int]] = {}
    marked: dict[tuple[date, str], dict[str, int]] = {}
    for day, handled in rows:
        wagers = units.setdefault((day, handled.table), {})
        wagers[handled.dealer] = wagers.get(handled.dealer, 0) + handled.wagers
        errors = marked.setdefault((day, handled.table), {})
        errors[handled.dealer] = errors.get(handled.dealer, 0) + marks(handled)
    return [Stratum(units[key], marked[key]) for key in sorted(units)]


def _judge(
    side: str,
    dealer: str,
    log_e: float,
    mine: Sequence[Handled],
    strata: Sequence[Stratum],
    unnamed: int,
) -> Evidence:
    with_me = [one for one in strata if dealer in one.units]
    errors = sum(sum(one.marked.values()) for one in with_me)
    wagers = sum(sum(one.units.values()) for one in with_me)
    all_units: dict[str, int] = {}
    all_marked: dict[str, int] = {}
    for stratum in strata:
        for group, n in stratum.units.items():
            all_units[group] = all_units.get(group, 0) + n
            all_marked[group] = all_marked.get(group, 0) + stratum.marked.get(group, 0)
    rate = shrunk(all_marked, all_units)[dealer]
    last = max(mine, key=lambda one: one.at)
    share = all_units[dealer] / wagers
    return Evidence(
        table="",
        subject=f"payments {side} by {dealer}",
        log_e=log_e,
        volume=errors,
        left_out=unnamed,
        at=last.at,
        no_evidence=f"nothing unusual in {errors:,} payments {side} among {wagers:,} wagers",
        discovery=f"payments {side} concentrate in one place: {errors:,} among {wagers:,} wagers",
        power=lambda level: odds_words(10, errors, share, level, "wrong payments"),
        facts=(FactRef(mine[0].stream, mine[0].first), FactRef(last.stream, last.last)),
        detail=(
            ("errors here, and at the same tables in all", f"{all_marked[dealer]:,}, {errors:,}"),
            ("rate, shrunk towards that of all", f"{rate:.4%}"),
        ),
        work=f"all payments, {side}",
        shared=True,
    )
