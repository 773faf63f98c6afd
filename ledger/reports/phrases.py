"""Words and figures that every page says alike: counts, money, dates, lengths of time."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from ledger.kernel import dollars, seconds

MILLISECOND: Final = 1_000
"""Microseconds; a span below it has no sign."""


def short_dollars(cents: int) -> str:
    """Whole dollars without their cents: ``$50``, ``$12.50``."""
    return dollars(cents).removesuffix(".00")


def listed(words: list[str]) -> str:
    """Words as a list in a sentence: "wagers, settlements and limits"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def calendar_date(day: date) -> str:
    """A date as people write it: "Saturday, June 12, 2021"."""
    return f"{day:%A, %B} {day.day}, {day.year}"


def tenths(local: datetime) -> str:
    """A time of day to the tenth of a second below."""
    return f"{local:%H:%M:%S.%f}"[:-5]


def signed_seconds(micros: int) -> str:
    """A span in microseconds as seconds; one that is cut to nothing is neither before nor after.

    >>> signed_seconds(-1_500_000), signed_seconds(-312)
    ('-1.500 s', '0.000 s')
    """
    text = seconds(micros)
    return text[1:] if abs(micros) < MILLISECOND else text
