"""Two tables on two days for the tests of ranges, and runners that do the tasks badly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from random import Random

from ledger.analytics import JudgedTables
from ledger.analytics.day_range import InTurn, RangeAudit, TaskKey, TaskResult, audit_range
from ledger.analytics.day_range.tasks import RangeGround, address_of, read_answer, work, written
from ledger.analytics.judged_tables import packed
from ledger.replay import Replay
from tests.analytics import given
from tests.engine import of_tables

FIRST, LAST = date(2021, 6, 12), date(2021, 6, 13)
TABLES = ("SB-01", "DC-01")


def two_tables(folder: Path, *, days: int = 2, scale: float = 0.01) -> Path:
    """A ledger of two tables."""
    sent = given.facts("overpaid", "lost_event", days=days, scale=scale, coupons=True)
    return given.ledger(folder, [*of_tables(sent, *TABLES)])


def judged(folder: Path, *, kept: bool = False) -> JudgedTables:
    """The judged tables of a ledger, without what is kept unless that is asked for."""
    return JudgedTables(Replay.open(folder), folder / "cache" if kept else None)


def serial(folder: Path, begins: date = FIRST, ends: date = LAST) -> RangeAudit:
    """The range, in this process and from nothing that is kept."""
    tables = judged(folder)
    return audit_range(tables, begins, ends, InTurn(RangeGround.of(tables)))


@dataclass
class Elsewhere:
    """Does tasks as a scheduler's workers would: several at a time, finished in any order.

    Attributes:
        ground: what every task needs.
        alter: what a worker makes of what came of a task.
        stop_after: the scheduler is gone after so many tasks; None: it stays.
    """

    ground: RangeGround
    alter: Callable[[TaskResult], TaskResult | bytes] = field(default=lambda result: result)
    stop_after: int | None = None
    random: Random = field(default_factory=lambda: Random(5))
    waiting: list[tuple[TaskKey, bytes]] = field(default_factory=list)
    done: list[TaskKey] = field(default_factory=list)
    width: int = 4
    is_own: bool = False

    def start(self, key: TaskKey, task: bytes) -> None:
        self.waiting.append((key, task))

    def finished(self) -> Iterator[tuple[TaskKey, bytes]]:
        if self.stop_after is not None and len(self.done) >= self.stop_after:
            raise ConnectionError("the scheduler is gone")
        key, task = self.waiting.pop(self.random.randrange(len(self.waiting)))
        self.done.append(key)
        answer = work(self.ground, task)
        result = read_answer(answer)
        if isinstance(result, TaskResult):
            altered = self.alter(result)
            answer = altered if isinstance(altered, bytes) else written(altered)
        yield key, answer


def lie(result: TaskResult) -> TaskResult:
    """What a worker sends that hides the findings, under the address of what it sends."""
    honest = result.judged
    assert honest is not None
    false = replace(honest, part=replace(honest.part, findings=[], unchecked=77))
    return replace(result, judgment=packed(false), address=address_of(false))
