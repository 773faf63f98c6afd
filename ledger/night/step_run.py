"""The work of one step in whatever process it runs, and what a refusal becomes on its way back."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field
from datetime import date
from pathlib import Path
from typing import Final

from ledger.kernel import LedgerError
from ledger.kernel.cyclic_garbage import collect_seldom
from ledger.kernel.quick_dataclass import dataclass
from ledger.night import code_hashes
from ledger.night.errors import LedgerDoesNotVerify, StepLost, StepOfOtherCode
from ledger.night.manifest import Manifest
from ledger.night.step_input import Ground, Step, StepInput, bounds_of_day
from ledger.night.steps import LATE, STEPS
from ledger.night.store import StoredOutput
from ledger.replay import Replay
from ledger.reports.night import Phase

BY_NAME: Final = {step.name: step for step in (*STEPS, *LATE)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One step to be done: plain values, so that another process can do it.

    Attributes:
        step: the name of the step in ``BY_NAME``.
        day: the gaming day.
        phase: as in ``StepInput``.
        table: the table of a step per table; else empty.
    """

    step: str
    day: date
    phase: Phase
    table: str = ""
    needs: Mapping[str, tuple[Path, str]] = field(default_factory=dict)
    """By job, the file of its output and the file's SHA-256 in hexadecimal."""
    draft: Manifest = field(default_factory=dict)
    """The manifest so far, for the steps of ``LATE``; empty for any other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainRefusal:
    """A refusal as plain values.

    An exception whose constructor takes other arguments than its base class cannot be pickled, so
    a process of the pool sends its parts. They are those of ``LedgerError``.
    """

    code: str
    exit_code: int
    problem: str
    where: str | None
    cause: str | None
    next_step: str | None

    @classmethod
    def of(cls, error: LedgerError) -> PlainRefusal:
        """Return a refusal as plain values."""
        return cls(
            code=error.code, exit_code=error.exit_code, problem=error.problem, where=error.where,
            cause=error.cause, next_step=error.next_step,
        )  # fmt: skip

    def refusal(self) -> LedgerError:
        """Return the refusal as an exception of the class that has its code."""
        kind = next((one for one in _kinds() if one.code == self.code), LedgerError)
        refusal = kind.__new__(kind)
        LedgerError.__init__(
            refusal, self.problem, where=self.where, cause=self.cause, next_step=self.next_step
        )
        return refusal


def _kinds() -> list[type[LedgerError]]:
    """Every kind of refusal that is loaded."""
    kinds: list[type[LedgerError]] = [LedgerError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    return kinds


_GROUND: Final[list[Ground]] = []
"""The ledger that this process of a pool works on."""


def begin(replay: Replay, folder: Path, derived: Path | None = None) -> None:
    """Set the ledger that the steps of this process read; arguments as for ``Ground``.

    Run once in each process, as the initializer of the pool, before ``run_in_pool``. What is there
    by then is kept, and is not looked through for circles after every step (``give_back``).
    """
    collect_seldom()
    _GROUND[:] = [Ground(replay, folder, derived)]
    gc.unfreeze()  # the ledger before this one
    gc.collect()
    gc.freeze()


def run_elsewhere(
    folder: Path, size: int, root: bytes, code: str, order: Order
) -> bytes | PlainRefusal:
    """Do a step in a process that was started for many nights, perhaps on another machine.

    Args:
        folder: the ledger, at the same place there; so are the outputs that the step needs.
        size: how many entries are read.
        root: the ledger's root at that size.
        code: ``code_hashes.whole`` of whoever asks.
        order: the step.

    Returns:
        As for ``run_in_pool``; a refusal where the code or the ledger is another.
    """
    try:
        if code != code_hashes.whole():
            raise StepOfOtherCode(order.step)
        if not _GROUND or (_GROUND[0].folder, _GROUND[0].replay.root) != (folder, root):
            replay = Replay.open(folder, size=size, from_entries=True)
            if replay.root != root:
                raise LedgerDoesNotVerify(folder, f"Its first {size} entries have another root.")
            begin(replay, folder)
    except LedgerError as error:
        return PlainRefusal.of(error)
    return run_in_pool(order)


def run_in_pool(order: Order) -> bytes | PlainRefusal:
    """Do a step in a process of the pool, and give its memory back.

    Returns:
        The output as bytes, as for ``run_step``; a refusal as plain values.
    """
    try:
        return run_step(_GROUND[0], order)
    except LedgerError as error:
        return PlainRefusal.of(error)
    finally:
        give_back()


def give_back() -> None:
    """Give the memory of a step back to the system; a process may wait long for its next one."""
    gc.collect()
    if "pyarrow" in sys.modules:
        import pyarrow

        pyarrow.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):  # only glibc keeps it, and only glibc has the call
        ctypes.CDLL(None).malloc_trim(0)


def run_step(ground: Ground, order: Order) -> bytes:
    """Do a step, and return its output as ``OutputTypes.written`` gives it.

    Raises:
        StepLost: the file of an output that it needs is gone or has changed.
        ValueUnreadable: the step made a value of another type than it declares.
        LedgerError: the step refuses.
    """
    step: Step = BY_NAME[order.step]
    outputs, stored = {}, {}
    for name, (path, digest) in order.needs.items():
        stored[name] = StoredOutput(path, digest, BY_NAME[name.partition("/")[0]].types)
        output = stored[name].read()
        if output is None:
            raise StepLost(name)
        outputs[name] = output
    inputs = StepInput(
        ground=ground,
        day=bounds_of_day(ground, order.day),
        phase=order.phase,
        table=order.table,
        outputs=outputs,
        stored=stored,
        draft=order.draft,
    )
    return step.types.written(step.run(inputs))
