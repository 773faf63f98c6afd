"""Several properties in one list: which days are proved, and their totals by day and game.

No patron and no person is in it. What is not proved is listed as not counted, with the reason, and
adds nothing to a total; what is counted and not known stands beside the sum that lacks it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import date
from enum import StrEnum
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from ledger.kernel import Severity, cell_text, dollars, plural
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.table_style import plain_table

SEVEREST_FIRST: Final = (
    Severity.CRITICAL,
    Severity.HIGH,
    Severity.MEDIUM,
    Severity.LOW,
    Severity.INFO,
)
NO_GAME: Final = "no game"
"""Shown for findings of an office, which belong to no game."""


class DayState(StrEnum):
    """What a roll-up knows of a property's gaming day."""

    CLOSED = "closed"
    REOPENED = "closed again after it was restated"
    OPEN = "open: only preliminary reports"
    MISSING = "no report"
    UNPROVED = "not proved"
    UNREACHABLE = "could not be read"


COUNTED: Final = frozenset({DayState.CLOSED, DayState.REOPENED})
"""The states of days whose figures are in the totals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTotals:
    """The totals of a game, of a day at a property or of several together.

    Attributes:
        rounds: rounds of play.
        unknown_rounds: those of which nothing can be said.
        unknown_cents: the stakes of these.
        handle_cents: the stakes that were decided, of the tables that record wagers.
        win_cents: win by count, of the tables whose counts are on record.
        tables: tables with a day.
        tables_without_handle: those that are not in the handle.
        tables_without_win: those that are not in the win.
        doubtful_tables: those whose facts are missing or contradict each other.
        findings: breaches that the facts show, by severity.
        unknown_findings: duties of which the facts cannot show that they were kept.
    """

    rounds: int = 0
    unknown_rounds: int = 0
    unknown_cents: int = 0
    handle_cents: int = 0
    win_cents: int = 0
    tables: int = 0
    tables_without_handle: int = 0
    tables_without_win: int = 0
    doubtful_tables: int = 0
    findings: Mapping[Severity, int] = field(default_factory=dict)
    unknown_findings: int = 0

    def __add__(self, other: GameTotals) -> GameTotals:
        """Both together."""
        return GameTotals(
            rounds=self.rounds + other.rounds,
            unknown_rounds=self.unknown_rounds + other.unknown_rounds,
            unknown_cents=self.unknown_cents + other.unknown_cents,
            handle_cents=self.handle_cents + other.handle_cents,
            win_cents=self.win_cents + other.win_cents,
            tables=self.tables + other.tables,
            tables_without_handle=self.tables_without_handle + other.tables_without_handle,
            tables_without_win=self.tables_without_win + other.tables_without_win,
            doubtful_tables=self.doubtful_tables + other.doubtful_tables,
            findings={
                one: self.findings.get(one, 0) + other.findings.get(one, 0) for one in Severity
            },
            unknown_findings=self.unknown_findings + other.unknown_findings,
        )

    @property
    def is_clean(self) -> bool:
        """Whether there is no finding and everything is known."""
        unsure = (
            *(self.unknown_rounds, self.tables_without_handle, self.tables_without_win),
            *(self.doubtful_tables, self.unknown_findings, sum(self.findings.values())),
        )
        return not any(unsure)


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyDay:
    """A gaming day of a property.

    Attributes:
        name: of the property, as the reader of the roll-up calls it.
        day: the gaming day.
        state: what is known of it.
        issue: the report that is counted, or that was looked at; empty without one.
        why: why the day is not counted; empty where it is.
        games: the totals by game; empty where the day is not counted.
        coupons: how many coupons are outstanding as of the report.
        coupons_cents: their face value.
    """

    name: str
    day: date
    state: DayState
    issue: str = ""
    why: str = ""
    games: Mapping[str, GameTotals] = field(default_factory=dict)
    coupons: int = 0
    coupons_cents: int = 0

    @property
    def is_counted(self) -> bool:
        """Whether its figures are in the totals."""
        return self.state in COUNTED


@dataclass(frozen=True, slots=True, kw_only=True)
class RollUp:
    """Several properties together.

    Attributes:
        properties: their names, in the reader's order.
        days: every day of every property in the span, by property and day.
        not_read: why a whole property is not counted, by its name.
    """

    properties: tuple[str, ...]
    days: tuple[PropertyDay, ...]
    not_read: Mapping[str, str]

    @property
    def is_clean(self) -> bool:
        """Whether every day is counted, has no finding, and leaves nothing unknown."""
        whole = not self.not_read and all(one.is_counted for one in self.days)
        return whole and all(totals.is_clean for one in self.days for totals in one.games.values())

    @property
    def is_proved(self) -> bool:
        """Whether nothing that was read differs from what a property's key signed."""
        return all(one.state is not DayState.UNPROVED for one in self.days)


def totals(days: Iterable[PropertyDay]) -> dict[str, GameTotals]:
    """Return the totals of the counted days by game, the games in order."""
    by_game: dict[str, GameTotals] = {}
    for day in days:
        if day.is_counted:
            for game, part in day.games.items():
                by_game[game] = by_game.get(game, GameTotals()) + part
    return dict(sorted(by_game.items()))


def coupons_now(days: Sequence[PropertyDay]) -> tuple[int, int]:
    """Return how many coupons are outstanding, and their face value in cents.

    Coupons stay out from day to day, so each property counts with the last day that is counted.
    """
    last = {one.name: one for one in days if one.is_counted}
    return sum(one.coupons for one in last.values()), sum(
        one.coupons_cents for one in last.values()
    )


def roll_up_data(rolled: RollUp) -> dict[str, object]:
    """Return a roll-up as plain data: money in cents, days in ISO form."""
    coupons, coupons_cents = coupons_now(rolled.days)
    return {
        "properties": [
            {"property": name, "not_counted": rolled.not_read.get(name)}
            for name in rolled.properties
        ],
        "days": [
            {
                "property": one.name,
                "gaming_day": one.day.isoformat(),
                "state": one.state.name.lower(),
                "issue": one.issue or None,
                "not_counted": one.why or None,
                "games": [
                    {"game": game or None, **_plain(part)} for game, part in one.games.items()
                ],
                "coupons_outstanding": one.coupons if one.is_counted else None,
                "coupons_outstanding_cents": one.coupons_cents if one.is_counted else None,
            }
            for one in rolled.days
        ],
        "totals": [
            {"game": game or None, **_plain(part)} for game, part in totals(rolled.days).items()
        ],
        "coupons_outstanding": coupons,
        "coupons_outstanding_cents": coupons_cents,
        "is_complete": not rolled.not_read and all(one.is_counted for one in rolled.days),
    }


def _plain(part: GameTotals) -> dict[str, int | None]:
    """The figures; a sum in which no table is has none."""
    return {
        "rounds": part.rounds,
        "unknown_rounds": part.unknown_rounds,
        "unknown_cents": part.unknown_cents,
        "handle_cents": _known(part.handle_cents, part.tables, part.tables_without_handle),
        "win_cents": _known(part.win_cents, part.tables, part.tables_without_win),
        "tables": part.tables,
        "tables_without_handle": part.tables_without_handle,
        "tables_without_win": part.tables_without_win,
        "doubtful_tables": part.doubtful_tables,
        **{f"findings_{one.value}": part.findings.get(one, 0) for one in Severity},
        "unknown_findings": part.unknown_findings,
    }


def roll_up_csv(rolled: RollUp) -> str:
    """Return a row for each game of a counted day, and one for each day that is not counted.

    What is not counted has no figures, never zeros. Coupons stand in the first row of a day.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [*_plain(GameTotals())]
    head = ("property", "gaming_day", "state", "issue", "not_counted", "game")
    writer.writerow((*head, *names, "coupons_outstanding", "coupons_outstanding_cents"))
    none: list[object] = [""] * len(names)
    for name, why in rolled.not_read.items():
        writer.writerow([*map(cell_text, (name, "", "not read", "", why, "")), *none, "", ""])
    for day in rolled.days:
        about = (day.name, day.day.isoformat(), day.state.name.lower(), day.issue, day.why)
        rows: list[tuple[str, list[object]]] = [
            (game, [*_plain(part).values()]) for game, part in day.games.items()
        ]
        for place, (game, figures) in enumerate(rows or [("", none)]):
            is_first = day.is_counted and place == 0
            coupons = (day.coupons, day.coupons_cents) if is_first else ("", "")
            writer.writerow([*map(cell_text, (*about, game)), *figures, *coupons])
    return out.getvalue()


def roll_up_page(rolled: RollUp) -> RenderableType:
    """Return a roll-up for people: what is not counted first, then the days, then the totals."""
    parts: list[RenderableType] = [Text(_first_line(rolled), style="bold"), Text("")]
    missing = [*_not_counted(rolled)]
    if missing:
        parts += [Text("Not counted", style="bold"), *(Text(f"  {one}") for one in missing)]
        parts.append(Text(""))
    rows = [
        ((one.name, one.day.isoformat(), game or NO_GAME), part)
        for one in rolled.days
        for game, part in one.games.items()
    ]
    if rows:
        parts += [_table(("property", "gaming day", "game"), rows), Text("")]
        summed = [((game or NO_GAME,), part) for game, part in totals(rolled.days).items()]
        parts += [Text("All counted days together", style="bold"), _table(("game",), summed)]
    coupons, cents = coupons_now(rolled.days)
    if any(one.is_counted for one in rolled.days):
        verb = "is" if coupons == 1 else "are"
        parts.append(Text(f"\n{plural(coupons, 'coupon')}, {dollars(cents)}, {verb} outstanding."))
    return Group(*parts)


def _first_line(rolled: RollUp) -> str:
    counted = sum(one.is_counted for one in rolled.days)
    days = f"{counted:,} of {plural(len(rolled.days), 'property day')} counted"
    several = plural(len(rolled.properties), "property", "properties")
    if not rolled.not_read and counted == len(rolled.days):
        return f"{several}: {days}."
    return f"{several}: {days}; the totals lack the others."


def _not_counted(rolled: RollUp) -> Iterator[str]:
    for name, why in rolled.not_read.items():
        yield f"{name}, every day: {why}"
    for day in rolled.days:
        if not day.is_counted and day.name not in rolled.not_read:
            issue = f" ({day.issue})" if day.issue else ""
            yield f"{day.name}, {day.day}{issue}: {day.why}"


def _table(
    names: Sequence[str], rows: Iterable[tuple[tuple[str, ...], GameTotals]]
) -> RenderableType:
    table = plain_table()
    for name in names:
        table.add_column(name, overflow="fold")
    for name in ("rounds", "handle", "win", "findings", "not known"):
        table.add_column(name, justify="left" if name in ("findings", "not known") else "right")
    for about, part in rows:
        table.add_row(
            *about,
            f"{part.rounds:,}",
            _sum(part.handle_cents, part.tables, part.tables_without_handle),
            _sum(part.win_cents, part.tables, part.tables_without_win),
            _findings(part),
            _unknown(part),
        )
    return table


def _known(cents: int, tables: int, without: int) -> int | None:
    """A sum; None where no table is in it."""
    return None if without == tables else cents


def _sum(cents: int, tables: int, without: int) -> str:
    known = _known(cents, tables, without)
    return "–" if known is None else dollars(known)


def _findings(part: GameTotals) -> str:
    counts = [(one.value, part.findings.get(one, 0)) for one in SEVEREST_FIRST]
    return ", ".join(f"{count:,} {name}" for name, count in counts if count) or "none"


def _unknown(part: GameTotals) -> str:
    """What is missing in the sums, in words."""
    words = []
    if part.unknown_rounds:
        words.append(f"{plural(part.unknown_rounds, 'round')} ({dollars(part.unknown_cents)})")
    for count, lack in (
        (part.tables_without_handle, "without handle"),
        (part.tables_without_win, "without win"),
        (part.doubtful_tables, "in doubt"),
    ):
        if count:
            words.append(f"{plural(count, 'table')} {lack}")
    if part.unknown_findings:
        words.append(plural(part.unknown_findings, "duty", "duties"))
    return ", ".join(words) or "nothing"
