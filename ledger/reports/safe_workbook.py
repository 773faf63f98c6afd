"""A workbook in which no text is obeyed: no formula, no link, no hidden sign, in cells or feet."""

from __future__ import annotations

from typing import IO

from xlsxwriter.workbook import Workbook
from xlsxwriter.worksheet import Worksheet

from ledger.kernel import visible


class SafeSheet(Worksheet):  # type: ignore[misc]  # the library has no types
    """A sheet that shows each hidden sign of a text by its number."""

    def write_string(self, row: int, col: int, string: str, *style: object) -> object:
        """Write a text; what looks like a formula stays a text."""
        return super().write_string(row, col, visible(string), *style)

    def set_header(self, header: str = "", *more: object) -> object:
        """Set the head of each printed page."""
        return super().set_header(visible(header), *more)

    def set_footer(self, footer: str = "", *more: object) -> object:
        """Set the foot of each printed page."""
        return super().set_footer(visible(footer), *more)


class SafeWorkbook(Workbook):  # type: ignore[misc]
    """A workbook of such sheets."""

    def __init__(self, out: IO[bytes]) -> None:
        settings = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
        super().__init__(out, settings)

    def add_worksheet(self, name: str, *_: object) -> SafeSheet:
        """Add a sheet; ``name`` is what its tab says."""
        sheet: SafeSheet = super().add_worksheet(visible(name), SafeSheet)
        return sheet
