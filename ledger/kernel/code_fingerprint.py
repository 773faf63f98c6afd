"""Which code made something that is kept: a hash over all that can change what it says."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

SUFFIXES: Final = frozenset({".py", ".sql", ".toml", ".tsv", ".json", ".avsc"})


def code_fingerprint(*folders: str) -> str:
    """Return SHA-256 in hexadecimal over the names and bytes of code and tables.

    Args:
        folders: of this package, each with all that lies under it.
    """
    return sha256(b"".join(_of_folder(folder) for folder in folders)).hexdigest()


@cache
def _of_folder(folder: str) -> bytes:
    """The hash of one folder, computed once."""
    root = Path(__file__).parent.parent
    hasher = sha256()
    for path in sorted((root / folder).rglob("*")):
        if path.suffix in SUFFIXES and path.is_file():
            body = path.read_bytes()
            hasher.update(f"{path.relative_to(root).as_posix()}\0{len(body)}\0".encode())
            hasher.update(body)
    return hasher.digest()
