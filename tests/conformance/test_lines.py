"""Each of our own files of worked examples holds one case a line, whatever wrote it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conformance.lines import cases_on_lines, one_case_a_line

OWN = sorted((Path(__file__).parent / "examples").glob("own_*.json"))


@pytest.mark.row_by_row
@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_a_case_is_a_line(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert cases_on_lines(text) == json.loads(text)["cases"]


@pytest.mark.row_by_row
@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_writing_the_lines_changes_no_value(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    written = one_case_a_line(document)
    assert json.loads(written) == document
    assert list(json.loads(written)) == list(document)
    assert cases_on_lines(written) == document["cases"]
