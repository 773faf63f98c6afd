"""Which findings name a serial number, alone or in a range.

Law: 58 Pa. Code § 525.21(m)(3).
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from ledger.coupons.custody_register import CustodyRegister
from ledger.coupons.serial import Serial
from ledger.kernel import Finding, UsageError

MORE: Final = re.compile(r"and \d+ more ranges")
"""The end of a finding that does not name every range; its facts tell the rest."""


def days_of(book: CustodyRegister) -> list[date]:
    """Return the gaming days on which there may be findings on coupons, in order."""
    return sorted({*book.days, *book.findings, *book.box_days()})


def names(book: CustodyRegister, finding: Finding, serial: Serial) -> bool:
    """Whether a finding names a serial number.

    Of a finding that does not name every range, the facts decide: it names the coupon if one of
    them moved it.
    """
    texts = [text for text in (finding.observed, finding.expected) if text]
    if any(_holds(book, text, serial) for text in texts):
        return True
    if not any(MORE.search(text) for text in texts):
        return False
    way = book.custody.way(serial)
    return not {step.move.ref for step in book.custody.history(way)}.isdisjoint(finding.facts)


def _holds(book: CustodyRegister, text: str, serial: Serial) -> bool:
    for part in text.replace(": ", ", ").split(", "):
        first, _, last = part.strip(" .'\"").partition(" to ")
        try:
            if book.custody.forms.read_range(first, last or first).holds(serial):
                return True
        except UsageError:  # words, not a serial number
            continue
    number = f"{re.escape(serial.prefix)}([0-9]{{{serial.digits}}})(?![0-9])"
    within = re.compile(f"(?<![0-9A-Za-z]){number}(?: (?:to|-) {number})?")
    return any(
        int(first) <= serial.number <= int(last or first) for first, last in within.findall(text)
    )


def box_of(book: CustodyRegister, serial: Serial) -> str | None:
    """Return the name of the drop box that a coupon was put into, None where none is on record."""
    return next((box.box for box in reversed(book.boxes_with(serial))), None)
