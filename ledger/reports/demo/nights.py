"""The nights of a demonstration: issues, the restated day, the findings on each report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import date
from pathlib import Path

from ledger.audit import DayAudit
from ledger.casework import Action
from ledger.kernel import Finding
from ledger.kernel.quick_dataclass import dataclass
from ledger.reports.demo.planted import Comparison, Match
from ledger.reports.night.words import ordered

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoNight:
    """One night that was run.

    Attributes:
        audit: of the gaming day.
        actions: on its report, in the order of the report.
        issue: the name of the issue.
        first_line: the report's first line.
        page: the file of the report.
        tree_size: entries of the ledger that the night was run on.
        stands: whether no later issue of the day takes its place.
    """

    audit: DayAudit
    actions: tuple[Action, ...]
    issue: str
    first_line: str
    page: Path
    tree_size: int
    stands: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoRestated:
    """A day that was restated: by what, what was signed of it, and the difference in words."""

    gaming_day: date
    reasons: tuple[str, ...]
    late: tuple[str, ...]
    signed_forms: tuple[str, ...]
    signed_reports: tuple[str, ...]
    differences: tuple[str, ...]


def restated_data(restated: DemoRestated) -> dict[str, object]:
    """A restated day as plain data; ``said`` are the differences in words."""
    fields = asdict(restated)
    fields["said"] = fields.pop("differences")
    return {**fields, "gaming_day": restated.gaming_day.isoformat()}


def night_data(night: DemoNight) -> dict[str, object]:
    """One night as plain data."""
    return {
        "gaming_day": night.audit.gaming_day.isoformat(),
        "issue": night.issue,
        "first_line": night.first_line,
        "findings": len(night.audit.findings),
        "actions": len(night.actions),
        "tree_size": night.tree_size,
        "stands": night.stands,
        "report": str(night.page),
    }


def restated_words(restated: DemoRestated) -> Iterator[str]:
    """The lines about a restated day: the facts behind it, signatures affected, differences."""
    if restated.late:
        named = ", ".join(restated.late[:3])
        more = len(restated.late) - 3
        yield f"changed by {named}" + (f" and {more:,} more" if more > 0 else "")
    if restated.signed_forms:
        yield f"signed forms affected: {', '.join(restated.signed_forms)}"
    if restated.signed_reports:
        signers = ", ".join(restated.signed_reports)
        yield f"the earlier issue was signed by {signers}; the new issue is not signed"
    for line in restated.differences:
        if "outputs that differ" in line:
            names = line.partition(": ")[2].split(", ")
            yield f"outputs that differ: {len(names)}, among them {', '.join(_papers(names)[:4])}"
        else:
            yield line.strip()


def _papers(names: list[str]) -> list[str]:
    """The names of outputs, those that people read first."""
    return sorted(names, key=lambda name: ("/" in name and not name.startswith("forms/"), name))


def key_of(finding: Finding) -> Key:
    """What makes a finding this one, wherever it is read from."""
    return finding.code, finding.certainty, finding.facts, finding.round, finding.wager


def not_on_pages(
    comparison: Comparison, nights: Iterable[tuple[DemoNight, str]]
) -> Iterator[Match]:
    """What was planted and found, and stands on the report of no night, folded by cause.

    Args:
        comparison: what was planted, and what was found of it.
        nights: each night with its report as it was issued.
    """
    printed: set[Key] = set()
    for night, html in nights:
        if night.stands:
            actions = [action for action in night.actions if action.id[:12] in html]
            printed |= {key_of(finding) for action in actions for finding in action.findings}
    for match in comparison.matches:
        if match.finding is not None and key_of(match.finding) not in printed:
            yield match


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """An action, the night it stands in, and the kinds of plants behind it."""

    night: DemoNight
    number: int
    action: Action
    kinds: tuple[str, ...]


def planted_actions(comparison: Comparison, nights: Iterable[DemoNight]) -> Iterator[Planted]:
    """The actions of all nights that hold, in the order of each report, with what was planted."""
    kinds: dict[Key, list[str]] = {}
    for match in comparison.matches:
        if match.finding is not None:
            kinds.setdefault(key_of(match.finding), []).append(match.row["kind"])
    for night in sorted(
        (one for one in nights if one.stands), key=lambda one: one.audit.gaming_day
    ):
        for number, action in enumerate(ordered(night.actions), 1):
            planted = [kind for one in action.findings for kind in kinds.get(key_of(one), ())]
            yield Planted(
                night=night, number=number, action=action, kinds=tuple(dict.fromkeys(planted))
            )
