"""Amounts: integer cents inside, dollars for people."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NewType

Cents = NewType("Cents", int)

_DOLLARS = re.compile(r"-?\$?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{2}))?", re.ASCII)


def dollars(cents: int) -> str:
    """Print cents as people read them.

    >>> dollars(-150050)
    '-$1,500.50'
    """
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}${whole:,}.{rest:02d}"


def exact_dollars(cents: Fraction) -> str:
    """Print an amount in cents that need not be whole.

    >>> exact_dollars(Fraction(75, 2))
    '$0.37 and 1/2 cent'
    """
    whole, part = int(cents), cents - int(cents)
    return f"{dollars(whole)} and {part} cent" if part else dollars(whole)


def parse_dollars(text: str) -> Cents:
    """Read an amount of dollars as cents.

    Raises:
        ValueError: the text is not an amount with no decimals or two, and commas at thousands if
            any.

    >>> [parse_dollars(text) for text in ("50", "$50", "50.00", "1,250.50", "-$2.50")]
    [5000, 5000, 5000, 125050, -250]
    >>> parse_dollars("12.5")
    Traceback (most recent call last):
    ValueError: not an amount of dollars: '12.5'
    """
    match = _DOLLARS.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"not an amount of dollars: {text!r}")
    cents = int(match[1].replace(",", "")) * 100 + int(match[2] or 0)
    return Cents(-cents if text.strip().startswith("-") else cents)


def whole_cents(amount: Fraction) -> Cents | None:
    """Return an amount in cents if it is whole, else None: nothing is rounded here."""
    return Cents(amount.numerator) if amount.denominator == 1 else None
