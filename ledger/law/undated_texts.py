"""Other texts of a chapter that name no day from which they hold, and how they letter its sections.

No ruling is made by such a text. Chapter 577 was read word by word in both texts that are held: no
wager, condition or odds differ, only letters, spelling and capitals.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ledger.kernel.quick_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class OtherText:
    """A text of a chapter beside the edition in force.

    Args:
        chapter: number, "577".
        source: where it stands.
        why: why nothing is judged by it.
        letters: the sections that it letters otherwise: ours, then its own.
    """

    chapter: str
    source: str
    why: str
    letters: Mapping[str, str]


def _clauses(section: str, count: int) -> dict[str, str]:
    """Clauses (i), (ii), ... that the other text calls (A), (B), ..."""
    numbers = ("i", "ii", "iii", "iv", "v", "vi", "vii")[:count]
    return {
        f"{section}({number})": f"{section}({letter})"
        for number, letter in zip(numbers, "ABCDEFG"[:count], strict=True)
    }


OTHER_TEXTS: Final = (
    OtherText(
        "577",
        "compilation of 13 July 2012",
        "it names no day from which the chapter holds, so a game before 28 July 2012 is not judged",
        MappingProxyType(
            {
                **_clauses("577.2(b)(5)", 7),
                "577.2(c)": "577.2(e)",
                **_clauses("577.3(b)(3)", 2),
                **_clauses("577.3(b)(6)", 6),
            }
        ),
    ),
)


def other_texts(chapter: str) -> tuple[OtherText, ...]:
    """Return the other texts of a chapter; none for most."""
    return tuple(text for text in OTHER_TEXTS if text.chapter == chapter)


def also_named(section: str) -> tuple[str, ...]:
    """Return how other texts name a section: "§ 577.2(e) in the compilation of 13 July 2012"."""
    return tuple(
        f"§ {text.letters[section]} in the {text.source}"
        for text in OTHER_TEXTS
        if section in text.letters
    )
