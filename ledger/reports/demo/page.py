"""The demonstration as a page: every planted irregularity with its action and report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from ledger.audit import DayAudit, TableCapture
from ledger.kernel import PropertyClock, plural
from ledger.reports.audit_page import per_cent, standing_lines
from ledger.reports.demo.nights import DemoNight, planted_actions, restated_words
from ledger.reports.demo.text import Demo
from ledger.reports.font import with_font
from ledger.reports.night import words
from ledger.reports.night.page import halves
from ledger.reports.night.template import style, template
from ledger.reports.paper import Paper


def demo_html(done: Demo, clock: PropertyClock, paper: Paper = Paper.LETTER) -> str:
    """The demonstration as one self-contained page beside the nights."""
    planted = list(planted_actions(done.comparison, done.nights))
    nights = [one for one in done.nights if one.audit.rounds or one.audit.findings]
    matches = [match for match in done.comparison.matches if match.detectable]
    context: dict[str, object] = {
        "style": style(),
        "paper": paper,
        "done": done,
        "nights": nights,
        "played": sum(one.stands and one.audit.rounds > 0 for one in nights),
        "capture": halves(captured(done.audits)),
        "law": _law(done.audits),
        "planted": planted,
        "kinds": len({match.row["kind"] for match in matches}),
        "found": sum(match.finding is not None for match in matches),
        "hidden": [match for match in done.comparison.matches if not match.detectable],
        "restated": [] if done.restated is None else list(restated_words(done.restated)),
        "link": lambda night: link(done, night),
        "when": lambda action: words.when(action, clock),
        "clipped": words.clipped,
        "counted": plural,
        "not_covered": words.not_covered(done.audits[-1].capture if done.audits else ()),
        "per_cent": per_cent,
    }
    return with_font(template("page.html", "ledger.reports.demo").render(context))


def _law(audits: Sequence[DayAudit]) -> list[str]:
    """The status of each regulation text, once where all days agree."""
    lines = (line.plain.strip() for audit in audits for line in standing_lines(audit.standing))
    return list(dict.fromkeys(lines))


def link(done: Demo, night: DemoNight) -> str:
    """The report of a night as it is reached from the page of the demonstration."""
    return night.page.relative_to(PurePath(done.report).parent).as_posix()


def captured(audits: Sequence[DayAudit]) -> list[dict[str, object]]:
    """Each table with its capture level and how much of it could be judged, over all days."""
    lines: dict[str, list[TableCapture]] = {}
    for audit in audits:
        for line in audit.capture:
            lines.setdefault(line.table, []).append(line)
    return [
        {
            "table": table,
            "game": mine[-1].game or "unknown",
            "level": mine[-1].level or "not stated",
            "days": len(mine),
            "rounds": sum(one.rounds for one in mine),
            "judged": sum(one.judged for one in mine),
        }
        for table, mine in sorted(lines.items())
    ]
