"""The football field: where the marker is and was, the down, the play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from markupsafe import Markup

from ledger.events import Down, MarkersPlaced
from ledger.reports.board.svg import drawing, label
from ledger.reports.fact_sentences import spoken

YARDS: Final = 20
"""Where the marker starts; 0 is the goal."""
PLAYS: Final = 6
"""Areas of the Game Length Puck."""
DOWNS: Final = {
    Down.FIRST_DOWN: "1st",
    Down.SECOND_DOWN: "2nd",
    Down.THIRD_DOWN: "3rd",
    Down.FIRST_AND_GOAL: "1st & Goal",
    Down.SECOND_AND_GOAL: "2nd & Goal",
    Down.THIRD_AND_GOAL: "3rd & Goal",
    Down.EXTRA_POINT: "Extra Point",
}
WIDE: Final = 560
_LEFT, _YARD, _TOP, _HIGH = 12, 24, 26, 56
_END: Final = 52
"""How wide the end zone is."""


def field_svg(placed: Sequence[MarkersPlaced], mark: str | None = None) -> Markup:
    """Draw the field from the 20-yard line to the end zone.

    Args:
        placed: where the markers were put, one after the other; the last place stands.
        mark: written across it.
    """
    present = placed[-1]
    parts = [*_lines(), *_earlier(placed), *_marker(present.yard)]
    parts += _boxes(118, "Down", list(DOWNS.values()), DOWNS.get(present.down or Down.UNRECOGNISED))
    plays = [str(play) for play in range(1, PLAYS + 1)]
    parts += _boxes(148, "Play", plays, None if present.play is None else str(present.play))
    return drawing("field", WIDE, 172, field_words(present), parts, mark)


def field_words(placed: MarkersPlaced) -> str:
    """Return where the markers are, for people."""
    yard = "yard not recorded" if placed.yard is None else f"{placed.yard}-yard line"
    if placed.yard == 0:
        yard = "goal"
    down = "on no down" if placed.down is None else DOWNS.get(placed.down, spoken(placed.down))
    play = "" if placed.play is None else f", play {placed.play}"
    return f"Marker at the {yard}, {down}{play}"


def _at(yard: int) -> int:
    return _LEFT + (YARDS - yard) * _YARD


def _lines() -> Iterator[str]:
    wide = YARDS * _YARD
    yield f'<rect class="turf" x="{_LEFT}" y="{_TOP}" width="{wide}" height="{_HIGH}"/>'
    yield f'<rect class="end-zone" x="{_at(0)}" y="{_TOP}" width="{_END}" height="{_HIGH}"/>'
    yield label(_at(0) + _END / 2, _TOP + 13, "END ZONE", kind="named", anchor="middle", room=46)
    for yard in range(YARDS + 1):
        is_full = yard % 5 == 0
        yield (
            f'<path class="yard-line" d="M{_at(yard)} {_TOP}v{_HIGH if is_full else 8}'
            f'{"" if is_full else f"m0 {_HIGH - 16}v8"}"/>'
        )
        if is_full:
            words = "goal" if yard == 0 else str(yard)
            yield label(_at(yard), _TOP + _HIGH + 14, words, anchor="middle")


def _earlier(placed: Sequence[MarkersPlaced]) -> Iterator[str]:
    """The way of the marker: a line through the yards where it was, each with its play."""
    yards = [one.yard for one in placed if one.yard is not None and 0 <= one.yard <= YARDS]
    middle = _TOP + _HIGH // 2
    for before, after in pairwise(yards):
        yield f'<path class="way" d="M{_at(before)} {middle}H{_at(after)}"/>'
    for yard in dict.fromkeys(yards[:-1]):
        yield f'<circle class="was" cx="{_at(yard)}" cy="{middle}" r="5"/>'


def _marker(yard: int | None) -> Iterator[str]:
    if yard is None or not 0 <= yard <= YARDS:
        yield label(_LEFT, 14, "no marker on the field")
        return
    left, middle = _at(yard), _TOP + _HIGH // 2
    yield f'<path class="pointer" d="M{left - 7} 8h14l-7 14z"/>'
    yield f'<ellipse class="ball" cx="{left}" cy="{middle}" rx="12" ry="8"/>'
    yield f'<path class="lace" d="M{left - 6} {middle}h12m-9 -3v6m6 -6v6"/>'


def _boxes(top: int, head: str, names: Sequence[str], chosen: str | None) -> Iterator[str]:
    """Areas of a puck, the one on which it lies filled."""
    yield label(_LEFT, top + 15, head, kind="head")
    wide = (WIDE - 60) // len(names)
    for place, name in enumerate(names):
        left, is_chosen = 54 + place * wide, name == chosen
        kind = "puck" if is_chosen else "area"
        yield f'<rect class="{kind}" x="{left}" y="{top}" width="{wide - 3}" height="22"/>'
        kind = "inside" if is_chosen else "named"
        middle = left + (wide - 3) / 2
        yield label(middle, top + 15, name, kind=kind, anchor="middle", room=wide - 8)
