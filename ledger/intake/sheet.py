"""A CSV or XLSX file as rows of texts, one at a time, below the row of headings.

Encodings: UTF-8 with or without a byte order mark, UTF-16 with one, else what the profile says.
Separators: what the profile says, else the one of ``, ; tab |`` under which its headings are found.
Titles above the headings are skipped; headings merged over two rows are read as one. A row is never
guessed at: one that has too many or too few cells, or a file that ends inside a quoted cell, is
refused by its number.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, cast

from ledger.intake.import_errors import FileEmpty, HeadingsMissing, HeadingTwice, SheetUnreadable
from ledger.intake.workbook import open_workbook
from ledger.kernel.quick_dataclass import dataclass

SEPARATORS: Final = (",", ";", "\t", "|")
TITLE_ROWS: Final = 20
"""How far down the headings are looked for."""
BOMS: Final = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
HEAD: Final = 65_536
LINE_BYTES: Final = 1_000_000
"""How long a line of a text may be; what has no line in so much is no sheet."""


Fits = tuple[str, list[set[str]]]
"""A profile, and the headings that each column it needs may have, in small letters."""


class SheetRow(NamedTuple):
    """One row: its number in the file, from 1, and its cells as they stand.

    ``fault`` says why the row is none: (code, reason). Reading ends after ``file_cut``.
    """

    number: int
    cells: Sequence[str]
    fault: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """An open sheet: where each wanted heading stands, the rows below, and what stands above."""

    columns: dict[str, int]
    unused: tuple[str, ...]
    rows: Iterator[SheetRow]
    headings: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    heading_row: int = 1


@contextmanager
def open_sheet(
    path: Path, wanted: dict[str, tuple[str, ...]], needed: set[str], *, encoding: str,
    separator: str | None, fits: Iterable[Fits] = (), sheet: str | None = None,
) -> Iterator[Sheet]:  # fmt: skip
    """Open a file and find its headings.

    Args:
        path: ends in .csv, .txt, .tsv or .xlsx.
        wanted: the headings each column may have, by column.
        needed: columns that must be there.
        encoding: of a text without a byte order mark.
        separator: of a text; None looks for it.
        fits: other profiles, to say which one the file is of.
        sheet: which sheet of a workbook, by its name; None where only one has cells.

    Raises:
        SheetUnreadable: no sheet. HeadingsMissing, HeadingTwice, FileEmpty: not that of a profile.
    """
    where = path.name
    try:
        file = path.open("rb")
    except OSError as error:
        raise SheetUnreadable(where, error.strerror or str(error)) from error
    with file:
        head = file.read(4)
        file.seek(0)
        if head.startswith(b"PK\x03\x04"):
            with open_workbook(file, where, sheet) as rows:
                yield _sheet(_padded(rows), wanted, needed, where, fits)
            return
        if sheet is not None:
            raise SheetUnreadable(where, "only a workbook (.xlsx) has sheets", "leave --sheet out")
        if head.startswith(b"\xd0\xcf\x11\xe0"):
            raise SheetUnreadable(where, "an old .xls file", "save it as .xlsx or .csv")
        _has_lines(file, where)
        texts = _text(file, encoding)
        try:
            sep = separator or _separator(file, texts.encoding, wanted, needed)
            yield _sheet(_csv_rows(texts, sep), wanted, needed, where, fits)
        finally:
            texts.detach()


def _has_lines(file: BinaryIO, where: str) -> None:
    """Refuse a text with a line so long that it would not fit into memory."""
    file.seek(0)
    while block := file.read(LINE_BYTES):
        if len(block) == LINE_BYTES and b"\n" not in block and b"\r" not in block:
            raise SheetUnreadable(where, f"a line is longer than {LINE_BYTES:,} bytes")
    file.seek(0)


def _text(file: BinaryIO, encoding: str) -> io.TextIOWrapper:
    head = file.read(4)
    file.seek(0)
    for bom, name in BOMS:
        if head.startswith(bom):
            encoding = name
    return io.TextIOWrapper(file, encoding=encoding, errors="strict", newline="")


def _separator(
    file: BinaryIO, encoding: str, wanted: dict[str, tuple[str, ...]], needed: set[str]
) -> str:
    """The separator under which most of the headings are found."""
    start = file.read(HEAD).decode(encoding, errors="replace")
    file.seek(0)
    best, most = ",", 0
    for separator in SEPARATORS:
        for row in list(_lenient(start, separator))[:TITLE_ROWS]:
            matched = len(needed & set(_columns(row, wanted)))
            if matched > most:
                best, most = separator, matched
    return best


def _lenient(start: str, separator: str) -> Iterator[list[str]]:
    try:
        yield from csv.reader(io.StringIO(start, newline=""), delimiter=separator)
    except csv.Error:
        return


def _csv_rows(texts: io.TextIOWrapper, separator: str) -> Iterator[SheetRow]:
    reader = csv.reader(texts, delimiter=separator, strict=True)
    last = 0
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except UnicodeDecodeError as error:
            reason = f"not {texts.encoding} ({error.reason}): save it as UTF-8"
            number = _bad_line(cast(BinaryIO, texts.buffer), texts.encoding) or last + 1
            yield SheetRow(number, (), ("bad_encoding", reason))
            return
        except csv.Error as error:
            problem = str(error)
            cut = "unexpected end" in problem
            reason = "the file ends inside a quoted cell" if cut else problem
            yield SheetRow(last + 1, (), ("file_cut" if cut else "bad_quoting", reason))
            return
        yield SheetRow(last + 1, cells)
        last = reader.line_num


def _bad_line(file: BinaryIO, encoding: str) -> int | None:
    """The first line that cannot be read; None where lines cannot be told by their bytes."""
    if encoding.startswith("utf-16"):
        return None
    file.seek(0)
    lines = (part for line in file for part in line.splitlines())  # a lone CR ends a line, too
    for number, line in enumerate(lines, 1):
        try:
            line.decode(encoding)
        except UnicodeDecodeError:
            return number
    return None


def _padded(rows: Iterator[tuple[int, list[str]]]) -> Iterator[SheetRow]:
    """Rows of a workbook, as wide as the widest so far: what is empty at their end is not kept."""
    width = 0
    for number, cells in rows:
        width = max(width, len(cells))
        yield SheetRow(number, cells + [""] * (width - len(cells)))


def _sheet(
    rows: Iterator[SheetRow],
    wanted: dict[str, tuple[str, ...]],
    needed: set[str],
    where: str,
    fits: Iterable[Fits],
) -> Sheet:
    best: dict[str, int] = {}
    seen: list[list[str]] = []
    above: Sequence[str] = ()
    titles: list[str] = []
    for row in rows:
        if row.fault is not None:
            raise SheetUnreadable(where, f"line {row.number}: {row.fault[1]}")
        for cells in (row.cells, _under(above, row.cells)):
            columns = _columns(cells, wanted)
            best = max(best, columns, key=lambda one: len(needed & set(one)))
            if needed <= set(columns):
                _check_headings_once(cells, wanted, where)
                used = set(columns.values())
                unused = tuple(
                    cell.strip() for at, cell in enumerate(cells) if cell.strip() and at not in used
                )
                body = _body(rows, cells, where)
                return Sheet(columns, unused, body, _bare(cells), tuple(titles), row.number)
        above = row.cells
        titles.append(" ".join(filter(None, row.cells)))
        seen.append([cell.strip().casefold() for cell in row.cells])
        if len(seen) >= TITLE_ROWS:
            break
    missing = [wanted[name][0] for name in wanted if name in needed and name not in best]
    others = [
        name
        for name, need in fits
        if any(all(not one.isdisjoint(row) for one in need) for row in seen)
    ]
    raise HeadingsMissing(where, missing, others)


def _bare(headings: Sequence[str]) -> tuple[str, ...]:
    """The headings without the empty cells at their end."""
    bare = [cell.strip() for cell in headings]
    while bare and not bare[-1]:
        bare.pop()
    return tuple(bare)


def _under(above: Sequence[str], cells: Sequence[str]) -> list[str]:
    """A row of headings of which some stand in the row above: cells that were merged."""
    pairs = zip_longest(above, cells, fillvalue="")
    return [cell if cell.strip() else over for over, cell in pairs]


def _columns(cells: Sequence[str], wanted: dict[str, tuple[str, ...]]) -> dict[str, int]:
    at = {cell.strip().casefold(): place for place, cell in reversed(list(enumerate(cells)))}
    places = {}
    for name, headings in wanted.items():
        for heading in headings:
            if heading.casefold() in at:
                places[name] = at[heading.casefold()]
                break
    return places


def _check_headings_once(
    cells: Sequence[str], wanted: dict[str, tuple[str, ...]], where: str
) -> None:
    known = {heading.casefold() for headings in wanted.values() for heading in headings}
    seen: set[str] = set()
    for cell in cells:
        bare = cell.strip().casefold()
        if bare in seen and bare in known:
            raise HeadingTwice(where, cell)
        seen.add(bare)


def _body(rows: Iterator[SheetRow], headings: Sequence[str], where: str) -> Iterator[SheetRow]:
    """The rows below the headings; blank ones are no rows."""
    width = len(_bare(headings))
    some = False
    for row in rows:
        number, cells, fault = row
        if fault is None:
            if not (cells and cells[0].strip()) and not any(map(str.strip, cells)):
                continue
            if len(cells) != width:
                if len(cells) > width and any(map(str.strip, cells[width:])):
                    wrong = ("too_many_cells", f"{len(cells)} cells under {width} headings")
                    row = SheetRow(number, cells, wrong)
                elif len(cells) < width:
                    wrong = ("row_cut", f"{len(cells)} cells under {width} headings")
                    row = SheetRow(number, cells, wrong)
        some = True
        yield row
    if not some:
        raise FileEmpty(where)
