"""Audit one gaming day: verify the ledger, judge the day, bring the marts up to date."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from prefect import flow
from prefect.logging import get_run_logger

from ledger.audit import DayAudit
from ledger.kernel import IntegrityBroken, UsageError
from pipelines import tasks


class LedgerBroken(IntegrityBroken):
    """The ledger does not verify, so nothing that rests on it is said."""

    code = "ledger_broken"


class NothingToAudit(UsageError):
    """No gaming day was asked for, and the ledger has none."""

    code = "nothing_to_audit"


@flow(name="audit-day", persist_result=False, validate_parameters=True)
def audit_day(folder: Path, day: date | None = None, processes: int = 1) -> DayAudit:
    """Audit a gaming day of the ledger in a folder; without a day, its last one.

    Raises:
        LedgerBroken: the ledger does not verify.
        NothingToAudit: no day was named and there is none.
    """
    verified = tasks.verify(folder)
    if verified.problem is not None:
        raise LedgerBroken(verified.problem, where=str(folder), next_step="pitledger verify")
    replay = tasks.open_replay(folder)
    audit = tasks.audit_day(replay, day or last_of(tasks.list_gaming_days(replay)), processes)
    tasks.open_projection(folder)
    get_run_logger().info(said(audit))
    return audit


def last_of(days: list[date]) -> date:
    """The last of these days."""
    if not days:
        raise NothingToAudit("The ledger has no gaming day to audit.")
    return days[-1]


def said(audit: DayAudit) -> str:
    """One line for the log of the run."""
    return (
        f"{audit.gaming_day}: {audit.events} events, {audit.rounds} rounds,"
        f" {len(audit.findings)} findings, digest {audit.digest}"
    )
