"""The XML of a workbook's parts, parsed without a tree: shared texts, styles, rows of a sheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from typing import Final
from xml.parsers import expat

from ledger.kernel.quick_dataclass import dataclass

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
_REFERENCE: Final = re.compile(r"([A-Za-z]{1,3})[0-9]{0,8}")
_BREAK: Final = re.compile(r"_x([0-9A-Fa-f]{4})_")

Row = tuple[int, list[str]]


class TooMuch(Exception):
    """A workbook that is bounded here."""


@dataclass(frozen=True, slots=True)
class Dates:
    """Which styles of cells are dates or spans, and where the workbook's days begin."""

    dates: frozenset[int]
    spans: frozenset[int]
    epoch: datetime


def _no_doctype(*_: object) -> None:
    raise TooMuch("it has a document type, which no spreadsheet has")


def parsed(
    blocks: Iterator[bytes],
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None],
    text: Callable[[str], None],
) -> Iterator[None]:
    """Parse a part and pause after each block; elements come without their name spaces.

    Args:
        blocks: the part's bytes, block by block.
        start: told of each element that begins: its name, and its attributes.
        end: told of each element that ends.
        text: told of the text between.
    """
    names: dict[str, str] = {}
    parser = expat.ParserCreate(namespace_separator="}", intern=names)
    unheard = depth = 0

    def on_start(name: str, attributes: dict[str, str]) -> None:
        nonlocal unheard, depth
        unheard = 0
        depth += 1
        if depth > DEPTH:
            raise TooMuch("it is nested too deeply")
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
            raise TooMuch("a piece of it is longer than any sheet's")
        yield
    parser.Parse(b"", True)
    yield


class Texts:
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
                raise TooMuch(f"its texts take more than {TEXTS_BYTES:,} bytes")

    def text(self, piece: str) -> None:
        """Characters of a text."""
        if self.is_text:
            self.length = _longer(self.length, piece)
            self.pieces.append(piece)


class Styles:
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
            raise TooMuch("it has too many styles")

    def end(self, name: str) -> None:
        """An element ends."""
        if name == "cellXfs":
            self.is_cells = False

    def dates(self, epoch: datetime) -> Dates:
        """Styles of dates and of spans."""
        from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format

        dates, spans = set(), set()
        for style, number in enumerate(self.used):
            code = self.formats.get(number) or BUILTIN_FORMATS.get(number) or "General"
            if is_date_format(code):
                dates.add(style)
            if is_timedelta_format(code):
                spans.add(style)
        return Dates(frozenset(dates), frozenset(spans), epoch)


class Cells:
    """The rows of a sheet."""

    def __init__(self, texts: list[str], dates: Dates) -> None:
        self.texts = texts
        self.dates = dates
        self.rows: list[Row] = []
        self.number = self.column = self.cells = self.length = 0
        self.row: list[str] = []
        self.kind = self.style = ""
        self.value_texts: list[str] = []
        self.formula: list[str] | None = None
        self.pieces: list[str] | None = None

    def read(self, blocks: Iterator[bytes]) -> Iterator[Row]:
        """The rows that hold anything, as they come."""
        for _ in parsed(blocks, self.start, self.end, self.text):
            yield from self.rows
            self.rows = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if name == "c":
            reference = attributes.get("r")
            self.column = self.column + 1 if reference is None else _column(reference)
            self.kind, self.style = attributes.get("t", "n"), attributes.get("s", "")
            self.value_texts, self.formula, self.pieces = [], None, None
            self.cells += 1
            if self.cells > COLUMNS_OF_A_SHEET:
                raise TooMuch("a row has more cells than a sheet has columns")
        elif name in ("v", "t"):
            self.pieces = self.value_texts
        elif name == "f":
            self.pieces = self.formula = []
        elif name == "rPh":
            self.kind = f"{self.kind} sound"
        elif name == "row":
            number = attributes.get("r")
            self.number = self.number + 1 if number is None else int(number)
            if not 0 < self.number <= ROWS:
                raise TooMuch(f"it has a row {self.number}")
            self.row, self.column, self.cells, self.length = [], 0, 0, 0

    def end(self, name: str) -> None:
        """An element ends."""
        self.pieces = None
        if name == "c":
            shown = self.shown()
            if shown:
                if self.column > COLUMNS:
                    raise TooMuch(f"row {self.number} has a cell in column {self.column:,}")
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
        text = "".join(self.value_texts)
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
        raise TooMuch("a row or a text is longer than any sheet's")
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


def _shown(cell: object) -> str:
    """A number or a moment as the text that the same cell of a CSV file would have."""
    match cell:
        case float() if cell.is_integer() and abs(cell) < 1e15:
            return str(int(cell))
        case datetime() if cell.time() == time(0):
            return cell.date().isoformat()
        case datetime():
            return cell.isoformat(sep=" ")
        case date() | time():
            return cell.isoformat()
        case timedelta():
            seconds = int(cell.total_seconds())
            return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
        case _:
            return str(cell).strip()
