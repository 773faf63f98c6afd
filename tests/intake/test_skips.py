"""Rows that say nothing that happened are skipped and named; a choice of sheet; styles of dates."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from ledger.intake import Import, Preview
from ledger.intake.import_errors import ProfileWrong, SheetUnreadable
from ledger.intake.profile import parse_profile
from ledger.replay import Replay
from tests.intake.given import ledger, preview, put

HEAD = "Gaming day,Time,Table,What,Slip,Chips,Signed by\n"
FILL = "06/12/2021,20:30,SB-01,fill,F-{},5000,F-1\n"
CHIPS = Path("ledger/intake/profiles/fills-credits-openers.toml")


def seen(folder: Path, text: str, profile: str = "fills-credits-openers") -> Preview:
    path = folder / "sheet.csv"
    path.write_text(text, encoding="utf-8")
    return preview(ledger(), profile, path)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("Total,,,,,\"$10,000.00\",\n", "a total"),
        (",,,,Totals:,10000,\n", "a total"),
        ("Grand total 06/12,,,,,10000,\n", "a total"),
        ("Total,,,,,10000\n", "a total"),
        (HEAD, "the headings again"),
        ("06/12/2021,,SB-01,fill,F-3,,\n", "a blank slip"),
    ],
    ids=["total", "total further right", "total of a day", "total cut", "headings", "blank slip"],
)  # fmt: skip
def test_a_row_that_says_nothing_is_skipped_and_named(row: str, why: str, tmp_path: Path) -> None:
    file = seen(tmp_path, HEAD + FILL.format(1) + row + FILL.format(2))
    assert [str(fault) for fault in file.faults] == []
    assert (file.rows, file.facts, file.totals) == (2, 2, {"chips": 1_000_000})
    assert [(skipped.row, skipped.why) for skipped in file.skipped] == [(3, why)]
    assert file.rows_skipped == 1


@pytest.mark.parametrize(
    "row",
    [
        "Total,20:30,SB-01,fill,F-3,5000,F-1\n",  # a row with its keys filled is no total
        "06/12/2021,20:30,SB-01,fill,F-3,,F-1\n",  # a slip with its time was used
        "06/12/2021,,SB-01,fill,F-3,5000,F-1\n",
        "Totally,,,,,5000,\n",
    ],
)
def test_a_row_that_says_anything_is_never_skipped(row: str, tmp_path: Path) -> None:
    file = seen(tmp_path, HEAD + FILL.format(1) + row)
    assert [fault.row for fault in file.faults] == [3] * len(file.faults)
    assert (file.refused, file.rows_skipped, file.rows) == (1, 0, 2)


def test_words_that_a_profile_skips(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    text = CHIPS.read_text(encoding="utf-8")
    own.write_text(
        text.replace('skip = { blank = ["time", "chips"] }', 'skip = { totals = [], words = { slip = ["VOID"] } }'),
        encoding="utf-8",
    )  # fmt: skip
    rows = FILL.format(1) + FILL.format(2).replace("F-2", "void")
    file = seen(tmp_path, HEAD + rows, str(own))
    assert (file.rows, [(s.row, s.why) for s in file.skipped]) == (1, [(3, "Slip says so")])
    assert seen(tmp_path, HEAD + FILL.format(1) + "Total,,,,,1,\n", str(own)).refused == 1


@pytest.mark.parametrize(
    "skip",
    ['{ blank = ["slip"] }', '{ words = { nowhere = ["x"] } }', '{ rows = 3 }', '{ totals = 3 }'],
)  # fmt: skip
def test_a_profile_that_skips_wrongly(skip: str) -> None:
    text = CHIPS.read_text(encoding="utf-8")
    assert 'skip = { blank = ["time", "chips"] }' in text
    with pytest.raises(ProfileWrong):
        parse_profile(text.replace('skip = { blank = ["time", "chips"] }', f"skip = {skip}").encode(), "x")  # fmt: skip


def test_skipped_rows_of_a_group_are_no_part_of_it(tmp_path: Path) -> None:
    head = "Requisition,Issued on,Issued at,Denomination,Serial from,Serial to,Quantity,Issued by,Received by\n"
    row = "RQ-1,06/12/2021,09:00,$10.00,C-0000001,C-0000050,50,E-40,E-50\n"
    text = head + row + "RQ-1,06/12/2021,09:00,,,,,E-40,E-50\nTotal,,,,,,50,,\n"
    file = seen(tmp_path, text, "coupon-issue")
    assert (file.faults, file.rows, file.facts, file.rows_skipped) == ([], 1, 1, 2)
    assert len(file.examples[0].facts[0]["ranges"]) == 1


@pytest.mark.parametrize("day", ["1/31/14", "01/31/14", "1/31/2014", "2014-01-31"])
def test_dates_as_spreadsheets_write_them(day: str, tmp_path: Path) -> None:
    file = seen(tmp_path, HEAD + FILL.format(1).replace("06/12/2021", day))
    assert file.examples[0].facts[0]["event_time"] == "2014-02-01T01:30:00.000000Z"


# --- sheets of a workbook -------------------------------------------------------------------------


def book(**sheets: list[list[str]]) -> bytes:
    from openpyxl import Workbook

    made = Workbook()
    made.remove(made.worksheets[0])
    for name, rows in sheets.items():
        page = made.create_sheet(name)
        for row in rows:
            page.append(row)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def rows(*slips: int) -> list[list[str]]:
    text = HEAD + "".join(FILL.format(slip) for slip in slips)
    return [line.split(",") for line in text.splitlines()]


def test_a_sheet_is_chosen_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    path.write_bytes(book(June=rows(1), July=rows(2, 3), Empty=[]))
    log = ledger()

    def facts(profile: str, sheet: str | None) -> int:
        with Import(profile, path, Replay(log), "E-1", sheet=sheet) as done:
            return done.preview().facts

    chips = "fills-credits-openers"
    assert (facts(chips, "June"), facts(chips, " july ")) == (1, 2)
    with pytest.raises(SheetUnreadable, match="several sheets: 'June', 'July'") as refused:
        facts(chips, None)
    assert "--sheet 'June'" in (refused.value.next_step or "")
    with pytest.raises(SheetUnreadable, match="no sheet 'May'"):
        facts(chips, "May")
    own = tmp_path / "own.toml"
    own.write_text('sheet = "July"\n' + CHIPS.read_text(encoding="utf-8"), encoding="utf-8")
    assert (facts(str(own), None), facts(str(own), "June")) == (2, 1)
    path.write_bytes(book(Notes=[], June=rows(1)))
    assert facts(chips, None) == 1


def test_a_csv_file_has_no_sheets(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(HEAD + FILL.format(1), encoding="utf-8")
    with (
        Import("fills-credits-openers", path, Replay(ledger()), "E-1", sheet="June") as done,
        pytest.raises(SheetUnreadable, match="only a workbook"),
    ):
        done.preview()


# --- withdrawn, and back --------------------------------------------------------------------------


def test_a_row_that_was_withdrawn_is_restored_where_it_stood(tmp_path: Path) -> None:
    from dataclasses import replace

    from tests.intake.given import ACT, NOW

    log, name = ledger(), "fills-credits-openers"
    whole, shorter = HEAD + FILL.format(1) + FILL.format(2), HEAD + FILL.format(2)
    put(log, tmp_path, name, whole)
    before = Replay(log).fact("SB-01/chips", 1)
    gone = put(log, tmp_path, name, shorter, replace(ACT, at=NOW + 1, withdraw=True))
    assert (gone.counts.gone, Replay(log).fact("SB-01/chips", 1)) == (1, None)
    again = put(log, tmp_path, name, shorter, replace(ACT, at=NOW + 2, withdraw=True))
    assert again.counts.gone == 0  # it is not withdrawn twice
    back = put(log, tmp_path, name, whole, replace(ACT, at=NOW + 3))
    counts = back.counts
    assert (counts.new, counts.same, counts.changed, counts.restored) == (0, 1, 1, 1)
    assert [(change.before, change.seq) for change in back.changes] == [(None, 1)]
    assert replace(before, recorded_by="E-1") == Replay(log).fact("SB-01/chips", 1)
    assert list(Replay(log).streams()).count("SB-01/chips") == 1
    assert "SB-01/chips~2" not in Replay(log).streams()
    assert put(log, tmp_path, name, whole, replace(ACT, at=NOW + 4)).counts.same == 2
