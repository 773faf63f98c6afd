"""Whether wagers in a patron's favour come together with one dealer and one supervisor.

Marked are wagers paid above the rules or standing late. Within a table and a gaming day the marks
are shuffled among the wagers settled, and counted by patron, dealer and supervisor together.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from ledger.casework.detections.card import Card
from ledger.casework.detections.subject_evidence import Evidence, began, nights, shown
from ledger.casework.e_values import mean_log
from ledger.casework.history import Handled, History
from ledger.casework.shuffles import (
    Stratum,
    concentration,
    log_groups,
    odds_words,
)
from ledger.kernel import FactRef


def examine(history: History, day: date, card: Card) -> Iterator[Evidence]:
    """Evidence of marks that gather in one combination, over the property."""
    window = nights(history, day, card.settings["days"])
    since = began(history, day)
    every = [(night.day, one) for night in window for one in night.handled]
    rows = [(on, one) for on, one in every if one.dealer and one.patron]
    if not any(one.at >= since for _, one in rows):
        return
    strata = _strata(rows)
    marks = sum(sum(one.marked.values()) for one in strata)
    groups = log_groups(strata)
    strongest = max(groups, key=lambda group: (groups[group], group))
    mine = [one for _, one in rows if _group(one) == strongest and one.over + one.late]
    _, p = concentration(strata, card.settings["shuffles"])
    yield Evidence(
        table="",
        subject="patron, dealer and supervisor together",
        log_e=mean_log(list(groups.values())),
        volume=marks,
        left_out=sum(one.wagers for _, one in every if not (one.dealer and one.patron)),
        at=max(one.at for _, one in rows),
        no_evidence=f"nothing unusual in {marks:,} wagers paid above the rules or late",
        discovery=f"{marks:,} wagers paid above the rules or late concentrate in the same hands",
        power=lambda level: odds_words(30, marks, 1 / len(groups), level * len(groups), "wagers"),
        facts=tuple(FactRef(one.stream, one.first) for one in mine[:8]),
        detail=(
            ("combinations", f"{len(groups):,}"),
            (f"stratified permutation test, {card.settings['shuffles']:,} shuffles", shown(p)),
        ),
    )


def _group(handled: Handled) -> str:
    return "\n".join((handled.patron, handled.dealer, handled.supervisor))


def _strata(rows: list[tuple[date, Handled]]) -> list[Stratum]:
    strata: dict[tuple[date, str], tuple[dict[str, int], dict[str, int]]] = {}
    for day, handled in rows:
        units, marked = strata.setdefault((day, handled.table), ({}, {}))
        group = _group(handled)
        units[group] = units.get(group, 0) + handled.wagers
        marked[group] = marked.get(group, 0) + min(handled.over + handled.late, handled.wagers)
    return [Stratum(*strata[key]) for key in sorted(strata)]
