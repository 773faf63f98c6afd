"""The local socket between the desk and its one writer: where it lies, who may use it, one answer.

A request is one line of JSON, and so is its answer. Each side asks the system who the other is and
talks to its own user only. A request carries an id: repeated after a break, it is not done twice.
"""

from __future__ import annotations

import json
import os
import socket
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from ledger.kernel import SourceUnavailable

SOCKET: Final = "socket"
PACKS: Final = "packs"
"""In the writer's folder: packs that wait to be given out."""
LONGEST: Final = 1_000_000
"""Bytes of the longest request or answer."""
SECONDS: Final = 20.0
"""How long an answer may take; another command may hold the ledger for some seconds."""
SIGNING_SECONDS: Final = 300.0
"""How long a signature may take: what is signed is read from all entries of the ledger."""
PROVED_AGAIN: Final = frozenset(
    {"decide", "close", "reopen", "sign", "handover", "sign_form", "sign_report"}
)
"""Acts before which a person gives the pass phrase again, and the code of a second factor."""
_SHORT_PATH: Final = 100
"""Longer paths do not fit into a socket's address."""


class WriterAway(SourceUnavailable):
    """The process that writes for the desk does not answer."""

    code = "writer_away"

    def __init__(self, where: Path) -> None:
        super().__init__(
            "Nothing can be written at the moment: the process that writes for the desk does not"
            " answer.",
            where=str(where),
            next_step="send the form again in a minute: what was recorded already is not recorded"
            " twice; `pitledger serve writer` starts it by hand",
        )


def writer_folder(folder: Path) -> Path:
    """Return where the writer of a ledger keeps its socket and its requests: beside the ledger."""
    beside = Path(os.path.abspath(folder))
    return beside.with_name(f"{beside.name}.writer")


@contextmanager
def socket_address(folder: Path) -> Iterator[str]:
    """Give an address for the writer's socket that is short enough, while it is used."""
    own = writer_folder(folder)
    if len(os.fsencode(own / SOCKET)) < _SHORT_PATH:
        yield str(own / SOCKET)
        return
    descriptor = os.open(own, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}/{SOCKET}"
    finally:
        os.close(descriptor)


def is_own_user(connection: socket.socket) -> bool:
    """Whether the other end of a connection is a process of this user."""
    size = struct.calcsize("3i")
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    _, user, _ = struct.unpack("3i", credentials)
    return bool(user == os.getuid())


def read_line(connection: socket.socket) -> bytes | None:
    """Return the line that the other end sent; None where it is cut or too long."""
    parts = bytearray()
    while not parts.endswith(b"\n"):
        part = connection.recv(65_536)
        if not part or len(parts) + len(part) > LONGEST:
            return None
        parts += part
    return bytes(parts)


def ask_writer(folder: Path, request: Mapping[str, Any], seconds: float = SECONDS) -> Any:
    """Send a request to the writer of a ledger, and return its answer.

    Raises:
        WriterAway: nobody answers, in time and whole; what was asked may have been done.
    """
    try:
        with socket.socket(socket.AF_UNIX) as connection, socket_address(folder) as address:
            connection.settimeout(seconds)
            connection.connect(address)
            if is_own_user(connection):
                connection.sendall(json.dumps(request).encode() + b"\n")
                line = read_line(connection)
                if line is not None:
                    return json.loads(line)
    except (OSError, ValueError) as error:
        raise WriterAway(writer_folder(folder)) from error
    raise WriterAway(writer_folder(folder))
