"""What a room's wagers return: exact odds from the room's own rows and its own outcomes.

Law: the rows' own citations. Nothing is rounded: every figure is a fraction in lowest terms.
"""

from __future__ import annotations

from datetime import date
from typing import Final, NotRequired, TypedDict

from ledger.games import Room
from ledger.games.chances import outcomes_of
from ledger.games.odds import OddsRow, lines_of
from ledger.games.room import Filed, InForce, Outcomes, Picks, Rules, rules_on
from ledger.kernel import EditionStatus, FactRef, UsageError
from ledger.kernel.quick_dataclass import dataclass

FLOOR: Final = "floor"
"""Name of the paytable that the chapter itself gives: its least odds, and those it fixes."""

NOT_FILED: Final = (
    "not filed: what wins is for the Rules Submission to say, and the text gives no default"
)
BY_PLAY: Final = (
    "not computed: it pays even money without a commission, and what the house keeps hangs on how"
    " each player sets the seven cards, for which the text gives no way"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoFigure:
    """A payout line of a wager that has no exact figure, and why not."""

    wager: str
    line: InForce
    why: str


def odds_of(
    room: Room,
    filed: Filed | None = None,
    day: date | None = None,
    outcomes: Outcomes | None = None,
) -> tuple[OddsRow, ...]:
    """Exact odds of every wager, pick and payout line, in the order of the room's rows.

    A filed paytable is taken as it judges a settlement: where it lies below the least odds, these
    stand. ``day`` is the gaming day whose law is asked for, by default the edition's first;
    ``outcomes`` are those of the room where they are known already.
    """
    rules = rules_on(room, day or room.law.edition.since, filed)
    outcomes = outcomes or outcomes_of(room, rules)
    return tuple(
        row
        for wager in rules.wagers.values()
        if _why_not(room, rules, wager.name) is None
        for pick in wager.picks
        for row in lines_of(rules, wager, pick, outcomes)
    )


def no_figures(
    room: Room, filed: Filed | None = None, day: date | None = None
) -> tuple[NoFigure, ...]:
    """The wagers of which nothing exact can be said, line by line, with the reason.

    Args:
        room: the room of the game.
        filed: the filed odds; None: the least that the chapter allows.
        day: the gaming day whose law is asked for; None: the edition's first.
    """
    rules = rules_on(room, day or room.law.edition.since, filed)
    return tuple(
        NoFigure(wager=wager.name, line=line, why=why)
        for wager in rules.wagers.values()
        if (why := _why_not(room, rules, wager.name)) is not None
        for line in rules.payouts.get(wager.name, ())
    )


class LawNotHeld(UsageError):
    """No text of the chapter is held for that day."""

    code = "law_not_held"


def law_day(room: Room, day: date | None) -> date:
    """The gaming day whose law is asked for, by default the first of the edition.

    Raises:
        LawNotHeld: the day is before the first text that we hold.
    """
    edition = room.law.edition
    if day is not None and edition.standing(day) is EditionStatus.NOT_YET:
        raise LawNotHeld(
            f"no text of § {edition.chapter} is held for {day}",
            next_step=f"ask for {edition.since} or later",
        )
    return day or edition.since


def chapter_paytables(room: Room) -> dict[str, Filed]:
    """The paytables that the chapter itself gives by name, as if each were filed (§ 575.12(b))."""
    return {
        name: Filed(
            submission=name,
            odds=odds,
            rounding=None,
            unit_cents=1,
            payout_limit_cents=None,
            payout_limit_scope=None,
            increment_cents=None,
            readings={},
            fact=FactRef("chapter", 1),
        )
        for name, odds in room.printed.paytables.items()
    }


def _why_not(room: Room, rules: Rules, wager: str) -> str | None:
    """Why a wager has no exact figure, None where it has one."""
    if wager in room.unpriced:
        return BY_PLAY
    known = rules.wagers[wager].is_known
    return None if known else NOT_FILED


OddsLine = TypedDict(
    "OddsLine",
    {
        "wager": str,
        "pick": list[int] | None,
        "on": str,
        "pays": str,
        "probability": str | None,
        "house_edge": str | None,
        "return": str | None,
        "paytable": str,
        "cite": str,
        "why": NotRequired[str],
    },
)
"""The odds of one wager, pick and payout line as plain data.

Figures are exact fractions in lowest terms as text: ``house_edge`` is a share of the wager, and
``return`` what a wager of 1 brings back on average, the wager itself included.
"""


def law_odds(room: Room, filed: Filed | None = None, day: date | None = None) -> list[OddsLine]:
    """The exact odds as plain data: one object per wager, pick and payout line that can occur.

    A wager without a figure has its lines too, with nothing in place of figures, and says ``why``.
    """
    paytable = FLOOR if filed is None else filed.submission
    without: list[OddsLine] = [
        {
            "wager": row.wager,
            "pick": None,
            "on": str(row.line.payout.on),
            "pays": str(row.line.odds),
            "probability": None,
            "house_edge": None,
            "return": None,
            "paytable": paytable,
            "cite": str(row.line.payout.cite),
            "why": row.why,
        }
        for row in no_figures(room, filed, day)
    ]
    return without + [
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


def picks_text(picks: tuple[Picks, ...]) -> str:
    """Picks for people: "1 to 6", "4, 17", "15 combinations"."""
    singles = [pick[0] for pick in picks if len(pick) == 1]
    if len(singles) != len(picks):
        return "" if picks == ((),) else f"{len(picks)} combinations"
    low, high = singles[0], singles[-1]
    if len(singles) > 2 and singles == list(range(low, high + 1)):
        return f"{low} to {high}"
    return ", ".join(map(str, singles))


def columns(head: tuple[str, ...], body: list[tuple[str, ...]]) -> str:
    """Rows of cells as a table of plain text."""
    widths = [max(len(row[i]) for row in (head, *body)) for i in range(len(head))]
    ruler = tuple("-" * width for width in widths)
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (head, ruler, *body)
    )
    return "\n".join(lines) + "\n"
