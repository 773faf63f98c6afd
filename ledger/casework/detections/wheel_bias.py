"""Whether a wheel stops evenly, over its whole life.

Three alternatives are mixed equally: any bias, one section that is likelier than the others, and a
preferred arc, as a wheel out of balance has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from ledger.casework.detections.card import Card
from ledger.casework.detections.places_on_a_circle import arc_words, counted
from ledger.casework.detections.subject_evidence import (
    Evidence,
    began,
    ends,
    grouped,
    nights,
    shown,
)
from ledger.casework.e_values import fair, log_arc, log_bias, log_single, mean_log, p_value
from ledger.casework.history import History, Spin, fact_of


def examine(history: History, day: date, card: Card) -> Iterator[Evidence]:
    """Evidence against even wheels, of every wheel that was spun on this gaming day."""
    whole_life = nights(history, day, card.settings["days"])
    spins = [one for night in whole_life for one in night.spins]
    pairs = (
        ((one.table, f"wheel {one.wheel or 'not named'} of {one.sections} sections"), one)
        for one in spins
    )
    for table, subject, units in grouped(pairs, began(history, day)):
        yield judge_sections(table, subject, units)


def log_wheel(counts: Sequence[int]) -> float:
    """The logarithm of the e-value of a wheel from how often each section came."""
    return mean_log([log_bias(counts, fair(len(counts))), log_single(counts), log_arc(counts)])


def judge_sections(table: str, subject: str, spins: Sequence[Spin]) -> Evidence:
    """Evidence of one wheel from the sections at which it stopped."""
    sections = spins[0].sections
    counts = counted([one.section for one in spins if not one.out], sections)
    n = sum(counts)
    p, test = p_value(counts, fair(sections))
    return Evidence(
        table=table,
        subject=subject,
        log_e=log_wheel(counts),
        volume=n,
        left_out=len(spins) - n,
        at=spins[-1].at,
        no_evidence=f"nothing unusual in {n:,} spins ({subject})",
        discovery=f"{n:,} spins ({subject}) do not fit even chances of its sections",
        power=lambda level: arc_words(sections, n, level),
        facts=ends(spins, fact_of),
        detail=((f"{test}, for this number of spins only", f"p {shown(p)}"),),
    )
