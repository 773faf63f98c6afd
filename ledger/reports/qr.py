"""Size and root of a tree as a QR code beside its text: paper that can be checked.

The code holds one line, ``pitledger ORIGIN SIZE ROOT``: the ledger's origin (it has no space), the
size in digits, the root in 64 hexadecimal characters. ``pitledger verify --printed SIZE ROOT``
takes the last two as they stand.
"""

from __future__ import annotations

from typing import Final

import segno
from markupsafe import Markup, escape

QUIET: Final = 4
"""Empty modules around a code, as its standard asks."""


def stamp_words(origin: str, size: int, root: str) -> str:
    """What the code of a printed page holds.

    Args:
        origin: the name of the log.
        size: how many entries the log had.
        root: its root at that size, in hexadecimal.
    """
    return f"pitledger {origin} {size} {root}"


def qr_svg(text: str, title: str) -> Markup:
    """A QR code (error correction M) as an inline drawing; the same text gives the same bytes."""
    code = segno.make(text, error="m", micro=False, boost_error=False)
    rows = [bytes(row) for row in code.matrix]
    side = len(rows) + 2 * QUIET
    return Markup(
        f'<svg class="qr" role="img" viewBox="0 0 {side} {side}" shape-rendering="crispEdges">'
        f'<title>{escape(title)}</title><path fill="#fff" d="M0 0h{side}v{side}H0z"/>'
        f'<path fill="#000" d="{_path(rows)}"/></svg>'
    )


def _path(rows: list[bytes]) -> str:
    """Runs of dark modules, row by row."""
    parts = []
    for y, row in enumerate(rows, QUIET):
        column = 0
        while column < len(row):
            run = len(row[column:]) - len(row[column:].lstrip(b"\x01"))
            if run:
                parts.append(f"M{column + QUIET} {y}h{run}v1h-{run}z")
            column += run or 1
    return "".join(parts)
