"""The night's steps on the workers of a Dask scheduler, through Prefect's own runner for it.

A worker that was started by `pitledger worker` has this program's version as a resource; only such
a worker is given a step. It must see the ledger and the folder of nights at the same place.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefect.futures import PrefectFuture, as_completed

from ledger.analytics.day_range import Credentials, SchedulerAddress
from ledger.analytics.day_range.dask_worker import dask, resource_of, security_of
from ledger.analytics.day_range.tasks import program_version
from ledger.night import Job, NightRun, PlainRefusal, code_hashes
from pipelines import artifacts, tasks


def runner_at(address: SchedulerAddress, credentials: Credentials | None) -> Any:
    """Return Prefect's runner for the tasks of a flow on a scheduler.

    Raises:
        DaskMissing: Dask is not installed.
        SchedulerUnsecured, CredentialsUnusable: as for ``SchedulerAddress.check``.
    """
    address.check(credentials)
    dask()
    from prefect_dask.task_runners import DaskTaskRunner

    security = security_of(credentials)
    words = {} if security is None else {"security": security}
    return DaskTaskRunner(address=str(address), client_kwargs=words)


def spread(run: NightRun, folder: Path, progress: Any) -> None:
    """Do every job of a night on the workers: each as soon as those that it needs are done.

    Args:
        run: the night.
        folder: the ledger.
        progress: the artifact that shows how far it is.

    Raises:
        LedgerError: the refusal of a step.
    """
    left, of = list(run.jobs), len(run.jobs)
    running: dict[PrefectFuture[Any], Job] = {}
    while left or running:
        for job in [job for job in left if run.is_ready(job)]:
            left.remove(job)
            future = _begun(run, folder, job)
            if future is not None:
                running[future] = job
        if running:
            future = next(iter(as_completed(list(running))))
            content = future.result()
            if isinstance(content, PlainRefusal):
                raise content.refusal()
            run.put(running.pop(future), content)
        artifacts.advance(progress, of - len(left) - len(running), of)


def _begun(run: NightRun, folder: Path, job: Job) -> PrefectFuture[Any] | None:
    """Give a job to a worker; None where its output stands."""
    from dask.base import annotate

    order = run.order(job)
    if order is None:
        return None
    replay = run.ground.replay
    named = tasks.step_elsewhere.with_options(name=job.step.name, task_run_name=job.name)
    with annotate(resources={resource_of(program_version()): 1}):
        future: PrefectFuture[Any] = named.submit(
            folder, replay.size, replay.root, code_hashes.whole(), order
        )
    return future
