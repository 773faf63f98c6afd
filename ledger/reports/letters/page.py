"""A letter as a page that prints, self-contained."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.reports.font import with_font
from ledger.reports.letters.letter import Letter, Paragraph, Signature
from ledger.reports.letters.text import UNSIGNED
from ledger.reports.night.template import template
from ledger.reports.paper import Paper


def letter_html(letter: Letter, signatures: Iterable[Signature], paper: Paper) -> str:
    """Return the letter as HTML; whatever it says is escaped."""
    by_capacity = {signature.capacity: signature for signature in signatures}
    page = template("letter.html", __package__ or "").render(
        letter=letter,
        parts=[(isinstance(part, Paragraph), part) for part in letter.body],
        signatures=[(capacity, by_capacity.get(capacity)) for capacity in letter.capacities],
        unsigned=UNSIGNED,
        paper=paper.value,
        digest=letter.digest().hex(),
    )
    return with_font(page)
