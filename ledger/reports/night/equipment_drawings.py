"""Dice and wheel as inline drawings: as on the terminal, with a text for who cannot see them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from markupsafe import Markup, escape

from ledger import events
from ledger.reports.drawing import NEIGHBOURS, names_of, rest_words, rests_at
from ledger.reports.fact_sentences import printable

_PIPS: Final = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (2, 0), (0, 2), (2, 2)),
    5: ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    6: ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
}
COLORS: Final = frozenset({"red", "green", "white", "blue", "yellow"})
"""Colors of dice that a style may fill; another one stands in words alone."""
_SIDE: Final = 54
_APART: Final = 70
_CELL: Final = 46
_RIM: Final = 34
_LONGEST: Final = 6
"""Characters of a section's name that its cell holds; a longer name is set closer."""


def dice_svg(
    thrown: events.DiceThrown | events.DiceThrownByHand,
    *,
    colored: bool = False,
    mark: str | None = None,
) -> Markup:
    """The dice side by side; below each its color, and how it rests if it does not lie flat.

    Args:
        thrown: the throw.
        colored: whether a die has its color as a class, for a page whose style knows it.
        mark: written across it; None: nothing is.
    """
    dice: tuple[events.Die | events.ThrownDie, ...] = thrown.dice
    if not dice:
        return Markup('<p class="warn">No die was recorded.</p>')
    faces = ", ".join(_die_words(die) for die in dice)
    body = "".join(_die(die, place * _APART, colored) for place, die in enumerate(dice))
    wide = (len(dice) - 1) * _APART + _SIDE + 16
    title = f"Dice at rest: {faces}"
    if mark is not None:
        title = f"{mark}: {title}"
        body += _text(wide // 2, _SIDE + 30, mark, "across")
    return _svg("dice", wide, _SIDE + 34, title, body)


def _die_words(die: events.Die | events.ThrownDie) -> str:
    face = "face not recorded" if die.face is None else str(die.face)
    more = ", ".join(word for word in (die.colour, rest_words(die)) if word)
    return f"{face} ({more})" if more else face


def _die(die: events.Die | events.ThrownDie, left: int, colored: bool) -> str:
    kind, pip = "line", ""
    if colored and die.colour in COLORS:
        kind, pip = f"line of-{die.colour}", f' class="pip-of-{die.colour}"'
    parts = [
        f'<rect x="{left + 8}" y="1" width="{_SIDE}" height="{_SIDE}" rx="8" class="{kind}"/>',
        *(
            f'<circle cx="{left + 19 + 16 * x}" cy="{12 + 16 * y}" r="5"{pip}/>'
            for x, y in _PIPS.get(die.face or 0, ())
        ),
    ]
    middle = left + 8 + _SIDE // 2
    if die.face not in _PIPS:
        parts.append(_text(middle, 36, "?", "large"))
    words = [word for word in (die.colour, rest_words(die)) if word]
    parts += [_text(middle, _SIDE + 15 + 14 * line, word) for line, word in enumerate(words)]
    return "".join(parts)


def wheel_svg(spun: events.WheelSpun, wheel: events.WheelPlaced | None) -> Markup:
    """The sections about the clapper as a strip of the rim, the clapper above where it rests."""
    at = rests_at(spun, wheel)
    if wheel is None or at is None:
        shown = names_of(spun.symbols) if spun.symbols else "not recorded"
        return Markup("<p>The clapper rests at: {}.</p>").format(printable(shown))
    first, between = at
    cells = "".join(_cells(wheel.sections, first, 2 if between else 1))
    middle = NEIGHBOURS * _CELL + (_CELL if between else _CELL // 2) + 1
    clapper = f'<path d="M{middle - 7} 2h14l-7 11z"/>' + _text(middle + 34, 12, "clapper")
    where = names_of(
        [wheel.sections[(first + n) % len(wheel.sections)] for n in range(1 + between)]
    )
    title = f"The clapper rests {'between' if between else 'at'} {where}"
    return _svg("wheel", (2 * NEIGHBOURS + 1) * _CELL + 2, _RIM + 17, title, clapper + cells)


def _cells(sections: tuple[str, ...], first: int, hit: int) -> Iterator[str]:
    for place in range(2 * NEIGHBOURS + 1):
        name = printable(sections[(first - NEIGHBOURS + place) % len(sections)])
        is_hit = NEIGHBOURS <= place < NEIGHBOURS + hit
        left = place * _CELL + 1
        kind = "solid" if is_hit else "line"
        yield f'<rect x="{left}" y="16" width="{_CELL}" height="{_RIM}" class="{kind}"/>'
        fit = f' textLength="{_CELL - 6}" lengthAdjust="spacingAndGlyphs"'
        yield _text(
            left + _CELL // 2,
            38,
            name,
            "inside" if is_hit else "",
            fit if len(name) > _LONGEST else "",
        )


def _text(left: int, top: int, words: str, kind: str = "", fit: str = "") -> str:
    of = f' class="{kind}"' if kind else ""
    drawn = escape(printable(words))
    return f'<text x="{left}" y="{top}" text-anchor="middle"{of}{fit}>{drawn}</text>'


def _svg(kind: str, wide: int, high: int, title: str, body: str) -> Markup:
    return Markup(
        f'<svg class="drawn {kind}" role="img" width="{wide}" height="{high}"'
        f' viewBox="0 0 {wide} {high}"><title>{escape(printable(title))}</title>{body}</svg>'
    )
