"""Whether wagers that stood late win more than wagers made blind can.

That a wager stood late is a finding by itself. Here the question is whether it knew the outcome:
made blind, its mean is that of the rules whatever its stake, so all late wagers of a round are one
bounded bet. Asked for the table and for each patron who is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from ledger.casework.detections.card import Card
from ledger.casework.detections.found import Evidence, began, ends, grouped, nights
from ledger.casework.detections.win_on_wagers import steps_of
from ledger.casework.evidence import BOLD, knows_words, log_bets
from ledger.casework.history import Decided, History, fact_of


def examine(history: History, day: date, card: Card) -> Iterator[Evidence]:
    """Evidence that late wagers knew the outcome, where there were some that day."""
    pairs = (
        ((one.table, one.patron), one)
        for night in nights(history, day, card.settings["days"])
        for one in night.late
    )
    for table, patron, held in grouped(pairs, began(history, day)):
        yield judge_late(table, patron, held)


def judge_late(table: str, patron: str, late: Sequence[Decided]) -> Evidence:
    """Evidence of the late wagers at one table, or of one patron there."""
    steps = steps_of(late)
    n = len(steps)
    won = sum(step.came > 0 for step in steps)
    return Evidence(
        table=table,
        subject=f"late wagers of {patron}" if patron else f"all late wagers at {table}",
        log_e=log_bets(steps, upward=True, fractions=BOLD),
        volume=n,
        left_out=len(late) - n,
        at=late[-1].at,
        no_evidence=f"no evidence that late wagers knew the outcome in {n:,} rounds",
        found=f"late wagers in {n:,} rounds win more than wagers made blind can",
        power=lambda level: knows_words(steps, level),
        facts=ends(late, fact_of),
        detail=(("rounds with a late wager, and those won", f"{n:,}, {won:,}"),),
        work=f"late wagers by patron at {table}" if patron else "",
    )
