"""How much room a folder takes at its most while something works in it.

Room only grows between two removals, so it is taken before each file is removed or takes the place
of another one; and by a thread now and then, for what other processes write.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final
from unittest.mock import patch

GIVE_ROOM: Final = ("replace", "rename", "unlink", "remove")
"""The functions of ``os`` after which a folder may take less room than before."""
SECONDS: Final = 0.02
"""So often the thread takes it."""


def room(folder: Path) -> int:
    """Return how many bytes the files below a folder have; what vanishes meanwhile counts none."""
    total, folders = 0, [os.fspath(folder)]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    else:
                        total += entry.stat(follow_symlinks=False).st_size
        except FileNotFoundError:
            continue
    return total


class Peak:
    """The most that was taken so far, in bytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.most = 0

    def take(self) -> None:
        """Take it once more."""
        self.most = max(self.most, room(self.folder))


@contextmanager
def peak_of(folder: Path) -> Iterator[Peak]:
    """Measure while the body runs.

    Args:
        folder: with all that lies below it.
    """
    peak, over = Peak(folder), Event()
    peak.take()

    def measured_before(call: Callable[..., Any]) -> Callable[..., Any]:
        def measured(*args: Any, **words: Any) -> Any:
            peak.take()
            return call(*args, **words)

        return measured

    def now_and_then() -> None:
        while not over.wait(SECONDS):
            peak.take()

    thread = Thread(target=now_and_then, daemon=True)
    with ExitStack() as patched:
        for name in GIVE_ROOM:
            patched.enter_context(patch.object(os, name, measured_before(getattr(os, name))))
        thread.start()
        try:
            yield peak
        finally:
            over.set()
            thread.join()
            peak.take()
