"""The night of one gaming day: its jobs, done once each, and the issue that they make.

A run holds a lock on its folder. Each job's output stands in the work folder under the hash of its
step, the code and its input; a run that was killed is started again, takes what stands and makes
the same bytes. Nothing here reads a clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Final

from ledger.audit import COUPON_FACTS, DayAudit, TableDay, tables_on
from ledger.casework import Action, Policy
from ledger.kernel.quick_dataclass import dataclass
from ledger.night import code_hashes
from ledger.night.changes_since_report import compare_with_last_report
from ledger.night.day_input import is_input
from ledger.night.earlier_reports import closed_actions, read_earlier_reports
from ledger.night.errors import (
    CountAwaited,
    DayOpen,
    NightOfAnotherLedger,
    StepLost,
)
from ledger.night.issue_folders import Issue, issues, write_issue
from ledger.night.manifest import canonical, outputs_of
from ledger.night.manifest_draft import Draft, draft_of, stands
from ledger.night.readiness import Readiness
from ledger.night.step_input import Ground, Step, bounds_of_day
from ledger.night.step_run import Order, PlainRefusal, run_in_pool, run_step
from ledger.night.steps import LATE, STEPS, CouponDay
from ledger.night.store import Hook, StepOutput, Store, StoredOutput, unmoved
from ledger.reports.night import Phase
from ledger.reports.paper import Paper

WORK: Final = "work"
USUAL: Final = Policy()
"""The alert policy of a property that decided nothing about it."""
PER_TABLE: Final = tuple(step.name for step in STEPS if step.per_table)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A step to be done, for one table where it is per table.

    Attributes:
        name: ``NAME``, or ``NAME/TABLE``: the key of its output.
        step: its row in the table of steps.
        table: the table; empty where the step is not per table.
        needs: the names of the jobs that have to be done before it.
    """

    name: str
    step: Step
    table: str = ""
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of a run.

    Attributes:
        issue: the issue that holds after it.
        is_new: whether this run wrote it; False where an earlier one stands unchanged.
        first_line: the first line of the report, on whether the record is complete.
        readiness: what is ready of the record.
        audit: the rulings and findings of the day.
        coupons: the custody of coupons on the day.
        actions: the findings of the day, folded by cause.
    """

    issue: Issue
    is_new: bool
    first_line: str
    readiness: Readiness
    audit: DayAudit
    coupons: CouponDay
    actions: tuple[Action, ...]


class NightRun:
    """A run over one gaming day; made by ``opened``.

    Args:
        ground: the ledger.
        day: the gaming day.
        asked: the phase that was asked for; None takes the final one where the day is closed and
            counted, else the preliminary one.
        out: the folder of nights.
        pool: where steps are done; None does them in this process.
        at: told where the run is.
        footage_days: for how many days the property keeps recordings; None: nothing says so.
        policy: how many alerts a shift is shown.
        action_days: within how many days an action is to be closed; None: nothing says so.
        paper: what the report is printed on.
        work: the folder of the steps' outputs; None: in the folder of nights.

    Raises:
        DayOpen: a final run was asked for, and the record has no closing of the day.
        DayUnknown: the ledger has no fact of that day.
        PropertyUnknown: no fact describes the property.
    """

    def __init__(
        self,
        ground: Ground,
        day: date,
        asked: Phase | None,
        out: Path,
        pool: ProcessPoolExecutor | None,
        at: Hook = unmoved,
        footage_days: int | None = None,
        policy: Policy = USUAL,
        action_days: int | None = None,
        paper: Paper = Paper.LETTER,
        work: Path | None = None,
    ) -> None:
        self.footage_days = footage_days
        self.action_days = action_days
        self.paper = paper
        self.policy = policy
        self.ground = ground
        self.day = bounds_of_day(ground, day)
        self.out = out
        self._asked = asked
        self._pool = pool
        self._at = at
        self._phase: Phase | None = None
        self._lock = Lock()
        self._done: dict[str, StoredOutput] = {}
        self._draft: Draft | None = None
        self._standing: Issue | None = None
        self._awaiting: tuple[str, ...] | None = None
        closings = ground.record.office.closings
        self.is_closed = day.isoformat() in closings
        self._is_due = (day + timedelta(days=1)).isoformat() in closings
        if asked is Phase.FINAL and not self.is_closed:
            raise DayOpen(day)
        self.tables = tables_on(ground.replay, self.day)
        self.store = Store((work or out / WORK) / day.isoformat(), ground.seals)
        self.jobs = tuple(self._jobs())
        self.late = tuple(
            Job(name=step.name, step=step, needs=self._named(step.needs)) for step in LATE
        )

    def _jobs(self) -> Iterator[Job]:
        """Every job, after those that it needs; the longest of those of a step first."""
        sizes = {table: self._facts(table) for table in self.tables}
        ranked = sorted(self.tables, key=lambda table: (-sizes[table], table))
        for step in STEPS:  # the tables tell the phase, too
            waits = dict.fromkeys((*(PER_TABLE if step.by_phase else ()), *step.needs))
            needs = self._named(waits)
            if step.per_table:
                for table in ranked:
                    yield Job(name=f"{step.name}/{table}", step=step, table=table, needs=needs)
            else:
                yield Job(name=step.name, step=step, needs=needs)

    def _named(self, steps: Iterable[str]) -> tuple[str, ...]:
        """The jobs of these steps."""
        return tuple(
            one
            for name in steps
            for one in ([f"{name}/{t}" for t in self.tables] if name in PER_TABLE else [name])
        )

    def _facts(self, table: str) -> int:
        replay, day = self.ground.replay, self.day
        return sum(
            replay.last_seq_before(one, day.ends) - replay.last_seq_before(one, day.begins)
            for one in replay.tables()[table]
        )

    @property
    def phase(self) -> Phase:
        """Before the count or after it; known only when the tables were judged.

        Raises:
            StepLost: a table is not judged yet.
            CountAwaited: a final run was asked for, and boxes await their count.
        """
        with self._lock:
            if self._phase is None:
                self._phase = self._settled()
            return self._phase

    def _settled(self) -> Phase:
        if self._asked is Phase.PRELIMINARY or not self.is_closed:
            return Phase.PRELIMINARY
        awaiting = self.awaiting()
        if not awaiting or self._is_due:
            return Phase.FINAL
        if self._asked is Phase.FINAL:
            raise CountAwaited(self.day.date, awaiting)
        return Phase.PRELIMINARY

    def awaiting(self) -> tuple[str, ...]:
        """Return the drop boxes that await their count, each as ``TABLE BOX``, by table.

        Raises:
            StepLost: a table is not judged yet.
        """
        if self._awaiting is None:
            parts: list[TableDay] = [self.output(f"table/{table}").result for table in self.tables]
            self._awaiting = tuple(
                f"{part.table} {box}"
                for part in parts
                if part.account is not None
                for box in part.account.awaiting
            )
        return self._awaiting

    def output(self, name: str) -> StepOutput:
        """Return the output of a job, without what was put aside.

        Raises:
            StepLost: it is not done, or does not stand any more.
        """
        stored = self._done.get(name)
        output = None if stored is None else stored.read()
        if output is None:
            raise StepLost(name)
        return output

    def run(self, job: Job) -> bool:
        """Do a job, unless its output stands from an earlier run.

        Returns:
            Whether it was done now.

        Raises:
            StepLost: its process died.
            NightUnwritable: its output cannot be kept.
        """
        order = self.order(job)
        if order is None:
            return False
        self.put(job, self._worked(job, order))
        return True

    def order(self, job: Job) -> Order | None:
        """Return what a process needs to do a job; None where its output stands, which is taken.

        Raises:
            StepLost: an output that it needs is not done.
        """
        standing = (
            self.store.standing(job.name, self._key(job), job.step.types) if job.step.kept else None
        )
        if standing is not None:
            self._done[job.name] = standing
            return None
        phase = self.phase if job.step.by_phase else Phase.FINAL
        return Order(
            step=job.step.name,
            day=self.day.date,
            phase=phase,
            table=job.table,
            needs={
                name: (self._done[name].path, self._done[name].digest)
                for name in job.needs
                if name.partition("/")[0] in job.step.needs
            },
            draft=self._draft.manifest if self._draft is not None else {},
        )

    def put(self, job: Job, content: bytes) -> None:
        """Keep the output of a job, as ``run_step`` gives it.

        Raises:
            NightUnwritable: it cannot be kept.
        """
        key, types = self._key(job), job.step.types
        self._done[job.name] = self.store.put(job.name, key, content, types, self._at)

    def take(self, job: Job, other: NightRun) -> None:
        """Take over a job's output from another night over the same state of the ledger.

        Raises:
            StepLost: it does not stand any more.
            NightUnwritable: it cannot be kept.
        """
        content = other._done[job.name].content()
        if content is None:
            raise StepLost(job.name)
        self.put(job, content)

    def _worked(self, job: Job, order: Order) -> bytes:
        if self._pool is None:
            return run_step(self.ground, order)
        try:
            answer = self._pool.submit(run_in_pool, order).result()
        except BrokenProcessPool as error:
            raise StepLost(job.name) from error
        if isinstance(answer, PlainRefusal):
            raise answer.refusal()
        return answer

    def _key(self, job: Job) -> str:
        """The hash of a job's step, the code, and its input.

        A table's own streams and those of the offices decide what is judged there, and where
        coupons lie the streams that tell of them; every other step may read the whole ledger.
        """
        replay = self.ground.replay
        key_parts: dict[str, object] = {
            "step": job.name,
            "code": code_hashes.whole(),
            "day": self.day.date.isoformat(),
            "phase": self.phase.value if job.step.by_phase else "",
        }
        if self._draft is not None:
            key_parts["draft"] = sha256(canonical(self._draft.manifest)).hexdigest()
        if job.step.per_table:
            streams = {one for names in replay.offices().values() for one in names}
            if "coupons" in replay.offices():
                streams |= {*replay.streams_with(COUPON_FACTS)}
            streams = {one for one in streams if is_input(one)} | {*replay.tables()[job.table]}
            key_parts["input"] = {one: self.ground.whole_key(one) for one in streams}
        else:
            key_parts["input"] = [replay.size, replay.root.hex()]
        return sha256(canonical(key_parts)).hexdigest()

    def weigh(self) -> bool:
        """Compare what was made with the issue that stands.

        Returns:
            Whether a new issue has to be written. Then the jobs of ``late`` have to be done before
            ``issue``.

        Raises:
            NightOfAnotherLedger, IssueDamaged: what stands is not of this ledger, or not as issued.
        """
        seals = self.ground.seals
        before = issues(self.out, self.day.date, self.phase, seals)
        for standing in before[-1:]:
            self._check(standing)
        actions: tuple[Action, ...] = self.output("actions").result
        last = before[-1] if before else None
        clock = self.ground.record.clock
        draft = draft_of(
            self.ground,
            self.day,
            self.phase,
            {job.name: self.output(job.name) for job in self.jobs},
            last,
            awaiting=bool(self.awaiting()),
            footage_days=self.footage_days,
            action_days=self.action_days,
            paper=self.paper,
            policy=self.policy,
            earlier=read_earlier_reports(
                self.out, self.day.date, seals, actions, closed_actions(self.ground.replay)
            ),
            since=compare_with_last_report(
                self.ground.replay, clock, self.out, self.day, last, actions, seals
            ),
        )
        is_vouched = last is not None and (last.is_sealed or seals.signer is None)
        if last is not None and is_vouched and stands(last, draft):
            last.check_files()
            self._standing = last
            return False
        self._standing = None
        self._draft = draft
        return True

    def _check(self, issue: Issue) -> None:
        size, root = issue.manifest["tree_size"], issue.manifest["root"]
        if (self.ground.replay.root_at(size) or b"").hex() != root:
            raise NightOfAnotherLedger(issue.path, size)

    def issue(self) -> Outcome:
        """Write the issue, or return the one that stands; to be called after ``weigh``.

        The outputs that other inputs have left in the work folder are removed.

        Raises:
            NightUnwritable: it cannot be written.
            StepLost: a job of ``late`` is not done, or an output is gone.
        """
        is_new = self._standing is None
        if self._standing is not None:
            issue = self._standing
        else:
            assert self._draft is not None
            files = dict(self._draft.files)
            manifest = dict(self._draft.manifest)
            late: dict[str, bytes] = {}
            for job in self.late:
                late |= self.output(job.name).files
            shown = [{**one, "as_of_issue": True} for one in outputs_of(late)]
            manifest["outputs"] = sorted(
                [*manifest["outputs"], *shown], key=lambda one: str(one["name"])
            )
            issue = write_issue(self.out, manifest, files | late, self.ground.seals, self._at)
        self.store.keep_only(stored.path for stored in self._done.values())
        ready: Readiness = self.output("readiness").result
        return Outcome(
            issue=issue,
            is_new=is_new,
            first_line=ready.first_line(self.ground.record.clock),
            readiness=ready,
            audit=self.output("audit").result,
            coupons=self.output("coupons").result,
            actions=self.output("actions").result,
        )

    def is_ready(self, job: Job) -> bool:
        """Whether everything that a job needs is done."""
        return set(job.needs) <= set(self._done)
