"""Whether wagers that stood late win more than wagers made blind can.

That a wager stood late is a finding by itself. Here the question is whether it knew the outcome:
made blind, its mean is that of the rules whatever its stake, so all late wagers of a round are one
bounded bet. Asked for the table and for each patron who is known; parts of a game that are decided
apart are asked apart (``Room.wager_dependence``). Wagers without an exact law are named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from ledger.casework.detections.card import Card
from ledger.casework.detections.subject_evidence import (
    Evidence,
    began,
    ends,
    grouped,
    nights,
    without_law,
)
from ledger.casework.detections.win_on_wagers import steps_of
from ledger.casework.e_values import BOLD, knows_words, log_bets
from ledger.casework.history import Decided, History, fact_of


def examine(history: History, day: date, card: Card) -> Iterator[Evidence]:
    """Evidence that late wagers knew the outcome, where there were some that day."""
    window = nights(history, day, card.settings["days"])
    pairs = (
        ((one.table, f"{one.patron}\n{one.part}"), one) for night in window for one in night.late
    )
    without = [one for night in window for one in night.untested]
    for table, _, units in grouped(pairs, began(history, day)):
        evidence = judge_late(table, units[0].patron, units)
        yield replace(evidence, untested=without_law(without, table, late=True))


def judge_late(table: str, patron: str, late: Sequence[Decided]) -> Evidence:
    """Evidence of the late wagers at one table, or of one patron there, of one part of a game."""
    part = f", {late[0].part}" if late[0].part else ""
    steps = steps_of(late)
    n = len(steps)
    won = sum(step.came > 0 for step in steps)
    return Evidence(
        table=table,
        subject=f"late wagers of {patron}{part}" if patron else f"all late wagers at {table}{part}",
        log_e=log_bets(steps, upward=True, fractions=BOLD),
        volume=n,
        left_out=len(late) - n,
        at=late[-1].at,
        no_evidence=f"nothing unusual in {n:,} rounds with late wagers",
        discovery=f"late wagers in {n:,} rounds win more than wagers made before the result can",
        power=lambda level: knows_words(steps, level),
        facts=ends(late, fact_of),
        detail=(("rounds with a late wager, and those won", f"{n:,}, {won:,}"),),
        work=f"late wagers by patron at {table}" if patron else "",
    )
