"""The printed law as pages: chapters, interpretations and findings, from the product's reports.

Each page says what ``pitledger law show``, ``law odds``, ``law readings`` and ``explain`` say, with
every section, finding and interpretation linked to its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby
from typing import Any, Final

from infra.site.event_pages import events_of
from infra.site.markdown import escaped, link, table
from infra.site.pages import Page
from ledger.games import BY_KEY, Room
from ledger.law import CHAPTERS, finding_codes, sections_of
from ledger.law.sections import chapter_of, sections
from ledger.reports.law.finding_codes import law_explain
from ledger.reports.law.odds import law_odds, picks_text
from ledger.reports.law.printed_rows import (
    CONTINUES,
    edition_text,
    law_show,
    names,
    show,
    title_text,
)
from ledger.reports.law.readings import law_readings

FINDINGS: Final = "law/findings.md"
INTERPRETATIONS: Final = "law/interpretations.md"
OVERVIEW: Final = "law/index.md"
_SECTION: Final = re.compile(r"(?:§ )?\b(\w+\.\d+(?:\(\w+\))*)|§ (\w+(?:\(\w+\))*)")


def law_pages() -> list[Page]:
    """The overview, a page for each chapter, the interpretations, the finding codes."""
    chapters = [_chapter_page(name) for name in names()]
    shown = {law_show(name)["chapter"] for name in names()}
    further = [
        _chapter_without_rows(chapter.edition.chapter, chapter.name)
        for chapter in CHAPTERS
        if chapter.edition.chapter not in shown
    ]
    return [_overview(), *chapters, *further, _interpretations(), _findings()]


def chapter_path(number: str) -> str:
    """Where the page of a chapter stands."""
    return f"law/{number}.md"


def anchor_of(section: str) -> str:
    """The anchor of a section on its chapter's page: "s-539-6-b"."""
    return "s-" + re.sub(r"\W+", "-", section).strip("-")


def _section_link(section: str, words: str | None = None) -> str:
    """A link from a page of the law to a section of any chapter."""
    target = f"{chapter_of(section)}.md#{anchor_of(section)}"
    return link(escaped(words or f"§ {section}"), target)


def _linked(text: str) -> str:
    """Text with each section that the index holds made a link, with or without its sign."""
    parts = []
    after = 0
    for place in _SECTION.finditer(text):
        section = place[1] or place[2]
        if section in sections():
            parts += [_between(text[after : place.start()]), _section_link(section, place[0])]
            after = place.end()
    return "".join([*parts, _between(text[after:])])


def _between(text: str) -> str:
    """A part of a sentence as it stands, with the blanks at its ends."""
    before = " " * text.startswith(" ")
    behind = " " * (text.endswith(" ") and text.strip() != "")
    return f"{before}{escaped(text)}{behind}"


def _code_link(code: str) -> str:
    return link(f"`{code}`", f"findings.md#{code}")


def _reading_link(name: str) -> str:
    return link(escaped(name), f"interpretations.md#{name}")


# ---------------------------------------------------------------- chapters


def _overview() -> Page:
    rows = []
    for name in names():
        chapter, shown = show(name)
        number = chapter.edition.chapter
        counts = (str(len(shown)), str(sum(len(section.rows) for section in shown)))
        title = link(escaped(title_text(chapter)), f"{number}.md")
        rows.append((title, escaped(edition_text(chapter.edition)), *counts))
    text = [
        "# The law, as it is modelled",
        "",
        "Each section of a chapter with the rows that rest on it, the findings that a broken row"
        " gives, the interpretations that it uses, and what is not modelled, with the reason:"
        " what counsel checks. The pages are made from the same tables that judge a round;"
        f" `pitledger law show {names()[0]}` prints one of them.",
        "",
        *table(("chapter", "in force", "sections", "rows"), rows),
        f"- {link('Interpretations', 'interpretations.md')}: what the texts leave open, and the"
        " answer used until counsel or the Board decides.",
        f"- {link('Findings', 'findings.md')}: what each code means, and what to do.",
        "",
    ]
    return Page(path=OVERVIEW, title="The law", text="\n".join(text))


def _chapter_page(name: str) -> Page:
    """One chapter: its sections in the order of the text, each with its rows."""
    chapter, _ = show(name)
    law = law_show(name)
    lines = [f"# {escaped(title_text(chapter))}", "", escaped(edition_text(chapter.edition)), ""]
    for text in law["other_texts"]:
        lines += [
            f"A further text is held, the {escaped(text['source'])}: {escaped(text['why'])}.",
            "",
        ]
    for section in law["sections"]:
        lines += _section(section, law["other_texts"])
    if name in BY_KEY:
        lines += [*_order(BY_KEY[name]), *_odds(BY_KEY[name])]
    return Page(path=chapter_path(law["chapter"]), title=law["name"], text="\n".join(lines))


def _chapter_without_rows(number: str, name: str) -> Page:
    """A chapter whose rows stand with those of the chapter that it continues."""
    lines = [f"# {escaped(name)}: 58 Pa. Code § {number}", ""]
    for section, words in sections_of(number).items():
        lines += [_heading(section, words), ""]
        if section in CONTINUES:
            lines += [f"Shown with {_section_link(CONTINUES[section])}, which it continues.", ""]
    return Page(path=chapter_path(number), title=name, text="\n".join(lines))


def _heading(section: str, words: str) -> str:
    depth = 2 if "(" not in section else 3
    return f"{'#' * depth} § {escaped(section)} {escaped(words)} {{#{anchor_of(section)}}}"


def _section(section: Mapping[str, Any], other_texts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A section with its rows, and the answers that they rest on."""
    yield from (_heading(section["section"], section["heading"]), "")
    for text in other_texts:
        name = text["letters"].get(section["section"])
        if name:
            yield from (f"In the {escaped(text['source'])} it is § {name}.", "")
    rows = [
        (
            row["table"],
            _linked(row["says"]),
            _finding_cell(row),
            _reading_link(row["reading"]) if row["reading"] else "",
        )
        for row in section["rows"]
    ]
    for entry in section["elsewhere"]:
        rows.append(("elsewhere", _linked(f"{entry['what']} Carried by {entry['by']}."), "", ""))
    for entry in section["not_modelled"]:
        rows.append(("not modelled", _linked(f"{entry['what']} Reason: {entry['why']}"), "", ""))
    if rows:
        yield from table(("row", "says", "finding", "interpretation"), rows)
    used = dict.fromkeys(row["reading"] for row in section["rows"] if row["reading"])
    for name in used:
        yield f"*{_reading_link(name)}:* {_linked(_register()[name]['choice']['says'])}"
        yield ""


def _finding_cell(row: Mapping[str, Any]) -> str:
    """The finding that a broken row gives, and how severe it is."""
    code = _code_link(row["code"]) if row["code"] else ""
    return f"{code} {row['severity'] or ''}".strip()


def _order(room: Room) -> Iterator[str]:
    """The order of a round: what each fact makes of a phase."""
    yield from ("## Order of a round", "", "A fact that has no row in a phase is out of order.", "")
    places = events_of()
    rows = [
        (
            escaped(str(step.phase)),
            link(
                f"`{step.fact.__name__}`", f"../{places[step.fact.__name__]}#{step.fact.__name__}"
            ),
            escaped(str(step.then)),
            _code_link(step.breach) if step.breach else "",
        )
        for step in room.phases
    ]
    yield from table(("phase", "fact", "then", "finding"), rows)


def _odds(room: Room) -> Iterator[str]:
    """The exact odds of every wager by the odds of the chapter."""
    yield from ("## Exact odds", "", "By the odds of the chapter; every fraction is exact.", "")
    head = ("wager", "pick", "on", "pays", "probability", "house advantage", "section")
    without: dict[str, list[str]] = {}
    alike = groupby(
        law_odds(room),
        key=lambda row: tuple(str(cell) for name, cell in row.items() if name != "pick"),
    )
    rows = []
    for _, lines in alike:
        group = list(lines)
        row = group[0]
        pick = picks_text(tuple(tuple(line["pick"] or ()) for line in group))
        figures = [row["on"], row["pays"], row["probability"] or ""]
        figures.append(_advantage(row["house_edge"]) if row["house_edge"] else "")
        cells = (row["wager"], pick, *figures)
        rows.append((*map(escaped, cells), _linked(row["cite"])))
        if "why" in row:
            without.setdefault(row["why"], []).append(row["wager"])
    yield from table(head, rows)
    for why, wagers in without.items():
        yield from (f"{escaped(', '.join(dict.fromkeys(wagers)))}: {escaped(why)}.", "")


def _advantage(edge: str) -> str:
    """A house advantage as the fraction that it is, and in percent."""
    return f"{edge} ({float(Fraction(edge)):.2%})"


# ---------------------------------------------------------------- interpretations and findings


@cache
def _register() -> Mapping[str, dict[str, Any]]:
    return {str(entry["id"]): entry for entry in law_readings()}


def _interpretations() -> Page:
    """What the texts leave open, chapter by chapter of the first section concerned."""
    still = sum(entry["status"] == "open" for entry in _register().values())
    lines = [
        "# Interpretations",
        "",
        f"{len(_register())} questions that the texts leave open, {still} of them not yet decided"
        " by counsel or the Board. The first answer is the one used; a property may file another"
        " of those listed in its Rules Submission. In code, and in `pitledger law readings`, an"
        " interpretation is called a reading.",
        "",
    ]
    by_chapter: dict[str, list[dict[str, Any]]] = {}
    for entry in _register().values():
        by_chapter.setdefault(chapter_of(entry["used"][0]), []).append(entry)
    titles = {chapter.edition.chapter: chapter.name for chapter in CHAPTERS}
    for number in sorted(by_chapter):
        lines += [f"## § {number} {escaped(titles.get(number, ''))}".rstrip(), ""]
        for entry in by_chapter[number]:
            lines += _interpretation(entry)
    return Page(path=INTERPRETATIONS, title="Interpretations", text="\n".join(lines))


def _interpretation(entry: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"### {escaped(entry['id'])} {{#{entry['id']}}}", "")
    yield from (f"**{_linked(entry['question'])}**", "")
    answers = [
        (entry["choice"], "used"),
        *((other, "may be filed") for other in entry["alternatives"]),
    ]
    rows = [(_linked(answer["says"]), f"`{answer['key']}`", how) for answer, how in answers]
    yield from table(("answer", "key", "status"), rows)
    yield from (f"Effect: {_linked(entry['effect'])}", "")
    places = ", ".join(
        _section_link(section) if section in sections() else escaped(f"§ {section}")
        for section in entry["used"]
    )
    yield from (f"Sections: {places}. Status: {entry['status']}; owner: {entry['owner']}.", "")
    if entry["confirm"]:
        read = f", read {entry['read_on']}" if entry["read_on"] else ""
        source = f"{escaped(entry['address'])}{read}"
        yield from (f"Rests on a text that is not held: {source}; {entry['confirm']}.", "")


def _findings() -> Page:
    """Every finding code in alphabetical order: meaning, what to do, where it rests."""
    lines = [
        "# Findings",
        "",
        f"{len(finding_codes())} codes. A finding is a difference between what happened and what a"
        " rule asks for, or something that cannot be known; `pitledger explain CODE` prints one.",
        "",
    ]
    for letter, codes in groupby(finding_codes(), key=lambda code: code[0].upper()):
        lines += [f"## {letter}", ""]
        for code in codes:
            lines += _finding(law_explain(code))
    return Page(path=FINDINGS, title="Findings", text="\n".join(lines))


def _finding(entry: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"### {escaped(entry['code'])} {{#{entry['code']}}}", "")
    yield from (_linked(entry["means"]), "", f"**What to do.** {_linked(entry['do'])}", "")
    if entry["example"]:
        yield from (f"For example: {_linked(entry['example'])}", "")
    if entry["note"]:
        yield from (f"Note: {_linked(entry['note'])}", "")
    places = [_section_link(place["section"]) for place in entry["sections"]]
    if places:
        yield from (f"Rests on {', '.join(places)}.", "")
