"""Counts and names of events as people read them."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"[A-Z][a-z0-9]*")


def plural(count: int, singular: str, several: str | None = None) -> str:
    """Print a count with its noun.

    Args:
        count: how many.
        singular: the noun for one.
        several: the noun for any other count; the singular with an s if left out.

    >>> plural(1, "die", "dice"), plural(2, "die", "dice"), plural(1500, "wager")
    ('1 die', '2 dice', '1,500 wagers')
    """
    return f"{count:,} {singular if count == 1 else several or f'{singular}s'}"


def times(count: int) -> str:
    """Print how often: "never", "once", "twice", then "3 times"."""
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count:,} times")


def event_words(event: type | str) -> str:
    """Print the name of an event, of its class or as text.

    >>> event_words("NoMoreBetsAnnounced")
    'no more bets announced'
    """
    name = event if isinstance(event, str) else event.__name__
    return " ".join(_WORD.findall(name)).lower()
