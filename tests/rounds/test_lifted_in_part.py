"""A part of a wager is lifted after the outcome is known: the lift accounts for that part, in every room."""

from __future__ import annotations

import pytest

from tests.rounds.test_after_the_round import WON, lines_of, money, paid, rounds

LIFTED = 100


def share(key: str) -> int:
    """What the lifted part would have won, in cents."""
    (stake,) = [
        int(line.split("stake_cents=")[1].split()[0])
        for line in lines_of(key, 0)
        if "WagerPlaced" in line
    ]
    return WON[key].wins_cents * LIFTED // stake


@pytest.mark.row_by_row
@pytest.mark.parametrize("key", WON)
@pytest.mark.parametrize("short", [0, 50])
def test_what_is_paid_short_of_the_rest_is_named_by_itself(key: str, short: int) -> None:
    lifted = f"118 WagerTakenDown wager_id=W1 taken_cents={LIFTED}"
    amount = WON[key].wins_cents - share(key) - short
    results = rounds(key, lifted, paid(key, 120, cents=amount))
    told = {(finding.code, finding.effect_cents) for finding in money(results)}
    expected = {("late_take_down", -share(key)), ("wager_underpaid", -short)}
    assert told == {(code, cents) for code, cents in expected if cents}
    assert results[0].wagers[0].difference_cents == -share(key) - short
