"""What page 1 of a night leads with: money lost, the largest variance, what is open, totals."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from ledger.casework import ActionStatus
from ledger.kernel import Severity
from ledger.reports.night import OpenBefore, Takings, takings_of, takings_together
from ledger.reports.night.conclusions import conclusions, totals, totals_heads, totals_remarks
from tests.reports.night.scene import DAY, account, action, capture, night


def told(**changes: object) -> dict[str, tuple[str, str]]:
    """Each conclusion by its title: figure and remark."""
    return {one.title: (one.figure, one.remark) for one in conclusions(night(**changes))}


def takings(day: date, drop: int | None, win: int | None) -> Takings:
    """One table's day."""
    one = account("SB-01", drop_cents=drop, by_count_cents=win, by_rounds_cents=None)
    return takings_of(day, [one.account])


def test_money_lost_either_way_and_what_is_in_doubt() -> None:
    """House and patrons never make up for each other; doubtful money is not added."""
    actions = (
        action(1, overpaid_cents=406_000, underpaid_cents=300),
        action(2, overpaid_cents=None, underpaid_cents=700),
        action(3, overpaid_cents=9_900, underpaid_cents=0, certain=False),
    )
    found = told(actions=actions, capture=(replace(capture("SB-01"), judged=300),))
    assert found["House lost"] == ("$4,060.00", "in 1 action; $99.00 more in doubt")
    assert found["Patrons lost"] == ("$10.00", "in 2 actions")
    assert told(actions=())["House lost"] == ("$0.00", "4 rounds not judged")


def test_the_largest_variance_is_of_either_sign() -> None:
    """A table that is short by more than another is over; what is not counted is told."""
    three = (
        account("SB-01", by_count_cents=100_000, by_rounds_cents=90_000),
        account("SB-02", by_count_cents=0, by_rounds_cents=1_800_000),
        account("SB-03", by_count_cents=None),
    )
    assert told(tables=three)["Largest variance"] == (
        "$18,000.00",
        "SB-02: less counted than calculated; 1 table not compared",
    )
    same = account("SB-01", by_count_cents=5, by_rounds_cents=5)
    figure, remark = told(tables=(same,))["Largest variance"]
    assert (figure, remark) == ("$0.00", "counted and calculated win agree at 1 table")
    none = told(tables=three[2:])["Largest variance"]
    assert none == ("not recorded", "no table has a counted and a calculated win")


def test_open_and_overdue_count_earlier_nights() -> None:
    """Closed ones are not open; the limit is the property's, and none is invented."""
    actions = (
        action(1, severity=Severity.CRITICAL, age_days=8),
        action(2),
        action(3, status=ActionStatus.CLOSED, age_days=40),
    )
    before = OpenBefore(by_day=((date(2021, 6, 1), 2), (date(2021, 6, 11), 3)))
    found = told(actions=actions, open_before=before)
    assert found["Open actions"] == ("2", "1 critical; 5 more from earlier nights")
    assert found["Overdue"] == ("no limit set", "the oldest has been open 11 days")
    limited = told(actions=actions, open_before=before, action_days=7)
    assert limited["Overdue"] == ("3", "open for more than 7 days")
    assert told(actions=actions)["Open actions"][1] == "1 critical; earlier nights not recorded"


def test_totals_of_the_day_and_of_what_came_before() -> None:
    """June: 1,000 + 500 + 250 of drop; the hold is that of the tables with both counts."""
    earlier = [takings(date(2021, 6, 10), 50_000, 10_000), takings(date(2021, 6, 11), 25_000, None)]
    own = account("SB-01", drop_cents=100_000, by_count_cents=20_000, by_rounds_cents=19_000)
    mine = takings_of(DAY, [own.account])
    data = night(
        tables=(own,),
        prior=earlier[1],
        month=takings_together(date(2021, 6, 1), [*earlier, mine]),
        year=None,
    )
    assert totals_heads(data) == ("Jun 12", "prior day", "June to date", "2021 to date")
    assert {one.title: one.cells for one in totals(data)} == {
        "cash drop": ("1,000.00", "250.00", "1,750.00", "not recorded"),
        "counted win": ("200.00", "not recorded", "300.00", "not recorded"),
        "calculated win": ("190.00", "not recorded", "190.00", "not recorded"),
        "hold on drop": ("20.00%", "not recorded", "20.00%", "not recorded"),
    }
    assert totals_remarks(data) == (
        "prior day: 1 of 1 table day without a calculated win",
        "June to date: 3 of 12 days have a report; 2 of 3 table days without a calculated win",
    )


def test_a_table_that_was_not_counted_is_named_beside_a_total() -> None:
    """A sum that lacks a table says so; with no table at all there is no figure."""
    two = (account("SB-01"), account("SB-02", drop_cents=None, by_count_cents=None))
    data = night(tables=two)
    assert totals(data)[0].cells[0] == "1,000.00"
    assert totals(data)[2].cells[0] == "1,980.00"
    assert totals_remarks(data) == ("Jun 12: 1 of 2 table days not counted",)
    assert totals(night(tables=()))[0].cells == ("not recorded",) * 4
