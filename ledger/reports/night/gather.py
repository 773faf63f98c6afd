"""From an audited day to parts of its report: what is unknown, when findings begin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.audit import DayAudit
from ledger.kernel import Certainty, Finding, table_of
from ledger.reports.audit_page import TimeOf
from ledger.reports.night.data import HourCount, Unknown


def unknowns_of(audit: DayAudit) -> tuple[Unknown, ...]:
    """What could not be judged: rounds by table, then findings that are alike in one line each."""
    return (*_rounds(audit), *_findings(audit.findings))


def _rounds(audit: DayAudit) -> Iterator[Unknown]:
    for line in audit.capture:
        missing = line.rounds - line.judged
        if missing > 0:
            what = f"{missing:,} of {line.rounds:,} rounds could not be judged"
            yield Unknown(what=what, where=line.table, count=1)


def _findings(findings: Iterable[Finding]) -> Iterator[Unknown]:
    alike: dict[tuple[str, str, str], list[Finding]] = {}
    for one in findings:
        if one.certainty is Certainty.UNKNOWN:
            pin = one.citations[0].pin if one.citations else ""
            alike.setdefault((table_of(one.stream) or "the ledger", one.code, pin), []).append(one)
    for (table, code, pin), found in sorted(alike.items()):
        single = len(found) == 1
        yield Unknown(
            what=found[0].sentence if single else code.replace("_", " "),
            where=table,
            count=len(found),
            why="" if single else f"for example: {found[0].sentence}",
            section=pin,
        )


def standing_of(audit: DayAudit) -> tuple[str, ...]:
    """Texts that lapsed or went on elsewhere, a line each: the tables that are judged by them."""
    by_text: dict[str, list[str]] = {}
    for table, said in audit.continued.items():
        by_text.setdefault(said, []).append(table)
    return tuple(f"{', '.join(tables)}: {said}" for said, tables in by_text.items())


def hours_of(findings: Iterable[Finding], time_of: TimeOf) -> tuple[HourCount, ...]:
    """How many findings fall into each hour at each table, by the last fact of each."""
    counts: dict[tuple[str, int], int] = {}
    for one in findings:
        at = time_of(one.facts[-1]) if one.facts else None
        if at is not None:
            key = (table_of(one.stream), at - at % 3_600_000_000)
            counts[key] = counts.get(key, 0) + 1
    return tuple(
        HourCount(table=table, begins=begins, count=count)
        for (table, begins), count in sorted(counts.items())
    )
