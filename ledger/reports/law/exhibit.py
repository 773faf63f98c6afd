"""The exhibit that a request for a game holds: each wager with its true odds, payout odds and edge.

Law: § 521.4(1)(ii). Every figure comes from the room's own rows and outcomes; per cent are rounded
to four places, the fraction beside them is exact.
"""

from __future__ import annotations

import csv
import io
import textwrap
from datetime import date
from fractions import Fraction
from importlib.resources import files
from typing import Final

from jinja2 import Environment, StrictUndefined

from ledger.games import Room
from ledger.games.chances import outcomes_of
from ledger.games.odds import OddsRow
from ledger.games.room import EVERY_WIN, Filed, InForce, Picks, rules_on
from ledger.kernel import cell_text, percent
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import reading
from ledger.reports.fact_sentences import page_value
from ledger.reports.font import with_font
from ledger.reports.law.odds import (
    FLOOR,
    chapter_paytables,
    columns,
    no_figures,
    odds_of,
    picks_text,
)
from ledger.reports.law.options import OptionShown, options_shown
from ledger.reports.paper import Paper

PLACES: Final = 4
"""Places of a house advantage in per cent."""
LONGEST: Final = 11
"""Characters up to which true odds are shown as whole numbers."""
ON_FILINGS: Final = {
    False: "least odds; those filed judge a settlement where they are not lower (reading floors)",
    True: "fixed odds; a filing that departs from them is a finding"
    " (reading fixed-odds-filed-otherwise)",
}
"""What a filing of other odds is worth, by whether the chapter fixes them."""
OF_FILINGS: Final = ("floors", "fixed-odds-filed-otherwise")
CITED: Final = "§ 521.4(1)(ii)"
NOTE: Final = (
    "True odds are those against the line; the house advantage is that of the whole wager on that"
    ' pick, over all its lines, as a part of the stake. Odds are "to", never "for".'
)
HEAD: Final = (
    "wager", "pick", "wins on", "true odds", "payout odds", "house advantage", "fraction",
    "section", "reading",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the exhibit; ``why`` is set where no figure can be given."""

    wager: str
    pick: str
    wins_on: str
    pays: str
    section: str
    reading: str
    fixed: bool
    probability: Fraction | None = None
    advantage: Fraction | None = None
    why: str = ""

    @property
    def true_odds(self) -> str:
        """The odds against, "35 to 1"; to four places of 1 where the exact ones are long."""
        if self.probability is None:
            return ""
        exact = exact_odds(self.probability)
        return exact if len(exact) <= LONGEST else f"{near(self.probability)} to 1"

    @property
    def own_reading(self) -> str:
        """The readings that bear on this line and not on how odds are filed."""
        return ", ".join(name for name in self.reading.split(", ") if name not in OF_FILINGS)

    @property
    def per_cent(self) -> str:
        """The house advantage in per cent to four places."""
        return "" if self.advantage is None else percent(self.advantage, PLACES)

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of the exhibit, in the order of its head."""
        figures = (self.true_odds, self.pays, self.per_cent, str(self.advantage or ""))
        if self.advantage is None:
            figures = (self.why.partition(":")[0], self.pays, "-", "-")
        return (self.wager, self.pick, self.wins_on, *figures, self.section, self.own_reading)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """What is filed of one game's wagers; ``others`` are the chapter's further paytables."""

    game: str
    chapter: str
    source: str
    day: date
    standing: str | None
    paytable: str
    lines: tuple[Line, ...]
    others: tuple[str, ...]
    options: tuple[OptionShown, ...]

    @property
    def on_filings(self) -> tuple[str, ...]:
        """What a filing of other odds is worth for these lines."""
        by_kind: dict[bool, dict[str, None]] = {}
        for line in self.lines:
            by_kind.setdefault(line.fixed, {})[line.wager] = None
        if len(by_kind) == 1:
            return tuple(f"All wagers: {ON_FILINGS[fixed]}." for fixed in by_kind)
        return tuple(f"{', '.join(who)}: {ON_FILINGS[fixed]}." for fixed, who in by_kind.items())

    @property
    def without(self) -> tuple[str, ...]:
        """Why lines have no figure, each reason once with its wagers."""
        reasons: dict[str, list[str]] = {}
        for line in self.lines:
            if line.why:
                reasons.setdefault(line.why, []).append(line.wager)
        return tuple(f"{', '.join(dict.fromkeys(who))}: {why}." for why, who in reasons.items())


def exhibit(room: Room, filed: Filed | None = None, day: date | None = None) -> Exhibit:
    """The exhibit of a game, in the order of its rows.

    ``day`` is the gaming day whose law is asked for, by default the edition's first.
    """
    edition = room.law.edition
    on = day or edition.since
    rules = rules_on(room, on, filed)
    outcomes = outcomes_of(room, rules)
    groups: dict[tuple[InForceKey, Fraction, Fraction], list[OddsRow]] = {}
    for row in odds_of(room, filed, on, outcomes):
        key = (key_of(row.line), row.probability, row.returns)
        groups.setdefault(key, []).append(row)
    lines = [_line(room, rows) for rows in groups.values()]
    for gap in no_figures(room, filed, on):
        wager = rules.wagers[gap.wager]
        lines.append(
            Line(
                wager=_named(gap.wager), pick="", wins_on=str(wager.wins_on),
                pays=str(gap.line.odds), section=_sections(wager.cite.pin, gap.line),
                reading=_readings(wager.reading, gap.line), fixed=gap.line.payout.fixed,
                why=gap.why,
            )
        )  # fmt: skip
    order = {_named(name): place for place, name in enumerate(rules.wagers)}
    lines.sort(key=lambda line: order[line.wager])
    return Exhibit(
        game=room.game,
        chapter=edition.chapter,
        source=edition.source,
        day=on,
        standing=edition.remark(on),
        paytable="the odds of the chapter" if filed is None else f"paytable {filed.submission}",
        lines=tuple(lines),
        others=tuple(_other(name, room, table, on) for name, table in _rest(room, filed).items()),
        options=options_shown(room, rules, outcomes),
    )


def exhibit_text(shown: Exhibit) -> str:
    """The exhibit as plain text."""
    title = f"{shown.game}, § {shown.chapter} ({shown.source}): exact odds by {shown.paytable}"
    parts = [title, f"Exhibit under {CITED}, by the law of {shown.day}" + _remark(shown), ""]
    parts += [columns(HEAD, [line.cells for line in shown.lines])]
    parts += textwrap.wrap(NOTE, 100)
    for note in (*shown.on_filings, *shown.without, *shown.others):
        parts += textwrap.wrap(note, 100, subsequent_indent="  ")
    if shown.options:
        parts += ["", "Readings that bear on these figures, and what another answer would make:"]
        for option in shown.options:
            parts += textwrap.wrap(option.says, 100, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(parts).rstrip() + "\n"


def exhibit_csv(shown: Exhibit) -> str:
    """The exhibit as a table for a spreadsheet: exact figures in columns of their own."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        [*HEAD, "true odds exact", "probability", "why no figure", "paytable", "edition"]
    )
    for line in shown.lines:
        exact = exact_odds(line.probability) if line.probability is not None else ""
        figures = [line.per_cent, str(line.advantage or ""), line.section, line.reading]
        cells = [*line.cells[:5], *figures]
        if line.why:
            cells[3] = ""
        chance = str(line.probability or "")
        edition = f"{shown.chapter} ({shown.source})"
        paytable = cell_text(shown.paytable)
        writer.writerow([*cells, exact, chance, line.why, paytable, edition])
    return out.getvalue()


def exhibit_html(shown: Exhibit, paper: Paper = Paper.LETTER) -> str:
    """The exhibit as one page, with everything in one file."""
    source = files("ledger.reports.law").joinpath("exhibit.html").read_text(encoding="utf-8")
    page = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, finalize=page_value
    )
    rendered = page.from_string(source).render(
        shown=shown,
        paper=paper,
        note=NOTE,
        cited=CITED,
        remark=_remark(shown),
        wagers=_spans(shown),
        wins=_spans(shown, "wins_on"),
        edges=_spans(shown, "advantage", "pick"),
        places=_spans(shown, "section"),
        readings=_spans(shown, "own_reading"),
    )
    return with_font(rendered)


def exact_odds(probability: Fraction) -> str:
    """The odds against something so likely: 1/36 is "35 to 1"."""
    against = (1 - probability) / probability
    return f"{against.numerator} to {against.denominator}"


def near(probability: Fraction) -> str:
    """The odds against something so likely as a number to 1: four places, halves to the even one.

    >>> near(Fraction(1, 36)), near(Fraction(3, 7))
    ('35.0000', '1.3333')
    """
    parts = round((1 - probability) / probability * 10_000)
    return f"{parts // 10_000:,}.{parts % 10_000:04d}"


InForceKey = tuple[str, str | None, str]


def key_of(line: InForce) -> InForceKey:
    """A payout line by name."""
    return (line.payout.wager, line.payout.filed_as, str(line.odds))


def _line(room: Room, rows: list[OddsRow]) -> Line:
    line, first = rows[0].line, rows[0]
    wager = room.wager_by_name[first.wager]
    own = line.payout.on == EVERY_WIN or str(line.payout.on).startswith("a pick of")
    picks: tuple[Picks, ...] = tuple(row.pick for row in rows)
    return Line(
        wager=_named(first.wager),
        pick=picks_text(picks),
        wins_on=str(wager.wins_on if own else line.payout.on),
        pays=str(line.odds),
        section=_sections(wager.cite.pin, line),
        reading=_readings(wager.reading, line),
        fixed=line.payout.fixed,
        probability=first.probability,
        advantage=first.house_edge,
    )


def _sections(defined: str, line: InForce) -> str:
    """Where the wager is defined and where its odds are listed."""
    listed = line.payout.cite.pin.removeprefix("§ ")
    return f"{defined}; {listed}"


def _readings(wager: str | None, line: InForce) -> str:
    named = dict.fromkeys(name for name in (wager, line.payout.reading) if name)
    return ", ".join(reading(name).id for name in named)


def _named(wager: str) -> str:
    return f"The number {wager}" if wager.isdigit() else wager


def _remark(shown: Exhibit) -> str:
    return f" ({shown.standing})" if shown.standing else ""


def _rest(room: Room, filed: Filed | None) -> dict[str, Filed]:
    """The further paytables that a chapter gives, beside the one shown."""
    tables = chapter_paytables(room)
    if filed is not None and filed.submission not in tables:
        return {}
    shown = next(iter(tables), FLOOR) if filed is None else filed.submission
    return {name: table for name, table in tables.items() if name != shown}


def _other(name: str, room: Room, table: Filed, day: date) -> str:
    """What a further paytable pays otherwise than the first one, and its house advantage."""
    usual = {key_of(row.line)[:2]: str(row.line.odds) for row in odds_of(room, None, day)}
    rows = odds_of(room, table, day)
    differs = [
        f"{row.line.payout.filed_as} {row.line.odds}"
        for row in rows
        if usual[key_of(row.line)[:2]] != str(row.line.odds)
    ]
    edge = rows[0].house_edge
    lines = "; ".join(differs) or "as the first"
    return f"Paytable {name}: {lines}; house advantage {percent(edge, PLACES)} ({edge})."


def _spans(shown: Exhibit, *same: str) -> list[int]:
    """For how many lines of a wager each first line stands in these fields; 0 for the others."""
    spans: list[int] = []
    start = 0
    for place, line in enumerate(shown.lines):
        before = shown.lines[place - 1]
        alike = all(getattr(before, field) == getattr(line, field) for field in ("wager", *same))
        if place and alike:
            spans[start] += 1
            spans.append(0)
        else:
            start = place
            spans.append(1)
    return spans
