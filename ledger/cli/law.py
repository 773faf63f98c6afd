"""Commands that print the law as data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

from cyclopts import Parameter

from ledger.cli.options import OPTIONS, Options
from ledger.cli.output import emit, emit_json, emit_list

if TYPE_CHECKING:
    from ledger.games import Room
    from ledger.games.room import Filed


def law_show(
    room: str,
    /,
    *,
    guide: Annotated[bool, Parameter(name="--guide", negative="")] = False,
    paytable: Annotated[str, Parameter(name="--paytable")] = "floor",
    day: Annotated[date | None, Parameter(name="--day", show_default=False)] = None,
    options: Options = OPTIONS,
) -> int:
    """Print every row of a room beside the section that it rests on.

    Args:
        room: the folder name of a game, match_play, general (chapter 521), providers (chapter 528)
            or ledger (the Ledger contract); an unknown name lists them all.
        guide: draft the gaming guide of 521.9(b) instead; it needs approval under 521.9(c).
        paytable: for the guide: the Rules Submission whose odds it shows.
        day: for the guide: the gaming day whose law is asked for.
    """
    from ledger.reports import law_show as show_data
    from ledger.reports import show_text

    if guide:
        return _guide(room, paytable, day, options)
    if options.is_json:
        emit_json(show_data(room))
    else:
        emit(show_text(room))
    return 0


def _guide(room: str, paytable: str, day: date | None, options: Options) -> int:
    from ledger.reports import guide, guide_data, guide_text, law_day, room_named

    chosen = room_named(room)
    on = law_day(chosen, day)
    filed = None if paytable == "floor" else _paytable(chosen, paytable, options)
    drafted = guide(chosen, filed, on)
    if options.is_json:
        emit_json(guide_data(drafted))
    else:
        emit(guide_text(drafted))
    return 0


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class OddsOptions:
    """Which ledger, and in what form the odds are wanted."""

    ledger: Annotated[Path | None, Parameter(name="--ledger", show_default=False)] = None
    """Folder of the ledger, where a filed paytable is asked for."""

    format: Annotated[Literal["text", "json", "html", "csv"], Parameter(name="--format")] = "text"
    """For people (text), for scripts (json), or a page to file under 521.4(1)(ii) (html, csv)."""


ODDS_OPTIONS: Final = OddsOptions()


def law_odds(
    room: str,
    /,
    *,
    paytable: Annotated[str, Parameter(name="--paytable")] = "floor",
    day: Annotated[date | None, Parameter(name="--day", show_default=False)] = None,
    recount: Annotated[bool, Parameter(name="--recount", negative="")] = False,
    options: OddsOptions = ODDS_OPTIONS,
) -> int:
    """Print exact odds of every wager of a room: true odds, payout odds, house advantage.

    Args:
        room: the folder name of a game; an unknown name lists them all.
        paytable: floor for the odds of the chapter, a paytable that it names (such as B), or a
            Rules Submission in the ledger.
        day: the gaming day whose law is asked for; default the first of the edition held.
        recount: where a game has stored counts, count them again and compare.
    """
    from ledger.cli.settings import load
    from ledger.reports import exhibit, exhibit_csv, exhibit_html, exhibit_text, law_day, room_named
    from ledger.reports import law_odds as odds_data

    chosen = room_named(room)
    if recount:
        return _recounted(chosen)
    on = law_day(chosen, day)
    place = Options(ledger=options.ledger)
    filed = None if paytable == "floor" else _paytable(chosen, paytable, place)
    match options.format:
        case "json":
            emit_list(odds_data(chosen, filed, on))
        case "csv":
            emit(exhibit_csv(exhibit(chosen, filed, on)))
        case "html":
            emit(exhibit_html(exhibit(chosen, filed, on), load().printed_on))
        case _:
            emit(exhibit_text(exhibit(chosen, filed, on)))
    return 0


def _paytable(room: Room, name: str, options: Options) -> Filed:
    """A paytable of the chapter by its name, else the submission of that name in the ledger."""
    from ledger.cli.filed_paytables import filed_paytable
    from ledger.reports import chapter_paytables

    own = chapter_paytables(room).get(name)
    return own or filed_paytable(options.folder, room, name)


def _recounted(room: Room) -> int:
    from ledger.cli.errors import CommandWrong
    from ledger.reports import recount_text

    if room.printed.recount is None:
        raise CommandWrong(f"{room.key} has no stored count", "pitledger law odds")
    recount = room.printed.recount()
    emit(recount_text(recount))
    return 0 if recount.agrees else 4


def law_readings(*, options: Options = OPTIONS) -> int:
    """Print the register of readings: what the texts leave open, and what we decided."""
    from ledger.reports import law_readings as readings_data
    from ledger.reports import readings_text

    if options.is_json:
        emit_list(readings_data())
    else:
        emit(readings_text())
    return 0


def law_coverage(*, options: Options = OPTIONS) -> int:
    """Print which obligations are computed, attested or not modelled, and why."""
    from ledger.reports import coverage_text
    from ledger.reports import law_coverage as coverage_data

    if options.is_json:
        emit_list(coverage_data())
    else:
        emit(coverage_text())
    return 0
