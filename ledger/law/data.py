"""How the tables of this folder are read: strict, so that a slip in one of them fails at once."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any


def read_tsv(name: str, columns: tuple[str, ...]) -> tuple[dict[str, str], ...]:
    """The rows of a tab-separated table beside this module, its first line naming the columns.

    Raises:
        ValueError: a line has other columns than the first one, or is blank.
    """
    head, *lines = files("ledger.law").joinpath(name).read_text(encoding="utf-8").splitlines()
    if tuple(head.split("\t")) != columns:
        raise ValueError(f"{name}: the columns are {head.split(chr(9))}, not {list(columns)}")
    rows = []
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) != len(columns):
            raise ValueError(f"{name}:{number}: {len(cells)} cells for {len(columns)} columns")
        rows.append(dict(zip(columns, cells, strict=True)))
    return tuple(rows)


def read_toml(name: str) -> dict[str, Any]:
    """The entries of a TOML table beside this module."""
    return tomllib.loads(files("ledger.law").joinpath(name).read_text(encoding="utf-8"))
