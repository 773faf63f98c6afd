"""The rows of one sheet of an .xlsx file, in flat memory: parts are bounded before they are read.

An .xlsx file is a zip of XML, and both can grow a thousandfold: what the parts unpack to is asked
of the zip before any is opened, no document type (hence no entity) is taken, and one row or one
text may not be longer than ``ELEMENT_BYTES``. The XML is never a tree.
"""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import BinaryIO, Final
from xml.parsers import expat

from ledger.intake.import_errors import SheetUnreadable
from ledger.intake.workbook_parts import STYLES, Cells, Row, Styles, Texts, TooMuch, parsed

PARTS: Final = 2_000
"""How many parts a workbook may have."""
UNPACKED_BYTES: Final = 1_000_000_000
"""What the parts that are read may unpack to together."""
SMALL_BYTES: Final = 32_000_000
"""Up to here it does not matter how far a part unpacks."""
UNPACKED_TIMES: Final = 100
"""How many times its packed size a larger part may unpack to; sheets that people keep are ten."""
BLOCK: Final = 65_536
CSV_INSTEAD: Final = "save the sheet by itself as .csv"


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
    OverflowError, NotImplementedError, RuntimeError, TooMuch,
)  # fmt: skip
"""What a damaged workbook raises while it is unpacked and parsed."""


def _refusing(rows: Iterator[Row], where: str) -> Iterator[Row]:
    try:
        yield from rows
    except _FAILURES as error:
        raise _refusal(where, error) from error


def _refusal(where: str, error: Exception) -> SheetUnreadable:
    if isinstance(error, TooMuch):
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
            raise TooMuch(f"it has {len(packed.infolist()):,} parts")
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
        texts, styles = Texts(), Styles()
        for kind, part in (("sharedStrings", texts), ("styles", styles)):
            for known, linked in self.links.values():
                if known == kind and linked in self.sizes:
                    self._parse(linked, part.start, part.end, getattr(part, "text", _ignored))
        yield from Cells(texts.texts, styles.dates(epoch)).read(self._blocks(path))

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
                raise TooMuch("it has too many sheets")

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
        blocks = self._blocks(path)
        pauses = parsed(blocks, lambda name, _: seen.add(name), _ignored, _ignored)
        return any("c" in seen for _ in pauses)

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
                    raise TooMuch("it has too many parts")

        self._parse(path, start)
        return links

    def _parse(
        self, path: str, start: Callable[[str, dict[str, str]], None],
        end: Callable[[str], None] | None = None, text: Callable[[str], None] | None = None,
    ) -> None:  # fmt: skip
        """Read one part to its end."""
        deque(parsed(self._blocks(path), start, end or _ignored, text or _ignored), maxlen=0)

    def _blocks(self, path: str) -> Iterator[bytes]:
        """A part, block by block, until no more may be unpacked."""
        with self.packed.open(self.sizes[path]) as part:
            while block := part.read(BLOCK):
                self.budget -= len(block)
                if self.budget < 0:
                    raise TooMuch(f"it unpacks to more than {UNPACKED_BYTES:,} bytes")
                yield block


def _bounded(part: zipfile.ZipInfo) -> None:
    """Refuse a part that unpacks to far more than a sheet does."""
    size, packed = part.file_size, max(1, part.compress_size)
    if size > UNPACKED_BYTES or (size > SMALL_BYTES and size > packed * UNPACKED_TIMES):
        raise TooMuch(f"its {packed:,} bytes unpack to {size:,}")


def _ignored(_: str) -> None:
    return
