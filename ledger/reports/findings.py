"""Findings for scripts and for people: plain data, and alike ones folded into one line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger.kernel import Certainty, Finding, Severity, dollars
from ledger.kernel.quick_dataclass import dataclass

SEVERITIES: Final = tuple(reversed(Severity))
"""The gravest first."""
STYLES: Final = {
    Severity.CRITICAL: "bold red",
    Severity.HIGH: "red",
    Severity.MEDIUM: "yellow",
    Severity.LOW: "cyan",
    Severity.INFO: "dim",
}


def finding_data(finding: Finding) -> dict[str, object]:
    """One finding as plain data.

    ``effect_cents`` is positive where the house lost, negative where a patron did, null where no
    amount is known; ``facts`` are the stream and sequence number of each fact behind it.
    """
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "certainty": finding.certainty.value,
        "sentence": finding.sentence,
        "citations": [
            {
                "section": cite.section,
                "edition": cite.edition.source,
                "text": cite.on(finding.gaming_day),
            }
            for cite in finding.citations
        ],
        "readings": list(finding.readings),
        "gaming_day": finding.gaming_day.isoformat(),
        "stream": finding.stream,
        "round": finding.round,
        "wager": finding.wager,
        "facts": [{"stream": ref.stream, "seq": ref.seq} for ref in finding.facts],
        "expected": finding.expected,
        "observed": finding.observed,
        "effect_cents": finding.effect_cents,
    }


DOUBTFUL: Final = "The record cannot show it either way."
"""What a page says of a finding that is unknown."""


@dataclass(frozen=True, slots=True)
class Fold:
    """Findings of one code at one place of the law: how many, the money, and the first ones."""

    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The one that speaks for all."""
        return self.findings[0]

    @property
    def house_lost(self) -> int:
        """Cents that the house lost by them."""
        return sum(f.effect_cents for f in self.findings if f.effect_cents and f.effect_cents > 0)

    @property
    def patrons_lost(self) -> int:
        """Cents that patrons lost by them."""
        return -sum(f.effect_cents for f in self.findings if f.effect_cents and f.effect_cents < 0)


def folded(findings: Iterable[Finding]) -> list[Fold]:
    """Findings folded by severity, code, certainty and first section.

    The gravest come first, among equals the most frequent; within a fold the order is kept.
    """
    groups: dict[tuple[int, str, Certainty, str], list[Finding]] = {}
    for finding in findings:
        section = finding.citations[0].section if finding.citations else ""
        place = SEVERITIES.index(finding.severity)
        key = (place, finding.code, finding.certainty, section)
        groups.setdefault(key, []).append(finding)
    ordered = sorted(groups.items(), key=lambda item: (item[0][0], -len(item[1]), item[0][1:]))
    return [Fold(tuple(alike)) for _, alike in ordered]


def money(cents: int | None) -> str:
    """Who lost how much by a finding, for people; nothing where there is no effect in money.

    Args:
        cents: the finding's effect; positive where the house lost. None is not known.

    >>> money(500), money(-1_250), money(None)
    ('house lost $5.00', 'patron lost $12.50', '')
    """
    if not cents:
        return ""
    return f"house lost {dollars(cents)}" if cents > 0 else f"patron lost {dollars(-cents)}"


def place_of(finding: Finding) -> str:
    """Where a finding is looked up: its round, else its last fact, else its stream."""
    if finding.round is not None:
        return finding.round
    return str(finding.facts[-1]) if finding.facts else finding.stream or "the ledger"
