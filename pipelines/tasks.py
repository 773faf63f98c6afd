"""Tasks: each wraps one public function of `ledger`; no rule, no query and no retry of a refusal.

What is wrong with a ledger does not get better by asking again, so nothing here is repeated; a
refusal ends the flow with its own words and code.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from ledger.analytics import Projection
from ledger.analytics import open_projection as open_projection_of
from ledger.audit import DayAudit, gaming_days
from ledger.audit import audit_day as audit_day_of
from ledger.log import Verification
from ledger.log import verify as verify_ledger
from ledger.replay import Replay


@task(cache_policy=NO_CACHE, persist_result=False)
def verify(folder: Path) -> Verification:
    """Recompute the ledger from its entries up."""
    return verify_ledger(folder)


@task(cache_policy=NO_CACHE, persist_result=False)
def open_replay(folder: Path) -> Replay:
    """Read the ledger at its present checkpoint."""
    return Replay.open(folder)


@task(cache_policy=NO_CACHE, persist_result=False)
def list_gaming_days(replay: Replay) -> list[date]:
    """Name the days that have facts of a table."""
    return gaming_days(replay)


@task(cache_policy=NO_CACHE, persist_result=False)
def audit_day(replay: Replay, day: date, processes: int) -> DayAudit:
    """Judge one gaming day."""
    return audit_day_of(replay, day, processes=processes)


@task(cache_policy=NO_CACHE, persist_result=False)
def open_projection(folder: Path) -> Projection:
    """Bring the marts up to the ledger's present state."""
    return open_projection_of(folder)
