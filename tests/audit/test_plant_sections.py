"""The truth of a planted irregularity and the finding about it name the same section."""

from __future__ import annotations

from ledger.kernel import FactRef
from tests.engine import floor_day, judged


def test_the_truth_names_the_section_by_which_a_losing_wager_is_collected() -> None:
    """§ 575.11(f)(1) and (h)(1), § 577.6(d) and (f): the wager says which, and so does the audit."""
    plants = ("wager_left_unsettled:4@AP-01", "losing_wager_not_taken:4@AP-01")
    field = ("football_unsettled:4", "football_loser_not_taken:4")
    facts, truth = floor_day(*plants, *field, seed=4, scale=0.05)
    cites = {"575.11(f)(1)", "575.11(h)(1)", "577.6(d)", "577.6(f)"}
    assert {row["cite"] for row in truth} == cites
    findings = judged(facts).findings
    for row in truth:
        keys = {FactRef(row["stream"], seq) for seq in row["seq"]}
        headlines = [
            finding.citations[0].section
            for finding in findings
            if finding.code == row["code"] and keys & {*finding.facts}
        ]
        assert headlines == [row["cite"]], row
