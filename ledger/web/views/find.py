"""Find: one search line, and the rounds that it can mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ledger.kernel import plural
from ledger.reports.find_page import search_data, searched_lines
from ledger.search import SearchAnswer, SearchUnclear
from ledger.web.rendering import Answer
from ledger.web.visit import Visit

MOST: Final = 200
LONGEST_LINE: Final = 1_000
NO_PATRON: Final = "the record has no patron"


def empty_search(visit: Visit) -> Answer:
    """The search box alone."""
    return Answer(template="find.html", context=_context(visit, ""), document=[])


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
        "own": visit.path["search"],
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
        "searches": list(reversed(visit.session.searches.items()))[:8],
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
