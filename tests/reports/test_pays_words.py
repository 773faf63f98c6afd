"""What the chips and the coupon of a wager win, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.kernel import FactRef, Odds
from ledger.reports.round_page import coupon_words, pays_words
from ledger.rounds import CouponResult, Outcome, Settlement, WagerResult


def wager(stake: int, odds: Odds, won: int | None, factor: int = 1) -> WagerResult:
    expected = Settlement(
        outcome=Outcome.WON, winnings_cents=won, stake_taken_cents=0, facts=(), citations=()
    )
    return WagerResult(
        wager_id="W1", wager="Small Bet", picks=(), stake_cents=stake, patron=None, position=None,
        placed=FactRef("SB-01", 1), expected=expected, observed=None, odds=odds, factor=factor,
        arithmetic="the room's own sentence",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("stake", "odds", "factor", "won", "said"),
    [
        (2_500, Odds(1, 1), 1, 2_500, "$25.00 at 1 to 1 pays $25.00"),
        (50_000, Odds(1, 1), 7, 350_000, "$500.00 at 1 to 1, times 7 pays $3,500.00"),
        (25, Odds(3, 2), 1, 37, "$0.25 at 3 to 2 pays $0.37 and 1/2 cent, $0.37 by the filed rounding rule"),
        (100_000, Odds(50, 1), 1, 4_000_000, "$1,000.00 at 50 to 1 pays $50,000.00, $40,000.00 by the payout limit"),
        (2_500, Odds(1, 1), 1, None, "$25.00 at 1 to 1 pays $25.00"),
    ],
)  # fmt: skip
def test_a_win_says_stake_odds_and_amount(
    stake: int, odds: Odds, factor: int, won: int | None, said: str
) -> None:
    assert pays_words(wager(stake, odds, won, factor)) == said


def test_a_wager_that_does_not_win_has_the_rooms_sentence() -> None:
    lost = wager(2_500, Odds(1, 1), 0)
    lost = replace(lost, expected=replace(lost.expected, outcome=Outcome.LOST))
    assert pays_words(lost) == "the room's own sentence"


def test_a_coupon_pays_by_its_terms() -> None:
    coupon = CouponResult(
        serial="M25-0000007", value_cents=2_500, counts=True, wins_cents=2_500, because="$25.00 coupon M25-0000007 pays $25.00 by its terms",
        went="dropped into the box of SB-01", citations=(),
    )  # fmt: skip
    assert coupon_words(coupon) == (
        "$25.00 coupon M25-0000007 pays $25.00 by its terms; dropped into the box of SB-01"
    )
    expired = replace(
        coupon, counts=False, wins_cents=0, because="adds nothing: expired", went=None
    )
    assert coupon_words(expired) == "adds nothing: expired; no record shows where it went"
    in_cash = replace(wager(2_500, Odds(1, 1), 2_500), coupons=(coupon,))
    assert pays_words(in_cash) == "$25.00 in cash wins nothing"
    in_chips = replace(wager(2_500, Odds(1, 1), 5_000), coupons=(coupon,))
    assert pays_words(in_chips) == "$25.00 at 1 to 1 pays $25.00"
