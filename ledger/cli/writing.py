"""`pitledger serve writer`: the process that writes for the desk, and how the desk keeps one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from ledger.cli.ledger_commands import KeyOption
from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import say

if TYPE_CHECKING:
    import socket

PAUSE_SECONDS: Final = 2.0
"""How long the desk waits before it starts a writer that ended again."""


def serve_writer(*, key: KeyOption = None, options: Options = OPTIONS) -> int:
    """Write for the desk, until stopped: `serve` starts it by itself, and again when it ends.

    It alone reads the ledger's private key, and has the ledger open only while it appends, so
    other commands can write meanwhile. It listens at FOLDER.writer/socket, to this user alone.

    Args:
        key: the ledger's private key; default PITLEDGER_KEY, then FOLDER.key beside the ledger.
    """
    import signal
    from threading import Event, Thread

    from ledger.cli.desk_writer import DeskWriter, serve_connections
    from ledger.cli.settings import load
    from ledger.cli.wall_clock import read_clock
    from ledger.log import read_log
    from ledger.log.keys import read_signer
    from ledger.log.storage import DirectoryStorage
    from ledger.web.writer_socket import writer_folder

    log = read_log(options.folder)
    read_signer(DirectoryStorage(options.folder), key, log.verifier)
    own = writer_folder(options.folder)
    listening, lock = _listen(options.folder, own)
    is_over = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: is_over.set())
    settings = load()
    writer = DeskWriter(
        options.folder, own, read_clock, key, settings.night, settings.second_factor_roles
    )
    appending = Thread(target=writer.run)
    appending.start()
    with lock, listening:
        serve_connections(writer, listening, is_over)
        writer.stop()
        appending.join()
    return 0


def _listen(folder: Path, own: Path) -> tuple[socket.socket, IO[bytes]]:
    """Listen at the writer's socket, which one process can do at a time.

    Returns:
        The socket, and the file whose lock says that this process is the writer.

    Raises:
        WriterRunning: another process is.
        WriterFolderUnusable: the folder cannot be made, or belongs to another user.
    """
    import fcntl
    import os
    import socket

    from ledger.cli.errors import WriterFolderUnusable, WriterRunning
    from ledger.web.writer_socket import SOCKET, socket_address

    try:
        own.mkdir(mode=0o700, exist_ok=True)
        os.chmod(own, 0o700)  # refused where it is another user's
        lock = (own / "lock").open("wb")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.close()
            raise WriterRunning(own) from error
        (own / SOCKET).unlink(missing_ok=True)
        listening = socket.socket(socket.AF_UNIX)
        with socket_address(folder) as address:
            listening.bind(address)
        listening.listen(64)
    except OSError as error:
        raise WriterFolderUnusable(own, error) from error
    return listening, lock


class Sibling:
    """The writer that the desk keeps: started with it, again when it ends, stopped with it.

    Args:
        folder: the ledger's.
        environment: in which the ledger's private key is found.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        from threading import Event, Thread

        self._folder, self._environment = folder, environment
        self._is_over: Event = Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._keeping = Thread(target=self._keep, daemon=True)
        self._keeping.start()

    def _keep(self) -> None:
        while not self._is_over.is_set():
            self._process = subprocess.Popen(
                [sys.executable, "-m", "ledger", "serve", "writer", "--ledger", str(self._folder)],
                env=dict(self._environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
            code = self._process.wait()
            if not self._is_over.is_set():
                say(f"The desk's writer ended ({code}); it is started again.")
                self._is_over.wait(PAUSE_SECONDS)

    def close(self) -> None:
        """Stop it after what it appends."""
        self._is_over.set()
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait()
