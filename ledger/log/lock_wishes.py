"""Who waits for a ledger's lock says so, so that who has it for long lets go between two appends.

A wish is a shared lock on the folder of the ledger's keys, which is in every ledger and is never
put in place of another. It ends with the process that has it, however that ends.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

KEYS: Final = "keys"


@contextmanager
def wish(folder: Path) -> Iterator[None]:
    """Wish for a ledger's lock until the block ends; nobody hears it where that cannot be said."""
    handle = None
    with suppress(OSError):
        handle = _opened(folder)
        fcntl.flock(handle, fcntl.LOCK_SH)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def is_wished_for(folder: Path) -> bool:
    """Whether anybody waits for a ledger's lock."""
    try:
        handle = _opened(folder)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def _opened(folder: Path) -> int:
    return os.open(folder / KEYS, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
