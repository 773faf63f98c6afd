"""One drawing of a board: its text alternative, words that fit, the watermark."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from markupsafe import Markup, escape

from ledger.reports.fact_sentences import printable

LONGEST: Final = 28
"""Characters of a name that a drawing shows; the list beside it has the whole name."""
_LETTER: Final = 0.53
"""How wide a letter is, as a part of its height."""


def drawing(
    kind: str, wide: int, high: int, title: str, parts: Iterable[str], mark: str | None = None
) -> Markup:
    """Return an SVG with a title for whoever cannot see it.

    Args:
        kind: its class.
        wide: its width in pixels.
        high: its height in pixels.
        title: what it shows.
        parts: what is drawn, each escaped already.
        mark: written across it; None: nothing is.
    """
    across = ""
    if mark is not None:
        place = f'transform="translate({wide // 2} {high // 2}) rotate(-14)"'
        across = f'<text class="across" text-anchor="middle" {place}>{escape(mark)}</text>'
    words = escape(printable(title if mark is None else f"{mark}: {title}"))
    return Markup(
        f'<svg class="drawn {kind}" role="img" width="{wide}" height="{high}"'
        f' viewBox="0 0 {wide} {high}"><title>{words}</title>{"".join(parts)}{across}</svg>'
    )


def label(
    left: float, top: float, words: str, *, kind: str = "", anchor: str = "start",
    room: float = 0, size: int = 12, turn: str = "",
) -> str:  # fmt: skip
    """Return words at a point, set closer where they would leave their room.

    Args:
        left: where they stand.
        top: their base line.
        words: what is written; as much of it as ``LONGEST`` allows.
        kind: class.
        anchor: which end stands at ``left``.
        room: how wide they may be, in pixels; 0: as they are.
        size: the height of letters, which the style gives.
        turn: a transform.
    """
    shown = printable(words)
    if len(shown) > LONGEST:
        shown = f"{shown[: LONGEST - 1]}…"
    close = bool(room) and len(shown) * size * _LETTER > room
    fit = f' textLength="{room:g}" lengthAdjust="spacingAndGlyphs"' if close else ""
    named = f' class="{kind}"' if kind else ""
    turned = f' transform="{turn}"' if turn else ""
    at = f'x="{left:g}" y="{top:g}" text-anchor="{anchor}"'
    return f"<text {at}{named}{fit}{turned}>{escape(shown)}</text>"
