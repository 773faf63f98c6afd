"""The refused rows of a file as a sheet of their own, and the file with its mended rows in place.

A file is one transaction, so nothing of it is imported while a row is refused. The refused rows are
written to a small CSV file, with the reason beside each; mended there, they are put back into the
rows of the first file by their numbers, and the whole is imported.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Final

from ledger.intake.import_errors import MendedWrong
from ledger.intake.importing import Import, file_digest
from ledger.intake.profile_columns import Profile
from ledger.intake.sheet import Sheet, open_sheet
from ledger.kernel import cell_text

ROW: Final = "Row"
WHY: Final = "Why it was refused"
_NEW: Final = os.O_CREAT | os.O_WRONLY | os.O_TRUNC
_TITLE: Final = re.compile(r"Refused rows of .*, SHA-256 (?P<digest>[0-9a-f]{64})", re.DOTALL)


def write_rejected(done: Import, out: Path) -> int:
    """Write the refused rows of a preview; how many they are.

    Args:
        done: previewed.
        out: the file; it is written whole or not at all.

    Raises:
        MendedWrong: a file stands there that is none of refused rows.
    """
    count = 0
    title = f"Refused rows of {done.path.name}, SHA-256 {done.seen.sha256.hex()}"
    with _open(done.profile, done.path, done.sheet) as sheet, _written(out) as write:
        write([title])
        write([*sheet.headings, ROW, WHY])
        width = len(sheet.headings)
        for row in sheet.rows:
            why = done.refused.get(row.number)
            if why is None or not row.cells:
                continue
            count += 1
            cells = [cell_text(cell) for cell in row.cells]
            cells += [""] * (width - len(cells))
            write([*cells[:width], str(row.number), cell_text(why), *cells[width:]])
    return count


def put_back(profile: Profile, path: Path, sheet: str | None, rejected: Path, out: Path) -> int:
    """Write a file anew with its mended rows in place; how many were mended.

    A row of which every cell was emptied is left out; one that is not in the file of refused rows
    any more stays as it was. Rows keep their numbers.

    Args:
        profile: of the file.
        path: the file whose rows were refused.
        sheet: which sheet of it, if it is a workbook of several.
        rejected: the refused rows, mended.
        out: the file that is written.

    Raises:
        MendedWrong: the refused rows are of another file, or cannot be put in their places.
    """
    where = rejected.name
    with _open(profile, rejected, None, (ROW, WHY)) as mended:
        rows, digest = _mended(mended, where)
    if digest != file_digest(path)[0].hex():
        raise MendedWrong(where, f"it holds no refused rows of {path.name} as it is")
    count = 0
    with _open(profile, path, sheet) as whole, _written(out, whole.headings) as write:
        _down_to(whole.heading_row, write)
        write(list(whole.headings))
        line = whole.heading_row
        for row in whole.rows:
            cells = rows.pop(row.number, None)
            if cells is None and row.fault is not None and not row.cells:
                raise MendedWrong(path.name, f"row {row.number}: {row.fault[1]}")
            count += cells is not None
            _down_to(row.number - line, write)
            line = row.number
            write(list(row.cells) if cells is None else cells if any(cells) else [])
    if rows:
        raise MendedWrong(where, f"{path.name} has no row {min(rows)}")
    return count


def _mended(sheet: Sheet, where: str) -> tuple[dict[int, list[str]], str]:
    """The mended rows by their numbers, and the digest of the file that they are of."""
    title = next((match for line in sheet.titles if (match := _TITLE.search(line))), None)
    if title is None or sheet.headings[-2:] != (ROW, WHY):
        raise MendedWrong(where, "it is no file of refused rows")
    width = len(sheet.headings) - 2
    rows: dict[int, list[str]] = {}
    for row in sheet.rows:
        number = row.cells[width].strip() if len(row.cells) > width else ""
        if not number.isdecimal():
            raise MendedWrong(where, f"line {row.number} lacks the number of its row")
        if int(number) in rows:
            raise MendedWrong(where, f"row {number} stands in it twice")
        rows[int(number)] = [_as_typed(cell.strip()) for cell in row.cells[:width]]
    return rows, title["digest"]


def _as_typed(cell: str) -> str:
    """A cell without the apostrophe that kept it from being a formula."""
    return cell[1:] if cell.startswith("'") and cell_text(cell[1:]) == cell else cell


@contextmanager
def _open(
    profile: Profile, path: Path, sheet: str | None, more: tuple[str, ...] = ()
) -> Iterator[Sheet]:
    wanted = {**profile.headings, **{f" {heading}": (heading,) for heading in more}}
    with open_sheet(
        path, wanted, profile.needed, encoding=profile.encoding, separator=profile.separator,
        sheet=sheet,
    ) as opened:  # fmt: skip
        yield opened


def _down_to(lines: int, write: Callable[[list[str]], object]) -> None:
    """Leave lines empty before the next row."""
    for _ in range(lines - 1):
        write([])


@contextmanager
def _written(
    out: Path, headings: tuple[str, ...] | None = None
) -> Iterator[Callable[[list[str]], object]]:
    """A function that writes a row of a CSV file, which stands when all are written.

    Args:
        out: the file.
        headings: what a file that stands there must begin with to be replaced; None asks for the
            title of refused rows.

    Raises:
        MendedWrong: another file stands there.
    """
    if out.exists():
        with out.open(encoding="utf-8-sig", errors="replace", newline="") as before:
            first = next((row for row in islice(csv.reader(before), 100) if row), [])
        ours = tuple(first) == headings if headings else _TITLE.fullmatch(" ".join(first))
        if not ours:
            raise MendedWrong(out.name, "another file stands there")
    part = out.with_name(f".{out.name}.part")
    try:
        with os.fdopen(os.open(part, _NEW, 0o600), "w", encoding="utf-8", newline="") as file:
            yield csv.writer(file, lineterminator="\n").writerow
            file.flush()
            os.fsync(file.fileno())
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)
