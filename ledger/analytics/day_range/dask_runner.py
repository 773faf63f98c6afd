"""Tasks on the workers of a Dask scheduler.

Only workers of this version are given work. A task whose worker dies is given to another one by the
scheduler. What comes back is read as bytes and never unpickled. A scheduler that goes away, or that
has no worker that fits, is waited for only so long.
"""

from __future__ import annotations

import asyncio
import queue
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any, Final

from ledger.analytics.day_range.dask_worker import (
    RESOURCE,
    dask,
    do_task,
    greet,
    resource_of,
    security_of,
)
from ledger.analytics.day_range.errors import (
    NoWorkerFits,
    SchedulerLost,
    SchedulerUnreachable,
    SchedulerUnsecured,
    WorkersLost,
)
from ledger.analytics.day_range.scheduler_address import Credentials, SchedulerAddress
from ledger.analytics.day_range.tasks import TaskKey, program_version

CONNECT_SECONDS: Final = 10.0
"""How long a scheduler may take to answer at first."""
SILENT_SECONDS: Final = 15.0
"""How long a scheduler may take to answer while it has work."""
PATIENCE_SECONDS: Final = 30.0
"""How long a scheduler may be without a worker of this version."""
BEAT_SECONDS: Final = 1.0
"""How often it is asked how it is, while nothing comes back."""
READABLE: Final = ("msgpack", "dask")
"""In which forms bytes from a worker are read: none that can run anything."""


class OnDask:
    """Gives tasks to a scheduler; made by ``on_dask``.

    Args:
        client: connected to the scheduler.
        address: the scheduler's.
        patience_seconds: how long there may be no worker of this version.
    """

    is_own = False

    def __init__(self, client: Any, address: SchedulerAddress, patience_seconds: float) -> None:
        self._client, self._address, self._patience = client, address, patience_seconds
        self._version = program_version()
        self._running: dict[TaskKey, Any] = {}
        self._finished: queue.SimpleQueue[TaskKey] = queue.SimpleQueue()
        self._done = 0
        self._started = 0
        self._fitted_at = time.monotonic()
        self.width = 1
        self.others: list[str] = []
        """The workers that are given no work, each with its reason."""
        self._look()

    def start(self, key: TaskKey, task: bytes) -> None:
        self._started += 1
        try:
            future = self._client.submit(
                do_task, task,
                key=f"judge-{key.day}-{key.table}-{self._started}-{self._client.id}",
                resources={resource_of(self._version): 1}, pure=False,
            )  # fmt: skip
        except Exception as error:  # of whatever kind: it is no longer connected
            raise self._lost() from error
        self._running[key] = future
        future.add_done_callback(lambda _future: self._finished.put(key))

    def finished(self) -> Iterator[tuple[TaskKey, bytes]]:
        while True:
            try:
                key = self._finished.get(timeout=BEAT_SECONDS)
            except queue.Empty:
                self._look()
                continue
            answer = self._answer(key)
            if answer is None:
                self._look()
                self._finished.put(key)
                continue
            del self._running[key]
            self._done += 1
            self._fitted_at = time.monotonic()
            yield key, answer
            return

    def _answer(self, key: TaskKey) -> bytes | None:
        """What a task that was done came to; None where its worker ended before it was fetched.

        Another worker then does it again.
        """
        try:
            answer = self._running[key].result(timeout=SILENT_SECONDS)
        except TimeoutError:
            return None
        except (CancelledError, OSError) as error:
            raise self._lost() from error
        except Exception as error:  # a killed worker, or what it raised and we do not read
            if self._client.status != "running":
                raise self._lost() from error
            raise WorkersLost(f"{type(error).__name__} at {key}") from error
        return answer if isinstance(answer, bytes) else b""

    def _lost(self) -> SchedulerLost:
        return SchedulerLost(str(self._address), self._done, self._started)

    def _look(self) -> None:
        """Ask the scheduler which workers it has.

        Raises:
            SchedulerLost: it does not answer.
            SchedulerUnsecured: a worker of another machine is reached without encryption.
            NoWorkerFits: for too long there was no worker of this version.
        """
        if self._client.status != "running":
            raise self._lost()
        try:
            identity = self._client.sync(
                self._client.scheduler.identity, n_workers=-1, callback_timeout=SILENT_SECONDS
            )
        except Exception as error:  # of whatever kind: it did not answer
            raise self._lost() from error
        workers: Mapping[str, Mapping[str, Any]] = identity.get("workers", {})
        for where in workers:
            reached = SchedulerAddress.parse(where)
            if reached.scheme != "tls" and not reached.is_loopback:
                raise SchedulerUnsecured(where, "its worker is reached without encryption")
        offers = {where: tuple(known.get("resources", ())) for where, known in workers.items()}
        wanted = resource_of(self._version)
        fitting = [where for where, offered in offers.items() if wanted in offered]
        self.others = [
            f"{where} has {_version_in(offered)}"
            for where, offered in sorted(offers.items())
            if wanted not in offered
        ]
        self.width = max(1, 2 * len(fitting))
        if fitting:
            self._fitted_at = time.monotonic()
        elif time.monotonic() - self._fitted_at >= self._patience:
            raise NoWorkerFits(self._version, self.others, self._patience)


def _version_in(resources: tuple[str, ...]) -> str:
    versions = [name.removeprefix(RESOURCE) for name in resources if name.startswith(RESOURCE)]
    return versions[0] if versions else "no version: it was not started with `pitledger worker`"


@contextmanager
def on_dask(
    address: SchedulerAddress,
    credentials: Credentials | None = None,
    *,
    patience_seconds: float = PATIENCE_SECONDS,
    connect_seconds: float = CONNECT_SECONDS,
) -> Iterator[OnDask]:
    """Connect to a scheduler, and take back what it still has to do at the end.

    Args:
        address: the scheduler's.
        credentials: with which both sides prove who they are, beyond this machine.
        patience_seconds: how long there may be no worker of this version.
        connect_seconds: how long the scheduler may take to answer.

    Raises:
        DaskMissing: Dask is not installed.
        SchedulerUnsecured, CredentialsUnusable: as for ``SchedulerAddress.check``.
        SchedulerUnreachable: nothing answers there as a scheduler does.
    """
    address.check(credentials)
    asyncio.run(greet(address, credentials, connect_seconds))
    try:
        client = dask().Client(
            str(address), timeout=connect_seconds, security=security_of(credentials),
            set_as_default=False, deserializers=list(READABLE),
        )  # fmt: skip
    except (OSError, TimeoutError, ValueError) as error:
        raise SchedulerUnreachable(str(address), f"not within {connect_seconds:g} s") from error
    try:
        yield OnDask(client, address, patience_seconds)
    finally:
        client.close(timeout=connect_seconds)
