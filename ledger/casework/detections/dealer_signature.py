"""Whether the wheel comes to rest at a preferred distance from where it began.

Between two successive valid spins of one wheel by the same person the displacement around the
circle is even if the spin is a fair one, also where the person always spins alike. An uneven wheel
moves it only in second order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from ledger.casework.detections.card import Card
from ledger.casework.detections.circle import arc_words, counted
from ledger.casework.detections.found import Evidence, began, ends, grouped, nights
from ledger.casework.evidence import log_arc
from ledger.casework.history import History, Spin
from ledger.kernel import FactRef, ref_of


class Moved(NamedTuple):
    """How far the wheel turned between two spins, in sections; -1 where that cannot be told."""

    at: int
    fact: FactRef
    sections: int
    by: int


def examine(history: History, day: date, card: Card) -> Iterator[Evidence]:
    """Evidence of a preferred displacement, for each wheel and person who spun it that day."""
    spins = [one for night in nights(history, day, card.settings["days"]) for one in night.spins]
    for table, subject, held in grouped(_moves(spins), began(history, day)):
        yield judge_moves(table, subject, held)


def _moves(spins: Sequence[Spin]) -> Iterator[tuple[tuple[str, str], Moved]]:
    before: dict[tuple[str, str], Spin] = {}
    for one in spins:
        last = before.get((one.table, one.wheel))
        before[one.table, one.wheel] = one
        if last is None or not one.by or last.by != one.by or last.sections != one.sections:
            continue
        told = not one.out and not last.out
        by = (one.section - last.section) % one.sections if told else -1
        subject = f"spins of wheel {one.wheel or 'not named'} by {one.by}, {one.sections} sections"
        yield (one.table, subject), Moved(one.at, ref_of(one), one.sections, by)


def judge_moves(table: str, subject: str, moves: Sequence[Moved]) -> Evidence:
    """Evidence from the displacements of one wheel in one pair of hands."""
    sections = moves[0].sections
    counts = counted([one.by for one in moves if one.by >= 0], sections)
    n = sum(counts)
    return Evidence(
        table=table,
        subject=subject,
        log_e=log_arc(counts),
        volume=n,
        left_out=len(moves) - n,
        at=moves[-1].at,
        no_evidence=f"nothing unusual in {n:,} successive spins",
        found=f"{n:,} successive spins do not fit an even displacement around the wheel",
        power=lambda level: arc_words(sections, n, level),
        facts=ends(moves, lambda one: one.fact),
        work=f"all spins at {table}",
    )
