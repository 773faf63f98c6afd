"""Workbooks and texts made to fill a machine: refused early, in a process that stays small."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger.intake.import_errors import SheetUnreadable
from ledger.intake.sheet import open_sheet
from ledger.intake.workbook import SMALL_BYTES
from ledger.intake.workbook_parts import COLUMNS, ELEMENT_BYTES

TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
LINKS = "http://schemas.openxmlformats.org/package/2006/relationships"
HEADINGS = "<row r='1'><c r='A1' t='inlineStr'><is><t>Table</t></is></c></row>"
PEAK_MB = 120
"""What a child takes in all: an interpreter with the package, and what the bounds let through."""

READ = """
import sys
from pathlib import Path
from ledger.intake.import_errors import SheetUnreadable
from ledger.intake.sheet import open_sheet
try:
    with open_sheet(Path(sys.argv[1]), {"table": ("Table",)}, {"table"}, encoding="utf-8", separator=None) as sheet:
        print("read", sum(1 for _ in sheet.rows))
except SheetUnreadable as refused:
    print(refused)
status = Path("/proc/self/status").read_text()
print(int(status.partition("VmHWM:")[2].split()[0]) // 1024)
"""


def blocks(begin: str, piece: str, size: int, end: str) -> Iterator[bytes]:
    """A part of about that size, a megabyte at a time."""
    yield begin.encode()
    block = piece.encode() * (max(1, 1_000_000 // len(piece.encode())) if size else 1)
    for _ in range(max(1, size // max(1, len(block)))):
        yield block
    yield end.encode()


def sheet_of(piece: str, size: int) -> Iterator[bytes]:
    return blocks(
        f"<worksheet {MAIN}><sheetData>{HEADINGS}", piece, size, "</sheetData></worksheet>"
    )


def texts_of(piece: str, size: int) -> Iterator[bytes]:
    return blocks(f"<sst {MAIN}>", piece, size, "</sst>")


ONE_ROW = "<row r='2'><c r='A2' t='s'><v>0</v></c></row>"
USUAL: dict[str, Callable[[], Iterator[bytes]]] = {
    "_rels/.rels": lambda: iter([
        f'<Relationships xmlns="{LINKS}"><Relationship Id="a" Type="{TYPES}/officeDocument"'
        ' Target="xl/workbook.xml"/></Relationships>'.encode()]),
    "xl/workbook.xml": lambda: iter([
        f'<workbook {MAIN} xmlns:r="{TYPES}"><sheets><sheet name="One" sheetId="1" r:id="b"/></sheets>'
        "</workbook>".encode()]),
    "xl/_rels/workbook.xml.rels": lambda: iter([
        f'<Relationships xmlns="{LINKS}"><Relationship Id="b" Type="{TYPES}/worksheet" Target="one.xml"/>'
        f'<Relationship Id="c" Type="{TYPES}/sharedStrings" Target="texts.xml"/></Relationships>'.encode()]),
    "xl/one.xml": lambda: sheet_of(ONE_ROW, 0),
    "xl/texts.xml": lambda: texts_of("<si><t>SB-01</t></si>", 0),
}  # fmt: skip


def written(path: Path, parts: dict[str, Callable[[], Iterator[bytes]]]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
        for name, make in {**USUAL, **parts}.items():
            with packed.open(name, "w", force_zip64=True) as part:
                for block in make():
                    part.write(block)
    return path


def read(path: Path) -> tuple[str, int]:
    """What comes of a file in a process of its own, and how many megabytes that took."""
    ran = subprocess.run(
        [sys.executable, "-c", READ, str(path)], check=True, capture_output=True, text=True,
        timeout=120, cwd=Path(__file__).parent.parent.parent, env=os.environ,
    )  # fmt: skip
    said, peak = ran.stdout.strip().rsplit("\n", 1)
    return said, int(peak)


ENTITIES = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "ha" * 10}">' for n in range(10))
UNDER = SMALL_BYTES - 2_000_000
"""A size at which the way a part is packed is not looked at: what is bounded is what is parsed."""
BOMBS: dict[str, tuple[dict[str, Callable[[], Iterator[bytes]]], str]] = {
    "shared texts that unpack to far more": (
        {"xl/texts.xml": lambda: texts_of("<si><t/></si>", 100_000_000)}, "unpack to"),
    "more shared texts than fit": (
        {"xl/texts.xml": lambda: texts_of("<si><t/></si>", UNDER)}, "its texts take more than"),
    "rows that unpack to far more": (
        {"xl/one.xml": lambda: sheet_of("<row/>", 100_000_000)}, "unpack to"),
    "millions of empty rows": ({"xl/one.xml": lambda: sheet_of("<row/>", UNDER)}, "it has a row"),
    "millions of empty cells": ({"xl/one.xml": lambda: blocks(
        f"<worksheet {MAIN}><sheetData>{HEADINGS}<row>", "<c/>", UNDER, "</row></sheetData></worksheet>")},
        "more cells than a sheet has columns"),
    "a cell at the far end of each row": (
        {"xl/one.xml": lambda: sheet_of("<row><c r='XFD1'><v>1</v></c></row>", 100_000)}, "column 16,384"),
    "a cell that never ends": ({"xl/one.xml": lambda: blocks(
        f"<worksheet {MAIN}><sheetData>{HEADINGS}<row><c t='str'><v>", "x", UNDER, "</v></c></row></sheetData></worksheet>")},
        "longer than any sheet's"),
    "a shared text that never ends": (
        {"xl/texts.xml": lambda: texts_of("<si><t>" + "x" * 900_000 + "</t><t>" + "y" * 900_000 + "</t></si>", 2)},
        "longer than any sheet's"),
    "a comment that never ends": (
        {"xl/one.xml": lambda: blocks(f"<worksheet {MAIN}><!--", "x", UNDER, "--></worksheet>")},
        "longer than any sheet's"),
    "a name that never ends": (
        {"xl/one.xml": lambda: blocks(f"<worksheet {MAIN}><a", "x", UNDER, "/></worksheet>")},
        "longer than any sheet's"),
    "millions of names": ({"xl/one.xml": lambda: blocks(
        f"<worksheet {MAIN}>", "".join(f"<n{n}/>" for n in range(60_000)), 1, "</worksheet>")},
        "longer than any sheet's"),
    "elements in elements": (
        {"xl/one.xml": lambda: blocks(f"<worksheet {MAIN}>", "<a>", UNDER, "")}, "nested too deeply"),
    "entities in entities": ({"xl/texts.xml": lambda: iter([
        f"<!DOCTYPE sst [{ENTITIES}]><sst {MAIN}><si><t>&e9;</t></si></sst>".encode()])}, "document type"),
    "an entity of a file": ({"xl/texts.xml": lambda: iter([
        f'<!DOCTYPE sst [<!ENTITY f SYSTEM "file:///etc/hostname">]><sst {MAIN}><si><t>&f;</t></si></sst>'.encode()])},
        "document type"),
    "a zip in a zip": ({"xl/one.xml": lambda: iter([b"PK\x03\x04" + bytes(100)])}, "no whole .xlsx file"),
    "millions of parts' links": ({"xl/_rels/workbook.xml.rels": lambda: blocks(
        f'<Relationships xmlns="{LINKS}">', "".join(f'<Relationship Id="{n}"/>' for n in range(120_000)), 1,
        "</Relationships>")}, "too many parts"),
    "thousands of parts": (
        {f"xl/media/{n}": lambda: iter([b"x"]) for n in range(2_100)}, "parts"),
}  # fmt: skip


@pytest.mark.by_turns(3)
@pytest.mark.parametrize("kind", BOMBS)
def test_a_bomb_is_refused_in_little_memory(kind: str, tmp_path: Path) -> None:
    parts, reason = BOMBS[kind]
    path = written(tmp_path / "bomb.xlsx", parts)
    assert path.stat().st_size < 1_000_000
    said, peak = read(path)
    assert said.startswith("The file cannot be read: ")
    assert reason in said
    assert peak < PEAK_MB


def test_a_zip_of_a_sheet_is_no_workbook(tmp_path: Path) -> None:
    path = tmp_path / "sheet.xlsx"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("inner.xlsx", b"PK\x03\x04")
        packed.writestr("sheet.csv", "Table\nSB-01\n")
    assert "no whole .xlsx file" in read(path)[0]


def test_a_zip_that_lies_about_its_sizes(tmp_path: Path) -> None:
    """What a part says it unpacks to is all that is unpacked of it."""
    path = written(tmp_path / "bomb.xlsx", {"xl/one.xml": lambda: sheet_of(ONE_ROW, 20_000_000)})
    with zipfile.ZipFile(path) as packed:
        size = packed.getinfo("xl/one.xml").file_size
    data = path.read_bytes()
    assert data.count(size.to_bytes(4, "little")) >= 1
    path.write_bytes(data.replace(size.to_bytes(4, "little"), (5_000).to_bytes(4, "little")))
    said, peak = read(path)
    assert "no whole .xlsx file" in said
    assert peak < PEAK_MB


def test_a_large_sheet_that_people_keep_is_read_in_little_memory(tmp_path: Path) -> None:
    rows = [f"<row r='{n}'><c r='A{n}' t='s'><v>{n % 7}</v></c><c r='B{n}'><v>{n}</v></c></row>" for n in range(2, 100_002)]  # fmt: skip
    path = written(tmp_path / "sheet.xlsx", {
        "xl/one.xml": lambda: sheet_of("".join(rows), 0),
        "xl/texts.xml": lambda: texts_of("".join(f"<si><t>SB-0{n}</t></si>" for n in range(7)), 0),
    })  # fmt: skip
    said, peak = read(path)
    assert said == "read 100000"
    assert peak < PEAK_MB


@pytest.mark.parametrize("text", ["Table\n" + "x" * 3_000_000, "Table\n" + "," * 3_000_000 + "\n"])
def test_a_line_that_never_ends(text: str, tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SheetUnreadable, match="a line is longer"):
        open_sheet(
            path, {"table": ("Table",)}, {"table"}, encoding="utf-8", separator=None
        ).__enter__()


def test_empty_cells_with_a_style_may_stand_anywhere(tmp_path: Path) -> None:
    """Spreadsheets format whole rows; only what holds anything counts."""
    row = f"<row r='2'><c r='A2' t='s'><v>0</v></c><c r='XFD2' s='0'/></row><row r='{COLUMNS * 1000}'/>"
    path = written(tmp_path / "sheet.xlsx", {"xl/one.xml": lambda: sheet_of(row, 0)})
    with open_sheet(
        path, {"table": ("Table",)}, {"table"}, encoding="utf-8", separator=None
    ) as sheet:
        assert [(row.number, list(row.cells)) for row in sheet.rows] == [(2, ["SB-01"])]
    assert ELEMENT_BYTES < SMALL_BYTES
