"""The most that is payable on a hand: the law's greater amount, at the least wagers of the round.

Figures: $1.00 and 5,000 times $20.00 are $100,001.00; 5,000 times a $20.00 Bonus Wager on three of a
kind and four 8s are $100,000.00 beside $100.00 on the hands (§ 575.12(b), (c)).
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.events import LimitsSet
from ledger.games import BY_KEY
from ledger.kernel import Finding
from ledger.rounds import RoundResult
from tests.games import transcript
from tests.games.facts import NOON, SECOND

ROUND = transcript.FOLDER / "asia_poker/rounds/575.12-c-cut-to-a-maximum-filed-too-low.round"
ROOM = BY_KEY["asia_poker"]
FILED, LEAST = 4_990_000, 9_990_100
"""What is left for the Bonus Wager of $50,000.00 as filed, and of the law's $100,001.00."""


def played(paid: int, *, limits: bool = True, raised_at: int | None = None) -> RoundResult:
    """The round of the transcript, with another payment, without limits, or with a later minimum."""
    text = ROUND.read_text(encoding="utf-8").replace(
        f"winnings_cents={FILED}", f"winnings_cents={paid}"
    )
    lines = [line for line in text.splitlines() if line[:1] in "-0123456789"]
    if raised_at is not None:
        lines = [line.replace("-9 LimitsSet", f"{raised_at} LimitsSet") for line in lines]
        lines.sort(key=lambda line: int(line.split()[0]))
    before = transcript.setting(ROOM, [])
    facts = [*before, *(transcript.event(line, len(before) + n) for n, line in enumerate(lines, 1))]
    if not limits:
        facts = [fact for fact in facts if not isinstance(fact, LimitsSet)]
        facts = [replace(fact, seq=seq) for seq, fact in enumerate(facts, 1)]
    assert facts[-1].event_time == NOON + 117 * SECOND
    (result,) = transcript.walk(ROOM, [["maximum", "5000000"]], facts)
    return result


def told(result: RoundResult) -> list[tuple[str, str, int | None]]:
    def of(finding: Finding) -> tuple[str, str, int | None]:
        return finding.code, str(finding.certainty), finding.effect_cents

    return sorted(of(finding) for finding in result.findings if finding.wager == "W2")


@pytest.mark.parametrize(
    ("paid", "findings"),
    [
        pytest.param(LEAST, [], id="the greater amount"),
        pytest.param(LEAST - 1, [("wager_underpaid", "broken", -1)], id="a cent less"),
        pytest.param(LEAST + 1, [("payout_limit_ignored", "broken", 1)], id="a cent more"),
        pytest.param(FILED, [("wager_underpaid", "broken", FILED - LEAST)], id="as filed"),
    ],
)
def test_a_maximum_filed_too_low_is_settled_by_the_least(
    paid: int, findings: list[tuple[str, str, int | None]]
) -> None:
    assert told(played(paid)) == findings


def test_a_minimum_raised_after_no_more_bets_does_not_reach_the_round() -> None:
    """At $1.00 the most that could be won is $5,001.00: § 575.12(c) asks for $50,000.00."""
    assert told(played(FILED, raised_at=64)) == []
    assert told(played(LEAST, raised_at=64)) == [("payout_limit_ignored", "broken", LEAST - FILED)]


@pytest.mark.parametrize(
    ("paid", "findings"),
    [
        pytest.param(FILED - 1, [("wager_underpaid", "broken", -1)], id="less than any maximum"),
        pytest.param(FILED, [("payout_limit_ignored", "unknown", None)], id="as filed"),
        pytest.param(LEAST, [("payout_limit_ignored", "unknown", None)], id="between"),
        pytest.param(10_000_001, [("wager_overpaid", "broken", 1)], id="more than the odds"),
    ],
)
def test_without_known_minimums_the_maximum_is_not_known(
    paid: int, findings: list[tuple[str, str, int | None]]
) -> None:
    assert told(played(paid, limits=False)) == findings
