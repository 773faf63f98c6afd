"""Where tasks are done: in this process one after the other, or in processes of this machine.

A runner is given tasks as bytes and gives back what came of them, in whatever order they end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Protocol

from ledger.analytics.day_range.errors import WorkersLost
from ledger.analytics.day_range.tasks import RangeGround, TaskKey, work
from ledger.kernel.cyclic_garbage import collect_seldom


class Runner(Protocol):
    """Does tasks.

    Attributes:
        width: how many tasks it is worth to give it at a time.
        is_own: whether it is this program on this machine, whose results need no second look.
    """

    @property
    def width(self) -> int: ...

    @property
    def is_own(self) -> bool: ...

    def start(self, key: TaskKey, task: bytes) -> None:
        """Take a task, as ``tasks.written`` gives it."""

    def finished(self) -> Iterator[tuple[TaskKey, bytes]]:
        """Wait until a task is done, and return what came of all that are.

        Raises:
            LedgerError: whatever does the tasks is gone.
        """


class InTurn:
    """Does each task in this process.

    Args:
        ground: what every task needs.
    """

    width = 1
    is_own = True

    def __init__(self, ground: RangeGround) -> None:
        self._ground = ground
        self._waiting: deque[tuple[TaskKey, bytes]] = deque()

    def start(self, key: TaskKey, task: bytes) -> None:
        self._waiting.append((key, task))

    def finished(self) -> Iterator[tuple[TaskKey, bytes]]:
        key, task = self._waiting.popleft()
        yield key, work(self._ground, task)


class InProcesses:
    """Does tasks in several processes; made by ``in_processes``.

    Args:
        pool: the processes, each begun with the ground.
        processes: how many they are.
    """

    is_own = True

    def __init__(self, pool: ProcessPoolExecutor, processes: int) -> None:
        self.width = 2 * processes  # the next one waits where the last one ends
        self._pool = pool
        self._running: dict[Future[bytes], TaskKey] = {}

    def start(self, key: TaskKey, task: bytes) -> None:
        try:
            self._running[self._pool.submit(_do, task)] = key
        except BrokenProcessPool as error:
            raise WorkersLost("one of them ended") from error

    def finished(self) -> Iterator[tuple[TaskKey, bytes]]:
        done, _ = wait(self._running, return_when=FIRST_COMPLETED)
        for future in done:
            key = self._running.pop(future)
            try:
                answer = future.result()
            except BrokenProcessPool as error:
                raise WorkersLost(f"one of them ended at {key}") from error
            yield key, answer


@contextmanager
def in_processes(ground: RangeGround, processes: int) -> Iterator[InProcesses]:
    """Start processes that know the ground, and end them.

    Args:
        ground: what every task needs; it is sent to each process once.
        processes: how many.
    """
    with ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=_begin, initargs=(ground,)
    ) as pool:
        try:
            yield InProcesses(pool, processes)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


_GROUND: list[RangeGround] = []
"""In a process of the pool: what its tasks need. In any other it is empty."""


def _begin(ground: RangeGround) -> None:
    collect_seldom()
    _GROUND[:] = [ground]


def _do(task: bytes) -> bytes:
    return work(_GROUND[0], task)
