"""A storage that forgets whatever was not synced, and that can be cut or filled at any call."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from ledger.log.errors import LedgerLocked


class PowerCut(BaseException):
    """The machine stops here."""


@dataclass
class Inode:
    """A file: its bytes, and those that would survive a power cut."""

    data: bytes
    kept: bytes | None = None
    mode: int = 0o644


def parent(path: str) -> str:
    """The folder of a path."""
    return path.rpartition("/")[0]


@dataclass
class ForgetfulStorage:
    """Names and bytes live twice: as the process sees them, and as the disk would have them.

    ``cut_at`` stops the machine at that call (from 0) instead of doing it, ``full_at`` lets every
    call from that one on fail for want of room.
    """

    cut_at: int | None = None
    full_at: int | None = None
    calls: int = 0
    names_now: dict[str, Inode] = field(default_factory=dict)
    names_kept: dict[str, Inode] = field(default_factory=dict)
    folders_now: set[str] = field(default_factory=lambda: {""})
    folders_kept: set[str] = field(default_factory=lambda: {""})
    locked: bool = False

    def _step(self, path: str) -> None:
        self.calls += 1
        if self.cut_at is not None and self.calls > self.cut_at:
            raise PowerCut
        if self.full_at is not None and self.calls > self.full_at:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)

    def power_up(self, chance: Random | None = None) -> None:
        """Start again from what the disk has; with ``chance``, also from some of the rest."""
        if chance is not None:
            for path in sorted(set(self.names_now) | set(self.names_kept)):
                if chance.random() < 0.5:
                    self._keep_name(path)
            self.folders_kept |= {
                path for path in sorted(self.folders_now) if chance.random() < 0.5
            }
        survivors: dict[str, Inode] = {}
        for path, inode in self.names_kept.items():
            if not self._reachable(path):
                continue
            data = inode.kept
            if data is None:
                data = b"" if chance is None else inode.data[: chance.randint(0, len(inode.data))]
            survivors[path] = Inode(data, data, inode.mode)
        self.names_now, self.names_kept = survivors, dict(survivors)
        self.folders_now = {one for one in self.folders_kept if self._reachable(one)} | {""}
        self.folders_kept = set(self.folders_now)
        self.cut_at = self.full_at = None
        self.calls, self.locked = 0, False

    def _reachable(self, path: str) -> bool:
        folder = parent(path)
        return folder == "" or (folder in self.folders_kept and self._reachable(folder))

    def _keep_name(self, path: str) -> None:
        if path in self.names_now:
            self.names_kept[path] = self.names_now[path]
        else:
            self.names_kept.pop(path, None)

    def _make_folders(self, path: str) -> None:
        folder = parent(path)
        while folder not in self.folders_now:
            self.folders_now.add(folder)
            folder = parent(folder)

    # ------------------------------------------------------------ the port

    def read(self, path: str) -> bytes:
        try:
            return self.names_now[path].data
        except KeyError as error:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path) from error

    def names(self, folder: str) -> list[str]:
        files = {path.rpartition("/")[2] for path in self.names_now if parent(path) == folder}
        folders = {
            f"{path.rpartition('/')[2]}/"
            for path in self.folders_now
            if path and parent(path) == folder
        }
        return sorted(files | folders)

    def write(self, files: Iterable[tuple[str, bytes]], mode: int = 0o644) -> None:
        written = []
        for path, data in files:
            if self.cut_at == self.calls:  # half of it is written when the power goes
                self._make_folders(path)
                self.names_now[path] = Inode(data[: len(data) // 2], None, mode)
            self._step(path)
            self._make_folders(path)
            self.names_now[path] = Inode(data, None, mode)
            written.append(path)
        for path in written:
            self._step(path)
            self.names_now[path].kept = self.names_now[path].data

    def rename(self, old: str, new: str) -> None:
        self._step(new)
        self._make_folders(new)
        self.names_now[new] = self.names_now.pop(old)

    def link(self, old: str, new: str) -> None:
        self._step(new)
        self._make_folders(new)
        self.names_now.setdefault(new, self.names_now[old])

    def sync_folder(self, folder: str) -> None:
        self._step(folder)
        for path in set(self.names_now) | set(self.names_kept):
            if parent(path) == folder:
                self._keep_name(path)
        for path in self.folders_now | self.folders_kept:
            if path and parent(path) == folder:
                (self.folders_kept.add if path in self.folders_now else self.folders_kept.discard)(
                    path
                )

    def remove(self, path: str) -> None:
        self._step(path)
        if not path.endswith("/"):
            self.names_now.pop(path, None)
        elif not self.names(path[:-1]):
            self.folders_now.discard(path[:-1])

    def lock(self) -> None:
        if self.locked:
            raise LedgerLocked("here")
        self.locked = True

    def unlock(self) -> None:
        self.locked = False
