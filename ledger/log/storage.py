"""Where a ledger's files live, and how they become durable.

The port is small on purpose: tests put a double behind it that forgets whatever was not synced and
that can be cut at every call. Paths are relative, with ``/``.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice
from mmap import mmap
from pathlib import Path
from threading import Barrier, Lock
from typing import TYPE_CHECKING, Final, Protocol

from ledger.log.errors import LedgerLocked

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

TEMPORARY: Final = "tmp"
"""The folder of files that are not yet whole; emptied when a writer opens the ledger."""


SYNCING: Final = 8
"""How many files are waited for at once: a disk answers several syncs nearly as fast as one."""
_READ_BYTES: Final = 1 << 20
THREAD_BYTES: Final = 24 << 20
"""What a thread may map when it begins: its stack, and its part of the heap."""


_NO_LINKS: Final = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EXDEV)
"""What a file system says that gives a file one name only; it is copied there."""


class Storage(Protocol):
    """One folder of files."""

    def read(self, path: str) -> bytes:
        """The bytes of a file; ``FileNotFoundError`` when it is not there."""

    def names(self, folder: str) -> list[str]:
        """What a folder holds, sorted; a folder's name ends with ``/``; empty when absent."""

    def write(self, files: Iterable[tuple[str, bytes]], mode: int = 0o644) -> None:
        """Make or replace files, with the folders they need; their bytes are durable, not names."""

    def rename(self, old: str, new: str) -> None:
        """Give a file its name, with the folders it needs; not durable."""

    def link(self, old: str, new: str) -> None:
        """Give a file a further name, with the folders it needs; not durable; there is well."""

    def sync_folder(self, folder: str) -> None:
        """Make the names in a folder durable."""

    def remove(self, path: str) -> None:
        """Remove a file, or an empty folder (name ending with ``/``); absent is well."""

    def lock(self) -> None:
        """Become the only writer; ``LedgerLocked`` when there is one."""

    def unlock(self) -> None:
        """Stop being the writer."""


def _threads() -> ThreadPoolExecutor | None:
    """Threads that wait for the disk, all of them begun; None where there is no room for them.

    The room is asked for first: a thread that runs out of memory while it begins is waited for
    without end by who started it.
    """
    from concurrent.futures import ThreadPoolExecutor  # who only reads is spared it

    pool = ThreadPoolExecutor(SYNCING, "sync")
    together = Barrier(SYNCING + 1)
    try:
        mmap(-1, SYNCING * THREAD_BYTES).close()
        for _ in range(SYNCING):
            pool.submit(together.wait)
        together.wait()
    except (OSError, RuntimeError, MemoryError):  # "can't start new thread"
        together.abort()
        pool.shutdown(wait=False, cancel_futures=True)
        return None
    return pool


class DirectoryStorage:
    """A folder of a real file system."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock: int | None = None
        self._pool: ThreadPoolExecutor | None = None

    def read(self, path: str) -> bytes:
        handle = os.open(f"{self.folder}/{path}", os.O_RDONLY | os.O_CLOEXEC)
        try:
            length = os.fstat(handle).st_size
            raw = os.read(handle, length + 1)
            if len(raw) != length or not raw:  # it grows, or is none that knows its length
                while more := os.read(handle, _READ_BYTES):
                    raw += more
            return raw
        finally:
            os.close(handle)

    def names(self, folder: str) -> list[str]:
        try:
            with os.scandir(self.folder / folder) as entries:
                return sorted(
                    f"{entry.name}/" if entry.is_dir(follow_symlinks=False) else entry.name
                    for entry in entries
                )
        except (FileNotFoundError, NotADirectoryError):
            return []

    def write(self, files: Iterable[tuple[str, bytes]], mode: int = 0o644) -> None:
        source = iter(files)
        for alone in islice(source, 1):  # one file is written here, more of them by threads
            following = next(source, None)
            if following is None:
                self._write_synced(alone, mode)
                return
            self._write_many(chain((alone, following), source), mode)

    def _write_many(self, files: Iterable[tuple[str, bytes]], mode: int) -> None:
        from concurrent.futures import wait

        if self._pool is None:
            self._pool = _threads()
        if self._pool is None:
            for alone in files:
                self._write_synced(alone, mode)
            return
        source, turn = iter(files), Lock()

        def write_next() -> None:
            while True:
                with turn:
                    file = next(source, None)
                if file is None:
                    return
                self._write_synced(file, mode)

        pending = [self._pool.submit(write_next) for _ in range(SYNCING)]
        wait(pending)
        for write in pending:
            write.result()

    def _write_synced(self, file: tuple[str, bytes], mode: int) -> None:
        target = f"{self.folder}/{file[0]}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        try:
            handle = os.open(target, flags, mode)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            handle = os.open(target, flags, mode)
        try:
            view = memoryview(file[1])
            while view:
                view = view[os.write(handle, view) :]
            os.fsync(handle)
        except OSError as error:
            error.filename = target
            raise
        finally:
            os.close(handle)

    def rename(self, old: str, new: str) -> None:
        source, target = f"{self.folder}/{old}", f"{self.folder}/{new}"
        try:
            os.rename(source, target)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.rename(source, target)

    def link(self, old: str, new: str) -> None:
        source, target = f"{self.folder}/{old}", f"{self.folder}/{new}"
        os.makedirs(os.path.dirname(target), exist_ok=True)
        try:
            os.link(source, target)
        except FileExistsError:
            pass
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            self._write_synced((new, self.read(old)), 0o644)

    def name_new(self, old: str, new: str) -> None:
        """Give a file its name if none has it; ``FileExistsError`` otherwise; not durable."""
        source, target = f"{self.folder}/{old}", f"{self.folder}/{new}"
        try:
            os.link(source, target)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            if os.path.lexists(target):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target) from error
            os.rename(source, target)

    def sync_folder(self, folder: str) -> None:
        path = f"{self.folder}/{folder}"
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        except OSError as error:
            error.filename = path
            raise
        finally:
            os.close(handle)

    def remove(self, path: str) -> None:
        target = f"{self.folder}/{path}"
        try:
            if path.endswith("/"):
                os.rmdir(target)
            else:
                os.unlink(target)
        except FileNotFoundError:
            pass
        except OSError as error:
            if error.errno != errno.ENOTEMPTY:
                raise

    def lock(self) -> None:
        handle = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(handle)
            raise LedgerLocked(str(self.folder)) from error
        self._lock = handle

    def unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


class Durable:
    """Puts files into a storage so that each is there whole, for good, or not at all."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._settled: set[str] = {""}
        self._number = 0

    def put(self, files: Iterable[tuple[str, bytes]], mode: int = 0o644) -> None:
        """Temporary files, synced; then their names; then the folders."""
        names: list[tuple[str, str]] = []

        def temporaries() -> Iterator[tuple[str, bytes]]:
            for path, content in files:
                self._number += 1
                names.append((f"{TEMPORARY}/{self._number}", path))
                yield names[-1][0], content

        self._storage.write(temporaries(), mode)
        for temporary, path in names:
            self._storage.rename(temporary, path)
        self.settle({path.rpartition("/")[0] for _, path in names})

    def link(self, old: str, new: str) -> None:
        """Give a file a further name; ``settle`` makes it durable."""
        self._storage.link(old, new)

    def settle(self, folders: set[str]) -> None:
        """Sync folders, and above each new one the folder that names it."""
        wanted = set(folders)
        for folder in folders:
            while folder not in self._settled:
                self._settled.add(folder)
                folder = folder.rpartition("/")[0]
                wanted.add(folder)
        for folder in sorted(wanted, key=lambda name: (-name.count("/"), name == "", name)):
            self._storage.sync_folder(folder)

    def remove(self, path: str) -> None:
        """Remove a file or an empty folder; whether that lasts does not matter."""
        self._storage.remove(path)
        self._settled.discard(path.rstrip("/"))

    def clear_temporary(self) -> None:
        """Remove what an earlier writer left unfinished."""
        for name in self._storage.names(TEMPORARY):
            with suppress(IsADirectoryError):
                self._storage.remove(f"{TEMPORARY}/{name}")
