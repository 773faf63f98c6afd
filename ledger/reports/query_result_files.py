"""The rows of a SELECT as files for other programs, and the dictionary of what can be asked."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Group, RenderableType
from rich.text import Text

from ledger.analytics import Mart
from ledger.kernel import cell_text
from ledger.reports.table_style import plain_table

Rows = Sequence[Sequence[object]]
LONG: Final = 2**63
EXACT_DIGITS: Final = 15
"""Digits of a number that a spreadsheet keeps; a longer one is written as text."""


def selection_csv(columns: Sequence[str], types: Sequence[str], rows: Rows) -> str:
    """The rows as CSV with a head; a text is never a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(cell_text, columns))
    for row in rows:
        writer.writerow(_cell(value, kind) for value, kind in zip(row, types, strict=True))
    return out.getvalue()


def selection_xlsx(columns: Sequence[str], rows: Rows) -> bytes:
    """The rows as a workbook: numbers as numbers, everything else as text and never a formula."""
    from ledger.reports.safe_workbook import SafeWorkbook

    out = io.BytesIO()
    with SafeWorkbook(out) as book:
        sheet = book.add_worksheet("rows")
        bold = book.add_format({"bold": True})
        for place, name in enumerate(columns):
            sheet.write_string(0, place, name, bold)
        for number, row in enumerate(rows, 1):
            for place, content in enumerate(row):
                match content:
                    case None:
                        continue
                    case bool():
                        sheet.write_boolean(number, place, content)
                    case float():
                        sheet.write_number(number, place, content)
                    case int() if len(str(abs(content))) <= EXACT_DIGITS:
                        sheet.write_number(number, place, content)
                    case _:
                        sheet.write_string(number, place, str(content))
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, max(len(rows), 1), max(len(columns) - 1, 0))
    return out.getvalue()


def selection_parquet(columns: Sequence[str], types: Sequence[str], rows: Rows) -> bytes:
    """The rows as Parquet: dates, decimals and numbers keep their type, moments are text."""
    arrays = [_array([row[place] for row in rows], kind) for place, kind in enumerate(types)]
    out = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, names=list(columns)), out, compression="zstd")
    return out.getvalue()


def dictionary_data(marts: Iterable[Mart]) -> list[dict[str, object]]:
    """Every column of every table, as plain data."""
    return [
        {
            "table": mart.name,
            "grain": mart.grain,
            "key": list(mart.key),
            "column": column.name,
            "type": column.type,
            "unit": column.unit,
            "means": column.meaning,
        }
        for mart in marts
        for column in mart.columns
    ]


def dictionary_page(marts: Iterable[Mart]) -> RenderableType:
    """Every column for people, table by table."""
    parts: list[RenderableType] = []
    for mart in marts:
        table = plain_table()
        for name in ("column", "type", "unit"):
            table.add_column(name, no_wrap=True)
        table.add_column("means", overflow="fold", ratio=1)
        for column in mart.columns:
            table.add_row(column.name, column.type, column.unit, column.meaning)
        parts += [Text(f"{mart.name}: {mart.grain}", style="bold"), table, Text("")]
    return Group(*parts)


def _cell(content: object, kind: str) -> object:
    return (
        cell_text(content)
        if isinstance(content, str) and not kind.startswith("DECIMAL")
        else content
    )


def _array(values: list[Any], kind: str) -> pa.Array[Any]:
    if kind == "DATE":
        days = [None if value is None else date.fromisoformat(value) for value in values]
        return pa.array(days, pa.date32())
    if kind.startswith("DECIMAL"):
        return pa.array([None if value is None else Decimal(value) for value in values])
    if kind.startswith("VARCHAR") and not kind.endswith("]"):
        return pa.array(values, pa.string())
    if any(isinstance(value, int) and not -LONG <= value < LONG for value in values):
        return pa.array([None if value is None else str(value) for value in values], pa.string())
    rest: pa.Array[Any] = pa.array(values)
    return rest
