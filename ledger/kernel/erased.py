"""What stands where a personal text was erased, or is withheld from a reader."""

from __future__ import annotations

from typing import Final

ERASED: Final = "(erased)"
"""Read in place of a text whose key was destroyed. Nobody knows who it was: it is no name, so two
of them are neither one person nor two, and no rule may hold it against somebody."""
WITHHELD: Final = "(withheld)"
"""Read in place of a text that the giver of a copy did not disclose."""


def legible(content: bytes) -> str:
    """Return bytes in hexadecimal, or the words that stand in their place.

    >>> legible(b"\\x01\\xff"), legible(b"(erased)")
    ('01ff', '(erased)')
    """
    words = (ERASED, WITHHELD)
    return next((word for word in words if content == word.encode()), content.hex())


def is_unknown_person(name: str) -> bool:
    """Whether this stands for somebody of whom nothing is known any more.

    >>> is_unknown_person("(erased)"), is_unknown_person("E-104")
    (True, False)
    """
    return name in (ERASED, WITHHELD)
