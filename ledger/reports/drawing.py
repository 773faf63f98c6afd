"""What the equipment showed, drawn: dice with their pips, the wheel as a strip of its rim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ledger import events

if TYPE_CHECKING:
    from rich.text import Text

_PIPS: Final = {
    1: ("       ", "   ●   ", "       "),
    2: (" ●     ", "       ", "     ● "),
    3: (" ●     ", "   ●   ", "     ● "),
    4: (" ●   ● ", "       ", " ●   ● "),
    5: (" ●   ● ", "   ●   ", " ●   ● "),
    6: (" ●   ● ", " ●   ● ", " ●   ● "),
}
_UNKNOWN: Final = ("       ", "   ?   ", "       ")
_RESTS: Final[dict[events.Rest | events.ThrowRest, str]] = {
    events.Rest.ONE_SIDE_PROPPED: "leaning",
    events.Rest.TWO_SIDES_PROPPED: "propped",
    events.Rest.ON_A_DIE: "on a die",
    events.Rest.ON_BANK: "on bank",
    events.Rest.OFF_TABLE: "off table",
    events.Rest.OUTSIDE_SHAKER: "outside",
    events.Rest.UNRECOGNISED: "rests ?",
    events.ThrowRest.ON_CHIPS: "on chips",
    events.ThrowRest.IN_DICE_CUP: "in cup",
    events.ThrowRest.ON_RAIL: "on rail",
}
"""Symbols of the two enums that are spelled alike mean the same."""
NEIGHBOURS: Final = 5
"""How many sections are drawn on either side of the clapper."""
_CELL: Final = 5


def draw_dice(thrown: events.DiceThrown | events.DiceThrownByHand) -> Text:
    """The dice side by side; below each its color, and how it rests if it does not lie flat."""
    from rich.text import Text  # most who import this want words and draw nothing

    dice = thrown.dice
    if not dice:
        return Text("no die was recorded", style="magenta")
    rows = [_PIPS.get(die.face or 0, _UNKNOWN) for die in dice]
    lines = [
        " ".join("┌───────┐" for _ in dice),
        *(" ".join(f"│{pips[line]}│" for pips in rows) for line in range(3)),
        " ".join("└───────┘" for _ in dice),
    ]
    for words in ([die.colour or "" for die in dice], [rest_words(die) for die in dice]):
        labels = " ".join(f"{word:^9}" for word in words).rstrip()
        lines += [labels] if labels else []
    return Text("\n".join(lines))


def rest_words(die: events.Die | events.ThrownDie) -> str:
    """How a die rests that does not lie flat, in a word or two; else nothing."""
    return _RESTS.get(die.rest, "")


def draw_wheel(spun: events.WheelSpun, wheel: events.WheelPlaced | None) -> Text:
    """The sections about the clapper, with the clapper above where it rests."""
    from rich.text import Text

    at = rests_at(spun, wheel)
    if wheel is None or at is None:
        symbols = " and ".join(spun.symbols or ()) or "not recorded"
        return Text(
            f"the clapper rests at: {symbols}", style="magenta" if spun.symbols is None else ""
        )
    first, between = at
    sections = wheel.sections
    shown = range(first - NEIGHBOURS, first + NEIGHBOURS + 1)
    cells = [f"{sections[index % len(sections)]:^{_CELL}}" for index in shown]
    rim = "│" + "│".join(cells) + "│"
    middle = NEIGHBOURS * (_CELL + 1) + 1 + _CELL // 2
    clapper = middle + _CELL // 2 + 1 if between else middle
    text = Text(f"{' ' * clapper}▼ clapper\n", style="bold")
    text.append("┌" + "┬".join("─" * _CELL for _ in cells) + "┐\n", style="not bold dim")
    start = len(text) + NEIGHBOURS * (_CELL + 1) + 1
    text.append(rim + "\n", style="not bold")
    end = start + (2 * _CELL + 1 if between else _CELL)
    text.stylize("reverse", start, end)
    text.append("└" + "┴".join("─" * _CELL for _ in cells) + "┘", style="not bold dim")
    return text


def rests_at(spun: events.WheelSpun, wheel: events.WheelPlaced | None) -> tuple[int, bool] | None:
    """The section, or the first of the two that the clapper lies between."""
    if wheel is None or not wheel.sections:
        return None
    around = len(wheel.sections)
    if spun.clapper is not events.Clapper.BETWEEN_SECTIONS and spun.section is not None:
        return (spun.section, False) if 0 <= spun.section < around else None
    two = spun.between
    if two is None or len(two) != 2 or not all(0 <= index < around for index in two):
        return None
    low, high = sorted(two)
    if (low, high) == (0, around - 1):
        return high, True
    return (low, True) if high - low == 1 else None


def turns(spun: events.WheelSpun) -> str:
    """How far the wheel turned, for people: "3.4 turns clockwise"."""
    parts = []
    if spun.revolutions_thousandths is not None:
        whole, rest = divmod(spun.revolutions_thousandths, 1000)
        parts.append(f"{whole}.{rest // 100} turns")
    if spun.direction is not None:
        parts.append(spun.direction.lower())
    return " ".join(parts)


def names_of(symbols: Sequence[str] | None) -> str:
    """What was shown, for people."""
    return " and ".join(symbols) if symbols else "nothing recorded"
