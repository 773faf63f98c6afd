"""How the tables of this folder are read: strictly, so that a slip in one of them fails at once."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from ledger.kernel import SourceUnavailable


class LawTableMissing(SourceUnavailable):
    """A chapter lacks one of its tables.

    Args:
        name: the file, seen from ``ledger/law``.
        columns: what its first line has to name.
    """

    code = "law_table_missing"

    def __init__(self, name: str, columns: tuple[str, ...]) -> None:
        super().__init__(
            f"the law has no table {name}",
            where=f"ledger/law/{name}",
            next_step=f"add the file: first a line with {', '.join(columns)} and tabs between,"
            " then a line for each section",
        )
        self.name = name
        self.columns = columns


def table_names(folder: str, ending: str = ".tsv") -> tuple[str, ...]:
    """Return the names of the files in a folder beside this module, without their ending, sorted.

    The folder may be missing: it then has no tables.
    """
    inside = files("ledger.law").joinpath(folder)
    if not inside.is_dir():
        return ()
    names = sorted(table.name for table in inside.iterdir())
    return tuple(name.removesuffix(ending) for name in names if name.endswith(ending))


def read_tsv(name: str, columns: tuple[str, ...]) -> tuple[dict[str, str], ...]:
    """Read a tab-separated table beside this module; its first line names the columns.

    Returns:
        The rows in order, each by column name; an empty cell is the empty string.

    Raises:
        LawTableMissing: there is no such table.
        ValueError: the first line does not name these columns, or a line has more or fewer cells.
    """
    table = files("ledger.law").joinpath(name)
    if not table.is_file():
        raise LawTableMissing(name, columns)
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
    """Read a TOML table beside this module.

    Raises:
        FileNotFoundError: there is no such table.
    """
    return tomllib.loads(files("ledger.law").joinpath(name).read_text(encoding="utf-8"))
