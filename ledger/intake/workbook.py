"""The rows of one sheet of an .xlsx file, in flat memory: parts are bounded before they are read.

An .xlsx file is a zip of XML, and both can grow a thousandfold: what the parts unpack to is asked
of the zip before any is opened, no document type (hence no entity) is taken, and one row or one
text may not be longer than ``ELEMENT_BYTES``. The XML is never a tree.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import BinaryIO, Final
from xml.parsers import expat

from ledger.intake.refusals import SheetUnreadable

PARTS: Final = 2_000
"""How many parts a workbook may have."""
UNPACKED_BYTES: Final = 1_000_000_000
"""What the parts that are read may unpack to together."""
SMALL_BYTES: Final = 32_000_000
"""Up to here it does not matter how far a part unpacks."""
UNPACKED_TIMES: Final = 100
"""How many times its packed size a larger part may unpack to; sheets that people keep are ten."""
ELEMENT_BYTES: Final = 1_000_000
"""The longest row, shared text or run of anything else, as XML."""
TEXTS_BYTES: Final = 128_000_000
"""What the texts of a workbook may take in memory."""
TEXT_BYTES: Final = 58
"""What a text takes in memory beside its characters."""
COLUMNS: Final = 1_000
"""How far to the right a cell that holds anything may stand."""
COLUMNS_OF_A_SHEET: Final = 16_384
ROWS: Final = 1_048_576
"""As many as a sheet can have."""
STYLES: Final = 100_000
"""How many styles of cells, sheets or links of parts a workbook may have."""
NAMES: Final = 10_000
"""How many different names elements and attributes may have."""
DEPTH: Final = 100
"""How deep elements may stand in each other."""
BLOCK: Final = 65_536
CSV_INSTEAD: Final = "save the sheet by itself as .csv"

_REFERENCE: Final = re.compile(r"([A-Za-z]{1,3})[0-9]{0,8}")
_BREAK: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")

Row = tuple[int, list[str]]


class _TooMuch(Exception):
    """A workbook that is bounded here."""


@dataclass(frozen=True, slots=True)
class _Dates:
    """Which styles of cells are dates or spans, and where the workbook's days begin."""

    dates: frozenset[int]
    spans: frozenset[int]
    epoch: datetime


@contextmanager
def open_workbook(file: BinaryIO, where: str, sheet: str | None) -> Iterator[Iterator[Row]]:
    """The rows of one sheet that hold anything: number, and cells as the texts of a CSV file.

    Args:
        file: opened for bytes.
        where: its name.
        sheet: the name of the sheet; None where only one has cells.

    Raises:
        SheetUnreadable: no workbook, one too large, or no such sheet; while rows are read too.
    """
    try:
        with zipfile.ZipFile(file) as packed:
            book = _Book(packed, where)
            yield _refusing(book.rows(sheet), where)
    except _FAILURES as error:
        raise _refusal(where, error) from error


_FAILURES: Final = (
    zipfile.BadZipFile, zlib.error, expat.ExpatError, EOFError, OSError, KeyError, ValueError,
    OverflowError, NotImplementedError, RuntimeError, _TooMuch,
)  # fmt: skip
"""What a damaged workbook raises while it is unpacked and parsed."""


def _refusing(rows: Iterator[Row], where: str) -> Iterator[Row]:
    try:
        yield from rows
    except _FAILURES as error:
        raise _refusal(where, error) from error


def _refusal(where: str, error: Exception) -> SheetUnreadable:
    if isinstance(error, _TooMuch):
        return SheetUnreadable(where, str(error), CSV_INSTEAD)
    return SheetUnreadable(where, f"no whole .xlsx file ({str(error) or type(error).__name__})")


class _Book:
    """An open workbook."""

    def __init__(self, packed: zipfile.ZipFile, where: str) -> None:
        self.packed = packed
        self.where = where
        self.sizes: dict[str, zipfile.ZipInfo] = {}
        self.budget = UNPACKED_BYTES
        for part in packed.infolist():
            self.sizes[part.filename] = part
        if len(packed.infolist()) > PARTS:
            raise _TooMuch(f"it has {len(packed.infolist()):,} parts")
        for part in self.sizes.values():
            _bounded(part)
        links = self._links("_rels/.rels", "")
        self.path = next((path for kind, path in links.values() if kind == "officeDocument"), "")
        if not self.path:
            raise KeyError("it has no workbook")
        folder, name = posixpath.split(self.path)
        self.links = self._links(f"{folder}/_rels/{name}.rels", folder)

    def rows(self, wanted: str | None) -> Iterator[Row]:
        """The rows of a sheet."""
        sheets, epoch = self._sheets()
        path = self._chosen(sheets, wanted)
        texts, styles = _Texts(), _Styles()
        for kind, part in (("sharedStrings", texts), ("styles", styles)):
            for known, linked in self.links.values():
                if known == kind and linked in self.sizes:
                    self._parse(linked, part.start, part.end, getattr(part, "text", _ignored))
        yield from _Cells(texts.texts, styles.dates(epoch)).read(self._blocks(path))

    def _sheets(self) -> tuple[list[tuple[str, str]], datetime]:
        """Names and paths of the sheets of cells in their order, and the first day."""
        from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900

        sheets: list[tuple[str, str]] = []
        epoch = CALENDAR_WINDOWS_1900

        def start(name: str, attributes: dict[str, str]) -> None:
            nonlocal epoch
            if name == "sheet":
                link = next((v for k, v in attributes.items() if k.endswith("}id")), "")
                kind, path = self.links.get(link, ("", ""))
                if kind == "worksheet":
                    sheets.append((attributes.get("name", ""), path))
            elif name == "workbookPr" and attributes.get("date1904") in ("1", "true"):
                epoch = CALENDAR_MAC_1904
            if len(sheets) > STYLES:
                raise _TooMuch("it has too many sheets")

        self._parse(self.path, start)
        return sheets, epoch

    def _chosen(self, sheets: list[tuple[str, str]], wanted: str | None) -> str:
        """The path of the sheet that is meant."""
        names = [name for name, _ in sheets]
        many = ", ".join(repr(name) for name in names[:12])
        if wanted is not None:
            for name, path in sheets:
                if name.strip().casefold() == wanted.strip().casefold():
                    return path
            raise SheetUnreadable(self.where, f"it has no sheet {wanted!r}", f"one of: {many}")
        if not sheets:
            raise SheetUnreadable(self.where, "it has no sheet of cells")
        paths = [path for _, path in sheets]
        filled = paths if len(paths) == 1 else list(filter(self._has_cells, paths))
        if len(filled) > 1:
            step = f"choose one of them, such as --sheet {names[0]!r}"
            raise SheetUnreadable(self.where, f"it has several sheets: {many}", step)
        return filled[0] if filled else sheets[0][1]

    def _has_cells(self, path: str) -> bool:
        """Whether a sheet has a cell."""
        seen: set[str] = set()
        parsed = _parsed(self._blocks(path), lambda name, _: seen.add(name), _ignored, _ignored)
        return any("c" in seen for _ in parsed)

    def _links(self, path: str, folder: str) -> dict[str, tuple[str, str]]:
        """What a part links to: kind and path, by id."""
        links: dict[str, tuple[str, str]] = {}

        def start(name: str, attributes: dict[str, str]) -> None:
            if name == "Relationship" and attributes.get("TargetMode") != "External":
                kind = attributes.get("Type", "").rpartition("/")[2]
                target = attributes.get("Target", "")
                whole = target.lstrip("/") if target.startswith("/") else f"{folder}/{target}"
                links[attributes.get("Id", "")] = (kind, posixpath.normpath(whole).lstrip("/"))
                if len(links) > STYLES:
                    raise _TooMuch("it has too many parts")

        self._parse(path, start)
        return links

    def _parse(
        self, path: str, start: Callable[[str, dict[str, str]], None],
        end: Callable[[str], None] | None = None, text: Callable[[str], None] | None = None,
    ) -> None:  # fmt: skip
        """Read one part to its end."""
        deque(_parsed(self._blocks(path), start, end or _ignored, text or _ignored), maxlen=0)

    def _blocks(self, path: str) -> Iterator[bytes]:
        """A part, block by block, until no more may be unpacked."""
        with self.packed.open(self.sizes[path]) as part:
            while block := part.read(BLOCK):
                self.budget -= len(block)
                if self.budget < 0:
                    raise _TooMuch(f"it unpacks to more than {UNPACKED_BYTES:,} bytes")
                yield block


def _bounded(part: zipfile.ZipInfo) -> None:
    """Refuse a part that unpacks to far more than a sheet does."""
    size, packed = part.file_size, max(1, part.compress_size)
    if size > UNPACKED_BYTES or (size > SMALL_BYTES and size > packed * UNPACKED_TIMES):
        raise _TooMuch(f"its {packed:,} bytes unpack to {size:,}")


def _ignored(_: str) -> None:
    return


def _no_doctype(*_: object) -> None:
    raise _TooMuch("it has a document type, which no spreadsheet has")


def _parsed(
    blocks: Iterator[bytes],
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None],
    text: Callable[[str], None],
) -> Iterator[None]:
    """Parse a part and pause after each block; elements come without their name spaces."""
    names: dict[str, str] = {}
    parser = expat.ParserCreate(namespace_separator="}", intern=names)
    unheard = depth = 0

    def on_start(name: str, attributes: dict[str, str]) -> None:
        nonlocal unheard, depth
        unheard = 0
        depth += 1
        if depth > DEPTH:
            raise _TooMuch("it is nested too deeply")
        start(name.rpartition("}")[2], attributes)

    def on_end(name: str) -> None:
        nonlocal unheard, depth
        unheard = 0
        depth -= 1
        end(name.rpartition("}")[2])

    def on_text(piece: str) -> None:
        nonlocal unheard
        unheard = 0
        text(piece)

    parser.StartElementHandler = on_start
    parser.EndElementHandler = on_end
    parser.CharacterDataHandler = on_text
    parser.StartDoctypeDeclHandler = _no_doctype
    for block in blocks:
        unheard += len(block)
        parser.Parse(block, False)
        if unheard > ELEMENT_BYTES or len(names) > NAMES:
            raise _TooMuch("a piece of it is longer than any sheet's")
        yield
    parser.Parse(b"", True)
    yield


class _Texts:
    """The texts that cells share."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.pieces: list[str] = []
        self.length = self.room = 0
        self.is_text = self.is_sound = False

    def start(self, name: str, _: dict[str, str]) -> None:
        """An element begins."""
        if name == "si":
            self.pieces, self.length = [], 0
        elif name == "rPh":
            self.is_sound = True
        self.is_text = name == "t" and not self.is_sound

    def end(self, name: str) -> None:
        """An element ends."""
        self.is_text = False
        if name == "rPh":
            self.is_sound = False
        elif name == "si":
            text = _unescaped("".join(self.pieces))
            self.texts.append(text)
            self.room += TEXT_BYTES + len(text) * (1 if text.isascii() else 4)
            if self.room > TEXTS_BYTES:
                raise _TooMuch(f"its texts take more than {TEXTS_BYTES:,} bytes")

    def text(self, piece: str) -> None:
        """Characters of a text."""
        if self.is_text:
            self.length = _longer(self.length, piece)
            self.pieces.append(piece)


class _Styles:
    """Which styles of cells are dates."""

    def __init__(self) -> None:
        self.formats: dict[int, str] = {}
        self.used: list[int] = []
        self.is_cells = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if name == "numFmt":
            self.formats[int(attributes["numFmtId"])] = attributes.get("formatCode", "")
        elif name == "cellXfs":
            self.is_cells = True
        elif name == "xf" and self.is_cells:
            self.used.append(int(attributes.get("numFmtId", "0")))
        if len(self.used) > STYLES or len(self.formats) > STYLES:
            raise _TooMuch("it has too many styles")

    def end(self, name: str) -> None:
        """An element ends."""
        if name == "cellXfs":
            self.is_cells = False

    def dates(self, epoch: datetime) -> _Dates:
        """Styles of dates and of spans."""
        from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format

        dates, spans = set(), set()
        for style, number in enumerate(self.used):
            code = self.formats.get(number) or BUILTIN_FORMATS.get(number) or "General"
            if is_date_format(code):
                dates.add(style)
            if is_timedelta_format(code):
                spans.add(style)
        return _Dates(frozenset(dates), frozenset(spans), epoch)


class _Cells:
    """The rows of a sheet."""

    def __init__(self, texts: list[str], dates: _Dates) -> None:
        self.texts = texts
        self.dates = dates
        self.rows: list[Row] = []
        self.number = self.column = self.cells = self.length = 0
        self.row: list[str] = []
        self.kind = self.style = ""
        self.value: list[str] = []
        self.formula: list[str] | None = None
        self.pieces: list[str] | None = None

    def read(self, blocks: Iterator[bytes]) -> Iterator[Row]:
        """The rows that hold anything, as they come."""
        for _ in _parsed(blocks, self.start, self.end, self.text):
            yield from self.rows
            self.rows = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if name == "c":
            reference = attributes.get("r")
            self.column = self.column + 1 if reference is None else _column(reference)
            self.kind, self.style = attributes.get("t", "n"), attributes.get("s", "")
            self.value, self.formula, self.pieces = [], None, None
            self.cells += 1
            if self.cells > COLUMNS_OF_A_SHEET:
                raise _TooMuch("a row has more cells than a sheet has columns")
        elif name in ("v", "t"):
            self.pieces = self.value
        elif name == "f":
            self.pieces = self.formula = []
        elif name == "rPh":
            self.kind = f"{self.kind} sound"
        elif name == "row":
            number = attributes.get("r")
            self.number = self.number + 1 if number is None else int(number)
            if not 0 < self.number <= ROWS:
                raise _TooMuch(f"it has a row {self.number}")
            self.row, self.column, self.cells, self.length = [], 0, 0, 0

    def end(self, name: str) -> None:
        """An element ends."""
        self.pieces = None
        if name == "c":
            shown = self.shown()
            if shown:
                if self.column > COLUMNS:
                    raise _TooMuch(f"row {self.number} has a cell in column {self.column:,}")
                self.row += [""] * (self.column - len(self.row))
                self.row[self.column - 1] = shown
        elif name == "row" and self.row:
            self.rows.append((self.number, self.row))
            self.row = []

    def text(self, piece: str) -> None:
        """Characters of a cell."""
        if self.pieces is not None:
            self.length = _longer(self.length, piece)
            self.pieces.append(piece)

    def shown(self) -> str:
        """A cell as the text that the same cell of a CSV file would have."""
        if self.formula is not None:
            return f"={''.join(self.formula)}"
        text = "".join(self.value)
        match self.kind:
            case _ if not text:
                return ""
            case "s":
                return self.texts[int(text)].strip()
            case "b":
                return "yes" if text.strip() == "1" else "no"
            case "n":
                return self.number_shown(text)
            case "d":
                return _shown(datetime.fromisoformat(text))
            case "str" | "inlineStr":
                return _unescaped(text).strip()
            case _:
                return text.strip()

    def number_shown(self, text: str) -> str:
        """A number, or a date if its style is one."""
        from openpyxl.utils.datetime import from_excel

        number = float(text)
        style = int(self.style or "0")
        if style in self.dates.dates:
            return _shown(from_excel(number, self.dates.epoch, timedelta=style in self.dates.spans))
        bare = text.strip()
        return bare if bare.isdecimal() and bare.isascii() else _shown(number)


def _longer(length: int, piece: str) -> int:
    """The length of a text or a row with one piece more."""
    length += len(piece)
    if length > ELEMENT_BYTES:
        raise _TooMuch("a row or a text is longer than any sheet's")
    return length


def _column(reference: str) -> int:
    """The number of a column, from 1: 28 for ``AB7``."""
    match = _REFERENCE.fullmatch(reference)
    if match is None:
        raise ValueError("a cell without a place")
    number = 0
    for letter in match[1].upper():
        number = number * 26 + ord(letter) - 64
    return number


def _unescaped(text: str) -> str:
    """A text whose control characters a workbook writes as ``_x000D_``."""
    return _BREAK.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def _shown(value: object) -> str:
    """A number or a moment as the text that the same cell of a CSV file would have."""
    match value:
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case datetime() if value.time() == time(0):
            return value.date().isoformat()
        case datetime():
            return value.isoformat(sep=" ")
        case date() | time():
            return value.isoformat()
        case timedelta():
            seconds = int(value.total_seconds())
            return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
        case _:
            return str(value).strip()
