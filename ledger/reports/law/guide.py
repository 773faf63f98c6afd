"""A draft of the gaming guide of one game: what a patron needs, from the rows that judge the game.

Law: § 521.9(b) (the guide is an abridgement of the rules), § 521.9(c) (nobody issues, shows or
hands it out before a sample is approved), § 521.9(d) (nor another one that differs materially).
"""

from __future__ import annotations

import textwrap
from datetime import date
from typing import Final

from ledger.games import Room
from ledger.games.room import EVERY_WIN, Call, Filed, InForce, Rules, Then, Wager, rules_on
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.law.odds import columns

DRAFT: Final = "DRAFT, NOT APPROVED"
NOTICE: Final = (
    "This is a draft of the gaming guide of § 521.9(b). It may not be issued, displayed or"
    " distributed before the Bureau of Gaming Operations has approved a sample of it (§ 521.9(c));"
    " a guide that differs materially from the approved one needs a new approval (§ 521.9(d))."
)
WHOLE: Final = (
    "This is an abridgement. The complete rules of the game lie at the security podium, or where"
    " the Bureau approved, and anyone may inspect them on request (§ 521.9(a)). Where guide and"
    " rules differ, the rules hold."
)
WIDTH: Final = 88


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """A drafted guide: wagers with what they win on, odds line by line, and what does not count."""

    game: str
    chapter: str
    source: str
    day: date
    paytable: str | None
    wagers: tuple[tuple[str, str], ...]
    odds: tuple[tuple[str, str, str], ...]
    invalid: tuple[str, ...]
    open_points: tuple[str, ...]


def guide(room: Room, filed: Filed | None = None, day: date | None = None) -> Guide:
    """Draft the guide of a game by the law of a day, with the odds filed where that is given.

    Args:
        room: the room of the game.
        filed: the filed odds; None: the least that the chapter allows.
        day: the gaming day whose law is asked for; None: the edition's first.
    """
    on = day or room.law.edition.since
    rules = rules_on(room, on, filed)
    edition = rules.law.edition
    return Guide(
        game=room.game,
        chapter=edition.chapter,
        source=edition.source,
        day=on,
        paytable=filed.submission if filed else None,
        wagers=tuple((_named(row.name), _wins(row)) for row in rules.wagers.values()),
        odds=tuple(
            (_named(name), _when(line), str(line.odds))
            for name in rules.wagers
            for line in rules.payouts.get(name, ())
        ),
        invalid=tuple(
            f"{row.cause[:1].upper()}{row.cause[1:]}: {_follows(row.then)}"
            for row in room.invalid
            if row.call is not Call.STANDS
        ),
        open_points=tuple(_open_points(rules, filed)),
    )


def guide_text(drafted: Guide) -> str:
    """The draft as a page."""
    title = f"{drafted.game}: gaming guide"
    parts = [DRAFT, title, "=" * len(title), ""]
    parts += [*textwrap.wrap(NOTICE, WIDTH), ""]
    text = f"58 Pa. Code § {drafted.chapter} ({drafted.source}), by the law of {drafted.day}"
    odds = f"; odds of Rules Submission {drafted.paytable}" if drafted.paytable else ""
    parts += [f"{text}{odds}.", "", "What you can bet on", ""]
    for name, wins in drafted.wagers:
        parts += textwrap.wrap(
            f"{name}: {wins}.", WIDTH, initial_indent="  ", subsequent_indent="    "
        )
    parts += ["", "What a winning wager pays, beside your own stake", ""]
    parts += [columns(("wager", "on", "pays"), list(drafted.odds))]
    if drafted.invalid:
        parts += ["When a result does not count", ""]
        for sentence in drafted.invalid:
            parts += textwrap.wrap(sentence, WIDTH, initial_indent="  ", subsequent_indent="    ")
        parts += [""]
    parts += ["Please note", ""]
    for sentence in (
        "Wagers are made with chips or plaques before betting closes, within the limits posted at"
        " the table.",
        WHOLE,
    ):
        parts += textwrap.wrap(sentence, WIDTH, initial_indent="  ", subsequent_indent="  ")
    if drafted.open_points:
        parts += ["", "To be settled before a sample is submitted", ""]
        for sentence in drafted.open_points:
            parts += textwrap.wrap(sentence, WIDTH, initial_indent="  - ", subsequent_indent="    ")
    parts += ["", DRAFT]
    return "\n".join(parts) + "\n"


def guide_data(drafted: Guide) -> dict[str, object]:
    """The draft as plain data."""
    return {
        "draft": True,
        "approved": False,
        "needs": "approval of a sample under § 521.9(c)",
        "game": drafted.game,
        "chapter": drafted.chapter,
        "source": drafted.source,
        "day": drafted.day.isoformat(),
        "paytable": drafted.paytable,
        "wagers": [{"wager": name, "wins_on": wins} for name, wins in drafted.wagers],
        "odds": [{"wager": name, "on": on, "pays": pays} for name, on, pays in drafted.odds],
        "invalid": list(drafted.invalid),
        "open_points": list(drafted.open_points),
    }


def _open_points(rules: Rules, filed: Filed | None) -> list[str]:
    """What the draft cannot say by itself."""
    points = []
    least = [row for row in rules.room.payouts if not row.fixed]
    if filed is None and least:
        points.append(
            "The odds shown are the least that the chapter allows; give the Rules Submission to"
            " show those that the house pays."
        )
    for row in rules.wagers.values():
        if not row.is_known:
            points.append(f"{row.name}: which combinations win is for the Rules Submission to say.")
    if any(row.reading for row in rules.wagers.values()):
        names = dict.fromkeys(row.reading for row in rules.wagers.values() if row.reading)
        points.append(f"Readings that nobody has confirmed: {', '.join(map(str, names))}.")
    points.append(
        "How a round is played, step by step, is not drafted: no row tells it to a patron."
    )
    return points


def _wins(row: Wager) -> str:
    return f"wins when {row.wins_on}"


def _when(line: InForce) -> str:
    return "" if line.payout.on == EVERY_WIN else str(line.payout.on)


def _follows(then: Then) -> str:
    return f"{then.value}."


def _named(wager: str) -> str:
    return f"The number {wager}" if wager.isdigit() else wager
