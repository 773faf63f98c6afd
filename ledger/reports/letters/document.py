"""A letter as a PDF: the same letter and signatures give the same bytes."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from datetime import UTC, datetime
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Final

from ledger.kernel import visible
from ledger.reports.letters.letter import Facts, Letter, Paragraph, Signature
from ledger.reports.letters.text import LONGEST_NAME, signed_words
from ledger.reports.paper import Paper

if TYPE_CHECKING:
    from fpdf import FPDF

SIZE: Final = 10.5
LINE: Final = 5.2
"""Height of a line in millimeters."""
NAMES: Final = 42
"""Width of the column that says what a row is about, in millimeters."""
SIGNATURE: Final = 24
"""Height of a signature with the room above it, in millimeters."""
BOX: Final = "\u25a1"
UNDATED: Final = datetime(1980, 1, 1, tzinfo=UTC)
"""The document's own date: the day of the letter stands on the letter."""


def letter_pdf(letter: Letter, signatures: Iterable[Signature], paper: Paper) -> bytes:
    """Return the letter as a PDF."""
    with ExitStack() as open_files:
        pdf = _document(paper, letter.subject, open_files)
        _head(pdf, letter)
        for part in letter.body:
            _part(pdf, part)
        _signatures(pdf, letter, signatures)
        return bytes(pdf.output())


def _document(paper: Paper, title: str, open_files: ExitStack) -> FPDF:
    from fpdf import FPDF

    class Document(FPDF):
        def footer(self) -> None:
            self.set_y(-15)
            self.set_font("page", size=7.5)
            self.cell(0, 5, f"page {self.page_no()} of {{nb}}", align="R")

    pdf = Document(format=paper.value.lower())
    pdf.set_creation_date(UNDATED)
    pdf.set_title(title)
    pdf.set_lang("en-US")
    for style, name in (("", "regular"), ("B", "bold")):
        path = files("ledger.reports.font").joinpath(f"latin-extended-{name}.woff2")
        pdf.add_font("page", style, open_files.enter_context(as_file(path)))
    pdf.set_margins(24, 20)
    pdf.set_auto_page_break(True, margin=20)
    pdf.add_page()
    return pdf


def _write(pdf: FPDF, text: str, *, bold: bool = False, size: float = SIZE) -> None:
    pdf.set_font("page", "B" if bold else "", size)
    line = LINE * size / SIZE
    pdf.multi_cell(0, line, _shown(pdf, text), align="L", new_x="LMARGIN", new_y="NEXT")


def _shown(pdf: FPDF, text: str) -> str:
    """The text with a box for each character that the font lacks, so that none is lost unseen."""
    from fpdf.fonts import TTFFont

    font = pdf.fonts["page"]
    known = font.cmap if isinstance(font, TTFFont) else {}
    text = visible(text)
    return "".join(sign if ord(sign) in known or sign == "\n" else BOX for sign in text)


def _head(pdf: FPDF, letter: Letter) -> None:
    for number, line in enumerate(letter.sender):
        _write(pdf, line, bold=number == 0)
    pdf.line(pdf.l_margin, pdf.get_y() + 2, pdf.w - pdf.r_margin, pdf.get_y() + 2)
    pdf.ln(5)
    _write(pdf, f"{letter.written}\nReference {letter.reference}")
    pdf.ln(6)
    _write(pdf, "\n".join(letter.recipient))
    pdf.ln(6)
    _write(pdf, letter.subject, bold=True, size=12.5)
    pdf.ln(3)


def _part(pdf: FPDF, part: Paragraph | Facts) -> None:
    if part.heading:
        pdf.ln(1)
        _write(pdf, part.heading, bold=True)
    if isinstance(part, Paragraph):
        _write(pdf, part.text)
        pdf.ln(3)
        return
    for name, words in part.rows:
        if pdf.will_page_break(LINE):
            pdf.add_page()
        pdf.set_font("page", "", SIZE)
        pdf.cell(NAMES, LINE, _shown(pdf, name[:LONGEST_NAME]))
        left = pdf.l_margin
        pdf.set_left_margin(left + NAMES)
        _write(pdf, words)
        pdf.set_left_margin(left)
        pdf.set_x(left)
    pdf.ln(3)


def _signatures(pdf: FPDF, letter: Letter, signatures: Iterable[Signature]) -> None:
    by_capacity = {signature.capacity: signature for signature in signatures}
    if pdf.will_page_break(SIGNATURE * len(letter.capacities)):
        pdf.add_page()
    for capacity in letter.capacities:
        pdf.ln(11)
        pdf.line(pdf.l_margin, pdf.get_y(), pdf.l_margin + 110, pdf.get_y())
        pdf.ln(1)
        _write(pdf, f"{capacity}: {signed_words(by_capacity.get(capacity))}")
    pdf.ln(5)
    _write(pdf, f"Digest of this letter: {letter.digest().hex()}", size=7.5)
