"""The parts of a report that come from the audit: what is unknown, when findings begin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.audit import DayAudit
from ledger.kernel import Certainty, Finding, plural, table_of
from ledger.reports.audit_page import TimeOf
from ledger.reports.night.report_data import HourCount, Unknown


def unknowns_of(audit: DayAudit) -> tuple[Unknown, ...]:
    """What could not be judged: rounds by table, then findings that are alike in one line each."""
    return (*_rounds(audit), *_findings(audit.findings))


def _rounds(audit: DayAudit) -> Iterator[Unknown]:
    for line in audit.capture:
        missing = line.rounds - line.judged
        if missing > 0:
            unjudged = f"{missing:,} of {plural(line.rounds, 'round')} could not be judged"
            yield Unknown(sentence=unjudged, where=line.table, count=1)


def _findings(findings: Iterable[Finding]) -> Iterator[Unknown]:
    alike: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in findings:
        if finding.certainty is Certainty.UNKNOWN:
            pin = finding.citations[0].pin if finding.citations else ""
            key = (table_of(finding.stream) or "the ledger", finding.code, pin)
            alike.setdefault(key, []).append(finding)
    for (table, code, pin), group in sorted(alike.items()):
        single = len(group) == 1
        yield Unknown(
            sentence=group[0].sentence if single else code.replace("_", " "),
            where=table,
            count=len(group),
            why="" if single else f"for example: {group[0].sentence}",
            section=pin,
        )


def standing_of(audit: DayAudit) -> tuple[str, ...]:
    """Texts that lapsed or continued as another chapter, each with the tables judged by it."""
    by_text: dict[str, list[str]] = {}
    for table, remark in audit.continued.items():
        by_text.setdefault(remark, []).append(table)
    return tuple(
        f"{', '.join(tables)}: judged by chapter {remark}" for remark, tables in by_text.items()
    )


def hours_of(findings: Iterable[Finding], time_of: TimeOf) -> tuple[HourCount, ...]:
    """How many findings fall into each hour at each table, by the last fact of each."""
    counts: dict[tuple[str, int], int] = {}
    for finding in findings:
        at = time_of(finding.facts[-1]) if finding.facts else None
        if at is not None:
            key = (table_of(finding.stream), at - at % 3_600_000_000)
            counts[key] = counts.get(key, 0) + 1
    return tuple(
        HourCount(table=table, begins=begins, count=count)
        for (table, begins), count in sorted(counts.items())
    )
