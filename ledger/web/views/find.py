"""Find: one search line, and the rounds that it can mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Final

from ledger.audit import DayUnknown, day_of
from ledger.kernel import plural
from ledger.night import readiness
from ledger.reports.find_page import search_data, searched_lines
from ledger.search import SearchAnswer, SearchUnclear
from ledger.web.floor_strip import (
    PARAMETERS,
    ROUNDS,
    STEP_MINUTES,
    StripCell,
    StripSpan,
    strip_cells,
    strip_spans,
    strip_svg,
)
from ledger.web.record import ReadModelMissing
from ledger.web.rendering import Answer
from ledger.web.sessions import TYPING
from ledger.web.views.money import DayUnreadable, day_of_text
from ledger.web.visit import Visit

MOST: Final = 200
MOST_DAYS: Final = 14
"""Gaming days that the strip offers to go to."""
LONGEST_LINE: Final = 1_000
NO_PATRON: Final = "the record has no patron"


def empty_search(visit: Visit) -> Answer:
    """The search box above the tables of the last gaming day by time; ``?day=`` chooses it.

    Raises:
        DayUnreadable: the day that was asked for is no date.
    """
    context = _context(visit, "")
    day, cells, spans = strip_of(visit)
    if day is not None:
        context["strip"] = strip_svg(cells, visit.record.property_clock, day, spans)
        context["marked"] = [cell for cell in cells if cell.is_marked]
        context["day"] = day
        context["days"] = visit.record.gaming_days()[:MOST_DAYS]
        context["behind"] = visit.record.behind
    rows = [cell.plain() for cell in cells]
    document = {"gaming_day": str(day) if day else None, "cells": rows}
    return Answer(template="find.html", context=context, document=document, rows=rows)


def strip_of(visit: Visit) -> tuple[date | None, list[StripCell], list[StripSpan]]:
    """The gaming day that is asked for, and its half hours; none before there is a read model.

    Raises:
        DayUnreadable: the day that was asked for is no date.
        DayUnknown: the record has nothing of that day.
    """
    record, asked = visit.record, day_of_text(visit.query.get("day"))
    try:
        days = record.gaming_days()
    except ReadModelMissing:
        return None, [], []
    if not days:
        return None, [], []
    if asked is not None and asked not in days:
        raise DayUnknown(
            f"The record has nothing of the gaming day {asked}.",
            next_step=f"Its gaming days: {days[-1]} to {days[0]}.",
        )
    day = asked or days[0]
    return day, *record.of_facts("strip", day, lambda: _strip(visit, day), has_rows=True)


def _strip(visit: Visit, day: date) -> tuple[list[StripCell], list[StripSpan]]:
    record, clock = visit.record, visit.record.property_clock
    rows = record.rows(ROUNDS, [*PARAMETERS, day], [day])
    ready = readiness(record.replay, record.judged.record, day_of(clock, day))
    return strip_cells(rows, ready, clock, day), strip_spans(ready, clock, day)


def at_moment(visit: Visit) -> Answer:
    """The rounds of a table within a half hour, as a mark of the strip leads to them.

    Raises:
        DayUnreadable: the address names no day or time.
    """
    day = day_of_text(visit.path["day"])
    try:
        begins = datetime.combine(date.min, time.fromisoformat(visit.path["time"]))
    except ValueError as error:
        raise DayUnreadable(
            "This is no time of day.", next_step="Go back to the tables."
        ) from error
    ends = begins + timedelta(minutes=STEP_MINUTES)
    return _found(visit, f"{visit.path['table']} {day} {begins:%H:%M}-{ends:%H:%M}", None)


def results(visit: Visit) -> Answer:
    """The rounds that a search of this session found; a page without any says where was looked."""
    line = visit.session.searches.get(visit.path["search"])
    if line is None:
        context = _context(visit, "") | {
            "problem": "This search is not known any more.",
            "hint": "Searches are kept only while you are signed in. Enter it again.",
        }
        return Answer(template="find.html", context=context, document=[], status=404)
    if len(line) > LONGEST_LINE:
        context = _context(visit, "") | {
            "problem": "This is longer than a search line can be.",
            "hint": f"Use at most {LONGEST_LINE:,} characters.",
        }
        return Answer(template="find.html", context=context, document=[], status=400)
    if not line.strip():
        return empty_search(visit)
    return _found(visit, line, visit.path["search"])


def _found(visit: Visit, line: str, own: str | None) -> Answer:
    """What a search line finds; ``own`` is the name under which the session keeps it."""
    try:
        answer = _masked(visit, visit.record.find(line, MOST))
    except SearchUnclear as error:
        context = _context(visit, line)
        context |= {"problem": error.problem, "hint": error.cause or error.next_step}
        return Answer(template="find.html", context=context, document=[], status=400)
    context = _context(visit, line) | {
        "answer": answer,
        "count": plural(answer.total, "round"),
        "lines": [] if answer.hits else searched_lines(answer.searched),
        "behind": visit.record.behind,
        "own": own,
    }
    document = search_data(answer)
    return Answer(template="find.html", context=context, document=document, rows=_rows(answer))


def _masked(visit: Visit, answer: SearchAnswer) -> SearchAnswer:
    """The answer without references of patrons, but in rounds of which a look is recorded.

    No name near to one that was asked for is told either: to guess is no look.
    """
    hits = tuple(
        hit
        if visit.shows(f"round {hit.round}")
        else replace(hit, wagers=tuple(replace(wager, patron=None) for wager in hit.wagers))
        for hit in answer.hits
    )
    hints = tuple(
        hint.partition(";")[0] if hint.startswith(NO_PATRON) else hint for hint in answer.hints
    )
    return replace(answer, hits=hits, hints=hints)


def _context(visit: Visit, line: str) -> dict[str, object]:
    return {
        "title": "Find",
        "line": line,
        "answer": None,
        "problem": None,
        "hint": None,
        "behind": 0,
        "own": None,
        "searches": [
            (name, line)
            for name, line in reversed(visit.session.searches.items())
            if name != TYPING
        ][:8],
        "strip": None,
    }


def _rows(answer: SearchAnswer) -> Iterator[dict[str, object]]:
    """A row for each wager that matched, or for the round where none was asked for."""
    for hit in answer.hits:
        head: dict[str, object] = {
            "round": hit.round,
            "gaming_day": hit.gaming_day.isoformat(),
            "table": hit.table,
            "game": hit.game,
            "opened": hit.opened.isoformat(),
            "closed": hit.closed.isoformat() if hit.closed else None,
            "status": hit.status,
            "shown": hit.shown,
            "findings": hit.codes,
        }
        for wager in hit.wagers:
            yield head | {name: getattr(wager, name) for name in wager.__dataclass_fields__}
        if not hit.wagers:
            yield head
