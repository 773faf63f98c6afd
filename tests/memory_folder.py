"""Temporary folders of a run lie in memory, where waiting for a disk costs nothing.

A ledger has each append written through to its disk, and the tests append by the thousand: on a
disk that was a fifth of their processor time. Where ``TMPDIR`` or ``--basetemp`` names a folder it
is used, as `make test-full` does: there every test has a disk. The folder goes with the run.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, Final

import pytest

MEMORY: Final = Path("/dev/shm")
NEEDED: Final = 6 << 30
"""Free bytes without which a run stays on the disk."""
PREFIX: Final = "pitledger-tests-"
OWN: Final = pytest.StashKey[Path]()


def folder_in_memory(memory: Path, needed: int) -> Path | None:
    """A folder of this process; None where memory has no room. What killed runs left goes first.

    Args:
        memory: where a file system in memory is mounted.
        needed: the bytes that must be free.
    """
    if not os.access(memory, os.W_OK):
        return None
    for left in memory.glob(f"{PREFIX}*"):
        if not Path("/proc", left.name.removeprefix(PREFIX)).exists():
            shutil.rmtree(left, ignore_errors=True)
    if shutil.disk_usage(memory).free < needed:
        return None
    folder = memory / f"{PREFIX}{os.getpid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Name the folder before any is made; workers and children get it by the environment."""
    if hasattr(config, "workerinput") or "TMPDIR" in os.environ or config.option.basetemp:
        return
    folder = folder_in_memory(MEMORY, NEEDED)
    if folder is not None:
        config.stash[OWN] = folder
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
        config.option.basetemp = str(folder / "t")


def pytest_fixture_post_finalizer(fixturedef: pytest.FixtureDef[Any]) -> None:
    """Empty the folder of a test that is over; its name is not given again."""
    if fixturedef.argname == "tmp_path" and fixturedef.cached_result is not None:
        folder = fixturedef.cached_result[0]
        if isinstance(folder, Path) and folder.is_relative_to(MEMORY):
            for entry in folder.iterdir():
                if entry.is_dir() and not entry.is_symlink():
                    shutil.rmtree(entry, ignore_errors=True)
                else:
                    entry.unlink()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Give the memory back; who wants to see what a test left runs it with ``TMPDIR=/tmp``."""
    if (folder := config.stash.get(OWN, None)) is not None:
        shutil.rmtree(folder, ignore_errors=True)
