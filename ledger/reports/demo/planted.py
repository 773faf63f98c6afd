"""Findings against the truth about a simulated floor: what was planted must be found, no more.

A finding and a row of the truth agree when their codes are the same, every fact that the row names
is among the finding's facts, and the rounds are the same where both name one. A finding that rests
on the opening of its own round looks back at the one before, which the row may name. Each finding
stands for one row, and each row for one finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ledger.floor import TruthRow
from ledger.kernel import FactRef, Finding
from ledger.kernel.quick_dataclass import dataclass


class TruthMalformed(ValueError):
    """The list of what was planted is not in its form."""


@dataclass(frozen=True, slots=True)
class Match:
    """A row of the truth, and the finding that reports it; None where nothing was found."""

    row: TruthRow
    finding: Finding | None

    @property
    def detectable(self) -> bool:
        """Whether the capture level can show it."""
        return self.row.get("detectable", True)

    @property
    def agrees(self) -> bool:
        """Found, or rightly not found."""
        return (self.finding is not None) == self.detectable


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Every row with its finding, and the findings that nobody planted."""

    matches: tuple[Match, ...]
    invented: tuple[Finding, ...]
    rounds_not_unknown: tuple[str, ...]
    """Rounds beside a lost or contradicted fact that were judged all the same."""

    @property
    def missed(self) -> tuple[Match, ...]:
        """What was planted, could be seen, and was not found."""
        return tuple(m for m in self.matches if m.detectable and m.finding is None)

    @property
    def agrees(self) -> bool:
        """Each planted irregularity found, none invented."""
        return (
            not self.invented
            and not self.rounds_not_unknown
            and all(match.agrees for match in self.matches)
        )


def compare(
    truth: Sequence[TruthRow], findings: Iterable[Finding], unknown_rounds: Iterable[str]
) -> Comparison:
    """Compare the findings with what was planted.

    Args:
        truth: what was planted.
        findings: what was found.
        unknown_rounds: the rounds whose outcome the replay does not know.
    """
    left: dict[str, list[Finding]] = {}
    for finding in findings:
        left.setdefault(finding.code, []).append(finding)
    matches = []
    for row in truth:
        match = next((f for f in left.get(row["code"], ()) if _same(row, f)), None)
        if match is not None:
            left[row["code"]].remove(match)
        matches.append(Match(row, match))
    unjudgeable = {name for row in truth for name in row.get("unknown_rounds", ())}
    return Comparison(
        matches=tuple(matches),
        invented=tuple(finding for rest in left.values() for finding in rest),
        rounds_not_unknown=tuple(sorted(unjudgeable - set(unknown_rounds))),
    )


def _same(row: TruthRow, finding: Finding) -> bool:
    named = {FactRef(row["stream"], seq) for seq in row["seq"]}
    if not named:  # what cannot be seen names no fact: any finding in its place is one
        return row["stream"] == finding.stream and row["round"] in (None, finding.round)
    return named <= set(finding.facts) and _rounds_agree(row["round"], finding)


def _rounds_agree(planted: str | None, finding: Finding) -> bool:
    if planted is None or finding.round is None or planted == finding.round:
        return True
    return any(str(ref) == finding.round for ref in finding.facts)


def truth_rows(content: object) -> list[TruthRow]:
    """Read what ``truth.json`` holds.

    Raises:
        TruthMalformed: it is not a list of such rows.
    """
    if not isinstance(content, list):
        raise TruthMalformed("not a list")
    for number, row in enumerate(content, 1):
        texts = isinstance(row, dict) and all(
            isinstance(row.get(key), str)
            for key in ("kind", "gaming_day", "stream", "code", "cite")
        )
        if not texts or not isinstance(row.get("round"), str | None):
            raise TruthMalformed(
                f"row {number} lacks kind, gaming_day, round, stream, code or cite"
            )
        seqs = row.get("seq")
        if not isinstance(seqs, list) or not all(type(seq) is int for seq in seqs):
            raise TruthMalformed(f"row {number}: seq is a list of numbers")
    return content


def match_data(match: Match) -> dict[str, object]:
    """One row of the truth and what became of it, as plain data."""
    row, finding = match.row, match.finding
    return {
        "kind": row["kind"],
        "gaming_day": row["gaming_day"],
        "round": row["round"],
        "stream": row["stream"],
        "code": row["code"],
        "cite": row["cite"],
        "detectable": match.detectable,
        "found": finding is not None,
        "agrees": match.agrees,
        "why": row.get("why"),
    }
