"""Files as people send them: encodings, separators, headings, half of a file, another profile's."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from ledger.intake import Preview
from ledger.intake.import_errors import FileEmpty, HeadingsMissing, HeadingTwice, SheetUnreadable
from ledger.kernel import LedgerError
from tests.intake.given import ledger, preview, sample

HEAD = "Gaming day,Time,Table,What,Slip,Chips,Signed by\n"
ROW = '06/12/2021,18:30,SB-01,opener,,"$25,000.00",F-1;D-1\n'
FILL = "06/12/2021,20:30,SB-01,fill,Fü-1,5000,F-1\n"
TEXT = HEAD + ROW + FILL


def seen(
    folder: Path, data: str | bytes, profile: str = "fills-credits-openers", name: str = "sheet.csv"
) -> Preview:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return preview(ledger(), profile, path)


def faults(folder: Path, data: str | bytes, profile: str = "fills-credits-openers") -> list[str]:
    one = seen(folder, data, profile)
    assert one.can_commit is not bool(one.faults)
    assert one.refused == len({fault.row for fault in one.faults})
    return [f"{fault.row} {fault.column} {fault.code}".replace("  ", " ") for fault in one.faults]


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        TEXT.encode("utf-16"),
        b"\xfe\xff" + TEXT.encode("utf-16-be"),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        TEXT.replace(",", ";").replace("$25;000", "$25,000").replace("F-1;D-1", '"F-1;D-1"').encode(),
        TEXT.replace('"$25,000.00"', "$25000.00").replace(",", "\t").encode(),
        TEXT.replace('"$25,000.00"', "$25000.00").replace(",", "|").encode(),
        TEXT.rstrip("\n").encode(),
        ("Chips of the day,,,,,,\n,,,,,,\n" + TEXT).encode(),
        ("Property: Example,,,\n\n" + TEXT + "\n,,,,,,\n   ,,,,,,\n\n").encode(),
        TEXT.replace(",Slip,", ", SLIP ,").replace("Table", "  table").encode(),
        "".join(line + ",,\n" for line in TEXT.splitlines()).encode(),
        "".join(line + ",remark\n" for line in TEXT.splitlines()).encode(),
        "\n".join(f'"{HEAD.strip()}"'.replace(",", '","').split("\n")).encode() + b"\n" + (ROW + FILL).encode(),
    ],
    ids=["utf-8", "bom", "utf-16", "utf-16-be", "crlf", "cr", "semicolons", "tabs", "bars", "no last end", "title",
         "title and blank rows", "headings in capitals", "empty columns", "a column more", "quoted headings"],
)  # fmt: skip
def test_one_file_however_it_is_written(data: bytes, tmp_path: Path) -> None:
    one = seen(tmp_path, data)
    assert [str(fault) for fault in one.faults] == []
    assert (one.rows, one.facts, one.totals) == (2, 2, {"chips": 3_000_000})
    assert "Fü-1" in str(one.examples)


def test_a_column_that_is_not_used_is_named(tmp_path: Path) -> None:
    assert seen(tmp_path, "".join(f"{line},Remark\n" for line in TEXT.splitlines())).unused == (
        "Remark",
    )


def test_an_encoding_that_it_is_not(tmp_path: Path) -> None:
    said = refusal(tmp_path, (HEAD + ROW).encode() + FILL.encode("latin-1"))
    assert "line 3: not utf-8" in str(said)
    old_mac = (HEAD + ROW).replace("\n", "\r").encode() + FILL.encode("latin-1")
    assert "line 3: not utf-8" in str(refusal(tmp_path, old_mac))
    rows = "".join(FILL.replace("Fü-1", f"F-{number}") for number in range(2_000))
    late = seen(tmp_path, (HEAD + rows).encode() + FILL.encode("latin-1")).faults
    assert [(fault.row, fault.code) for fault in late] == [(2_002, "bad_encoding")]
    own = tmp_path / "own.toml"
    text = (Path("ledger/intake/profiles/fills-credits-openers.toml")).read_text(encoding="utf-8")
    own.write_text('encoding = "latin-1"\n' + text, encoding="utf-8")
    assert not seen(tmp_path, TEXT.encode("latin-1"), str(own)).faults


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (TEXT + '06/12/2021,21:00,SB-01,fill,F-2,"5000,F-1\n', ["4 file_cut"]),
        (TEXT + "06/12/2021,21:00,SB", ["4 row_cut"]),
        (TEXT + "06/12/2021,21:00,SB-01,fill,F-2,5000,F-1,x\n", ["4 too_many_cells"]),
        (TEXT + '06/12/2021,21:00,SB-01,fill,F-2,"50"00,F-1\n', ["4 bad_quoting"]),
        (TEXT + ROW, ["4 Table, Gaming day, What, Time, Slip duplicate_key"]),
        (TEXT + ROW.replace("opener", "Opener") + FILL + FILL, [
            f"{n} Table, Gaming day, What, Time, Slip duplicate_key" for n in (4, 5, 6)]),
        (HEAD + FILL.replace("5000", "=A1*2"), ["2 Chips formula"]),
        (HEAD + FILL.replace("5000", ""), ["2 Chips empty"]),
        (HEAD + FILL.replace("5000", "-5"), ["2 Chips out_of_range"]),
        (HEAD + FILL.replace("fill", "refill"), ["2 What unknown_word"]),
        (HEAD + FILL.replace("Fü-1", ""), ["2 no_fact"]),
        (HEAD + FILL.replace("06/12/2021", "31/12/2021"), ["2 Gaming day not_a_date"]),
        (HEAD + ROW + FILL.replace("06/12/2021", "2021-06-12"), ["3 Gaming day two_date_styles"]),
        (HEAD + FILL.replace("SB-01", "SB\x01"), ["2 Table unprintable"]),
        (HEAD + FILL.replace("06/12/2021", "03/14/2021").replace("20:30", "02:30").replace("03/14", "03/13"), ["2 Time time_never"]),
        (HEAD + FILL.replace("06/12/2021", "11/06/2021").replace("20:30", "01:30"), ["2 Time time_twice"]),
        (HEAD + "x,y,SB-01,z,,q,\n", ["2 Gaming day not_a_date", "2 Time not_a_time", "2 What unknown_word", "2 Chips not_an_amount", "2 Signed by empty"]),
        (HEAD + "06/12/2021,20:30,SB//01,fill,F-1,5,F-1\n", []),
    ],
    ids=["cut inside quotes", "cut row", "too many cells", "quotes inside", "key twice", "key four times", "formula", "empty", "negative", "word",
         "no slip", "day and month", "two styles", "control sign", "time never", "time twice", "all wrong", "odd table"],
)  # fmt: skip
def test_what_is_wrong_by_row_and_column(data: str, said: list[str], tmp_path: Path) -> None:
    assert faults(tmp_path, data) == said


def test_an_offset_settles_a_time_that_comes_twice(tmp_path: Path) -> None:
    head = HEAD.replace("Time,", "Time,UTC offset,")
    row = "11/06/2021,01:30,{},SB-01,fill,F-{},5,F-1\n"
    text = head + row.format("-04:00", 1) + row.format("-05:00", 2)
    one = seen(tmp_path, text)
    assert not one.faults
    times = [fact["event_time"] for example in one.examples for fact in example.facts]
    assert times == ["2021-11-07T05:30:00.000000Z", "2021-11-07T06:30:00.000000Z"]
    assert faults(tmp_path, head + row.format("", 1)) == ["2 Time time_twice"]
    assert faults(tmp_path, head + row.format("-03:00", 1)) == ["2 Time not_an_offset"]


def refusal(
    folder: Path, data: str | bytes, profile: str = "fills-credits-openers", name: str = "sheet.csv"
) -> LedgerError:
    with pytest.raises(LedgerError) as refused:
        seen(folder, data, profile, name)
    return refused.value


def test_another_profiles_file_is_named(tmp_path: Path) -> None:
    said = refusal(tmp_path, sample("staff-roster"))
    assert isinstance(said, HeadingsMissing)
    assert "staff-roster" in (said.next_step or "")
    assert "Time, What, Chips, Signed by" in str(said)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ("", HeadingsMissing),
        ("\n\n\n", HeadingsMissing),
        (HEAD, FileEmpty),
        (HEAD + "\n,,,,,,\n", FileEmpty),
        (TEXT.replace("Slip", "Chips", 1), HeadingTwice),
        (b"\xd0\xcf\x11\xe0 old", SheetUnreadable),
        (b"PK\x03\x04 and then nothing", SheetUnreadable),
        (b"\xff\xfe\x00", SheetUnreadable),
        (b"\x00\x01\x02\x03" * 100, HeadingsMissing),
        ('"never closed\n' + TEXT, SheetUnreadable),
        ("title\n" * 25 + TEXT, HeadingsMissing),
    ],
    ids=["empty", "blank", "no row", "blank rows", "heading twice", "xls", "cut zip", "half utf-16", "bytes", "open quote", "too far down"],
)  # fmt: skip
def test_no_sheet_at_all(data: str | bytes, kind: type[LedgerError], tmp_path: Path) -> None:
    said = refusal(tmp_path, data)
    assert isinstance(said, kind)
    assert said.code
    assert str(tmp_path) not in str(said)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SheetUnreadable):
        preview(ledger(), "drop-count", tmp_path / "none.csv")
    with pytest.raises(SheetUnreadable):
        preview(ledger(), "drop-count", tmp_path)


# --- workbooks ------------------------------------------------------------------------------------


def workbook(rows: list[list[object]], *, sheets: int = 1, merged: str | None = None) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    page = book.active
    assert page is not None
    for row in rows:
        page.append(row)
    if merged:
        page.merge_cells(merged)
    for number in range(1, sheets):
        book.create_sheet(f"Other {number}").append(["x"])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def cells() -> list[list[object]]:
    return [list(row) for row in csv.reader(io.StringIO(TEXT))]


def test_a_workbook_with_merged_headings(tmp_path: Path) -> None:
    rows = [["Chips of the day"], [None], *cells()]
    data = workbook(rows, merged="A1:G1")
    one = seen(tmp_path, data, name="sheet.xlsx")
    assert (one.faults, one.rows, one.totals) == ([], 2, {"chips": 3_000_000})
    assert [example.row for example in one.examples] == [4, 5]


def test_cells_of_a_workbook_are_what_they_show(tmp_path: Path) -> None:
    from datetime import datetime, time, timedelta

    rows: list[list[object]] = [cells()[0]]
    rows.append([datetime(2021, 6, 12), time(18, 30), "SB-01", "opener", None, 25000.0, "F-1"])  # noqa: DTZ001
    rows.append(
        [datetime(2021, 6, 12), timedelta(hours=20, minutes=30), "SB-01", "fill", 17, 50.25, "F-1"]  # noqa: DTZ001
    )
    one = seen(tmp_path, workbook(rows), name="sheet.xlsx")
    assert [str(fault) for fault in one.faults] == []
    assert one.totals == {"chips": 2_505_025}


def test_formulas_and_errors_of_a_workbook(tmp_path: Path) -> None:
    rows = cells()
    rows[1][5] = "=SUM(A1:A2)"
    rows[2][5] = "#REF!"
    one = seen(tmp_path, workbook(rows), name="sheet.xlsx")
    assert [(fault.row, fault.code) for fault in one.faults] == [
        (2, "formula"),
        (3, "not_an_amount"),
    ]


def test_a_workbook_of_several_sheets_or_half_of_one(tmp_path: Path) -> None:
    whole = workbook(cells())
    assert isinstance(refusal(tmp_path, workbook(cells(), sheets=2)), SheetUnreadable)
    for size in (len(whole) // 2, len(whole) - 1, 200):
        assert isinstance(refusal(tmp_path, whole[:size]), SheetUnreadable)


def test_a_workbook_damaged_anywhere_is_refused_or_read(tmp_path: Path) -> None:
    whole = workbook(cells())
    for at in range(0, len(whole), max(1, len(whole) // 40)):
        data = whole[:at] + bytes((whole[at] ^ 0x5A,)) + whole[at + 1 :]
        try:
            seen(tmp_path, data)
        except LedgerError as refused:
            assert refused.code  # noqa: PT017 - it may also be read
