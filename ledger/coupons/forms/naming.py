"""Which findings name a serial number, alone or in a range.

Law: 58 Pa. Code § 525.21(m)(3).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from ledger.coupons.book import Book
from ledger.coupons.conclude import conclude
from ledger.coupons.serial import Serial
from ledger.kernel import Finding, UsageError


def findings_naming(book: Book, serial: Serial, days: set[date]) -> Iterator[Finding]:
    """The findings of some gaming days that name a serial number."""
    for day in sorted(days):
        for finding in conclude(book, day):
            if _names(book, finding, serial):
                yield finding


def _names(book: Book, finding: Finding, serial: Serial) -> bool:
    for part in (finding.observed or "").replace(": ", ", ").split(", "):
        first, _, last = part.strip(" .").partition(" to ")
        try:
            if book.custody.forms.read_range(first, last or first).holds(serial):
                return True
        except UsageError:  # words, not a serial number
            continue
    return False


def days_of(book: Book, serial: Serial) -> set[date]:
    """The gaming days on which anything happened to a serial number, its drop boxes' too."""
    way = book.custody.way(serial)
    found = {book.clock.day_of(step.move.at) for step in book.custody.history(way)}
    return found | {
        box.day
        for box in book.boxes
        if serial in box.dropped or any(one.holds(serial) for one in box.counted())
    }


def box_of(book: Book, serial: Serial) -> str | None:
    """The name of the drop box that a coupon was put into, None where none is on record."""
    return next((box.box for box in reversed(book.boxes) if serial in box.dropped), None)
