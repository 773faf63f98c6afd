"""The one look of tables for people."""

from __future__ import annotations

from rich import box
from rich.table import Table


def plain_table() -> Table:
    """A table with a line under its head and two spaces between columns."""
    return Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False, pad_edge=False)


def folding_table(*names: str) -> Table:
    """A plain table with these columns, whose long cells go on in the next line."""
    table = plain_table()
    for name in names:
        table.add_column(name, overflow="fold")
    return table
