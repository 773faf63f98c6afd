"""The nights: which reports stand, whether the record was ready, what changed between issues."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import partial
from itertools import pairwise
from typing import Final

from ledger.audit import day_of
from ledger.kernel import UsageError
from ledger.law import acts
from ledger.log.signed_file_index import Seals
from ledger.night import (
    Issue,
    Phase,
    State,
    changes,
    changes_in_words,
    issues,
    readiness,
    signatures_of,
)
from ledger.reports.night.words import round_file
from ledger.web.patrons import patrons_in
from ledger.web.rendering import Answer, Download, printed_page
from ledger.web.views.money import DayUnreadable, day_of_text
from ledger.web.visit import Visit

MOST_NIGHTS: Final = 62
MOST_NAMED: Final = 20
"""So many names of what changed stand in a line; more of them are folded."""
PAGE: Final = "report.html"
_ROUND_LINK: Final = re.compile(r'href="rounds/([^"]+)"')
_SIGNING: Final = {"preparer": "prepare report", "approver": "approve report"}
_PHASES: Final = (Phase.PRELIMINARY, Phase.FINAL)


class NoSuchReport(UsageError):
    """There is no such issue of a report."""

    code = "no_such_report"


def nights(visit: Visit) -> Answer:
    """The gaming days, the last one first, with the reports that stand and who signed them.

    Raises:
        ReadModelMissing: nothing can be listed yet.
    """
    days = visit.record.gaming_days()[:MOST_NIGHTS]
    rows = []
    for day in days:
        of_day = issues_of(visit, day)
        last = of_day[-1] if of_day else None
        rows.append(
            {
                "gaming_day": str(day),
                "report": last.path.name if last else None,
                "issues": len(of_day),
                "sealed": last.is_sealed if last else None,
                "broken": last.manifest["findings"]["broken"] if last else None,
                "unknown": last.manifest["findings"]["unknown"] if last else None,
                "signed": [each["signed_as"] for each in _signatures(visit, last)] if last else [],
            }
        )
    context = {"title": "Night", "nights": rows}
    return Answer(template="nights.html", context=context, document=rows, rows=rows)


def night(visit: Visit) -> Answer:
    """One gaming day: its readiness now, its issues and what changed between them, signatures.

    Raises:
        DayUnreadable: the address names no day.
    """
    day, clock = _day(visit), visit.record.property_clock
    record = visit.record
    make = partial(readiness, record.replay, record.judged.record, day_of(clock, day))
    ready = record.of_facts("readiness", day, make)
    of_day = issues_of(visit, day)
    last_final = next((each for each in reversed(of_day) if _is_final(each)), None)
    signatures = [signed for each in of_day for signed in _signatures(visit, each)]
    lines = [line.plain() for line in ready.lines]
    context = {
        "title": f"Night of {day}",
        "section": "Night",
        "day": day,
        "first_line": ready.first_line(clock),
        "lines": ready.lines,
        "open_lines": [line for line in ready.lines if line.state is not State.READY],
        "ready_lines": [line for line in ready.lines if line.state is State.READY],
        "unknown": len(ready.unknown),
        "issues": [_issue_row(each) for each in of_day],
        "differences": list(_differences(of_day)),
        "signatures": signatures,
        "final": last_final.path.name if last_final else None,
        "functions": _functions(visit) if last_final and last_final.is_sealed else [],
    }
    document = {
        "gaming_day": str(day),
        "closed": ready.closed,
        "readiness": lines,
        "issues": [_issue_row(each) for each in of_day],
        "signatures": signatures,
    }
    return Answer(template="night.html", context=context, document=document, rows=lines)


def report(visit: Visit) -> Download:
    """The page of an issue, in which letters stand for patrons; its rounds lead to the desk's.

    Raises:
        DayUnreadable, NoSuchReport: there is none.
        IssueDamaged: it is not what was issued.
        ReadModelMissing: who is named cannot be put behind a letter yet, so nothing is shown.
    """
    day, wanted = _day(visit), visit.path["issue"]
    issue = next((each for each in issues_of(visit, day) if each.path.name == wanted), None)
    if issue is None:
        raise NoSuchReport("There is no such report.", next_step="Choose one of the list.")
    issue.check(PAGE)
    text = (issue.path / PAGE).read_text(encoding="utf-8")
    select = "SELECT DISTINCT patron FROM wagers WHERE gaming_day = ? AND patron IS NOT NULL"
    named = [row["patron"] for row in visit.record.rows(select, [day], [day])]
    rounds = "SELECT round FROM rounds WHERE gaming_day = ?"
    by_file = {
        round_file(row["round"]): row["round"] for row in visit.record.rows(rounds, [day], [day])
    }
    linked = _ROUND_LINK.sub(
        lambda link: (
            f'href="/round/{by_file[link[1]].replace(":", "%3A")}"' if link[1] in by_file else ""
        ),
        text,
    )
    return printed_page(patrons_in([], named).masked(linked))


def _day(visit: Visit) -> date:
    day = day_of_text(visit.path["day"])
    if day is None:
        raise DayUnreadable("This is no gaming day.", next_step="Choose one of the list.")
    return day


def issues_of(visit: Visit, day: date) -> list[Issue]:
    """Return the issues of a day, preliminary ones first."""
    seals = Seals.of(visit.record.folder)
    return [each for phase in _PHASES for each in issues(visit.nights, day, phase, seals)]


def _functions(visit: Visit) -> list[str]:
    """As what the person may sign a report at all; whom it is about is asked when it is signed."""
    roster, at = visit.record.roster, visit.record.clock()
    return [
        name
        for name in ("preparer", "approver")
        if roster.bar(acts()[_SIGNING[name]], visit.session.person, at) is None
    ]


def _is_final(issue: Issue) -> bool:
    return bool(issue.manifest["phase"] == Phase.FINAL.value)


def _issue_row(issue: Issue) -> dict[str, object]:
    findings = issue.manifest["findings"]
    return {
        "issue": issue.path.name,
        "sealed": issue.is_sealed,
        "tree_size": issue.manifest["tree_size"],
        "broken": findings["broken"],
        "unknown": findings["unknown"],
        "manifest": issue.digest.hex(),
    }


def _signatures(visit: Visit, issue: Issue) -> list[dict[str, object]]:
    """Who signed an issue, in the order of the record."""
    clock = visit.record.property_clock
    return [
        {
            "issue": issue.path.name,
            "signed_as": fact.signed_as.value.lower(),
            "name": fact.printed_name,
            "person": fact.person,
            "at": f"{clock.local(fact.signed_time):%Y-%m-%d %H:%M}",
        }
        for fact in signatures_of(visit.record.replay)
        if fact.manifest_sha256 == issue.digest
    ]


def _differences(of_day: list[Issue]) -> Iterator[list[tuple[str, str]]]:
    """What changed from each issue of a phase to the next one, as ``folded`` lines."""
    for phase in _PHASES:
        of_phase = [each for each in of_day if each.manifest["phase"] == phase.value]
        for older, newer in pairwise(of_phase):
            words = changes_in_words(changes(older.manifest, newer.manifest))
            yield [folded(line.strip()) for line in words]


def folded(line: str) -> tuple[str, str]:
    """Return a line, and apart from it the names in it where they are too many to be read along.

    >>> folded("facts that came: SB-01:7, SB-01:9")
    ('facts that came: SB-01:7, SB-01:9', '')
    >>> folded("outputs that differ: " + ", ".join(f"rounds/{n}.html" for n in range(40)))[0]
    'outputs that differ: 40'
    """
    words, _, names = line.partition(": ")
    count = names.count(", ") + 1
    return (f"{words}: {count:,}", names) if count > MOST_NAMED else (line, "")
