"""The lines of a table in text: whole columns at once give what wrapping each cell gives."""

from __future__ import annotations

from itertools import product

import pytest

from ledger.reports.forms import text
from ledger.reports.forms.text import WIDEST, grid

CELLS = ("", "P25-0000041", "§ 525.21 — ü", "ends in a space ", "a\nb", "x\0", "w " * WIDEST, " \0")


@pytest.mark.parametrize("has_ends", [False, True])
def test_a_table_of_plain_cells_has_the_lines_of_a_wrapped_one(
    has_ends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = [("sum", "1")] if has_ends else []
    pairs = [*product(CELLS, CELLS)]
    tables = [[], *([row] for row in pairs), *([row, ("b", "12345")] for row in pairs)]
    quick = [[*grid(("what", "n"), rows, (False, True), ends)] for rows in tables]
    monkeypatch.setattr(text, "_is_plain", lambda _column: False)
    assert quick == [[*grid(("what", "n"), rows, (False, True), ends)] for rows in tables]
