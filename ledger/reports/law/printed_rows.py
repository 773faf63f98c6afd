"""The printed law: every row of a room beside the section that it rests on, in English.

This is the page that counsel checks: section by section in the order of the text, with what we
made of it, and what of it nothing of ours carries.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Final, TypedDict

from ledger.coupons.duties import DUTIES as COUPON_DUTIES
from ledger.games import BY_KEY, Room, match_play
from ledger.games.law_page_tables import PrintedRow
from ledger.games.room import EVERY_WIN, Approval, Duty, Invalid, Payout, Requirement, Trial, Wager
from ledger.house.duties import DUTIES as GENERAL_DUTIES
from ledger.house.provider_duties import DUTIES as PROVIDER_DUTIES
from ledger.kernel import Edition, UsageError
from ledger.kernel.quick_dataclass import dataclass
from ledger.law import (
    GENERAL,
    LEDGER_CONTRACT,
    MATCH_PLAY,
    SERVICE_PROVIDERS,
    Chapter,
    Status,
    also_named,
    coverage_of,
    finding_codes,
    other_texts,
    reading,
    sections_of,
)
from ledger.reports.law.odds import picks_text
from ledger.reports.law.room_tables import doubt_row, duties_shown_otherwise, own_tables

LEDGER: Final = "ledger"
"""What `law show` calls the product's own contract."""

COUPONS: Final = "match_play"
"""What `law show` calls Match Play Coupons, their custody and their use at a table."""

CONTINUES: Final = {"603a.21(d)": "525.22(d)"}
"""Sections of which no text is held, by the one that they continue and are shown with."""

GENERAL_NAME: Final = "general"
"""What `law show` calls the general provisions."""

PROVIDERS_NAME: Final = "providers"
"""What `law show` calls the chapter of gaming related gaming service providers."""

WIDTH: Final = 100

Row = Wager | Payout | Invalid | Requirement | Trial | Approval | Duty


class RoomUnknown(UsageError):
    """There is no room of that name."""

    code = "room_unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSection:
    """A section, the rows that rest on it, and what of it no row of its own carries.

    ``elsewhere`` are obligations that rows of other sections carry, with those rows; both it and
    ``not_modelled`` are pairs of what the section says and where, or why not.
    """

    section: str
    heading: str
    rows: tuple[PrintedRow, ...]
    elsewhere: tuple[tuple[str, str], ...]
    not_modelled: tuple[tuple[str, str], ...]


def names() -> tuple[str, ...]:
    """What can be shown: each room, coupons, general provisions, providers, Ledger contract."""
    return (*BY_KEY, COUPONS, GENERAL_NAME, PROVIDERS_NAME, LEDGER)


def room_named(name: str) -> Room:
    """The room of that name.

    Raises:
        RoomUnknown: there is none.
    """
    room = BY_KEY.get(name)
    if room is None:
        raise RoomUnknown(f"there is no room {name!r}", next_step=f"one of: {', '.join(BY_KEY)}")
    return room


def show(name: str) -> tuple[Chapter, tuple[ShownSection, ...]]:
    """A chapter and its sections, each with its rows.

    Raises:
        RoomUnknown: ``name`` is not one of ``names()``.
    """
    match name:
        case "ledger":
            return LEDGER_CONTRACT, _sections(LEDGER_CONTRACT, _contract_rows())
        case "match_play":
            rows = tuple(_of_chapter(row) for row in (*COUPON_DUTIES, *match_play.DUTIES))
            return MATCH_PLAY, _sections(MATCH_PLAY, (*rows, *map(doubt_row, match_play.TAINTS)))
        case "general":
            return GENERAL, _sections(GENERAL, tuple(_shown(row) for row in GENERAL_DUTIES))
        case "providers":
            mine = [row for row in PROVIDER_DUTIES if row.cite.edition == SERVICE_PROVIDERS.edition]
            return SERVICE_PROVIDERS, _sections(SERVICE_PROVIDERS, tuple(map(_shown, mine)))
        case _ if name in BY_KEY:
            room = BY_KEY[name]
            return room.law, _sections(room.law, _room_rows(room))
    raise RoomUnknown(f"there is no room {name!r}", next_step=f"one of: {', '.join(names())}")


class OtherTextRow(TypedDict):
    """A further text of a chapter: why it is held; ``letters`` maps paragraphs to its own."""

    source: str
    why: str
    letters: dict[str, str]


class LawShown(TypedDict):
    """A chapter with its rows as plain data; days are ISO, None where no end is set."""

    room: str
    chapter: str
    name: str
    source: str
    since: str
    until: str | None
    continued_as: str | None
    continued_since: str | None
    other_texts: list[OtherTextRow]
    sections: list[dict[str, object]]


def law_show(name: str) -> LawShown:
    """A chapter and its sections as plain data.

    Args:
        name: of a room, or one of the other names that `law show` takes.

    Raises:
        RoomUnknown: there is no such name.
    """
    chapter, shown = show(name)
    edition = chapter.edition
    return {
        "room": name,
        "chapter": edition.chapter,
        "name": chapter.name,
        "source": edition.source,
        "since": edition.since.isoformat(),
        "until": edition.until.isoformat() if edition.until else None,
        "continued_as": edition.continued_as,
        "continued_since": edition.continued_since.isoformat() if edition.continued_since else None,
        "other_texts": [
            {"source": text.source, "why": text.why, "letters": dict(text.letters)}
            for text in other_texts(edition.chapter)
        ],
        "sections": [_section_data(section) for section in shown],
    }


def show_text(name: str) -> str:
    """The same as a page for people."""
    chapter, shown = show(name)
    lines = [title_text(chapter), *textwrap.wrap(edition_text(chapter.edition), WIDTH)]
    for text in other_texts(chapter.edition.chapter):
        lines += textwrap.wrap(f"A further text is held, the {text.source}: {text.why}.", WIDTH)
    lines += [""]
    for section in shown:
        lines += textwrap.wrap(
            f"§ {section.section}  {section.heading}{_also(section.section)}",
            WIDTH,
            subsequent_indent="  ",
        )
        for row in section.rows:
            lines += _indent(f"{row.table:<12}", row.says + _tail(row))
        for demand, where in section.elsewhere:
            lines += _indent(f"{'elsewhere':<12}", f"{demand} Carried by {where}.")
        for demand, why in section.not_modelled:
            lines += _indent(f"{'not modelled':<12}", f"{demand} Reason: {why}")
        lines += [""]
    lines += _steps(BY_KEY[name]) if name in BY_KEY else []
    used = dict.fromkeys(row.reading for section in shown for row in section.rows if row.reading)
    if used:
        lines += ["Readings named above (pitledger law readings has them in full):"]
        for key in used:
            lines += _indent(f"{key}:", reading(key).options[reading(key).choice], step=1)
    return "\n".join(lines).rstrip() + "\n"


def _steps(room: Room) -> list[str]:
    """The order of a round: phase by phase, which facts move it on."""
    lines = ["Order of a round; a fact that has no place in a phase is out of order:"]
    for phase in dict.fromkeys(step.phase for step in room.phases):
        moves = [
            f"{_spaced(step.fact.__name__)} -> {step.then}"
            + (f" [{step.breach}]" if step.breach else "")
            for step in room.phases
            if step.phase == phase
        ]
        lines += _indent(f"{phase}:", "; ".join(moves))
    return [*lines, ""]


def rows_of(room: Room) -> tuple[Row, ...]:
    """Every cited row of a room, table by table."""
    return (
        *room.wagers,
        *room.payouts,
        *room.invalid,
        *room.requirements,
        *room.trials,
        *room.approvals,
        *room.duties,
    )


def _room_rows(room: Room) -> tuple[PrintedRow, ...]:
    """Every row of a room in English, with those of the tables that only this room has."""
    instead = duties_shown_otherwise(room)
    return (*own_tables(room), *(_shown(row) for row in rows_of(room) if row not in instead))


def _sections(chapter: Chapter, rows: Iterable[PrintedRow]) -> tuple[ShownSection, ...]:
    number = chapter.edition.chapter
    headings = sections_of(number)
    by_section: dict[str, list[PrintedRow]] = {section: [] for section in headings}
    for row in rows:
        by_section[CONTINUES.get(row.cite.section, row.cite.section)].append(row)
    elsewhere: dict[str, list[tuple[str, str]]] = {}
    missing: dict[str, list[tuple[str, str]]] = {}
    for carried in coverage_of(number):
        place = carried.obligation.section
        if carried.status is Status.NOT_MODELLED:
            missing.setdefault(place, []).append((carried.obligation.says, carried.why))
        elif not by_section.get(place):
            elsewhere.setdefault(place, []).append((carried.obligation.says, _carriers(carried.by)))
    return tuple(
        ShownSection(
            section=section,
            heading=headings[section],
            rows=tuple(found),
            elsewhere=tuple(elsewhere.get(section, ())),
            not_modelled=tuple(missing.get(section, ())),
        )
        for section, found in by_section.items()
    )


def _of_chapter(row: Duty) -> PrintedRow:
    """A coupons' row; one of a text that is not held says so."""
    shown = _shown(row)
    is_held = row.cite.edition == MATCH_PLAY.edition
    return shown if is_held else replace(shown, says=f"{row.cite}: {shown.says}")


def _carriers(by: tuple[str, ...]) -> str:
    """What carries an obligation, in English: its rows if there are any, else the rest."""
    names = [name.partition(":") for name in by]
    rows = [f"§ {name.partition('#')[0]}" for kind, _, name in names if kind == "row"]
    return ", ".join(dict.fromkeys(rows) or [f"the {kind} {name}" for kind, _, name in names])


def says_of(row: Row) -> str:
    """What a row says, in English."""
    return _shown(row).says


def _shown(row: Row) -> PrintedRow:
    """One row in English."""
    match row:
        case Wager():
            picks = "" if row.picks == ((),) else f"; picks: {picks_text(row.picks)}"
            called = f" (also called {', '.join(row.also_called)})" if row.also_called else ""
            says = f"{_named(row.name)}{called} wins when {row.wins_on}; otherwise it loses{picks}."
            return PrintedRow(table="wager", says=says, cite=row.cite, reading=row.reading)
        case Payout():
            least = "exactly" if row.fixed else "no less than"
            when = "" if row.on == EVERY_WIN else f" ({row.on})"
            says = f"{_named(row.wager)}{when} pays {least} {row.pays}."
            return PrintedRow(table="payout", says=says, cite=row.cite, reading=row.reading)
        case Invalid():
            says = f"{_capital(row.cause)}: it {row.call}; {row.then}."
            return PrintedRow(table="invalid", says=says, cite=row.cite, reading=row.reading)
        case Requirement():
            met = f" ({row.met_by})" if row.met_by is not None else ""
            says = f"{_words(row.subject)}, {_words(row.feature)}: {row.required}{met}."
            return PrintedRow(
                table="requirement", says=says, cite=row.cite, code=row.code, severity=row.severity
            )
        case Trial():
            where = ", if one is at the table" if row.only_if_present else ""
            says = (
                f"Before opening the {_words(row.by)} tries the {_words(row.device)}{where}: "
                f"at least {row.at_least} {row.count}, and it {_words(row.works)}."
            )
            return PrintedRow(table="trial", says=says, cite=row.cite)
        case Approval():
            bureaus = " and ".join(_words(name) for name in row.bureaus)
            says = f"{_capital(_words(row.kind))}: approved by {bureaus}."
            return PrintedRow(table="approval", says=says, cite=row.cite, severity=row.severity)
        case Duty():
            return PrintedRow(
                table="duty",
                says=f"If broken: {_sentence(row.says)}",
                cite=row.cite,
                code=row.code,
                severity=row.severity,
                reading=row.reading,
            )


def _contract_rows() -> tuple[PrintedRow, ...]:
    """The findings that cite the Ledger contract, each under its section."""
    number = LEDGER_CONTRACT.edition.chapter
    return tuple(
        PrintedRow(
            table="finding",
            says=entry.means,
            cite=LEDGER_CONTRACT[place.removeprefix(number)],
            code=entry.code,
        )
        for entry in finding_codes().values()
        for place in entry.chapters
        if place.partition(".")[0] == number
    )


def _section_data(section: ShownSection) -> dict[str, object]:
    return {
        "section": section.section,
        "heading": section.heading,
        "rows": [
            {
                "table": row.table,
                "says": row.says,
                "cite": str(row.cite),
                "part": row.cite.part or None,
                "code": row.code,
                "severity": row.severity,
                "reading": row.reading,
            }
            for row in section.rows
        ],
        "elsewhere": [{"what": what, "by": where} for what, where in section.elsewhere],
        "not_modelled": [{"what": what, "why": why} for what, why in section.not_modelled],
    }


def title_text(chapter: Chapter) -> str:
    """A chapter's name, number and source, as a page is headed."""
    if chapter is LEDGER_CONTRACT:
        return f"{chapter.name}: what this product itself promises about facts, and how it cites it"
    return f"{chapter.name}: 58 Pa. Code § {chapter.edition.chapter} ({chapter.edition.source})"


def edition_text(edition: Edition) -> str:
    """From when to when an edition holds, and which chapter followed, in whole sentences."""
    if edition.chapter == LEDGER_CONTRACT.edition.chapter:
        return "In force on every day."
    followed = f"§ {edition.continued_as}"
    if edition.until is None:
        after = f" {followed} follows it; its text is not held." if edition.continued_as else ""
        return f"In force from {_day(edition.since)}; the text held names no end.{after}"
    after = f" {followed} followed; its text is not held." if edition.continued_as else ""
    if edition.continued_since is not None:
        began = _day(edition.continued_since)
        after = (
            f" No text is known from then to {began}, when {followed} began; its text is not held."
        )
    return f"In force from {_day(edition.since)}; lapsed on {_day(edition.until)}.{after}"


def _also(section: str) -> str:
    """How further texts of the chapter name a section."""
    names = also_named(section)
    return f" [{'; '.join(names)}]" if names else ""


def _tail(row: PrintedRow) -> str:
    code = f"{row.code}, {row.severity}" if row.code and row.severity else row.code or row.severity
    marks = [code, f"reading {row.reading}" if row.reading else None]
    notes = "; ".join(mark for mark in marks if mark)
    return f" [{notes}]" if notes else ""


def _indent(label: str, text: str, step: int = 4) -> list[str]:
    first = f"{' ' * step}{label} "
    rest = " " * (step + 2 if step == 1 else len(first))
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
    )


def _sentence(says: str) -> str:
    """The sentence of a finding with its blanks as dots."""
    for blank in ("{observed}", "{expected}", "{wager}"):
        says = says.replace(blank, "…")
    return says


def _named(wager: str) -> str:
    return f"The wager on {wager}" if wager.isdigit() else wager


def _words(name: str) -> str:
    return name.lower().replace("_", " ")


def _spaced(name: str) -> str:
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _day(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"
