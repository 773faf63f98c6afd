"""Letters of the property: to a patron, to the Board; as text, page and PDF."""

from ledger.reports.letters.document import letter_pdf
from ledger.reports.letters.incident_report import incident_report
from ledger.reports.letters.letter import Facts, Letter, Paragraph, Signature
from ledger.reports.letters.page import letter_html
from ledger.reports.letters.patron_letter import patron_letter
from ledger.reports.letters.text import letter_text

__all__ = [
    "Facts",
    "Letter",
    "Paragraph",
    "Signature",
    "incident_report",
    "letter_html",
    "letter_pdf",
    "letter_text",
    "patron_letter",
]
