"""The paper that pages are printed on: a setting of the property."""

from __future__ import annotations

from enum import StrEnum


class Paper(StrEnum):
    """A size of paper, by the name that style sheets and settings know."""

    LETTER = "Letter"
    A4 = "A4"
