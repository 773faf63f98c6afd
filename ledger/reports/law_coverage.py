"""What of the law is modelled, obligation by obligation, and what is not, with the reason."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from ledger.law import Carried, Status, coverage
from ledger.reports.law_odds import columns

NOT_MODELLED: Final = "not modelled"
COUNTED: Final = ("computed", "attested", NOT_MODELLED)
"""How an obligation is counted, computed first."""


def law_coverage() -> list[dict[str, Any]]:
    """One object per obligation of the lists, in the order of the texts."""
    return [
        {
            "chapter": entry.obligation.chapter,
            "obligation": entry.obligation.id,
            "status": entry.status.value,
            "evidence": entry.evidence.value if entry.evidence else None,
            "by": list(entry.by),
            "tests": list(entry.tests),
            "why": entry.why or None,
        }
        for entry in coverage()
    ]


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
    """Totals per kind, then each obligation that is not modelled with the reason."""
    parts = []
    for chapter in dict.fromkeys(entry.obligation.chapter for entry in coverage()):
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


def _counted(entry: Carried) -> str:
    return entry.evidence.value if entry.evidence else NOT_MODELLED


def _reasons(chapter: str) -> list[str]:
    """One line for each obligation left out; neighbours with the same reason share it."""
    groups: dict[str, list[str]] = {}
    for entry in coverage():
        if entry.status is Status.NOT_MODELLED and entry.obligation.chapter == chapter:
            groups.setdefault(entry.why, []).append(entry.obligation.id)
    return [f"  {', '.join(ids)}: {why}" for why, ids in groups.items()]
