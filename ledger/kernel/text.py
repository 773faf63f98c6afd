"""Texts that people wrote, on their way out: characters that a program would obey are made visible.

A name may hold characters that nobody sees: control characters that a terminal obeys, marks that
turn the direction of writing, blanks without width. Each exit shows them by their number instead;
JSON keeps every text exact.
"""

from __future__ import annotations

import re
from typing import Final

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a spreadsheet takes for the start of a formula, also in full width."""
_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e007f]"
)
"""Characters that are obeyed or not seen; line feeds and tabs are left, as every page has them."""


def visible(text: str) -> str:
    r"""Return the text as a person may be shown it: each hidden character by its number.

    >>> print(visible("Ann\u202eeve"))
    Ann\u202eeve
    """
    return _HIDDEN.sub(lambda sign: sign[0].encode("unicode_escape").decode(), text)


def visible_json(document: str) -> str:
    """Return a JSON document that means the same, with hidden characters as JSON escapes."""
    return _HIDDEN.sub(lambda sign: _escaped(sign[0]), document)


def cell_text(text: str) -> str:
    """Return a text for a cell of a CSV file: visible, and never a formula.

    What a spreadsheet would take for a formula gets an apostrophe in front, which the spreadsheet
    does not show.

    >>> cell_text("=1+1"), cell_text("Ann")
    ("'=1+1", 'Ann')
    """
    shown = visible(text)
    return f"'{shown}" if text.lstrip(" \n").startswith(FORMULA_STARTS) else shown


def duration_words(micros: int) -> str:
    """Print a length of time for people, in tenths of a second, seconds or minutes by its length.

    Args:
        micros: microseconds, not negative.

    >>> [duration_words(micros) for micros in (400_000, 389_000_000, 25_394_000_000)]
    ['0.4 s', '6 min 29 s', '7 h 3 min']
    """
    tenths_of_second = micros // 100_000
    if tenths_of_second < 600:
        return f"{tenths_of_second // 10}.{tenths_of_second % 10} s"
    minutes, seconds = divmod(tenths_of_second // 10, 60)
    if minutes < 60:
        return f"{minutes} min {seconds} s" if seconds else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def _escaped(sign: str) -> str:
    units = sign.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
