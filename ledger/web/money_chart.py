"""Counted and theoretical win of periods or games as bars beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup, escape

from ledger.kernel import dollars
from ledger.kernel.quick_dataclass import dataclass

_BAR, _APART, _LEFT, _HIGH, _TOP = 11, 6, 96, 180, 12
_LETTER: Final = 7
"""How wide a letter of a name is at most."""
_LINE: Final = 14
"""How far apart two figures stand at least, one above the other."""
LONGEST_NAME: Final = 24
NAMED: Final = 14
"""Groups that are named below their bars where there are no more."""
MOST: Final = 62
"""Groups that are drawn, the last ones; the table has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """What is drawn of one period or game, in cents; None is not recorded, and not drawn."""

    name: str
    counted_cents: int | None
    theoretical_cents: int | None


def bars_svg(groups: Sequence[Bars]) -> Markup:
    """Draw the groups from left to right; a loss goes down from the line of zero."""
    shown = groups[-MOST:]
    amounts = [
        cents
        for group in shown
        for cents in (group.counted_cents, group.theoretical_cents)
        if cents is not None
    ]
    high, low = max([0, *amounts]), min([0, *amounts])
    span = max(high - low, 1)

    def level(cents: int) -> int:
        return _TOP + (high - cents) * _HIGH // span

    is_named = len(shown) <= NAMED
    longest = max((len(group.name[:LONGEST_NAME]) for group in shown), default=0)
    pitch = max(2 * _BAR + _APART, longest * _LETTER + _APART if is_named else 0)
    wide = _LEFT + len(shown) * pitch + 8
    parts = [
        f'<text x="{_LEFT - 6}" y="{level(cents) + 4}" text-anchor="end">'
        f"{escape(dollars(cents))}</text>"
        for cents in sorted({high, 0, low})
        if cents == 0 or abs(level(cents) - level(0)) >= _LINE
    ]
    parts.append(f'<path class="zero" d="M{_LEFT} {level(0)}h{wide - _LEFT}"/>')
    for number, group in enumerate(shown):
        left = _LEFT + number * pitch + 2
        if is_named:
            name = escape(group.name[:LONGEST_NAME])
            parts.append(f'<text x="{left}" y="{_TOP + _HIGH + 18}">{name}</text>')
        for place, (kind, cents) in enumerate(
            (("counted", group.counted_cents), ("theory", group.theoretical_cents))
        ):
            if cents is None:
                continue
            top, end = sorted((level(cents), level(0)))
            words = escape(f"{group.name}, {kind} win {dollars(cents)}")
            parts.append(
                f'<rect class="{kind}" x="{left + place * _BAR}" y="{top}" width="{_BAR - 1}"'
                f' height="{max(end - top, 1)}"><title>{words}</title></rect>'
            )
    tall = _TOP + _HIGH + 26
    return Markup(
        f'<svg class="bars" role="img" aria-label="Counted beside theoretical win; the figures'
        f' stand in the table below" width="{wide}" height="{tall}" viewBox="0 0 {wide} {tall}">'
        f"{''.join(parts)}</svg>"
    )
