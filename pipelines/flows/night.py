"""The night of one gaming day: one task per step, and per table where a step is per table."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any, Final

from prefect import flow
from prefect.client.schemas import State
from prefect.futures import PrefectFuture
from prefect.logging import get_run_logger
from prefect.task_runners import ThreadPoolTaskRunner

from ledger.cli.settings import load
from ledger.night import NightRun, Phase, opened, outcome_text
from pipelines import artifacts, tasks
from pipelines.on_dask import spread

# Any, since Prefect types `task_runner` by its base class, which this one is not a subtype of.
RUNNER: Final[Any] = ThreadPoolTaskRunner(max_workers=2)


@flow(
    name="night",
    persist_result=False,
    validate_parameters=True,
    task_runner=RUNNER,
)
def night(
    folder: Path,
    out: Path,
    day: date | None = None,
    phase: Phase | None = None,
    processes: int = 2,
    on_workers: bool = False,
) -> State[str]:
    """Run the night of a gaming day: a task for each step, and what Prefect's pages show of it.

    A run that failed is simply run again: the steps that were done are taken over.

    Args:
        folder: the ledger.
        out: the folder of nights.
        day: the gaming day; None: the last one on which a table has a fact.
        phase: which run; None: the final one where the day is closed and counted.
        processes: how many share the work.
        on_workers: the steps are done by the workers of a Dask scheduler, whose runner the flow was
            given; see ``pipelines.on_dask``.

    Returns:
        The state, whose data is the path of the issue's folder. It has a name of its own where the
        record is incomplete or critical actions are open.

    Raises:
        LedgerError: the refusals of `pitledger night`: an unknown day, another run in the folder, a
            ledger that does not verify.
    """
    chosen = day or tasks.last_day(folder)
    settings = load()
    with opened(
        folder, chosen, out=out, phase=phase, processes=1 if on_workers else processes,
        footage_days=settings.footage_days, policy=settings.policy,
        action_days=settings.action_days, paper=settings.printed_on,
    ) as run:  # fmt: skip
        progress = artifacts.begin()
        if on_workers:
            spread(run, folder, progress)
        else:
            _together(run, progress)
        if tasks.weigh(run):
            for job in run.late:
                tasks.named(job)(run, job)
        outcome = tasks.issue(run)
    artifacts.tell(outcome)
    get_run_logger().info(outcome_text(outcome))
    return artifacts.state(outcome)


def _together(run: NightRun, progress: Any) -> None:
    """Do every job in this process and its pool."""
    done: dict[str, PrefectFuture[bool]] = {}
    for job in run.jobs:
        before = [done[name] for name in job.needs]
        done[job.name] = tasks.named(job).submit(run, job, return_state=False, wait_for=before)
    for number, future in enumerate(done.values(), 1):
        future.result()
        artifacts.advance(progress, number, len(done))
