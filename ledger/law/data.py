"""How the tables of this folder are read: strict, so that a slip in one of them fails at once."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from ledger.kernel import LedgerError


class TableMissing(LedgerError):
    """A chapter lacks one of its tables.

    Args:
        name: the table that is not there, beside this module.
    """

    code = "law_table_missing"
    exit_code = 4

    def __init__(self, name: str) -> None:
        super().__init__(
            f"the law has no table {name}", next_step=f"add ledger/law/{name} for the chapter"
        )
        self.name = name


def listed(folder: str, ending: str) -> tuple[str, ...]:
    """The names, without their ending, of the tables in a folder beside this module, in order."""
    place = files("ledger.law").joinpath(folder)
    if not place.is_dir():
        return ()
    names = (table.name for table in place.iterdir())
    return tuple(sorted(name.removesuffix(ending) for name in names if name.endswith(ending)))


def read_tsv(name: str, columns: tuple[str, ...]) -> tuple[dict[str, str], ...]:
    """The rows of a tab-separated table beside this module, its first line naming the columns.

    Raises:
        TableMissing: there is no such table.
        ValueError: a line has other columns than the first one, or is blank.
    """
    table = files("ledger.law").joinpath(name)
    if not table.is_file():
        raise TableMissing(name)
    head, *lines = table.read_text(encoding="utf-8").splitlines()
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
