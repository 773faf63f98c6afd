"""Which code made something that is kept: a hash over all that can change what it says."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

SUFFIXES: Final = frozenset({".py", ".sql", ".toml", ".tsv", ".json", ".avsc"})
RULES: Final = (
    "kernel",
    "law",
    "events",
    "codec",
    "log",
    "replay",
    "games",
    "house",
    "coupons",
    "rounds",
    "audit",
)
"""Folders whose code and rows decide the result of a replay."""


def code_fingerprint(*folders: str) -> str:
    """Return SHA-256 in hexadecimal over the names and bytes of code and tables.

    Args:
        folders: of this package, each with all that lies under it.
    """
    return sha256(b"".join(_of_folder(folder) for folder in folders)).hexdigest()


def folders() -> tuple[str, ...]:
    """Return all folders of this package, in order."""
    with os.scandir(Path(__file__).parent.parent) as entries:
        return tuple(sorted(one.name for one in entries if one.is_dir() and one.name[0] != "_"))


@cache
def _of_folder(folder: str) -> bytes:
    """The hash of one folder, computed once."""
    root = Path(__file__).parent.parent
    hasher = sha256()
    for path in sorted(_files(str(root / folder)), key=lambda path: path.split("/")):
        with open(path, "rb") as file:
            body = file.read()
        hasher.update(f"{path[len(str(root)) + 1 :]}\0{len(body)}\0".encode())
        hasher.update(body)
    return hasher.digest()


def _files(folder: str) -> Iterator[str]:
    """The files of code and tables under a folder; byte code is passed over."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from _files(entry.path)
            elif os.path.splitext(entry.name)[1] in SUFFIXES:
                yield entry.path
