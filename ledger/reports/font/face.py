"""The font of the pages, embedded: a subset of Source Sans 3 under a name of its own.

Two subsets are kept: the letters of most names, and all of Latin for the page that needs it, so
that a page carries no more than its text asks for. ``infra/page_font.py`` makes them.
"""

from __future__ import annotations

import base64
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

FAMILY: Final = "Pitledger Sans"
"""The license reserves the name "Source" for the whole font."""
WEIGHTS: Final = {"regular": "400 500", "bold": "600 800"}
"""Which weights of a style sheet each file stands for."""
STACK: Final = f'"{FAMILY}", Arial, "Liberation Sans", sans-serif'
"""The fonts of a page in order; those after the first are for letters that the font lacks."""


def with_font(page: str) -> str:
    """The page with its font at the head of its first style sheet, which it must have."""
    head, tag, rest = page.partition("<style>")
    assert tag, "a page without a style sheet"
    return f"{head}{tag}\n{_face(_needs_extended(page))}{rest}"


def _needs_extended(text: str) -> bool:
    return any(first <= ord(one) <= last for one in set(text) for first, last in _extended())


@cache
def _extended() -> tuple[tuple[int, int], ...]:
    ranges = tomllib.loads(files(__package__).joinpath("letters.toml").read_text("utf-8"))
    return tuple((first, last) for first, last in ranges["extended"])


@cache
def _face(extended: bool) -> str:
    subset = "latin-extended" if extended else "latin"
    faces = []
    for style, weights in WEIGHTS.items():
        path = files(__package__).joinpath(f"{subset}-{style}.woff2")
        font = base64.b64encode(path.read_bytes()).decode()
        faces.append(
            f'  @font-face {{ font-family: "{FAMILY}"; font-weight: {weights}; font-display: block;'
            f" src: url(data:font/woff2;base64,{font}) format('woff2'); }}\n"
        )
    return "".join(faces)
