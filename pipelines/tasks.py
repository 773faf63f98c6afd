"""Tasks: each wraps one public function of `ledger`; no rule, no query and no retry of a refusal.

What is wrong with a ledger does not get better by asking again, so nothing here is repeated; a
refusal ends the flow with its own words and code.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

from prefect import Task, task
from prefect.cache_policies import NO_CACHE

from ledger.night import Job, NightRun, Order, Outcome, PlainRefusal, run_elsewhere
from ledger.night import last_day as last_day_of


@task(cache_policy=NO_CACHE, persist_result=False)
def last_day(folder: Path) -> date:
    """Return the last gaming day on which a table has a fact.

    Raises:
        DayUnknown: there is none.
    """
    return last_day_of(folder)


@task(cache_policy=NO_CACHE, persist_result=False)
def step(run: NightRun, job: Job) -> bool:
    """Do one step of the night, unless its output stands; return whether it was done.

    Raises:
        LedgerError: as ``NightRun.run``, or the refusal of the step itself.
    """
    return run.run(job)


@task(cache_policy=NO_CACHE, persist_result=False)
def step_elsewhere(
    folder: Path, size: int, root: bytes, code: str, order: Order
) -> bytes | PlainRefusal:
    """Do one step of the night on a worker; a refusal comes back as plain values."""
    return run_elsewhere(folder, size, root, code, order)


@task(cache_policy=NO_CACHE, persist_result=False)
def weigh(run: NightRun) -> bool:
    """Compare with the issue that stands; return whether a new one has to be issued."""
    return run.weigh()


@task(cache_policy=NO_CACHE, persist_result=False)
def issue(run: NightRun) -> Outcome:
    """Write the issue, or return the outcome with the one that stands."""
    return run.issue()


def named(job: Job) -> Task[[NightRun, Job], bool]:
    """Return the task ``step`` under the name of a job's step, so that the pages show it."""
    return step.with_options(name=job.step.name, task_run_name=job.name)
