"""Which code made a projection: a hash over all that can change what the marts say."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final

FOLDERS: Final = (
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
    "analytics",
)
SUFFIXES: Final = frozenset({".py", ".sql", ".toml", ".tsv", ".json", ".avsc"})


@lru_cache(maxsize=1)
def code_hash() -> str:
    """SHA-256 over the names and bytes of the rules and of everything between fact and mart."""
    root = Path(__file__).parent.parent
    digest = sha256()
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                body = path.read_bytes()
                digest.update(f"{path.relative_to(root).as_posix()}\0{len(body)}\0".encode())
                digest.update(body)
    return digest.hexdigest()
