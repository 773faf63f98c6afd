"""The night of one gaming day: one task per step, and per table where a step is per table."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any, Final

from prefect import flow
from prefect.logging import get_run_logger
from prefect.task_runners import ThreadPoolTaskRunner

from ledger.cli.settings import load
from ledger.night import Phase, opened, outcome_text
from pipelines import artifacts, tasks

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
) -> Any:
    """Run the night of a gaming day, the last one if none is named; the folder of its issue.

    The state has a name of its own where the record is incomplete or critical actions are open.

    Its refusals are those of `pitledger night`: an unknown day, another run, a ledger that does not
    verify. A run that failed is run again: what is done stands.
    """
    chosen = day or tasks.last_day(folder)
    settings = load()
    with opened(
        folder, chosen, out=out, phase=phase, processes=processes,
        footage_days=settings.footage_days, policy=settings.policy,
        action_days=settings.action_days, paper=settings.printed_on,
    ) as run:  # fmt: skip
        progress = artifacts.begin()
        done: dict[str, Any] = {}
        for job in run.jobs:
            before = [done[name] for name in job.needs]
            done[job.name] = tasks.named(job).submit(run, job, wait_for=before)
        for number, future in enumerate(done.values(), 1):
            future.result()
            artifacts.advance(progress, number, len(done))
        if tasks.weigh(run):
            for job in run.late:
                tasks.named(job)(run, job)
        outcome = tasks.issue(run)
    artifacts.tell(outcome)
    get_run_logger().info(outcome_text(outcome))
    return artifacts.state(outcome)
