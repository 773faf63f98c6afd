"""A spool in a process of its own: rows are read here while their facts are put away there.

On a commit it works the other way: facts are numbered there while they are appended here. What
comes back is the same as from a spool of one's own, byte for byte, since it is one. Memory stays
flat: rows are never further ahead than a pipe holds, and what comes back waits in a file.
"""

from __future__ import annotations

import fcntl
import marshal
import pickle
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Final, TypeVar

from ledger.events import RowsImported
from ledger.intake.import_errors import SpoolFailed
from ledger.intake.staging_database import ROOM, Item, ScopeNumbers, Spool, Waiting

Message = TypeVar("Message")

SHARED_BYTES: Final = 4_000_000
"""From which size of a file a second process is worth its start."""
SENT: Final = 1_000
"""How many facts are sent together."""
PIPE_BYTES: Final = 1 << 20
"""How far rows may be ahead."""
ANSWERS: Final = "answers"
"""The file in which answers wait; the pipe says how long each is."""


def spool_for(size: int, processes: int, hash_key: bytes = b"") -> Spool | SpoolBeside:
    """Where the facts of a file wait.

    Args:
        size: of the file, in bytes.
        processes: how many may share the work.
        hash_key: of the ledger; see ``Replay.hash_key``.
    """
    if processes > 1 and size >= SHARED_BYTES:
        with suppress(OSError):  # no further process may start here: one does all of it
            return SpoolBeside(hash_key)
    return Spool(hash_key=hash_key)


class SpoolBeside:
    """A spool that another process has; a context that ends it.

    What a ``Spool`` raises there, and the end of that process, is ``SpoolFailed`` here.

    Args:
        hash_key: as of ``Spool``.
    """

    def __init__(self, hash_key: bytes = b"") -> None:
        self._folder = TemporaryDirectory(prefix="pitledger-")
        spawn = get_context("spawn")
        theirs, self._down = spawn.Pipe(duplex=False)
        self._up, ours = spawn.Pipe(duplex=False)
        _widen(self._down)
        answers = Path(self._folder.name) / ANSWERS
        answers.touch()
        self._answers = answers.open("rb")
        self._process = spawn.Process(
            target=_serve, args=(theirs, ours, self._folder.name, hash_key), daemon=True
        )
        self._process.start()
        theirs.close()
        ours.close()
        self._batch: list[Waiting] = []
        self.lanes = ScopeNumbers()

    def __enter__(self) -> SpoolBeside:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._down.close()
        self._up.close()
        self._answers.close()
        self._process.join()
        self._process.close()
        self._folder.cleanup()

    def add(self, facts: Iterable[Waiting]) -> None:
        """As of ``Spool``."""
        self._batch.extend(facts)
        if len(self._batch) >= SENT:
            self._flush()

    def _flush(self) -> None:
        if self._batch:
            self._send_or_fail(self._down.send_bytes, marshal.dumps(self._batch))
            self._batch.clear()

    def settle(self, earlier: Iterable[RowsImported]) -> None:
        """As of ``Spool``."""
        self._flush()
        self._send_or_fail(self._down.send_bytes, b"")
        self._send_or_fail(self._down.send, self.lanes.names())
        for imported in earlier:
            self._send_or_fail(self._down.send, imported)
        self._send_or_fail(self._down.send, None)

    def call(self, make: Callable[..., Iterable[Item]], *args: object) -> Iterator[Item]:
        """As of ``Spool``; both the function and what it hands out go from process to process.

        All of it must be taken before anything else is asked.
        """
        self._send_or_fail(self._down.send, (make, args))
        while size := self._receive():
            yield from pickle.loads(self._answers.read(size))

    def _send_or_fail(self, send: Callable[[Message], None], message: Message) -> None:
        try:
            send(message)
        except OSError:
            while True:  # it has said why it ended, if it could
                self._receive()

    def _receive(self) -> int:
        try:
            got: int | str = self._up.recv()
        except (EOFError, OSError):
            raise SpoolFailed("the process that keeps them was ended", "import again") from None
        if isinstance(got, str):
            raise SpoolFailed(got, ROOM)
        return got


def _widen(pipe: Connection) -> None:
    """Let a pipe hold more than the few facts that it holds by itself, where that is possible."""
    with suppress(OSError, AttributeError):
        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def _serve(down: Connection, up: Connection, folder: str, hash_key: bytes) -> None:
    """What the other process does: take facts in, then answer until nobody asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupted import closes the pipes
    with suppress(EOFError, BrokenPipeError):
        try:
            _keep(down, up, folder, hash_key)
        except BrokenPipeError:
            raise
        except SpoolFailed as failed:
            up.send(failed.problem)
        except OSError as error:
            up.send(str(error))


def _keep(down: Connection, up: Connection, folder: str, hash_key: bytes) -> None:
    with Spool(folder, hash_key) as spool, (Path(folder) / ANSWERS).open("ab") as answers:
        while batch := down.recv_bytes():
            spool.add(marshal.loads(batch))
        spool.lanes = ScopeNumbers(down.recv())
        spool.settle(iter(down.recv, None))
        while True:
            make, args = down.recv()
            items = spool.call(make, *args)
            while some := list(islice(items, SENT)):
                size = answers.write(pickle.dumps(some, pickle.HIGHEST_PROTOCOL))
                answers.flush()
                up.send(size)
            up.send(0)
