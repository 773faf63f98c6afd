"""Several nights over one state of a ledger, side by side: each issued as soon as it can be.

A day is weighed and issued after the day before it, so the issues are those of runs one after the
other. The ledger is verified once: all of them read the same state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from ledger.night.night_run import Job, NightRun, Outcome


def run_all(nights: Sequence[NightRun], processes: int) -> tuple[Outcome, ...]:
    """Run several nights to their issues; they share the processes.

    A step that looks back is done after that of the days before, whose work it finds kept.

    Args:
        nights: rising by gaming day, all over one state of the ledger.
        processes: how many share the work; 1 runs one job after the other in this process.

    Returns:
        The outcomes, in the order of the nights.

    Raises:
        LedgerError: as ``NightRun.run``, ``weigh`` and ``issue``; no later night is issued.
    """
    if processes == 1:
        return tuple(_alone(night, nights[0]) for night in nights)
    with ThreadPoolExecutor(processes + 2) as threads:
        try:
            return _Together(nights, processes, threads).run()
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            raise


def _alone(night: NightRun, first: NightRun) -> Outcome:
    for job in night.jobs:
        if job.step.kept or night is first:
            night.run(job)
        else:
            night.take(job, first)
    if night.weigh():
        for job in night.late:
            night.run(job)
    return night.issue()


class _Together:
    """What is left of some nights, and what runs."""

    def __init__(
        self, nights: Sequence[NightRun], processes: int, threads: ThreadPoolExecutor
    ) -> None:
        self.most = processes + 1  # one more than run: its input is hashed meanwhile
        self.threads = threads
        self.first = nights[0] if nights else None
        self.left = [
            (night, job)
            for night in nights
            for job in night.jobs
            if job.step.kept or night is self.first
        ]
        self.open = list(nights)
        self.is_weighed = False
        self.running: dict[Future[bool], tuple[NightRun, Job | None]] = {}
        self.issued: list[Outcome] = []

    def run(self) -> tuple[Outcome, ...]:
        while self.open:
            self._close()
            for night, job in [one for one in self.left if self._is_ready(*one)]:
                if sum(one is not None for _, one in self.running.values()) < self.most:
                    self.left.remove((night, job))
                    self._start(night.run, job, night=night, job=job)
            finished, _ = wait(self.running, return_when=FIRST_COMPLETED)
            for future in finished:
                night, of = self.running.pop(future)
                if future.result() and of is None:  # it was weighed, and an issue is due
                    self.left[:0] = [(night, job) for job in night.late]
        return tuple(self.issued)

    def _close(self) -> None:
        """Weigh the first night that is open, and issue it, as soon as nothing of it is left."""
        while self.open and not self._has_more(self.open[0]):
            night = self.open[0]
            if not self.is_weighed:
                self.is_weighed = True
                self._start(self._weigh, night, night=night, job=None)
                return
            self.issued.append(night.issue())
            self.open.pop(0)
            self.is_weighed = False

    def _has_more(self, night: NightRun) -> bool:
        return any(of is night for of, _ in (*self.left, *self.running.values()))

    def _weigh(self, night: NightRun) -> bool:
        for job in night.jobs:
            if not job.step.kept and self.first is not None and night is not self.first:
                night.take(job, self.first)
        return night.weigh()

    def _start(
        self, work: Callable[..., bool], *words: object, night: NightRun, job: Job | None
    ) -> None:
        self.running[self.threads.submit(work, *words)] = night, job

    def _is_ready(self, night: NightRun, job: Job) -> bool:
        if job.step.looks_back:
            waiting = [*self.left, *self.running.values()]
            before = [o for of, o in waiting if of.day.date < night.day.date]
            if any(o is not None and o.step.looks_back and o.table == job.table for o in before):
                return False
        return night.is_ready(job)
