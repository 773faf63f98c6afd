"""What decides: SHA-256 over the code and tables of each folder, so that a change has a name."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final

RULES: Final = frozenset({"law", "games", "house", "coupons", "rounds"})
"""The folders that hold the rules; the others are code."""
LEFT_OUT: Final = frozenset({"cli", "web", "floor", "intake"})
"""What no result of a night passes through."""
KINDS: Final = frozenset({".py", ".toml", ".tsv", ".sql", ".html", ".css", ".json", ".avsc"})


@lru_cache(maxsize=1)
def hashes() -> dict[str, str]:
    """Return by folder of this package a SHA-256 over its files in hexadecimal; computed once.

    Folders of ``LEFT_OUT`` and files of other kinds than ``KINDS`` do not count.
    """
    root = Path(__file__).parent.parent
    by_folder = {}
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        if folder.name in LEFT_OUT or not (folder / "__init__.py").exists():
            continue
        hasher = sha256()
        for path in sorted(one for one in folder.rglob("*") if one.suffix in KINDS):
            name = path.relative_to(root).as_posix().encode()
            hasher.update(name + b"\0" + sha256(path.read_bytes()).digest())
        by_folder[folder.name] = hasher.hexdigest()
    return by_folder


def whole() -> str:
    """Return one SHA-256 over the hashes of all folders, in hexadecimal."""
    return sha256("".join(f"{name} {one}\n" for name, one in hashes().items()).encode()).hexdigest()
