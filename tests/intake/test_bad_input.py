"""Bad input, kind by kind as people send it: what is taken as it is, what is refused and how.

A refusal names the row, the column and the reason, and nothing of the file is in the ledger. A file
that two people import at once: ``tests/cli/test_importing.py::test_two_people_at_once``; a machine
that stops half way: ``test_a_machine_that_stops_during_a_commit`` there.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Final

import pytest

from ledger.intake import Preview
from ledger.intake.import_errors import FileEmpty, HeadingsMissing, SheetUnreadable
from ledger.kernel import LedgerError
from ledger.replay import FactStep, Replay
from tests.intake.given import ACT, PROFILES, commit, ledger, sample
from tests.log.memory_log import MemoryLog

PROFILE: Final = "fills-credits-openers"
HEAD: Final = "Gaming day,Time,Table,What,Slip,Chips,Signed by\n"
ROWS: Final = (
    '06/12/2021,18:30,SB-01,opener,,"$25,000.00",F-1;D-1\n'
    "06/12/2021,20:30,SB-01,fill,F-17,5000.00,Fräulein Müller\n"
)
TEXT: Final = HEAD + ROWS
FILL: Final = "06/12/2021,21:30,SB-01,fill,F-18,{},F-1\n"


def sent(folder: Path, data: str | bytes, name: str = "sheet.csv") -> tuple[MemoryLog, Preview]:
    """A ledger after somebody tried to commit a file."""
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    log = ledger()
    return log, commit(log, PROFILE, path)


def facts(log: MemoryLog) -> list[str]:
    """What the ledger holds of the table, without the name of the file."""
    steps = Replay(log).walk(["SB-01/chips"])
    return [repr(step.fact) for step in steps if isinstance(step, FactStep)]


def workbook(*rows: list[object], merged: tuple[str, ...] = ()) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    page = book.active
    assert page is not None
    for row in rows:
        page.append(row)
    for cells in merged:
        page.merge_cells(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


TAKEN: Final[dict[str, str | bytes]] = {
    "other encodings: UTF-16, low byte first": TEXT.encode("utf-16"),
    "other encodings: UTF-16, high byte first": b"\xfe\xff" + TEXT.encode("utf-16-be"),
    "a BOM": b"\xef\xbb\xbf" + TEXT.encode(),
    "semicolons": TEXT.replace('"$25,000.00"', "$25|000.00").replace("F-1;D-1", '"F-1|D-1"')
    .replace(",", ";").replace("$25|000.00", "$25,000.00").replace("F-1|D-1", "F-1;D-1"),
    "quotes": "".join(
        '"' + line.replace('"$25,000.00"', "$25000.00").replace(",", '","') + '"\n'
        for line in TEXT.splitlines()
    ),
    "merged header rows: a title over all columns": "Chips of 12 June,,,,,,\n\n" + TEXT,
    "merged header rows: headings in two rows":
        "Gaming day,Time,Table,Movement,,,Signed by\n,,,What,Slip,Chips,\n" + ROWS,
    "empty columns": "".join(f"{line},,\n" for line in TEXT.splitlines()),
    "empty columns between": "".join(
        line.replace(",SB-01,", ",SB-01,,").replace("Table,", "Table,,") + "\n"
        for line in TEXT.splitlines()
    ),
    "amounts with currency signs": TEXT.replace("5000.00", "USD 5000"),
    "amounts with thousands separators": TEXT.replace("5000.00", '"5,000"'),
    "rows out of order": HEAD + "".join(reversed(ROWS.splitlines(keepends=True))),
}  # fmt: skip


@pytest.mark.parametrize("kind", TAKEN)
def test_what_is_taken_as_it_is_written(kind: str, tmp_path: Path) -> None:
    clean, seen = sent(tmp_path, TEXT)
    assert seen.can_commit
    log, seen = sent(tmp_path, TAKEN[kind])
    assert [str(fault) for fault in seen.faults] == []
    assert facts(log) == facts(clean)
    assert len(facts(log)) == 2


REFUSED: Final[dict[str, tuple[str | bytes, list[str]]]] = {
    "quotes inside a cell": (
        TEXT + FILL.format('"50"00'), ["row 4: ',' expected after '\"' [bad_quoting]"]),
    "empty columns that are needed": (
        TEXT + FILL.format(""), ["row 4, Chips: this cell must be filled [empty]"]),
    "dates in two styles": (
        TEXT + FILL.format("5").replace("06/12/2021", "2021-06-12"),
        ["row 4, Gaming day: other dates in this file are written MM/DD/YYYY: \"2021-06-12\" [two_date_styles]"]),
    "dates: day and month changed about": (
        TEXT + FILL.format("5").replace("06/12/2021", "13/06/2021"),
        ['row 4, Gaming day: not a date: YYYY-MM-DD or MM/DD/YYYY or MM/DD/YY: "13/06/2021" [not_a_date]']),
    "amounts with another currency": (
        TEXT + FILL.format("5000 €"),
        ['row 4, Chips: not an amount in dollars, such as 1,250.00: "5000 €" [not_an_amount]']),
    "amounts in parentheses, which are negative": (
        TEXT + FILL.format("(5000.00)"),
        ['row 4, Chips: must be at least $0.00: "(5000.00)" [out_of_range]']),
    "amounts with thousands separators of other countries": (
        TEXT + FILL.format('"5.000,00"'),
        ['row 4, Chips: not an amount in dollars, such as 1,250.00: "5.000,00" [not_an_amount]']),
    "amounts with more than cents": (
        TEXT + FILL.format("5.001"),
        ['row 4, Chips: not an amount in dollars, such as 1,250.00: "5.001" [not_an_amount]']),
    "formulas": (
        TEXT + FILL.format("=SUM(F2:F3)"),
        ['row 4, Chips: not an amount in dollars, such as 1,250.00: "=SUM(F2:F3)" [formula]']),
    "formulas in a text": (
        TEXT + FILL.format("5").replace("F-18", "@cmd"),
        ['row 4, Slip: a formula, not a value: "@cmd" [formula]']),
    "duplicate keys": (
        TEXT + FILL.format("5") + FILL.format("6"),
        ['row 5, Table, Gaming day, What, Time, Slip: row 4 has the same: '
         '"SB-01 · 2021-06-12 · FILL · 21:30:00 · F-18" [duplicate_key]']),
    "half a file: inside a quoted cell": (
        TEXT + FILL.format('"5,0').rstrip("\n"), ["row 4: the file ends inside a quoted cell [file_cut]"]),
    "half a file: inside a row": (
        TEXT + "06/12/2021,21:30,SB-01,fi", ["row 4: 4 cells under 7 headings [row_cut]"]),
    "a cell too many": (
        TEXT + FILL.format("5,000"), ["row 4: 8 cells under 7 headings [too_many_cells]"]),
}  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_refused_by_row_column_and_reason(kind: str, tmp_path: Path) -> None:
    data, said = REFUSED[kind]
    log, seen = sent(tmp_path, data)
    assert [str(fault) for fault in seen.faults] == said
    assert not seen.can_commit
    assert log.size == ledger().size  # the two good rows are not in the ledger either


def test_every_bad_row_is_named_and_no_good_one_is_kept(tmp_path: Path) -> None:
    data = TEXT + "".join(REFUSED[kind][0].partition(TEXT)[2] for kind in (
        "empty columns that are needed", "formulas", "amounts with more than cents"))  # type: ignore[union-attr, arg-type, misc]  # fmt: skip
    log, seen = sent(tmp_path, data)
    assert [(fault.row, fault.column) for fault in seen.faults] == [(n, "Chips") for n in (4, 5, 6)]
    assert (seen.rows, seen.refused, log.size) == (5, 3, ledger().size)


def test_merged_headings_of_a_workbook(tmp_path: Path) -> None:
    first = ["Gaming day", "Time", "Table", "Movement", None, None, "Signed by"]
    second = [None, None, None, "What", "Slip", "Chips", None]
    row: list[object] = ["06/12/2021", "20:30", "SB-01", "fill", "F-17", 5000, "F-1"]
    data = workbook(
        ["Chips of 12 June"], list(first), list(second), row,
        merged=("A1:G1", "A2:A3", "B2:B3", "C2:C3", "D2:F2", "G2:G3"),
    )  # fmt: skip
    log, seen = sent(tmp_path, data, "sheet.xlsx")
    assert [str(fault) for fault in seen.faults] == []
    assert len(facts(log)) == 1


@pytest.mark.parametrize(
    ("data", "kind", "said"),
    [
        (TEXT.replace("Chips", "Amount"), HeadingsMissing, "Chips"),
        (TEXT.encode("latin-1"), SheetUnreadable, "line 3: not utf-8"),
        (HEAD, FileEmpty, "no row"),
        (workbook(["x"])[:300], SheetUnreadable, "no whole .xlsx file"),
    ],
    ids=["a heading missing", "another encoding", "half a file: headings only", "half a workbook"],
)
def test_what_is_no_file_of_this_profile(
    data: str | bytes, kind: type[LedgerError], said: str, tmp_path: Path
) -> None:
    with pytest.raises(kind) as refused:
        sent(tmp_path, data)
    assert said in str(refused.value)


@pytest.mark.parametrize("other", [name for name in PROFILES if name != PROFILE])
def test_the_wrong_profile(other: str, tmp_path: Path) -> None:
    """The refusal names the profile that the file is of."""
    with pytest.raises(HeadingsMissing) as refused:
        sent(tmp_path, sample(other))
    assert other in (refused.value.next_step or "")


def test_half_a_file_that_ends_between_two_rows(tmp_path: Path) -> None:
    """No row is bad, so what an earlier file had and this one lacks is told, and stays."""
    log, whole = sent(tmp_path, TEXT + FILL.format("5"))
    path = tmp_path / "half.csv"
    path.write_text(TEXT, encoding="utf-8")
    half = commit(log, PROFILE, path, ACT)
    assert (half.counts.same, half.counts.gone) == (2, 1)
    assert (whole.totals, half.totals) == ({"chips": 3_000_500}, {"chips": 3_000_000})
    assert len(facts(log)) == 3
