"""Words and figures that every page says alike: counts, money, dates, lengths of time."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Final

from ledger.kernel import dollars

_CAPITAL: Final = re.compile(r"(?<!^)(?=[A-Z])")


def event_words(event: str) -> str:
    """The name of an event in words: "coupon redeemed" for ``CouponRedeemed``."""
    return _CAPITAL.sub(" ", event).lower()


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: "1 round", "1,204 rounds", "2 boxes".

    Args:
        count: how many.
        noun: the noun of one.
        plural: the noun of several; None adds an s.
    """
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def times(count: int) -> str:
    """How often: "once", "twice", "1,204 times"."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


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
