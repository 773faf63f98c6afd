"""One table's gaming day as a task that any process can do: what goes in, what comes out, as bytes.

The days of one table are a chain: each task is given the states that the day before it handed on.
What comes out is the judgment and the states for the next day. Both ways are canonical bytes with a
closed list of kinds, so nothing that another machine sends is executed here.

The content address of a judgment is the SHA-256 of its canonical bytes, without what its play asked
about coupons: that depends on the day from which the play had to walk, and says nothing of the day.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from ledger.analytics.code_fingerprint import code_hash
from ledger.analytics.judged_tables import (
    JudgedTable,
    JudgedTables,
    judge,
    judgment_bytes,
    packed,
    unpacked,
)
from ledger.audit import HouseRecord, day_of
from ledger.audit.carried import CarriedStates, HandedStates
from ledger.audit.table_day_inputs import TableDayInputs
from ledger.kernel import LedgerError
from ledger.kernel.quick_dataclass import dataclass
from ledger.kernel.value_bytes import ValueFormat, ValueUnreadable, declared_kinds
from ledger.replay import Replay

HANDED_ON: Final = 2
"""So many states are handed on to a table's next day: those of the last starts of a day. Where
coupons lie with wagers at a day's start no state is kept, and the walk begins a day earlier."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class TaskKey:
    """Which work it is: a table's gaming day. The order is that of the days, then of the tables."""

    day: date
    table: str

    def __str__(self) -> str:
        return f"{self.table} on {self.day}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTask:
    """A table's gaming day that is to be judged.

    Attributes:
        key: which.
        tree_size: how many entries of the ledger are read.
        root: the ledger's root at that size.
        code: the version that is to judge, as ``program_version`` says it.
        states: the states that its earlier days handed on, by name.
    """

    key: TaskKey
    tree_size: int
    root: bytes
    code: str
    states: Mapping[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskResult:
    """What came of a task.

    Attributes:
        key: which task.
        address: the content address of the judgment, SHA-256 in hexadecimal.
        judgment: its bytes, as ``judged_tables.packed``.
        states: the states for the table's next day, by name.
    """

    key: TaskKey
    address: str
    judgment: bytes
    states: Mapping[str, bytes]

    @property
    def judged(self) -> JudgedTable | None:
        """The judgment; None where it is none of this table, or not what the address says."""
        judged = unpacked(self.judgment)
        if not isinstance(judged, JudgedTable) or judged.part.table != self.key.table:
            return None
        return judged if address_of(judged) == self.address else None

    @property
    def whole(self) -> bytes:
        """SHA-256 of all that it says, with the states that it hands on."""
        judged = unpacked(self.judgment)
        content = b"" if judged is None else judgment_bytes(judged)
        states = [sha256(f"{name}\0".encode() + state).digest() for name, state in self._in_order()]
        return sha256(sha256(content).digest() + b"".join(states)).digest()

    def _in_order(self) -> list[tuple[str, bytes]]:
        return sorted(self.states.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRefusal:
    """Why a process could not do a task, as ``LedgerError`` says it."""

    key: TaskKey
    code: str
    problem: str
    where: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedResult:
    """What a worker sent, with the task that it was given.

    Attributes:
        task: the task.
        result: what came of it.
    """

    task: TableTask
    result: TaskResult


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeGround:
    """What every task of a ledger needs.

    Attributes:
        replay: the ledger's replay.
        house: the house's facts, with the custody of coupons.
        carried: the folder of carried states (a cache); None where none is read.
        inputs: what bears on the tables' days.
    """

    replay: Replay
    house: HouseRecord
    carried: Path | None
    inputs: TableDayInputs

    @classmethod
    def of(cls, judged: JudgedTables) -> RangeGround:
        """Return the ground of a ledger's judged tables."""
        return cls(
            replay=judged.replay, house=judged.house, carried=judged.carried, inputs=judged.inputs
        )

    def do(self, task: TableTask, *, in_bulk: bool = True) -> TaskResult:
        """Judge a table's gaming day from the states that were handed on.

        Args:
            task: what is to be judged.
            in_bulk: tell rounds in order from tables, with the same results.
        """
        span = day_of(self.house.clock, task.key.day)
        handed = HandedStates(task.states)
        states = CarriedStates(self.carried, self.replay, self.house.office, handed)
        table = task.key.table
        judged = judge(self.replay, self.house, table, span, states, self.inputs, in_bulk=in_bulk)
        return TaskResult(
            key=task.key,
            address=address_of(judged),
            judgment=packed(judged),
            states=dict(sorted(handed.kept.items())[-HANDED_ON:]),
        )


def address_of(judged: JudgedTable) -> str:
    """Return the content address of a judgment, SHA-256 in hexadecimal."""
    return sha256(judgment_bytes(replace(judged, answered=b""))).hexdigest()


def program_version() -> str:
    """Return what two processes must share so that the same facts give the same bytes.

    That is the code and the rows, the version of Python, and that of what writes the rows.
    """
    from pyarrow import __version__ as arrow

    python = ".".join(map(str, sys.version_info[:3]))
    return f"{code_hash()[:32]}-python-{python}-arrow-{arrow}"


def work(ground: RangeGround, task: bytes) -> bytes:
    """Do a task that comes and goes as bytes; a refusal is an answer, too.

    Raises:
        ValueUnreadable: these bytes are no task.
    """
    order = read_task(task)
    try:
        return written(ground.do(order))
    except LedgerError as error:
        return written(
            TaskRefusal(key=order.key, code=error.code, problem=error.problem, where=error.where)
        )


@cache
def _format() -> ValueFormat:
    return ValueFormat(declared_kinds([ReceivedResult, TaskRefusal]))


def written(content: TableTask | TaskResult | TaskRefusal | ReceivedResult) -> bytes:
    """Return a task, or what came of it, as canonical bytes."""
    return _format().write(content)


def read_task(stored: bytes) -> TableTask:
    """Return the task of bytes.

    Raises:
        ValueUnreadable: they are none.
    """
    task = _format().read(stored)
    if not isinstance(task, TableTask):
        raise ValueUnreadable("These bytes are no task.")
    return task


def read_answer(stored: bytes) -> TaskResult | TaskRefusal | ReceivedResult | None:
    """Return what came of a task; None where these bytes say nothing of the kind."""
    try:
        answer = _format().read(stored)
    except ValueUnreadable:
        return None
    return answer if isinstance(answer, TaskResult | TaskRefusal | ReceivedResult) else None
