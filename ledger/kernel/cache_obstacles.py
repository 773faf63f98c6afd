"""What could not be kept beside a ledger, and why, for whoever says it to a person.

Whoever only reads answers from what he derives and keeps nothing: without the ledger's key, in a
folder that may not be written, on a full disk. Neither is an error, since all of it can be derived
again; but an answer that took long says why the next one will, too.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import Final


class CacheObstacle(StrEnum):
    """Why nothing is kept, in words that follow "since"."""

    NO_KEY = "the ledger's key is not at hand"
    ONLY_READ = "the ledger's cache may not be written"
    DISK_FULL = "the disk is full"


REASONS: Final = {
    errno.EACCES: CacheObstacle.ONLY_READ,
    errno.EPERM: CacheObstacle.ONLY_READ,
    errno.EROFS: CacheObstacle.ONLY_READ,
    errno.ENOSPC: CacheObstacle.DISK_FULL,
    errno.EDQUOT: CacheObstacle.DISK_FULL,
}
"""The errors of a system that say so."""
_NOTED: Final[ContextVar[set[CacheObstacle] | None]] = ContextVar("cache_obstacles", default=None)


def reason_of(error: OSError) -> CacheObstacle | None:
    """Return why nothing is kept; None for an error that says something else."""
    return REASONS.get(error.errno or 0)


def note_obstacle(why: CacheObstacle | None) -> None:
    """Note that something was not kept, for ``noting_obstacles``; None is noted nowhere."""
    noted = _NOTED.get()
    if noted is not None and why is not None:
        noted.add(why)


@contextmanager
def noting_obstacles() -> Iterator[set[CacheObstacle]]:
    """Give the reasons why something was not kept, as they come up."""
    noted: set[CacheObstacle] = set()
    token = _NOTED.set(noted)
    try:
        yield noted
    finally:
        _NOTED.reset(token)
