"""Markdown that pages are made of: escaped text, tables, anchors."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

_SPECIAL: Final = re.compile(r"([\\`*_\[\]#|<>{}~])")
_FENCED: Final = re.compile(r"^```.*?^```[ \t]*$", re.MULTILINE | re.DOTALL)
_HEADING: Final = re.compile(r"^(#{1,6}) +(.+?) *$", re.MULTILINE)
_OWN_ANCHOR: Final = re.compile(r" *\{ *#([^\s}]+) *\}$")


def escaped(text: str) -> str:
    """Text as it stands, without a sign that Markdown or HTML would read as its own."""
    return _SPECIAL.sub(lambda sign: f"&#{ord(sign[1])};", " ".join(text.split()))


def link(words: str, target: str) -> str:
    """A link; ``words`` are Markdown."""
    return f"[{words}]({target})"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table of Markdown cells, without the columns that are empty in every row."""
    body = list(rows)
    kept = [i for i in range(len(head)) if any(row[i] for row in body)]
    lines = [head, ["---"] * len(head), *body]
    return [*(f"| {' | '.join(line[i] for i in kept)} |" for line in lines), ""]


def slug(heading: str) -> str:
    """The anchor that the site gives a heading that names none itself.

    Source: Python-Markdown, extension ``toc``, function ``slugify``.
    """
    plain = re.sub(r"`|\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    letters = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", letters).strip().lower())


def headings(page: str) -> Iterator[tuple[int, str, str]]:
    """The headings of a page: level from 1, words, anchor."""
    seen: set[str] = set()
    for marks, words in _HEADING.findall(_FENCED.sub("", page)):
        own = _OWN_ANCHOR.search(words)
        words = _OWN_ANCHOR.sub("", words)
        anchor = own[1] if own else slug(words)
        while anchor in seen:  # as Python-Markdown tells two headings of the same words apart
            stem, _, number = anchor.rpartition("_")
            anchor = f"{stem}_{int(number) + 1}" if stem and number.isdigit() else f"{anchor}_1"
        seen.add(anchor)
        yield len(marks), words, anchor
