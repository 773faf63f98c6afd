"""Letters of the property: to a patron, to the Board; as text, page and PDF."""

from ledger.reports.letters.document import letter_pdf
from ledger.reports.letters.letter import Facts, Letter, Paragraph, Signature
from ledger.reports.letters.page import letter_html
from ledger.reports.letters.text import letter_text

__all__ = [
    "Facts",
    "Letter",
    "Paragraph",
    "Signature",
    "letter_html",
    "letter_pdf",
    "letter_text",
]
