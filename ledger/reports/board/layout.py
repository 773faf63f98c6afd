"""The layout of a table: its betting areas, and on each the wagers by seat."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field
from itertools import groupby
from typing import Final

from markupsafe import Markup, escape

from ledger.games.rows import Wager
from ledger.kernel import plural
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.board.svg import drawing, label
from ledger.reports.fact_sentences import printable, wager_name
from ledger.reports.phrases import short_dollars

WIDE: Final = 560
PLACED: Final = "placed"
"""The kind of a wager with which the house has done nothing yet."""
MOST_CHIPS: Final = 120
"""How many wagers are drawn; the list beside the drawing has all."""
_HEAD, _NAME, _CHIP, _SLOT, _GAP = 16, 18, 27, 68, 3
_ROWS_OF: Final = 4
"""Areas side by side of wagers that take no picks."""
_PICKS_OF: Final = 8
"""Areas side by side of wagers that take picks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidWager:
    """A wager on the layout.

    Attributes:
        wager_id: its own.
        seat: where its patron sits.
        wager: its name in the room's rows.
        picks: what it is on.
        stake_cents: what lies there.
        kind: what the house has done with it so far, in a word: placed, won, lost, returned, taken.
        state: the same in words.
        paid_cents: what the house paid on it.
        differs: whether what the house did is not what was due.
    """

    wager_id: str
    seat: str
    wager: str
    picks: tuple[int, ...]
    stake_cents: int
    kind: str = PLACED
    state: str = PLACED
    paid_cents: int = 0
    differs: bool = False

    @property
    def name(self) -> str:
        """Wager and picks, for people."""
        return wager_name(self.wager, self.picks)


def seat_order(wager: LaidWager) -> tuple[int, str]:
    """Return where a wager stands among others: seat 2 before seat 10."""
    return len(wager.seat), wager.seat


@dataclass(slots=True)
class Area:
    """A betting area and the wagers on it; ``bet`` is what a device that lights it calls it."""

    name: str
    chips: list[LaidWager] = field(default_factory=list)
    bet: str = ""


@dataclass(slots=True)
class Row:
    """Areas side by side; ``head`` names what they share."""

    head: str
    areas: list[Area]
    side_by_side: int

    @property
    def wide(self) -> int:
        """How wide an area is."""
        return WIDE // min(self.side_by_side, max(len(self.areas), 1))


def layout_svg(
    rows: Sequence[Wager],
    laid: Sequence[LaidWager],
    *,
    by_seat: bool,
    lit: Collection[str] = (),
    mark: str | None = None,
) -> Markup:
    """Draw the betting areas of a room, and a chip for each wager with its seat and stake.

    Args:
        rows: the wagers of the room in force; none where the game is not known.
        laid: the wagers of the round so far.
        by_seat: whether each seat has areas of its own.
        lit: the areas that a device has lit, by wager and picks.
        mark: written across it.
    """
    parts: list[str] = []
    top = 0
    for row in rows_of(rows, laid[:MOST_CHIPS], by_seat=by_seat):
        top += _draw_row(row, top, lit, parts)
    more = len(laid) - MOST_CHIPS
    if more > 0:
        parts.append(label(2, top + 13, f"and {more} more, in the list"))
        top += 18
    title = f"Layout with {plural(len(laid), 'wager')}, which are listed below it"
    if lit:
        title += f"; lit: {', '.join(sorted(lit)[:MOST_CHIPS])}"
    return drawing("layout-drawn", WIDE, max(top, 1), title, parts, mark)


def rows_of(rows: Sequence[Wager], laid: Sequence[LaidWager], *, by_seat: bool) -> list[Row]:
    """Return the areas of a layout with the wagers on them; last, what the rows do not have."""
    known = {(row.name, tuple(pick)) for row in rows for pick in row.picks}
    listed: list[Row] = []
    if by_seat:
        seats = list(dict.fromkeys(wager.seat for wager in sorted(laid, key=seat_order)))
        for row in rows:
            areas = [
                Area(f"seat {seat}", [w for w in laid if (w.wager, w.seat) == (row.name, seat)])
                for seat in seats
            ]
            listed.append(Row(row.name, areas or [Area("no wager")], _PICKS_OF))
    else:
        for takes_picks, group in groupby(rows, key=lambda row: any(row.picks)):
            same = list(group)
            listed += _picked(same, laid) if takes_picks else [_plain(same, laid)]
    others = [w for w in laid if (w.wager, () if by_seat else w.picks) not in known]
    if others:
        named = {w.name: [o for o in others if o.name == w.name] for w in others}
        listed.append(
            Row("not a wager of this layout", [Area(*pair) for pair in named.items()], _ROWS_OF)
        )
    return listed


def _plain(rows: Iterable[Wager], laid: Sequence[LaidWager]) -> Row:
    """Areas of wagers that take no picks."""
    areas = [
        Area(row.name, [w for w in laid if (w.wager, w.picks) == (row.name, ())], row.name)
        for row in rows
    ]
    across = len(areas) if len(areas) <= _PICKS_OF and _are_short(areas) else _ROWS_OF
    return Row("", areas, across)


def _are_short(areas: Sequence[Area]) -> bool:
    return all(len(area.name) <= 3 for area in areas)


def _picked(rows: Iterable[Wager], laid: Sequence[LaidWager]) -> Iterator[Row]:
    """A row of areas for each wager that takes picks."""
    for row in rows:
        areas = [
            Area(
                " ".join(map(str, pick)),
                [w for w in laid if (w.wager, w.picks) == (row.name, tuple(pick))],
                wager_name(row.name, tuple(pick)),
            )
            for pick in row.picks
        ]
        yield Row(row.name, areas, _PICKS_OF if len(areas) != 14 else 7)


def _draw_row(row: Row, top: int, lit: Collection[str], parts: list[str]) -> int:
    """Draw a row and return how high it is."""
    begins = top
    if row.head:
        parts.append(label(2, top + 12, row.head, kind="head"))
        top += _HEAD
    across = WIDE // row.wide
    for first in range(0, len(row.areas), across):
        line = row.areas[first : first + across]
        high = max(_area_height(area, row.wide) for area in line)
        for place, area in enumerate(line):
            parts += _area(area, (place * row.wide, top, row.wide, high), area.bet in lit)
        top += high + _GAP
    return top + _GAP - begins


def _slots(wide: int) -> int:
    return max((wide - 2) // _SLOT, 1)


def _area_height(area: Area, wide: int) -> int:
    return _NAME + -(-len(area.chips) // _slots(wide)) * _CHIP


def _area(area: Area, box: tuple[int, int, int, int], is_lit: bool) -> Iterator[str]:
    left, top, wide, high = box
    kind = f"area{' used' if area.chips else ''}{' lit' if is_lit else ''}"
    yield f'<rect class="{kind}" x="{left + 1}" y="{top}" width="{wide - 3}" height="{high}"/>'
    yield label(left + 5, top + 13, area.name, kind="named", room=wide - 10)
    for number, chip in enumerate(area.chips):
        line, place = divmod(number, _slots(wide))
        yield from _chip(chip, left + 3 + place * _SLOT, top + _NAME + line * _CHIP)


_NOTES: Final = {"returned": "returned", "taken": "taken", "lost": "lost"}


def _chip(chip: LaidWager, left: int, top: int) -> Iterator[str]:
    words = escape(printable(f"seat {chip.seat}, {chip.name}, {short_dollars(chip.stake_cents)}"))
    kind = f"chip {chip.kind}{' differs' if chip.differs else ''}"
    yield f'<g class="{kind}"><title>{words}: {escape(printable(chip.state))}</title>'
    yield f'<circle cx="{left + 11}" cy="{top + 12}" r="10"/>'
    yield label(left + 11, top + 16, chip.seat, kind="seat-of", anchor="middle", room=16)
    yield label(left + 24, top + 10, short_dollars(chip.stake_cents), room=40)
    note = f"+{short_dollars(chip.paid_cents)}" if chip.paid_cents else _NOTES.get(chip.kind, "")
    sign = "≠ " if chip.differs else ""
    if note or sign:
        yield label(left + 24, top + 22, f"{sign}{note}", kind="note", room=40, size=10)
    yield "</g>"
