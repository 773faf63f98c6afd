"""What a room's wagers return: exact odds from the room's own rows and its own outcomes.

Law: the rows' own citations. Nothing is rounded: every figure is a fraction in lowest terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, Final

from ledger.games import Room
from ledger.games.room import Filed, InForce, Picks, Rules, Shown, Wager, rules_on

FLOOR: Final = "floor"
"""Name of the paytable that the chapter itself gives: its least odds, and those it fixes."""

NOTE: Final = (
    "Probability is that of the line; house edge and return are those of the whole wager on that"
    " pick,\nmultipliers included."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsRow:
    """One payout line of one wager on one pick.

    ``probability`` is that of the line; ``returns`` is what a stake of 1 brings back on average,
    stake included, over all lines of the wager on that pick.
    """

    wager: str
    pick: Picks
    line: InForce
    probability: Fraction
    returns: Fraction

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of a stake on average, as a part of it."""
        return 1 - self.returns


def odds_of(room: Room, filed: Filed | None = None, day: date | None = None) -> tuple[OddsRow, ...]:
    """Exact odds of every wager, pick and payout line, in the order of the room's rows.

    A filed paytable is taken as it judges a settlement: where it lies below the least odds, these
    stand. ``day`` is the gaming day whose law is asked for, by default the edition's first.
    """
    rules = rules_on(room, day or room.law.edition.since, filed)
    outcomes = tuple(room.outcomes())
    return tuple(
        row
        for wager in room.wagers
        if wager.name not in room.unpriced
        for pick in wager.picks
        for row in _of(rules, wager, pick, outcomes)
    )


def law_odds(
    room: Room, filed: Filed | None = None, day: date | None = None
) -> list[dict[str, Any]]:
    """The same as plain data: one object per wager, pick and payout line that can occur."""
    paytable = FLOOR if filed is None else filed.submission
    return [
        {
            "wager": row.wager,
            "pick": list(row.pick) or None,
            "on": str(row.line.payout.on),
            "pays": str(row.line.odds),
            "probability": str(row.probability),
            "house_edge": str(row.house_edge),
            "return": str(row.returns),
            "paytable": paytable,
            "cite": str(row.line.payout.cite),
        }
        for row in odds_of(room, filed, day)
    ]


def odds_text(room: Room, filed: Filed | None = None, day: date | None = None) -> str:
    """The same as a table for people; picks with the same figures share a line."""
    groups: dict[tuple[str, ...], list[Picks]] = {}
    for row in odds_of(room, filed, day):
        figures = (
            row.wager,
            str(row.line.payout.on),
            str(row.line.odds),
            str(row.probability),
            f"{row.house_edge} ({percent(row.house_edge)})",
            f"{row.returns} ({percent(row.returns)})",
            row.line.payout.cite.pin,
        )
        groups.setdefault(figures, []).append(row.pick)
    head = ("wager", "pick", "on", "pays", "probability", "house edge", "return", "section")
    body = [(key[0], picks_text(tuple(picks)), *key[1:]) for key, picks in groups.items()]
    name = "the least odds of the chapter" if filed is None else f"paytable {filed.submission}"
    edition = room.law.edition
    title = f"{room.game}, § {edition.chapter} ({edition.source}): exact odds by {name}"
    return f"{title}\n\n{columns(head, body)}\n{NOTE}\n"


def picks_text(picks: tuple[Picks, ...]) -> str:
    """Picks for people: "1 to 6", "4, 17", "15 combinations"."""
    singles = [pick[0] for pick in picks if len(pick) == 1]
    if len(singles) != len(picks):
        return "" if picks == ((),) else f"{len(picks)} combinations"
    low, high = singles[0], singles[-1]
    if len(singles) > 2 and singles == list(range(low, high + 1)):
        return f"{low} to {high}"
    return ", ".join(map(str, singles))


def percent(part: Fraction) -> str:
    """A part of 1 in per cent, to two places, halves to the even one: ``1/36`` is ``2.78%``."""
    hundredths = round(abs(part) * 10_000)
    return f"{'-' if part < 0 else ''}{hundredths // 100}.{hundredths % 100:02d}%"


def columns(head: tuple[str, ...], body: list[tuple[str, ...]]) -> str:
    """Rows of cells as a table of plain text."""
    widths = [max(len(row[i]) for row in (head, *body)) for i in range(len(head))]
    ruler = tuple("-" * width for width in widths)
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (head, ruler, *body)
    )
    return "\n".join(lines) + "\n"


def _of(
    rules: Rules, wager: Wager, pick: Picks, outcomes: tuple[tuple[Shown, Fraction, Fraction], ...]
) -> list[OddsRow]:
    """The lines of one wager on one pick: each winning outcome is paid by the first that fits."""
    chances: dict[int, Fraction] = {}
    returns = Fraction(0)
    lines = rules.payouts[wager.name]
    for shown, chance, factor in outcomes:
        if wager.wins_on(shown, pick):
            place = next(i for i, line in enumerate(lines) if line.payout.on(shown, pick))
            chances[place] = chances.get(place, Fraction(0)) + chance
            returns += chance * (1 + lines[place].odds.ratio * factor)
    return [
        OddsRow(wager=wager.name, pick=pick, line=lines[i], probability=chances[i], returns=returns)
        for i in sorted(chances)
    ]
