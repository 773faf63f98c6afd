"""Counts, dates and lengths of time as every page says them."""

from __future__ import annotations

from datetime import date

import pytest

from ledger.kernel import duration_words, event_words, plural, times
from ledger.reports.phrases import calendar_date, listed, short_dollars


def test_one_is_never_plural() -> None:
    assert [plural(count, "round") for count in (0, 1, 1_204)] == [
        *("0 rounds", "1 round", "1,204 rounds"),
    ]
    assert plural(2, "entry", "entries") == "2 entries"
    assert [times(count) for count in (1, 2, 3)] == ["once", "twice", "3 times"]


@pytest.mark.parametrize(
    ("words", "said"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)  # fmt: skip
def test_a_list_in_a_sentence(words: list[str], said: str) -> None:
    assert listed(words) == said


def test_dates_times_and_money() -> None:
    assert calendar_date(date(2021, 6, 12)) == "Saturday, June 12, 2021"
    assert [duration_words(seconds * 1_000_000) for seconds in (0, 389, 25_394)] == [
        *("0.0 s", "6 min 29 s", "7 h 3 min"),
    ]
    assert [short_dollars(cents) for cents in (2_500, 1_250)] == ["$25", "$12.50"]
    assert event_words("CouponRedeemed") == "coupon redeemed"
