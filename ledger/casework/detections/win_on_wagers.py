"""Whether a table's win fits the wagers that were really made.

The unit is the round: all wagers that one outcome decides form one variable, whose law is known by
enumeration. Where a game's room says so (``Room.wager_dependence``), parts of a game are judged
apart, a wager that stands over rounds enters with what each outcome makes of it, and a wager that
hangs on how people play is named as not tested.
Players raise after losses, so the stakes hang on the past; the evidence that alerts rest on is a
betting process that holds for such stakes. The win's law convolved over the rounds stands beside
it, "conditional on the stakes". Hold on drop is shown elsewhere and never tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from math import inf

from ledger.casework.detections.card import Card
from ledger.casework.detections.subject_evidence import (
    Evidence,
    began,
    ends,
    grouped,
    nights,
    shown,
    without_law,
)
from ledger.casework.e_values import Step, bet_words, log_bets, mean_log
from ledger.casework.history import Decided, History, TableWin, fact_of


def examine(history: History, day: date, card: Card) -> Iterator[Evidence]:
    """Evidence against honest outcomes, for each table with wagers decided that day."""
    window = nights(history, day, card.settings["days"])
    wins = {subject_of(one): one for night in window if night.day == day for one in night.wins}
    pairs = (((one.table, subject_of(one)), one) for night in window for one in night.rounds)
    without = [one for night in window for one in night.untested]
    for table, subject, units in grouped(pairs, began(history, day)):
        evidence = judge_rounds(table, subject, units, wins.get(subject))
        yield replace(evidence, untested=without_law(without, table))


def subject_of(unit: Decided | TableWin) -> str:
    """What is asked: the win at a table, of a part of its game where that is judged apart."""
    return ", ".join(part for part in (f"the win at {unit.table}", unit.game, unit.part) if part)


def steps_of(rounds: Sequence[Decided]) -> list[Step]:
    """Rounds as bets; those that are left out are none."""
    return [
        Step(one.came, one.mean, one.low, inf if one.high is None else one.high, one.spread)
        for one in rounds
        if not one.out
    ]


def judge_rounds(
    table: str, subject: str, rounds: Sequence[Decided], win: TableWin | None
) -> Evidence:
    """Evidence of one table from its rounds: patrons win more, or less, than the law has it."""
    steps = steps_of(rounds)
    n = len(steps)
    detail = [
        ("rounds", f"{n:,}"),
        ("patrons won less lost", _dollars(sum(one.came for one in steps))),
        ("on average by the rules", _dollars(sum(one.mean for one in steps))),
    ]
    if win is not None and win.chance_low is not None and win.chance_high is not None:
        detail.append(
            (
                "chance of a win at most, at least as high this day, conditional on the stakes"
                + (f", without {win.without}" if win.without else ""),
                f"{shown(win.chance_low)}, {shown(win.chance_high)}",
            )
        )
    elif win is not None and win.why:
        detail.append(("conditional on the stakes", f"not computed: {win.why}"))
    return Evidence(
        table=table,
        subject=subject,
        log_e=mean_log([log_bets(steps, upward=True), log_bets(steps, upward=False)]),
        volume=n,
        left_out=len(rounds) - n,
        at=rounds[-1].at,
        no_evidence=f"nothing unusual in {n:,} rounds: the win fits the wagers made",
        discovery=f"the win of {n:,} rounds does not fit the wagers made, whatever the stakes",
        power=lambda level: bet_words(steps, level, "rounds"),
        facts=ends(rounds, fact_of),
        detail=tuple(detail),
    )


def _dollars(cents: float) -> str:
    return f"{'-' if cents < 0 else ''}${abs(cents) / 100:,.2f}"
