"""Beginning a run: the lock on its folder, the ledger, the processes."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import date
from multiprocessing import forkserver, get_context
from multiprocessing.context import ForkServerContext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from ledger.casework import Policy
from ledger.kernel.cyclic_garbage import collected_seldom
from ledger.night import step_run
from ledger.night.errors import NightRunning, NightUnwritable, StepLost
from ledger.night.night_run import USUAL, NightRun, Outcome
from ledger.night.parallel_nights import run_all
from ledger.night.step_input import Ground
from ledger.night.store import Hook, unmoved
from ledger.replay import Replay
from ledger.reports.night import Phase
from ledger.reports.paper import Paper

LOCK: Final = ".lock"
LONGEST_FOLDER: Final = 70
"""Bytes of a temporary folder's name with which a socket in a folder of it has an address."""
SHORT_FOLDER: Final = "/tmp"


@contextmanager
def opened(
    folder: Path,
    day: date,
    *,
    out: Path,
    phase: Phase | None = None,
    processes: int = 2,
    at: Hook = unmoved,
    footage_days: int | None = None,
    policy: Policy = USUAL,
    action_days: int | None = None,
    paper: Paper = Paper.LETTER,
    from_nothing: bool = False,
) -> Iterator[NightRun]:
    """Begin a run; nobody else works in the folder until it ends.

    Args:
        folder: the ledger.
        day: the gaming day.
        out: the folder of nights; made if it is not there.
        phase: which run; None takes the final one where the day is closed and counted.
        processes: how many share the work; the bytes are the same for any number.
        at: told where the run is; for tests.
        footage_days: for how many days the property keeps recordings; None: nothing says so.
        policy: how many alerts a shift is shown.
        action_days: within how many days an action is to be closed; None: nothing says so.
        paper: what the report is printed on.
        from_nothing: derive everything from the entries, whatever earlier runs have sealed.

    Raises:
        NightRunning: another run works in the folder.
        DayUnknown: the ledger has no fact of that day.
        DayOpen: a final run of a day without a closing.
        PropertyUnknown: no fact describes the property.
    """
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(TemporaryDirectory())) if from_nothing else None
        ground, pool = stack.enter_context(begun(folder, out, processes, at, derived=scratch))
        work = None if scratch is None else scratch / "work"
        yield NightRun(
            ground, day, phase, out, pool, at, footage_days, policy, action_days, paper, work
        )


@contextmanager
def begun(
    folder: Path,
    out: Path,
    processes: int,
    at: Hook,
    replay: Replay | None = None,
    derived: Path | None = None,
) -> Iterator[tuple[Ground, ProcessPoolExecutor | None]]:
    """Hold the lock, the ledger and the processes of a run, however many nights are in it.

    Args:
        folder: the ledger.
        out: the folder of nights, which is locked.
        processes: how many share the work; for 1 there is no pool, and steps run in this process.
        at: called with the name of each point that the run passes.
        replay: the ledger's, where it has been opened already.
        derived: where derived values are kept; None: in the ledger's own ``cache`` folder.

    Raises:
        NightRunning: another run works in the folder.
        NightUnwritable: the folder cannot be made.
    """
    with locked(out), collected_seldom():
        at("locked")
        replay = Replay.open(folder, from_entries=True) if replay is None else replay
        ground = Ground(replay, folder, derived)
        if processes == 1:
            yield ground, None
            return
        pool = ProcessPoolExecutor(
            processes,
            mp_context=processes_ready(),
            initializer=step_run.begin,
            initargs=(replay, folder, derived),
        )
        whole = True
        try:
            yield ground, pool
        except StepLost:
            whole = False  # a process that was killed may have left the others waiting for it
            raise
        finally:
            pool.shutdown(wait=whole, cancel_futures=True)


def processes_ready() -> ForkServerContext:
    """Start a server process that has imported the program, and from which processes are forked.

    A caller that is to run nights soon may call it ahead, so that none of them waits for imports.
    """
    context = get_context("forkserver")
    context.set_forkserver_preload([step_run.__name__, "scipy.special"])
    with _short_temporary_folder():
        forkserver.ensure_running()
    return context


@contextmanager
def _short_temporary_folder() -> Iterator[None]:
    """Let the server's socket lie where its address is not too long."""
    before = tempfile.tempdir
    if len(os.fsencode(tempfile.gettempdir())) > LONGEST_FOLDER:
        tempfile.tempdir = SHORT_FOLDER
    try:
        yield
    finally:
        tempfile.tempdir = before


@contextmanager
def locked(out: Path) -> Iterator[None]:
    """Be the only run in a folder.

    Raises:
        NightRunning: there is another.
        NightUnwritable: the folder cannot be made.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        handle = os.open(out / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise NightUnwritable(out, error) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise NightRunning(out) from error
        yield
    finally:
        os.close(handle)


def run_night(
    folder: Path,
    day: date,
    *,
    out: Path,
    phase: Phase | None = None,
    processes: int = 2,
    at: Hook = unmoved,
    footage_days: int | None = None,
    policy: Policy = USUAL,
    action_days: int | None = None,
    paper: Paper = Paper.LETTER,
    from_nothing: bool = False,
) -> Outcome:
    """Run the night of a gaming day, and issue it where it is new or differs from what stands.

    Arguments as for ``opened``.

    Raises:
        StepLost: a process was killed.
        NightUnwritable: an output or the issue cannot be written.
        CountAwaited: a final run was asked for, and drop boxes await their count.
        NightOfAnotherLedger, IssueDamaged: what stands is not of this ledger, or not as issued.
        LedgerError: any refusal of ``opened``.
    """
    with opened(
        folder,
        day,
        out=out,
        phase=phase,
        processes=processes,
        at=at,
        footage_days=footage_days,
        policy=policy,
        action_days=action_days,
        paper=paper,
        from_nothing=from_nothing,
    ) as night:
        return run_all([night], processes)[0]


def run_nights(
    folder: Path,
    days: Iterable[date],
    *,
    out: Path,
    processes: int = 2,
    replay: Replay | None = None,
    paper: Paper = Paper.LETTER,
) -> tuple[Outcome, ...]:
    """Run the nights of several gaming days, side by side over one state of the ledger.

    The issues are the same as those of ``run_night`` for one day after the other. Other arguments
    and refusals are those of ``run_night``.

    Args:
        days: the gaming days, in any order; each is run once.
        replay: the ledger's, where it has been opened already.

    Returns:
        The outcomes by gaming day, rising.
    """
    with begun(folder, out, processes, unmoved, replay) as (ground, pool):
        nights = [NightRun(ground, day, None, out, pool, paper=paper) for day in sorted(set(days))]
        return run_all(nights, processes)
