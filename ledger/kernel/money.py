"""Amounts: integer cents inside, dollars for people."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NewType

Cents = NewType("Cents", int)

_DOLLARS = re.compile(r"-?\$?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{2}))?", re.ASCII)


def dollars(cents: int) -> str:
    """Print cents as people read them: ``-150050`` is ``-$1,500.50``."""
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}${whole:,}.{rest:02d}"


def exact_dollars(cents: Fraction) -> str:
    """Print an exact amount in cents: ``Fraction(75, 2)`` is ``$0.37 and 1/2 cent``."""
    whole, part = int(cents), cents - int(cents)
    return f"{dollars(whole)} and {part} cent" if part else dollars(whole)


def parse_dollars(text: str) -> Cents:
    """Read ``50``, ``$50``, ``50.00`` or ``1,250.50`` as cents.

    Raises:
        ValueError: the text is none of these.
    """
    match = _DOLLARS.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"not an amount of dollars: {text!r}")
    cents = int(match[1].replace(",", "")) * 100 + int(match[2] or 0)
    return Cents(-cents if text.strip().startswith("-") else cents)


def whole_cents(amount: Fraction) -> Cents | None:
    """The amount if it is whole cents, else None: never rounded here."""
    return Cents(amount.numerator) if amount.denominator == 1 else None
