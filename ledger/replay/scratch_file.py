"""A file without a name: room for what a replay has read and proved, beside the memory.

It has no name from its first byte on, so nobody else can open it: what lies in it is what this
process wrote, and needs no proof a second time. It goes with the process. Where there is no room
for it, everything stays in memory.

It lies in the folder for temporary files (``TMPDIR``), which for a large ledger should be on a
disk: about 60 bytes for each fact of a replay from the entries.
"""

from __future__ import annotations

import mmap
import os
from threading import Lock
from typing import Any, BinaryIO, Final, cast

PAGE: Final = mmap.ALLOCATIONGRANULARITY
RESIDENT: Final = 64 << 20
"""How many bytes that were looked at stay in memory at most, about; they are read again then."""


class ScratchFile:
    """Bytes that are only added to, and read by this process and those that it starts.

    Args:
        most: how many bytes it takes; None takes what there is room for.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._file: BinaryIO | None = None
        self._owner = os.getpid()
        self._lock = Lock()
        self._is_full = False
        self._length = 0
        self._maps: list[mmap.mmap] = []
        self._seen = 0

    def append(self, more: bytes | bytearray | memoryview) -> int | None:
        """Add bytes; return where they begin, or None where there is no room for them.

        A process that was forked off adds nothing: its parent would overwrite it.
        """
        if self._is_full or os.getpid() != self._owner:
            return None
        with self._lock:  # two threads never write into one place
            return self._append(memoryview(more).cast("B"))

    def _append(self, view: memoryview) -> int | None:
        at = self._length
        if self._most is not None and at + len(view) > self._most:
            return None
        try:
            if self._file is None:
                import tempfile  # most replays have room in memory and are spared it

                self._file = cast(BinaryIO, tempfile.TemporaryFile(buffering=0))  # noqa: SIM115
            written = 0
            while written < len(view):
                written += os.pwrite(self._file.fileno(), view[written:], at + written)
        except OSError:
            self._is_full = True
            return None
        self._length += len(view)
        return at

    def align(self) -> None:
        """Let what is added next begin at a page, so that it can be mapped."""
        self._length = -(-self._length // PAGE) * PAGE

    def read(self, at: int, length: int) -> bytes:
        """Return bytes that were added."""
        assert self._file is not None
        parts = []
        while length:
            part = os.pread(self._file.fileno(), length, at)
            if not part:
                raise EOFError("a scratch file is shorter than what was written into it")
            parts.append(part)
            at, length = at + len(part), length - len(part)
        return b"".join(parts)

    def mapped(self, at: int, length: int) -> memoryview:
        """Return bytes that were added, from a page on, as they lie in the file; not to be changed.

        Args:
            at: where they begin, after ``align``.
            length: how many; at least one.
        """
        assert self._file is not None
        whole = mmap.mmap(self._file.fileno(), length, access=mmap.ACCESS_READ, offset=at)
        self._maps.append(whole)
        return memoryview(whole)

    def looked_at(self, length: int) -> None:
        """Let go of the memory of mapped bytes, once so many were looked at."""
        self._seen += length
        if self._seen > RESIDENT:
            self._seen = 0
            for whole in self._maps:
                whole.madvise(mmap.MADV_DONTNEED)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy in a process that is being started has the file, and adds nothing to it."""
        if self._file is None:
            return ScratchFile, ()
        from multiprocessing import reduction

        return _opened, (reduction.DupFd(self._file.fileno()),)


def can_be_shared() -> bool:
    """Whether what is pickled just now goes to a process that this one starts."""
    from multiprocessing.context import get_spawning_popen

    return get_spawning_popen() is not None


def _opened(handle: Any) -> ScratchFile:
    out = ScratchFile()
    out._file = cast(BinaryIO, open(handle.detach(), "rb", buffering=0))  # noqa: SIM115
    out._is_full = True
    return out
