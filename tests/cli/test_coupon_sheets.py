"""Sheets of coupons with every kind of bad input: a message by row, and nothing is written."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from ledger.intake import ErasableStore
from tests.cli.conftest import Command
from tests.coupons.forms_scene import folder, scene

ISSUE: Final = "Requisition,Issued on,Issued at,Denomination,Serial from,Serial to,Quantity,Issued by,Received by"
COUNT: Final = (
    "Gaming day,Table,Box,Counted on,Counted at,Denomination,Serial,Serial to,Counter 1,Counter 2"
)
GOOD_ISSUE: Final = "RQ-9,06/15/2013,12:00,$25.00,M25-0041950,M25-0041959,10,C-FS1,C-MS1"
GOOD_COUNT: Final = "06/14/2013,SB-02,118,06/15/2013,09:00,$25.00,M25-0041877,,C-FM1,C-FM2"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "ledger"
    path.mkdir()
    return folder(path, scene(ErasableStore(path)).facts)


def sheet(tmp_path: Path, *lines: str, encoding: str = "utf-8") -> Path:
    path = tmp_path / "sheet.csv"
    path.write_text("\n".join(lines) + "\n", encoding=encoding)
    return path


def size(command: Command, own: Path) -> str:
    """The checkpoint: it changes with every entry."""
    return command("checkpoint", "--ledger", own).out


def changed(line: str, **cells: str) -> str:
    """A line with other cells, by column number."""
    split = line.split(",")
    for at, text in cells.items():
        split[int(at.removeprefix("c"))] = text
    return ",".join(split)


BAD: Final = {
    "backwards": (changed(GOOD_ISSUE, c4="M25-0041959", c5="M25-0041950"), "Serial to: ", "[range_backwards]"),
    "of two forms": (changed(GOOD_ISSUE, c5="M05-0000009"), "Serial to: ", "[range_of_two_forms]"),
    "of another denomination": (changed(GOOD_ISSUE, c3="$5.00"), "Denomination: ", "[denomination_differs]"),
    "beyond the delivery": (changed(GOOD_ISSUE, c5="M25-9999999", c6="9958050"), "Serial to: ", "[not_delivered]"),
    "of no series": (changed(GOOD_ISSUE, c4="Q99-1", c5="Q99-3"), "Serial from: ", "[serial_unreadable]"),
    "another quantity": (changed(GOOD_ISSUE, c6="11"), "Quantity: ", "[quantity_differs]"),
    "no quantity": (changed(GOOD_ISSUE, c6="many"), "Quantity: ", "[not_a_number]"),
    "formula": (changed(GOOD_ISSUE, c4="=HYPERLINK(1)"), "Serial from: ", "[formula]"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_row_is_named_and_nothing_is_written(
    command: Command, own: Path, tmp_path: Path, name: str
) -> None:
    line, column, code = BAD[name]
    before = size(command, own)
    file = sheet(tmp_path, ISSUE, GOOD_ISSUE.replace("RQ-9", "RQ-8"), line)
    for how in (["--preview"], ["--commit", "--by", "C-FS1"]):
        ran = command("import", "coupon-issue", file, *how, "--ledger", own)
        assert ran.code == 1, ran.err
        assert f"row 3, {column}" in ran.err
        assert code in ran.err
        assert "row 2" not in ran.err
        assert size(command, own) == before


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_sheet_however_it_is_written(
    command: Command, own: Path, tmp_path: Path, encoding: str, separator: str
) -> None:
    lines = (one.replace(",", separator) for one in (ISSUE, GOOD_ISSUE))
    file = sheet(tmp_path, *lines, encoding=encoding)
    ran = command("import", "coupon-issue", file, "--preview", "--ledger", own)
    assert ran.code == 0, ran.err


def test_duplicate_rows_and_a_number_in_two_forms(
    command: Command, own: Path, tmp_path: Path
) -> None:
    before = size(command, own)
    for again in ("M25-0041877", "m25 0041877", "M250041877"):
        file = sheet(tmp_path, COUNT, GOOD_COUNT, changed(GOOD_COUNT, c6=again))
        ran = command("import", "coupon-count", file, "--commit", "--by", "C-FM1", "--ledger", own)
        assert ran.code == 1
        assert "row 3, Serial: row 2 has the same: " in ran.err
        assert size(command, own) == before


def test_wrong_columns_are_told_by_their_names(command: Command, own: Path, tmp_path: Path) -> None:
    file = sheet(tmp_path, COUNT.replace("Box", "Bucket"), GOOD_COUNT)
    ran = command("import", "coupon-count", file, "--preview", "--ledger", own)
    assert ran.code == 2
    assert "Box" in ran.err


def test_a_counterfeit_in_the_box_is_a_fact_not_a_slip(
    command: Command, own: Path, tmp_path: Path
) -> None:
    file = sheet(tmp_path, COUNT, GOOD_COUNT, changed(GOOD_COUNT, c6="ZZZ-77"))
    ran = command("import", "coupon-count", file, "--commit", "--by", "C-FM1", "--ledger", own)
    assert ran.code == 0, ran.err
    told = command("coupons", "reconcile", "--day", "2013-06-15", "--ledger", own)
    assert "ZZZ-77" in told.out
