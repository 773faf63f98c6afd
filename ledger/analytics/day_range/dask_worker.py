"""A Dask worker that judges tables' days of one ledger: what `pitledger worker` runs.

It offers its version as a resource, and a task asks for the version that is to judge it: so a
worker of another version is never given any work. It reads its own copy of the ledger, or the same
one on a shared disk, and writes nothing beside it. Where the scheduler goes away it waits for it to
return.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import field
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, Final

from ledger.analytics.day_range.errors import (
    DaskMissing,
    LedgerDiffers,
    SchedulerUnreachable,
    WorkerOfOtherCode,
)
from ledger.analytics.day_range.scheduler_address import Credentials, SchedulerAddress
from ledger.analytics.day_range.tasks import (
    RangeGround,
    TaskRefusal,
    program_version,
    read_task,
    work,
    written,
)
from ledger.analytics.judged_tables import JudgedTables
from ledger.kernel import LedgerError
from ledger.kernel.quick_dataclass import dataclass
from ledger.log import read_log
from ledger.replay import Replay

RESOURCE: Final = "pitledger-"
"""What the resource begins with under which a worker offers its version."""
PATIENCE_SECONDS: Final = 60.0
"""How long a worker waits for its scheduler, at the start and when that is gone."""
LOOPBACK: Final = "127.0.0.1"


def resource_of(version: str) -> str:
    """Return the resource that workers of a version offer and tasks for it ask for."""
    return f"{RESOURCE}{version}"


def dask() -> ModuleType:
    """Return Dask's package for several processes; it is loaded only where it is asked for.

    Raises:
        DaskMissing: it is not installed.
    """
    try:
        return import_module("distributed")
    except ImportError as error:
        raise DaskMissing from error


def security_of(credentials: Credentials | None) -> object:
    """Return what Dask needs to encrypt, and to prove each side to the other; None for neither."""
    if credentials is None:
        return None
    names = ("client", "scheduler", "worker")
    own = {f"tls_{name}_cert": str(credentials.certificate) for name in names}
    keys = {f"tls_{name}_key": str(credentials.key) for name in names}
    return dask().Security(
        require_encryption=True, tls_ca_file=str(credentials.authority), **own, **keys
    )


async def greet(address: SchedulerAddress, credentials: Credentials | None, seconds: float) -> None:
    """Ask a scheduler who it is: Dask itself waits for ever where something accepts and is silent.

    Args:
        address: the scheduler's.
        credentials: with which both sides prove who they are.
        seconds: how long it may take.

    Raises:
        SchedulerUnreachable: nothing answers there as a scheduler does.
    """
    security: Any = security_of(credentials)
    arguments = {} if security is None else security.get_connection_args("client")
    scheduler = dask().rpc(str(address), connection_args=arguments)
    try:
        await asyncio.wait_for(scheduler.identity(), seconds)
    except TimeoutError as error:
        raise SchedulerUnreachable(str(address), f"not within {seconds:g} s") from error
    except (OSError, ValueError, RuntimeError) as error:
        raise SchedulerUnreachable(str(address), str(error) or type(error).__name__) from error
    finally:
        await scheduler.close_rpc()


@dataclass(slots=True)
class ServedLedger:
    """The ledger of a worker.

    Attributes:
        folder: where it lies on this machine.
        version: this program's.
    """

    folder: Path
    version: str = field(default_factory=lambda: program_version())
    _grounds: dict[tuple[int, bytes], RangeGround] = field(default_factory=dict)

    def do(self, task: bytes) -> bytes:
        """Do a task, if it is for this version and this ledger; else answer why not."""
        order = read_task(task)
        try:
            if order.code != self.version:
                raise WorkerOfOtherCode(order.code, self.version)
            ground = self._ground(order.tree_size, order.root)
        except LedgerError as error:
            return written(
                TaskRefusal(
                    key=order.key, code=error.code, problem=error.problem, where=error.where
                )
            )
        return work(ground, task)

    def _ground(self, size: int, root: bytes) -> RangeGround:
        """What the tasks of one state of the ledger need; kept until another state is asked for.

        Raises:
            LedgerDiffers: this ledger never was in that state.
            LedgerError: it cannot be read.
        """
        known = self._grounds.get((size, root))
        if known is None:
            own = read_log(self.folder).size
            if own < size:
                problem = f"it has {own} entries, and {size} were asked for"
                raise LedgerDiffers(str(self.folder), problem)
            replay = Replay.open(self.folder, size=size, keeps=False)
            if replay.root != root:
                raise LedgerDiffers(str(self.folder), f"its first {size} entries have another root")
            known = RangeGround.of(JudgedTables(replay, self.folder / "cache"))
            self._grounds.clear()
            self._grounds[size, root] = known
        return known


_SERVED: Final[list[ServedLedger]] = []
"""In a worker's process: the ledger that it serves. In any other it is empty."""


def do_task(task: bytes) -> bytes:
    """Do a task in a worker's process; both ways as bytes, see ``tasks``."""
    return _SERVED[0].do(task)


def serve(
    folder: Path,
    address: SchedulerAddress,
    credentials: Credentials | None,
    *,
    patience_seconds: float = PATIENCE_SECONDS,
    on_ready: Callable[[str], None] | None = None,
) -> None:
    """Work for a scheduler until it stays away.

    Args:
        folder: the ledger of this machine.
        address: the scheduler's.
        credentials: with which both sides prove who they are, beyond this machine.
        patience_seconds: how long the scheduler may be away.
        on_ready: called with the worker's address each time that it is taken in.

    Raises:
        DaskMissing: Dask is not installed.
        SchedulerUnsecured, CredentialsUnusable: as for ``SchedulerAddress.check``.
        SchedulerUnreachable: the scheduler stayed away.
        LedgerMissing: there is no ledger.
    """
    address.check(credentials)
    read_log(folder)
    dask()
    _SERVED[:] = [ServedLedger(folder)]
    asyncio.run(_serve(address, credentials, patience_seconds, on_ready))


async def _serve(
    address: SchedulerAddress,
    credentials: Credentials | None,
    patience_seconds: float,
    on_ready: Callable[[str], None] | None,
) -> None:
    host: dict[str, Any] = {"host": LOOPBACK} if address.is_loopback else {}
    while True:
        await greet(address, credentials, patience_seconds)
        with TemporaryDirectory(prefix="pitledger-worker-") as scratch:
            worker = dask().Worker(
                str(address),
                nthreads=1,
                resources={resource_of(_SERVED[0].version): 1},
                security=security_of(credentials),
                local_directory=scratch,
                dashboard=False,
                death_timeout=patience_seconds,
                **host,
            )
            try:
                async with worker:
                    if on_ready is not None:
                        on_ready(worker.address)
                    await worker.finished()
            except (OSError, TimeoutError, ValueError) as error:
                raise SchedulerUnreachable(
                    str(address), f"not within {patience_seconds:g} s"
                ) from error
