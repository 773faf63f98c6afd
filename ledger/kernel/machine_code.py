"""Functions compiled to machine code, where numba is installed (``pitledger[fast]``).

The readable code is the authority and stands alone: each compiled function has a twin in it, and
whoever calls one goes to the twin where this module says that there is nothing to call.

What numba keeps on disk is executable, so it is read only from a folder that belongs to this user
alone, outside every ledger, and only if it was made from this source by this version of numba.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeVar

SWITCH: Final = "PITLEDGER_FAST"
"""Set to ``off``, nothing is compiled."""
WORTH: Final = 50_000
"""From how many facts of a table's day on it is worth a second to load the compiler."""
OTHERS_WRITE: Final = 0o022
"""Rights that nobody but its owner may have in a folder of executable code."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


@cache
def is_available() -> bool:
    """Whether functions can be compiled here."""
    return os.environ.get(SWITCH) != "off" and find_spec("numba") is not None


def is_loaded() -> bool:
    """Whether the compiler is loaded already, so that small works can have it for nothing."""
    return "numba" in sys.modules


def twin(module: str, facts: int) -> ModuleType | None:
    """Return a module of compiled functions; None where there is none, or too little work for it.

    Args:
        module: its name; what it says is what readable code says, too.
        facts: how many there will be to do it for.
    """
    return _twin(module) if is_available() and (facts >= WORTH or is_loaded()) else None


@cache
def _twin(module: str) -> ModuleType | None:
    try:
        return import_module(module)
    except ImportError:  # no numba that loads
        return None


def compiled(function: _Function, signature: Any, source: Path) -> _Function:
    """Compile a function now, or take what was kept of it.

    Args:
        function: uses nothing but its arguments, and functions of the same file.
        signature: numba's types of its arguments.
        source: the file it stands in.
    """
    import numba

    folder = kept_code(source.read_bytes() + numba.__version__.encode())
    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = "" if folder is None else str(folder)
    machine: _Function
    try:
        machine = numba.njit(signature, cache=folder is not None)(function)
    except (OSError, EOFError):  # a full disk, or what was kept is cut: made anew, and not kept
        machine = numba.njit(signature)(function)
    finally:
        settings.CACHE_DIR = before
    return machine


def kept_code(made_from: bytes) -> Path | None:
    """Return the folder of code that was compiled from a source; None where none can be trusted.

    Args:
        made_from: the bytes of the source, and what else decides what is made of it.
    """
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    own = Path(base) / "pitledger", Path("machine-code"), Path(sha256(made_from).hexdigest()[:32])
    folder = Path(*own)
    if not folder.is_absolute() or any(_is_ledger(parent) for parent in folder.parents):
        return None
    try:
        Path(base).mkdir(parents=True, exist_ok=True)
        for private in (folder.parent.parent, folder.parent, folder):
            private.mkdir(mode=0o700, exist_ok=True)
            if not _is_private(private):
                return None
    except OSError:
        return None
    return folder


def _is_private(folder: Path) -> bool:
    """Whether a folder, and no link to one, is this user's, and nobody else can write into it."""
    status = folder.lstat()
    is_own = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
    return is_own and not status.st_mode & OTHERS_WRITE


def _is_ledger(folder: Path) -> bool:
    return (folder / "checkpoint").exists() and (folder / "tile").exists()
