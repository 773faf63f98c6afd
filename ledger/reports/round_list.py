"""The list of rounds, a line each, below the capture level of each table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from ledger.analytics.round_line import RoundLine
from ledger.audit.captured import Captured
from ledger.audit.observed_round import ObservedRound
from ledger.codec import format_time
from ledger.kernel import PropertyClock, dollars, plural
from ledger.replay.fact_marks import Mark
from ledger.reports.capture_words import capture_lines
from ledger.reports.late_facts import mark_data, marked_lines
from ledger.reports.round_footage import footage_data, footage_lines
from ledger.reports.table_style import plain_table
from ledger.rounds.round_status import RoundStatus

WIDE: Final = 110
STYLES: Final = {
    RoundStatus.SETTLED: "green",
    RoundStatus.VOID: "cyan",
    RoundStatus.UNKNOWN: "magenta",
}


def round_row(
    result: RoundLine,
    level: str | None,
    marks: Sequence[Mark] = (),
    footage: ObservedRound | None = None,
) -> dict[str, object]:
    """One round of a list as plain data.

    Args:
        result: the round.
        level: what its table captured that day.
        marks: its facts that came late or that a person added.
        footage: its mark where somebody looked at a recording; None where nobody did.
    """
    return {
        "round": result.round,
        "gaming_day": result.gaming_day.isoformat(),
        "stream": result.stream,
        "game": result.game,
        "capture": level,
        "opened_at": format_time(result.opened_at),
        "wagers": result.wagers,
        "findings": result.findings,
        "status": result.status.value,
        "marked": [mark_data(one) for one in marks],
        "footage": None if footage is None else footage_data(footage),
    }


def wanted_round(result: RoundLine, only: str | None) -> bool:
    """Whether a list shows a round.

    Args:
        result: the round.
        only: "findings" or "unknown" for rounds with findings or that are unknown; None for all.
    """
    match only:
        case "findings":
            return bool(result.findings)
        case "unknown":
            return result.status is RoundStatus.UNKNOWN
        case _:
            return True


def rounds_page(
    captured: Sequence[Captured],
    results: Sequence[RoundLine],
    clock: PropertyClock,
    width: int,
    marks: Sequence[Mark] = (),
    footage: Sequence[ObservedRound] = (),
) -> RenderableType:
    """A list of rounds for people; it begins with what the tables captured.

    Args:
        captured: what each table recorded, by gaming day.
        results: the rounds, in the order in which they are listed.
        clock: the property's, for local times.
        width: of the terminal, in columns; a narrow one leaves out game and stakes.
        marks: facts that were amended or added later, listed below.
        footage: the rounds among them of which somebody looked at a recording, listed below.
    """
    lines = [
        Text(words, style="dim")
        for words in capture_lines((one.table, one.gaming_day, one.level) for one in captured)
    ]
    below = [Text(), *marked_lines(marks, clock)] if marks else []
    below += [Text(), *map(Text, footage_lines(footage))] if footage else []
    return Group(*lines, *([Text()] if lines else []), _list(results, clock, width), *below)


def _list(results: Sequence[RoundLine], clock: PropertyClock, width: int) -> RenderableType:
    if not results:
        return Text("No round found.")
    wide = width >= WIDE
    table = plain_table()
    for name in ("round", "day", "time", *(("game",) if wide else ())):
        table.add_column(name, no_wrap=True)
    table.add_column("outcome", overflow="fold")
    for name in ("wagers", *(("staked",) if wide else ()), "findings"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("status", no_wrap=True)
    for result in results:
        day = result.gaming_day
        findings = result.findings
        table.add_row(
            result.round,
            day.isoformat(),
            clock.time_on(day, result.opened_at),
            *((result.game,) if wide else ()),
            _unknown(result) or _shown(result),
            str(result.wagers),
            *((dollars(result.stake_cents) if result.wagers else "",) if wide else ()),
            Text(str(findings), style="red") if findings else "",
            Text(result.status.value, style=STYLES[result.status]),
        )
    unknown = sum(result.status is RoundStatus.UNKNOWN for result in results)
    findings = sum(result.findings for result in results)
    count = len(results)
    foot = f"{plural(count, 'round')}, {unknown:,} unknown, {plural(findings, 'finding')}."
    return Group(table, Text(), Text(f"{foot} `pitledger round show ROUND` explains a round."))


def _shown(result: RoundLine) -> str:
    """The outcome, and whether facts are missing right after it."""
    since = "" if result.missing_since is None else "; facts are missing right after it"
    return f"{result.shown or ''}{since}"


def _unknown(result: RoundLine) -> str | None:
    """Why a round is unknown, None for one that is not."""
    return result.unknown_because if result.status is RoundStatus.UNKNOWN else None
