"""Seats add up: every wager is at one seat, and what seats come to is what the wagers come to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.reports.round_seats import seats_of
from ledger.rounds import Outcome
from tests.reports.test_board import TABLES, rounds_of


@pytest.mark.parametrize("table", TABLES)
def test_seats_have_every_wager_once_and_the_same_money(table: str) -> None:
    for seen in rounds_of(table):
        seats, wagers = seats_of(seen), seen.result.wagers
        assert sum(seat.wagers for seat in seats) == len(wagers)
        assert sum(seat.stake_cents for seat in seats) == sum(w.stake_cents for w in wagers)
        assert [s.seat for s in seats] == sorted({s.seat for s in seats}, key=lambda s: (len(s), s))
        settled = [w.observed for w in wagers if w.observed is not None]
        assert sum(seat.settled_cents or 0 for seat in seats) == sum(
            (each.winnings_cents or 0) - (each.stake_taken_cents or 0) for each in settled
        )


def test_a_seat_is_unknown_where_one_amount_is_and_a_wager_without_seat_stands_last() -> None:
    seen = next(s for s in rounds_of("SB-01") if len(s.result.wagers) > 1)
    first, second, *rest = seen.result.wagers
    unknown = replace(
        first.expected, outcome=Outcome.UNKNOWN, winnings_cents=None, stake_taken_cents=None
    )
    wagers = (replace(first, position=None, expected=unknown), replace(second, position="10"))
    result = replace(seen.result, wagers=(*wagers, replace(second, position="9"), *rest))
    seats = seats_of(replace(seen, result=result))
    assert seats[-1].seat is None
    assert seats[-1].due_cents is None
    assert seats[-1].difference_cents is None
    names = [seat.seat for seat in seats]
    assert names.index("9") < names.index("10")
