"""The law: a chapter's rows beside its sections, coverage, interpretations, odds."""

from __future__ import annotations

from functools import cache

from ledger.games import BY_KEY
from ledger.kernel import Citation
from ledger.law import coverage, texts_of
from ledger.reports.law.coverage import COUNTED, law_coverage, totals
from ledger.reports.law.odds import law_odds
from ledger.reports.law.printed_rows import (
    edition_text,
    law_show,
    names,
    room_named,
    show,
    title_text,
)
from ledger.reports.law.readings import law_readings
from ledger.web.rendering import Answer
from ledger.web.visit import Visit


def chapters(_visit: Visit) -> Answer:
    """The chapters that the rules are made of."""
    listed = [(name, show(name)[0]) for name in names()]
    document = [{"chapter": name, "name": each.name} for name, each in listed]
    context = {"title": "Law", "chapters": listed, "with_odds": frozenset(BY_KEY)}
    return Answer(template="law.html", context=context, document=document, rows=document)


def chapter(visit: Visit) -> Answer:
    """A chapter's rows beside the text of its sections, and what of each no row carries.

    Raises:
        RoomUnknown: there is no such chapter.
    """
    name = visit.path["chapter"]
    text, sections = show(name)
    document = law_show(name)
    used = {row.reading for section in sections for row in section.rows if row.reading}
    context = {
        "title": f"Law: {text.name}",
        "section": "Law",
        "name": name,
        "head": title_text(text),
        "edition": edition_text(text.edition),
        "sections": sections,
        "texts": (texts := texts_of(text.edition.chapter)),
        "answers": [(each["id"], each["choice"]) for each in law_readings() if each["id"] in used],
        "has_odds": name in BY_KEY,
    }
    rows = [
        {**section, "text": "\n".join(texts.get(str(section["section"]), ()))}
        for section in document["sections"]
    ]
    return Answer(template="law_chapter.html", context=context, document=document, rows=rows)


def place_of(citation: Citation) -> str | None:
    """Return where a section stands on these pages, with its text; None where it does not."""
    place = _places().get((citation.edition.chapter, citation.section))
    return place and f"/law/{place}#s{citation.section}"


@cache
def _places() -> dict[tuple[str, str], str]:
    """The page of each section, by chapter and section."""
    shown = ((name, *show(name)) for name in names())
    return {
        (text.edition.chapter, each.section): name
        for name, text, sections in shown
        for each in sections
    }


def coverage_page(_visit: Visit) -> Answer:
    """How much of each list of obligations is computed, attested, or not modelled, and why not."""
    document = law_coverage()
    chapters_ = tuple(dict.fromkeys(entry.obligation.chapter for entry in coverage()))
    sums = [(chapter, _sums(chapter)) for chapter in chapters_]
    context = {
        "title": "Coverage of the law",
        "section": "Law",
        "kinds": COUNTED,
        "sums": [*sums, ("all lists", _sums(None))],
        "missing": [
            (entry.obligation.id, entry.obligation.says, entry.why)
            for entry in coverage()
            if entry.status.value == "not modelled"
        ],
    }
    return Answer(template="law_coverage.html", context=context, document=document, rows=document)


def interpretations(_visit: Visit) -> Answer:
    """What the texts leave open: the question, our answer, the others, and the effect on money."""
    document = law_readings()
    context = {"title": "Interpretations", "section": "Law", "readings": document}
    return Answer(template="law_readings.html", context=context, document=document, rows=document)


def odds(visit: Visit) -> Answer:
    """The exact odds of a game's wagers at the least odds that its chapter allows.

    Raises:
        RoomUnknown: there is no such game.
    """
    name = visit.path["chapter"]
    text, _ = show(room_named(name).key)
    document = _odds(name)
    context = {
        "title": f"Odds: {text.name}",
        "section": "Law",
        "name": name,
        "lines": document,
    }
    return Answer(template="law_odds.html", context=context, document=document, rows=document)


@cache
def _odds(name: str) -> list[dict[str, object]]:
    """Worked out once: outcomes are counted one by one."""
    return [dict(line) for line in law_odds(room_named(name))]


def _sums(chapter: str | None) -> list[int]:
    by_kind = totals(chapter).values()
    return [sum(counts[name] for counts in by_kind) for name in COUNTED]
