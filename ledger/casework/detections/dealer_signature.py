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
from ledger.casework.detections.places_on_a_circle import arc_words, counted
from ledger.casework.detections.subject_evidence import Evidence, began, ends, grouped, nights
from ledger.casework.e_values import log_arc
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
    for table, subject, moves in grouped(_moves(spins), began(history, day)):
        yield judge_moves(table, subject, moves)


def _moves(spins: Sequence[Spin]) -> Iterator[tuple[tuple[str, str], Moved]]:
    before: dict[tuple[str, str], Spin] = {}
    for spin in spins:
        last = before.get((spin.table, spin.wheel))
        before[spin.table, spin.wheel] = spin
        if last is None or not spin.by or last.by != spin.by or last.sections != spin.sections:
            continue
        counted = not spin.out and not last.out
        by = (spin.section - last.section) % spin.sections if counted else -1
        subject = (
            f"spins of wheel {spin.wheel or 'not named'} by {spin.by}, {spin.sections} sections"
        )
        yield (spin.table, subject), Moved(spin.at, ref_of(spin), spin.sections, by)


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
        discovery=f"{n:,} successive spins do not fit an even displacement around the wheel",
        power=lambda level: arc_words(sections, n, level),
        facts=ends(moves, lambda one: one.fact),
        work=f"all spins at {table}",
    )
