"""The mark of a round of which somebody looked at a recording."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ledger.kernel import FactRef, ref_of
from ledger.kernel.quick_dataclass import dataclass

if TYPE_CHECKING:
    from ledger.audit.result import DayAudit
    from ledger.audit.tape_account import RoundAccounts


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedRound:
    """The mark of a round of which somebody looked at a recording.

    Args:
        round: its id.
        table: the table.
        observations: the numbers of the observations.
        because: on which account its verdict stands, and why, for people.
        basis: the observation on which it stands; None: on the terminal.
        observed_by: whose observation that is.
        confirmed_by: who confirmed it.
        closes_gap: whether the record alone leaves the round unknown.
    """

    round: str
    table: str
    observations: tuple[int, ...]
    because: str
    basis: FactRef | None
    observed_by: str | None
    confirmed_by: str | None
    closes_gap: bool


def with_footage(audit: DayAudit, footage: tuple[RoundAccounts, ...]) -> DayAudit:
    """Return the audit of a day with what recordings add to it.

    Args:
        audit: the day by the record alone, with the findings of its footage.
        footage: its observed rounds.
    """
    if not footage:
        return audit
    marks = tuple(map(mark_of, footage))
    closed: dict[str, int] = {}
    for mark in marks:
        if mark.closes_gap:
            closed[mark.table] = closed.get(mark.table, 0) + 1
    return replace(
        audit,
        unknown_rounds=audit.unknown_rounds - sum(closed.values()),
        capture=tuple(
            replace(line, judged=line.judged + closed.get(line.table, 0)) for line in audit.capture
        ),
        footage=marks,
    )


def mark_of(accounts: RoundAccounts) -> ObservedRound:
    """Return the mark of an observed round."""
    basis = accounts.basis
    done = None if basis is None else basis.observation.confirmed
    return ObservedRound(
        round=accounts.terminal.round,
        table=accounts.terminal.table,
        observations=tuple(tape.observation.fact.seq for tape in accounts.tapes),
        because=accounts.because,
        basis=None if basis is None else ref_of(basis.observation.fact),
        observed_by=None if basis is None else basis.observation.fact.observed_by,
        confirmed_by=None if done is None else done.confirmed_by,
        closes_gap=accounts.closes_gap,
    )
