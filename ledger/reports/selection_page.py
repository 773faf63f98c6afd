"""The rows of a SELECT as a table for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from ledger.kernel import plural
from ledger.reports.table_style import plain_table

_MOMENTS: Final = ("_local", "_at", "day", "stream", "round", "fact", "seq")
"""Endings of columns whose values are one word to a reader: moments and names are never broken."""


def selection_page(
    columns: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[object]]
) -> RenderableType:
    """The rows of a SELECT for people."""
    table = plain_table()
    for name, kind in zip(columns, types, strict=True):
        numeric = kind.endswith("INT") or kind.startswith(("INT", "DECIMAL", "DOUBLE", "HUGEINT"))
        free = kind.startswith("VARCHAR") and not name.endswith(_MOMENTS)
        table.add_column(
            name, justify="right" if numeric else "left", overflow="fold", no_wrap=not free
        )
    for row in rows:
        table.add_row(*("" if cell is None else str(cell) for cell in row))
    return Group(table, Text(f"\n{plural(len(rows), 'row')}", style="dim"))
