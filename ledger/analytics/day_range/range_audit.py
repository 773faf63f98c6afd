"""Audit a range of gaming days: the days of a table one after the other, its tables side by side.

Each day is joined to an audit as soon as all of its tables are judged; the manifest lists the days
by date. What stands in the judged store is taken from there.
"""

from __future__ import annotations

import heapq
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date, timedelta
from fractions import Fraction
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.analytics.day_range.errors import DaysReversed, RangeEmpty, ResultFalse, WorkerRefused
from ledger.analytics.day_range.kept_results import KeptResults
from ledger.analytics.day_range.manifest import DayEntry, RangeManifest
from ledger.analytics.day_range.result_sample import Sample, drawn
from ledger.analytics.day_range.tasks import (
    RangeGround,
    ReceivedResult,
    TableTask,
    TaskKey,
    TaskRefusal,
    TaskResult,
    address_of,
    program_version,
    read_answer,
    written,
)
from ledger.audit import DayUnknown, day_of, tables_on
from ledger.audit.carried import CarriedStates
from ledger.audit.dates import days_before
from ledger.kernel.quick_dataclass import dataclass

if TYPE_CHECKING:
    from ledger.analytics.day_range.runners import Runner
    from ledger.analytics.judged_tables import JudgedTable, JudgedTables
    from ledger.audit import DayAudit

USUAL_SHARE: Final = Fraction(1, 20)
"""The share of other machines' results that is judged again here."""
STARTS: Final = 8
"""So many starts of a day are looked at, back from a table's first day, for a kept state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeAudit:
    """What came of a range of gaming days.

    Attributes:
        manifest: all that was judged.
        judged: how many tables' days were judged now; the others stood in the judged store.
        taken_up: how many of these an earlier run had received already.
        sample: what of the workers' results was judged again; None where all was judged here.
    """

    manifest: RangeManifest
    judged: int
    taken_up: int
    sample: Sample | None


def audit_range(
    judged: JudgedTables,
    begins: date,
    ends: date,
    runner: Runner,
    *,
    cache: Path | None = None,
    share: Fraction = USUAL_SHARE,
    on_day: Callable[[DayAudit], None] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> RangeAudit:
    """Audit every gaming day of a range that has a fact.

    Args:
        judged: the ledger's judged tables, with the store that is read and written.
        begins: the first day.
        ends: the last day.
        runner: where the tables are judged.
        cache: the ledger's cache, where workers' results wait; None keeps them in memory.
        share: how many of other machines' results are judged again here, from 0 to 1.
        on_day: called with each day's audit, in the order in which they are ready.
        progress: called with how many tables' days are done, and how many there are.

    Raises:
        DaysReversed: the range ends before it begins.
        RangeEmpty: none of its days has a fact.
        WorkerRefused: a task could not be done.
        ResultFalse: a worker's result is not what judging it again gives; nothing is kept.
        LedgerError: the runner is gone.
    """
    if ends < begins:
        raise DaysReversed(begins, ends)
    tables = dict(_tables_by_day(judged, begins, ends))
    if not tables:
        raise RangeEmpty(begins, ends, _known_days(judged))
    return _Range(judged, begins, ends, runner, tables, cache, on_day, progress).run(share)


def _tables_by_day(
    judged: JudgedTables, begins: date, ends: date
) -> Iterator[tuple[date, list[str]]]:
    """Yield the gaming days of a range that have a fact, each with the tables that have one."""
    known = _known_days(judged)
    if known is None:
        return
    day, last = max(begins, known[0]), min(ends, known[1])
    while day <= last:
        with suppress(DayUnknown):  # the house was shut
            yield day, tables_on(judged.replay, day_of(judged.record.clock, day))
        day += timedelta(days=1)


def _is_confirmed(ground: RangeGround, received: ReceivedResult) -> bool:
    """Whether the readable engine gives what a worker sent."""
    return ground.do(received.task, in_bulk=False).whole == received.result.whole


def _known_days(judged: JudgedTables) -> tuple[date, date] | None:
    """The first and the last gaming day with a fact."""
    extents = [judged.replay.extent(stream) for stream in judged.replay.streams()]
    if not extents:
        return None
    clock = judged.record.clock
    first, last = min(e.first_time for e in extents), max(e.last_time for e in extents)
    return clock.day_of(first), clock.day_of(last)


class _Range:
    """A range on its way: what is ready, what runs, what is left of each day."""

    def __init__(
        self,
        judged: JudgedTables,
        begins: date,
        ends: date,
        runner: Runner,
        tables: Mapping[date, list[str]],
        cache: Path | None,
        on_day: Callable[[DayAudit], None] | None,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.judged, self.begins, self.ends, self.runner = judged, begins, ends, runner
        self.received = KeptResults(judged.replay, cache)
        self.on_day, self.progress = on_day, progress
        self.version = program_version()
        self.left = {day: set(names) for day, names in tables.items()}
        self.days: dict[date, dict[str, JudgedTable]] = {day: {} for day in tables}
        self.chains: dict[str, list[date]] = {}
        for day in sorted(tables):
            for table in tables[day]:
                self.chains.setdefault(table, []).append(day)
        self.entries: list[DayEntry] = []
        self.ready = [TaskKey(day=days[0], table=name) for name, days in self.chains.items()]
        heapq.heapify(self.ready)
        self.handed: dict[str, Mapping[str, bytes]] = {}
        self.addresses: dict[TaskKey, str] = {}
        self.running: dict[TaskKey, TableTask] = {}
        self.done: list[TaskKey] = []
        self.taken_up = 0
        self.of = sum(map(len, tables.values()))

    def run(self, share: Fraction) -> RangeAudit:
        for day in [day for day, names in self.left.items() if not names]:
            self._join(day)
        while self.ready or self.running:
            while self.ready and len(self.running) < self.runner.width:
                self._begin(heapq.heappop(self.ready))
            if self.running:
                for key, answer in self.runner.finished():
                    self._take(key, answer)
        manifest = RangeManifest(
            begins=self.begins,
            ends=self.ends,
            tree_size=self.judged.replay.size,
            root=self.judged.replay.root.hex(),
            days=tuple(sorted(self.entries, key=lambda entry: entry.day)),
        )
        sample = None
        if not self.runner.is_own:
            sample = drawn(share, self.done, manifest.hash, secrets.token_bytes(32))
            self._judge_again(sample.keys)
            self._admit()
        return RangeAudit(
            manifest=manifest, judged=len(self.done), taken_up=self.taken_up, sample=sample
        )

    def _begin(self, key: TaskKey) -> None:
        """Take what is kept of a table's day, or give it to the runner."""
        span = day_of(self.judged.record.clock, key.day)
        kept = self.judged.kept_judgment(key.table, span)
        if kept is not None:
            self.handed.pop(key.table, None)
            self._judged(key, kept, address_of(kept))
            return
        task = self._task(key)
        if not self.runner.is_own:
            received = self.received.read(key)
            if (
                received is not None
                and (received.task.code, received.task.states) == (task.code, task.states)
                and self._take_result(received.result)
            ):
                self.taken_up += 1
                return
        self.running[key] = task
        self.runner.start(key, written(task))

    def _task(self, key: TaskKey) -> TableTask:
        replay = self.judged.replay
        states = self.handed.get(key.table)
        if states is None:
            states = dict(self._kept_states(key))
        return TableTask(
            key=key, tree_size=replay.size, root=replay.root, code=self.version, states=states
        )

    def _kept_states(self, key: TaskKey) -> Iterator[tuple[str, bytes]]:
        """Yield the last state that is kept of a table up to a day's start, with its name."""
        judged = self.judged
        if judged.carried is None:
            return
        clock, streams = judged.record.clock, judged.replay.tables().get(key.table, ())
        states = CarriedStates(judged.carried, judged.replay, judged.record.office)
        earlier = days_before(judged.replay, clock, streams, key.day)
        for day in islice(chain([key.day], earlier), STARTS):
            name = states.name(key.table, streams, day, clock.bounds(day)[0])
            state = states.stored(name)
            if state is not None:
                yield name, state
                return

    def _take(self, key: TaskKey, answer: bytes) -> None:
        """Take what came of a task."""
        task = self.running.pop(key)
        result = read_answer(answer)
        if isinstance(result, TaskRefusal):
            raise WorkerRefused(str(key), result.problem, result.code, result.where)
        if not isinstance(result, TaskResult) or result.key != key:
            raise ResultFalse(str(key), "the bytes that came back are no result of it")
        if not self._take_result(result):
            raise ResultFalse(str(key), "it was made from other facts, or is not what it is named")
        if not self.runner.is_own:
            self.received.keep(ReceivedResult(task=task, result=result))

    def _take_result(self, result: TaskResult) -> bool:
        """Take a result, if it is what its address says and was made from these facts."""
        key, judged = result.key, result.judged
        span = day_of(self.judged.record.clock, key.day)
        if judged is None or not self.judged.is_made_from_these_facts(judged, span):
            return False
        self.done.append(key)
        self.handed[key.table] = result.states
        if self.runner.is_own:
            self._keep(result, judged)
        self._judged(key, judged, result.address)
        return True

    def _judged(self, key: TaskKey, judged: JudgedTable, address: str) -> None:
        """Note a judgment, join its day if it was the last, and let the table's next day begin."""
        self.addresses[key] = address
        self.days[key.day][key.table] = judged
        self.left[key.day].discard(key.table)
        days = self.chains[key.table]
        days.pop(0)
        if days:
            heapq.heappush(self.ready, TaskKey(day=days[0], table=key.table))
        if self.progress is not None:
            self.progress(len(self.addresses), self.of)
        if not self.left[key.day]:
            self._join(key.day)

    def _join(self, day: date) -> None:
        judged = self.days.pop(day)
        names = sorted(judged, key=str.encode)
        span = day_of(self.judged.record.clock, day)
        audit = self.judged.joined(span, [judged[name] for name in names])
        self.entries.append(
            DayEntry(
                day=day,
                digest=audit.digest,
                is_closed=day.isoformat() in self.judged.record.office.closings,
                events=audit.events,
                rounds=audit.rounds,
                unknown_rounds=audit.unknown_rounds,
                findings=len(audit.findings),
                tables={name: self.addresses[TaskKey(day=day, table=name)] for name in names},
            )
        )
        if self.on_day is not None:
            self.on_day(audit)

    def _keep(self, result: TaskResult, judged: JudgedTable) -> None:
        """Put a result that is believed into the judged store, and its states beside it."""
        self.judged.keep(judged, day_of(self.judged.record.clock, result.key.day))
        if self.judged.carried is not None:
            replay, office = self.judged.replay, self.judged.record.office
            states = CarriedStates(self.judged.carried, replay, office)
            for name, state in result.states.items():
                states.write(name, state)

    def _judge_again(self, keys: Iterable[TaskKey]) -> None:
        """Judge results again from the states that their workers were given, and compare.

        The readable engine does that alone: so a table that told a round wrongly is caught, too.
        """
        ground = RangeGround.of(self.judged)
        for key in keys:
            received = self.received.read(key)
            if received is None or not _is_confirmed(ground, received):
                self._forget()
                raise ResultFalse(str(key), "it says something else")

    def _admit(self) -> None:
        """Believe what the workers sent."""
        for key in self.done:
            received = self.received.read(key)
            judged = None if received is None else received.result.judged
            if received is not None and judged is not None:
                self._keep(received.result, judged)
                self.received.remove(key)

    def _forget(self) -> None:
        """Keep nothing of what the workers sent."""
        for key in self.done:
            self.received.remove(key)
