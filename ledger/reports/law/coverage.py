"""What of the law is modelled, obligation by obligation, and what is not, with the reason."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Final

from ledger.games import ROOMS
from ledger.games.room import Approval, Requirement, Trial
from ledger.law import Carried, Evidence, Status, coverage
from ledger.reports.law.odds import columns
from ledger.reports.law.printed_rows import rows_of

NOT_MODELLED: Final = "not modelled"
COUNTED: Final = ("computed", "attested", NOT_MODELLED)
"""How an obligation is counted, computed first."""


def law_coverage() -> list[dict[str, object]]:
    """One object per obligation of the lists, in the order of the texts."""
    return [
        {
            "chapter": entry.obligation.chapter,
            "obligation": entry.obligation.id,
            "status": entry.status.value,
            "evidence": evidence.value if (evidence := evidence_of(entry)) else None,
            "by": list(entry.by),
            "tests": list(entry.tests),
            "why": entry.why or None,
        }
        for entry in coverage()
    ]


def evidence_of(entry: Carried) -> Evidence | None:
    """What an obligation rests on; what a person ticked off is attested, whatever the list says."""
    rows = [word.removeprefix("row:") for word in entry.by if word.startswith("row:")]
    ticked = bool(rows) and all(row in _ticked() for row in rows)
    if entry.evidence is Evidence.COMPUTED and ticked:
        return Evidence.ATTESTED
    return entry.evidence


@cache
def _ticked() -> frozenset[str]:
    """Rows held against inspections, trials and approvals alone, as a citation names them."""
    ticked: set[str] = set()
    others: set[str] = set()
    for room in ROOMS:
        for row in rows_of(room):
            part = f"#{row.cite.part}" if row.cite.part else ""
            rows = ticked if isinstance(row, Requirement | Trial | Approval) else others
            rows.add(f"{row.cite.section}{part}")
    return frozenset(ticked - others)


def totals(chapter: str | None = None) -> dict[str, dict[str, int]]:
    """How many obligations of each kind are computed, attested, not modelled."""
    counts = Counter(
        (entry.obligation.kind, _counted(entry))
        for entry in coverage()
        if chapter in (None, entry.obligation.chapter)
    )
    kinds = dict.fromkeys(kind for kind, _ in counts)
    return {kind: {name: counts[kind, name] for name in COUNTED} for kind in sorted(kinds)}


def coverage_text() -> str:
    """Totals per list, then per kind, and each obligation that is not modelled with the reason."""
    chapters = tuple(dict.fromkeys(entry.obligation.chapter for entry in coverage()))
    parts = [_by_list(chapters)]
    for chapter in chapters:
        by_kind = totals(chapter)
        sums = [sum(counts[name] for counts in by_kind.values()) for name in COUNTED]
        body = [
            (kind, *(str(counts[name]) for name in COUNTED), str(sum(counts.values())))
            for kind, counts in by_kind.items()
        ]
        body.append(("together", *map(str, sums), str(sum(sums))))
        head = ("kind", *COUNTED, "together")
        parts.append(f"Chapter {chapter}\n\n{columns(head, body)}")
        parts.append("\n".join(["Not modelled, and why:", *_reasons(chapter)]) + "\n")
    note = (
        "Computed: derived from independent facts. Attested: a person recorded it, and we check"
        " who, when, and that it is not overdue.\n"
    )
    return "\n".join([note, *parts])


def _by_list(chapters: tuple[str, ...]) -> str:
    """How much of each list is carried, and of all together."""
    body: list[tuple[str, ...]] = []
    for name, chapter in [*((f"§ {number}", number) for number in chapters), ("all lists", None)]:
        by_kind = totals(chapter).values()
        sums = [sum(counts[count] for counts in by_kind) for count in COUNTED]
        body.append((name, *map(str, sums), str(sum(sums))))
    return columns(("list", *COUNTED, "together"), body)


def _counted(entry: Carried) -> str:
    evidence = evidence_of(entry)
    return evidence.value if evidence else NOT_MODELLED


def _reasons(chapter: str) -> list[str]:
    """One line for each obligation left out; neighbours with the same reason share it."""
    groups: dict[str, list[str]] = {}
    for entry in coverage():
        if entry.status is Status.NOT_MODELLED and entry.obligation.chapter == chapter:
            groups.setdefault(entry.why, []).append(entry.obligation.id)
    return [f"  {', '.join(ids)}: {why}" for why, ids in groups.items()]
