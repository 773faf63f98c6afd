"""How far a table's win may lie from theory by chance alone: an interval for the hold of a day.

The variance of each wager is exact, from the odds that judge it. Wagers of one round hang on the
same result, so their deviations are added as if they all moved together: the interval may be wider
than chance is, and is not narrower. Rounds are independent of each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from fractions import Fraction
from math import sqrt
from typing import Any, Final

from ledger.audit import Theory
from ledger.audit.result import Staked
from ledger.kernel import FactRef
from ledger.kernel.quick_dataclass import dataclass
from ledger.web.record import Record

DEVIATIONS: Final = 1.96
"""Half of an interval that holds 95 of 100 days, in standard deviations."""
WAGERS: Final = """
SELECT w.table_name, w.game, w.round, w.wager, w.picks, sum(w.stake_cents) AS cents
FROM wagers w JOIN rounds r USING (round)
WHERE w.gaming_day = ? AND r.status <> 'void'
  AND (w.expected_outcome IN ('won', 'lost')
       OR (w.expected_outcome = 'returned' AND len(w.sections) > 0)
       OR (w.expected_outcome = 'unknown' AND w.observed_outcome IN ('won', 'lost')))
GROUP BY ALL
"""
"""The wagers that were decided: those whose stakes the theoretical win is made of."""
THEORY: Final = "SELECT table_name, theoretical_win FROM table_days WHERE gaming_day = ?"


@dataclass(frozen=True, slots=True, kw_only=True)
class WinSpread:
    """The theoretical win of a table's day and the variance of its win, in cents."""

    theoretical: Fraction
    variance: float


def half_width(variance: float) -> int:
    """Return how far the win of 95 of 100 such days lies from theory at most, in whole cents."""
    return round(DEVIATIONS * sqrt(variance))


def spreads_of(record: Record, day: date) -> Mapping[str, WinSpread]:
    """Return the spread of each table of a gaming day that has an exact theoretical win."""
    return record.of_facts("win spreads", day, lambda: dict(_spreads(record, day)), has_rows=True)


def _spreads(record: Record, day: date) -> Iterator[tuple[str, WinSpread]]:
    by_table: dict[str, list[dict[str, Any]]] = {}
    for row in record.rows(WAGERS, [day], [day]):
        by_table.setdefault(row["table_name"], []).append(row)
    theory = record.judged.theory
    for row in record.rows(THEORY, [day], [day]):
        wagers = by_table.get(row["table_name"])
        if row["theoretical_win"] is None or not wagers:
            continue
        win = Fraction(row["theoretical_win"])
        for filing in _filings(record, wagers[0]["game"]):
            staked = [(_staked(wager, filing), wager["round"]) for wager in wagers]
            if _win(theory, day, (each for each, _ in staked)) == win:  # by this filing it is paid
                variance = variance_of(theory, day, staked)
                if variance is not None:
                    yield row["table_name"], WinSpread(theoretical=win, variance=variance)
                break


def _filings(record: Record, game: str) -> Iterator[FactRef | None]:
    """The filings of a game, the last first; then the chapter's own odds."""
    known = record.judged.record.office.submissions
    yield from reversed([ref for ref, filed in known.items() if filed.filed.game == game])
    yield None


def _staked(wager: Mapping[str, Any], filing: FactRef | None) -> Staked:
    return Staked(
        game=wager["game"],
        paytable=filing,
        wager=wager["wager"],
        picks=tuple(wager["picks"] or ()),
        cents=int(wager["cents"]),
    )


def _win(theory: Theory, day: date, staked: Iterable[Staked]) -> Fraction | None:
    total = Fraction(0)
    for each in staked:
        edge = theory.edge(each, day)
        if edge is None:
            return None
        total += each.cents * edge
    return total


def variance_of(theory: Theory, day: date, staked: Iterable[tuple[Staked, str]]) -> float | None:
    """Return the variance of a day's win, in square cents: wagers of a round move together.

    None where a wager has no figure: the rest alone would make the interval too narrow.

    Args:
        theory: the house edges and spreads.
        day: the gaming day.
        staked: the stakes, each with its round.
    """
    by_round: dict[str, float] = {}
    for each, round_ in staked:
        spread = theory.spread(each, day)
        if spread is None:
            return None
        deviation = sqrt(spread) * each.cents
        by_round[round_] = by_round.get(round_, 0.0) + deviation
    return sum(deviation**2 for deviation in by_round.values())
