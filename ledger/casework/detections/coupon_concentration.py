"""Whether coupons of one issuer gather with one dealer, or a patron's with one dealer.

The unit is a visit: coupons that one patron used with one dealer on one day, issued by one person,
count once, since a patron comes with several. Within a table and a gaming day issuers, patrons and
dealers are shuffled against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Final

from ledger.casework.detections.card import Card
from ledger.casework.detections.subject_evidence import Evidence, began, nights, shown
from ledger.casework.e_values import mean_log
from ledger.casework.history import History, Redeemed, fact_of
from ledger.casework.shuffles import Stratum, concentration, log_groups, odds_words

Named = Callable[[Redeemed], str]
PAIRS: Final[tuple[tuple[str, Named, Named], ...]] = (
    ("issuer and dealer", lambda one: one.issuer, lambda one: one.dealer),
    ("patron and dealer", lambda one: one.patron, lambda one: one.dealer),
    ("issuer and patron", lambda one: one.issuer, lambda one: one.patron),
)


def examine(history: History, day: date, card: Card) -> Iterator[Evidence]:
    """Evidence of coupons that gather, for each pair of roles."""
    window = nights(history, day, card.settings["days"])
    since = began(history, day)
    for grouping, mark, group in PAIRS:
        rows = [(night.day, one) for night in window for one in night.redeemed]
        recorded = [(on, one) for on, one in rows if mark(one) and group(one)]
        if any(one.at >= since for _, one in recorded):
            yield gathered(grouping, mark, group, visits(recorded), len(rows) - len(recorded), card)


def visits(rows: Sequence[tuple[date, Redeemed]]) -> list[tuple[date, Redeemed]]:
    """One coupon for each visit, the first; a coupon of an unnamed patron is a visit of its own."""
    first: dict[tuple[date, str, str, str], tuple[date, Redeemed]] = {}
    for on, redemption in rows:
        first.setdefault(
            (on, redemption.patron or redemption.serial, redemption.dealer, redemption.issuer),
            (on, redemption),
        )
    return list(first.values())


def gathered(
    grouping: str,
    mark: Named,
    group: Named,
    units: Sequence[tuple[date, Redeemed]],
    left_out: int,
    card: Card,
) -> Evidence:
    """Evidence that marks gather in groups, by marks shuffled within each table's day.

    Args:
        grouping: the name of the pair of roles.
        mark: the role that is shuffled, with how it is called.
        group: the role in which marks may gather.
        units: visits, each with its gaming day.
        left_out: visits that name nobody in one of the roles.
        card: the detection's own.
    """
    groups = {group(one) for _, one in units}
    strata = _strata(units, mark, group)
    by_stratum = {label: log_groups(held) for label, held in strata.items()}
    logs = [mean_log(list(one.values())) for one in by_stratum.values()]
    best = max(by_stratum, key=lambda label: (max(by_stratum[label].values()), label), default="")
    _, p = concentration(strata.get(best, []), card.settings["shuffles"])
    n = len(units)
    return Evidence(
        table="",
        subject=f"coupons by {grouping}",
        log_e=mean_log(logs) if logs else 0.0,
        volume=n,
        left_out=left_out,
        at=max(one.at for _, one in units),
        no_evidence=f"nothing unusual in {n:,} visits by {grouping}",
        discovery=f"coupons concentrate by {grouping} in {n:,} visits, more than chance explains",
        power=lambda level: odds_words(
            10,
            n // max(len(strata), 1),
            1 / len(groups),
            level * max(len(strata), 1) * len(groups),
            "visits",
        ),
        facts=tuple(fact_of(one) for _, one in units if mark(one) == best)[:8],
        detail=(
            ("visits", f"{n:,}"),
            (
                "stratified permutation test of the strongest, not corrected for the choice",
                shown(p),
            ),
        ),
    )


def _strata(
    units: Sequence[tuple[date, Redeemed]], mark: Named, group: Named
) -> dict[str, list[Stratum]]:
    """For each label with two visits or more, the strata in which it occurs.

    Which labels and strata these are hangs on totals only, which no shuffle changes.
    """
    members: dict[tuple[date, str], dict[str, int]] = {}
    marked: dict[str, dict[tuple[date, str], dict[str, int]]] = {}
    for on, unit in units:
        of = members.setdefault((on, unit.table), {})
        of[group(unit)] = of.get(group(unit), 0) + 1
        mine = marked.setdefault(mark(unit), {}).setdefault((on, unit.table), {})
        mine[group(unit)] = mine.get(group(unit), 0) + 1
    return {
        label: [Stratum(members[key], marked[label][key]) for key in sorted(marked[label])]
        for label in sorted(marked)
        if sum(sum(one.values()) for one in marked[label].values()) > 1
    }
