"""What is costly to build and only read is built by one worker of a run; the others take copies."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def once_in_run(
    factory: pytest.TempPathFactory, name: str, build: Callable[[Path], object]
) -> Path:
    """A folder of this worker's own with what one worker of the run built.

    A worker that comes while another builds waits for it. A copy may be written into: no other
    worker sees it.

    Args:
        factory: pytest's maker of temporary folders.
        name: what is built, a name of a folder.
        build: fills the folder that it is given.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        folder = factory.mktemp(name)
        build(folder)
        return folder
    shared = factory.getbasetemp().parent / "once-in-run"
    shared.mkdir(exist_ok=True)
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        whole = shared / name
        if not whole.exists():
            begun = shared / f"{name}.begun"
            shutil.rmtree(begun, ignore_errors=True)  # of a worker that did not end it
            begun.mkdir()
            build(begun)
            begun.rename(whole)
    folder = factory.mktemp(name)
    shutil.copytree(whole, folder, dirs_exist_ok=True)
    return folder
