"""The wheel as it came to rest: all of its sections, the clapper above where it rests."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, radians, sin
from typing import Final

from markupsafe import Markup

from ledger.events import WheelPlaced, WheelSpun
from ledger.reports.board.svg import drawing, label
from ledger.reports.drawing import names_of, rests_at
from ledger.reports.night.equipment_drawings import wheel_svg

MOST_SECTIONS: Final = 100
"""A wheel with more is drawn as a strip of its rim."""
WIDE: Final = 320
_MIDDLE, _TOP, _RIM, _HUB = WIDE // 2, 178, 150, 64


def whole_wheel_svg(
    spun: WheelSpun | None, wheel: WheelPlaced | None, mark: str | None = None
) -> Markup | None:
    """Draw the wheel; None where nothing of it is known.

    Args:
        spun: the last spin; None before it.
        wheel: the wheel in use; None where none is on record.
        mark: written across it.
    """
    if wheel is None or not 0 < len(wheel.sections) <= MOST_SECTIONS:
        return None if spun is None else wheel_svg(spun, wheel)
    at = None if spun is None else rests_at(spun, wheel)
    if spun is not None and at is None:
        return wheel_svg(spun, wheel)
    around = len(wheel.sections)
    first, between = at or (0, False)
    hit = [(first + number) % around for number in range(1 + between)] if at else []
    turn = -(first + (1.0 if between else 0.5)) * 360 / around
    parts = [*_sections(wheel.sections, hit, turn)]
    parts.append(f'<circle class="hub" cx="{_MIDDLE}" cy="{_TOP}" r="{_HUB}"/>')
    if at is None:
        title = "The wheel before it is spun"
        parts.append(label(_MIDDLE, _TOP + 4, "not spun", anchor="middle"))
    else:
        where = names_of([wheel.sections[index] for index in hit])
        title = f"The clapper rests {'between' if between else 'at'} {where}"
        parts.append(f'<path class="clapper" d="M{_MIDDLE - 9} 2h18l-5 14h-8z"/>')
        parts.append(f'<path class="clapper" d="M{_MIDDLE - 3} 16h6l-3 20z"/>')
        parts.append(label(_MIDDLE + 14, 14, "clapper"))
        kind = "large"
        parts.append(
            label(_MIDDLE, _TOP + 9, where, kind=kind, anchor="middle", room=2 * _HUB - 16, size=26)
        )
    return drawing("whole-wheel", WIDE, _TOP + _RIM + 2, title, parts, mark)


def _sections(names: tuple[str, ...], hit: list[int], turn: float) -> Iterator[str]:
    """The sections clockwise, turned so that the clapper's is on top."""
    step = 360 / len(names)
    for index, name in enumerate(names):
        begins, ends = turn + index * step - 90, turn + (index + 1) * step - 90
        kind = "section hit" if index in hit else f"section {'even' if index % 2 else 'odd'}"
        (x1, y1), (x2, y2) = _point(begins), _point(ends)
        yield (
            f'<path class="{kind}" d="M{_MIDDLE} {_TOP}L{x1:.1f} {y1:.1f}'
            f'A{_RIM} {_RIM} 0 0 1 {x2:.1f} {y2:.1f}z"/>'
        )
        middle = (begins + ends) / 2
        turned = f"translate({_MIDDLE} {_TOP}) rotate({middle:.1f})"
        kind = "inside" if index in hit else ""
        yield label(_RIM - 6, 4, name, kind=kind, anchor="end", room=_RIM - _HUB - 12, turn=turned)


def _point(degrees: float) -> tuple[float, float]:
    angle = radians(degrees)
    return _MIDDLE + _RIM * cos(angle), _TOP + _RIM * sin(angle)
