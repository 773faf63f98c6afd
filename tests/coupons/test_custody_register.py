"""Custody followed: one place at a time, balances apart, doubts, answers, and bad input."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger import events
from ledger.coupons import (
    FOLLOWED,
    CouponState,
    Place,
    RegisterLookup,
    age_of,
    balances,
    conclude,
    denominations_out,
    figures,
    followed_events,
    inventory,
    outstanding,
    quarterly,
    reconcile,
    where,
)
from ledger.coupons.serial import SerialUnreadable
from ledger.kernel import Certainty, FactRef
from tests.coupons.scene import CLOCK, DAY, NEXT, book_of, facts_of
from tests.strategies import numbers

SECOND = 1_000_000
BEGINS = CLOCK.start_of(DAY)


def codes(book, day=DAY):
    return sorted((f.code, f.certainty.value) for f in conclude(book, day))


def dropped(facts, kind, number=0):
    chosen = [one for one in facts if isinstance(one, kind)]
    return [one for one in facts if one is not chosen[number]]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        (events.CancelMethod.ELECTRONIC, []),
        (events.CancelMethod.PHYSICAL, [("coupon_not_cancelled", "broken")]),
    ],
)
def test_525_21_q_6_a_mailed_coupon_is_cancelled_in_the_computer_system(how, expected):
    facts = [
        replace(fact, how=how) if isinstance(fact, events.CouponsCancelled) else fact
        for fact in facts_of("mailing-in-order")
    ]
    assert codes(book_of(facts)) == expected


@pytest.mark.parametrize(
    ("requisitioned_at", "expected"),
    [(4_200, []), (4_201, [("requisition_missing", "525.21(h)")])],
)
def test_525_21_h_an_issue_is_entered_upon_receipt_of_its_requisition(requisitioned_at, expected):
    """The entry of issue stands at 4,200 s, behind a requisition of the same second."""

    def later(case):
        paper = next(one for one in case if one["fact"] == "requisitioned")
        paper["t"] = requisitioned_at
        case.sort(key=lambda one: one["t"])

    concluded = conclude(book_of(facts_of("day-in-order", later)), DAY)
    assert [(f.code, f.citations[0].section) for f in concluded] == expected


def test_each_serial_number_is_in_exactly_one_place():
    book = book_of(facts_of("day-in-order"))
    runs = list(book.custody.all_runs(lambda place: place is not Place.NOWHERE))
    assert sum(run.range.quantity for run in runs) == 300
    for one, other in pairwise(sorted(run.range for run in runs)):
        assert one[:2] != other[:2] or one.last < other.first
    held = Counter()
    for run in runs:
        held[run.place] += run.range.quantity
    counted = {place: sum(by.values()) for place, by in book.holdings.by_place.items()}
    assert {p: n for p, n in counted.items() if n} == dict(held)
    assert held == {Place.STOCK: 257, Place.PATRON: 37, Place.CANCELLED: 6}


def test_the_balances_of_a_day():
    five, large = figures(book_of(facts_of("day-in-order")), DAY)
    assert (five.denomination_cents, large.denomination_cents) == (500, 2500)
    assert (five.to_distribute, five.distributed, five.voided, five.remaining) == (50, 30, 1, 19)
    assert (five.returned, five.variation, five.finance_stock_close) == (19, 0, 169)
    assert five.redeemed == five.dropped == five.cancelled_redeemed == 3
    assert (large.redeemed, large.with_patrons_close) == (2, 10)


@pytest.mark.parametrize("name", ["day-in-order", "mailing-in-order", "kept-and-mailed-in-order"])
def test_every_balance_of_a_day_in_order_is_even(name):
    book = book_of(facts_of(name))
    for day in (DAY, NEXT):
        assert [one for one in balances(book, day) if one.difference] == []
    assert {one.name for one in balances(book, DAY)} == {
        "finance", "marketing", "patrons", "redeemed",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "differs"),
    [
        ("errors-do-not-cancel-out", {("marketing", 500)}),
        ("boxes-do-not-make-up", {("redeemed", 500), ("redeemed", 2500)}),
        ("given-out-twice-and-explained", {("marketing", 500)}),
        ("no-receipt-entry", {("finance", 500), ("finance", 2500)}),
    ],
)
def test_a_break_shows_in_its_own_balance_and_denomination(name, differs):
    book = book_of(facts_of(name))
    found = {(one.name, one.denomination_cents) for one in balances(book, DAY) if one.difference}
    assert found == differs
    assert denominations_out(book, DAY) == tuple(sorted({cents for _, cents in differs}))


def test_errors_of_two_denominations_do_not_cancel_out():
    known = reconcile(book_of(facts_of("errors-do-not-cancel-out")), DAY)
    assert not known.is_balanced
    five, large = known.blocks
    assert five.figures.variation == 1
    assert [str(one) for one in five.unaccounted] == ["MP05-000040"]
    assert large.figures.variation == 0
    named = {finding.code: finding.observed for finding in known.findings}
    assert named["reconciliation_out_of_balance"] == "MP05-000040"
    assert named["return_mismatch"] == "MP25-000030"


def test_errors_of_two_boxes_do_not_cancel_out():
    known = reconcile(book_of(facts_of("boxes-do-not-make-up")), DAY)
    assert [(box.table, box.dropped, box.counted) for box in known.boxes] == [
        ("SB-01", 3, 2), ("TF-01", 2, 3),
    ]  # fmt: skip
    assert {finding.code for finding in known.findings} == {
        "redeemed_not_dropped", "dropped_not_redeemed",
    }  # fmt: skip


def test_a_removed_box_awaits_its_count_and_nothing_in_it_is_missing():
    book = book_of(facts_of("box-awaits-its-count"))
    assert codes(book) == []
    assert [box.counted for box in reconcile(book, DAY).boxes if box.table == "TF-01"] == [None]
    known = where(book, "MP25-000001")
    assert (known.place, known.awaits_count, known.remarks) == (Place.REDEEMED, "B-9", ())


def test_where_a_serial_number_is_with_its_way():
    book = book_of(facts_of("redeemed-not-in-the-box"))
    known = where(book, "mp05 3")
    assert known.remarks == ("redeemed_not_dropped",)
    assert [step.move.event for step in known.steps] == [
        "CouponsDelivered", "CouponsExamined", "CouponReceiptEntered", "CouponsIssued",
        "CouponsDistributed", "CouponRedeemed", "CouponsCancelled",
    ]  # fmt: skip
    assert known.steps[-1].came_from is Place.REDEEMED
    assert known.steps[4].move.who == "C-MM1"
    with pytest.raises(SerialUnreadable):
        where(book, "XX-1")


@pytest.mark.parametrize(
    ("days", "name"),
    [(0, "0-2"), (2, "0-2"), (3, "3-7"), (7, "3-7"), (8, "8-30"), (30, "8-30"), (31, "> 30")],
)
def test_the_classes_of_age(days, name):
    assert age_of(days) == name


def test_what_is_outstanding_and_how_old():
    book = book_of(facts_of("day-in-order"))
    known = list(outstanding(book, DAY + timedelta(days=3)))
    assert [(str(one.range), one.place, one.days, one.age) for one in known] == [
        ("MP05-000004 to MP05-000030", Place.PATRON, 3, "3-7"),
        ("MP25-000003 to MP25-000012", Place.PATRON, 3, "3-7"),
    ]
    assert {one.holder for one in known} == {"C-MM1"}


def test_inventory_and_quarter_by_the_books():
    book = book_of(facts_of("day-in-order"))
    assert inventory(book)[500][Place.STOCK] == 169
    assert quarterly(book, "2012-Q3") == {500: 1500, 2500: 5000}
    assert quarterly(book, "2012-Q4") == {500: 0, 2500: 0}


# --- whether a coupon may be used -----------------------------------------------------------------


@pytest.mark.row_by_row
@pytest.mark.parametrize(
    ("case", "serial", "second", "state"),
    [
        ("day-in-order", "MP05-000001", 7_199, CouponState.NOT_DISTRIBUTED),
        ("day-in-order", "MP05-000001", 7_200, CouponState.LIVE),
        ("day-in-order", "MP05-000001", 14_400, CouponState.LIVE),
        ("day-in-order", "MP05-000001", 14_401, CouponState.REDEEMED),
        ("day-in-order", "MP05-000001", 80_000, CouponState.REDEEMED),
        ("day-in-order", "MP05-000031", 10_800, CouponState.VOIDED),
        ("day-in-order", "MP05-000045", 79_200, CouponState.RETURNED),
        ("day-in-order", "MP05-000150", 79_200, CouponState.NEVER_ISSUED),
        ("day-in-order", "MP05-000999", 79_200, CouponState.NEVER_RECEIVED),
        ("day-in-order", "QQ-1", 79_200, CouponState.NO_SERIES),
        ("mailing-in-order", "MPX0-000001", 200, CouponState.LIVE),
        ("mailing-in-order", "MPX0-000001", 199, CouponState.NOT_DISTRIBUTED),
    ],
)
def test_what_a_coupon_is_at_a_moment(case, serial, second, state):
    lookup = RegisterLookup(book_of(facts_of(case)))
    said = lookup.status(serial, BEGINS + second * SECOND, DAY)
    assert said.state is state
    assert said.is_live is (state is CouponState.LIVE)


def test_the_last_day_is_good_and_the_next_is_not():
    lookup = RegisterLookup(book_of(facts_of("redeemed-on-its-last-day")))
    at = BEGINS + 20_000 * SECOND
    assert lookup.status("MP05-000020", at, DAY).state is CouponState.LIVE
    assert lookup.status("MP05-000020", at, NEXT).state is CouponState.EXPIRED


def test_a_redemption_of_the_same_moment_counts_if_it_stands_before():
    lookup = RegisterLookup(book_of(facts_of("day-in-order")))
    at = BEGINS + 14_400 * SECOND
    used = lookup.status("MP05-000001", at + 1, DAY).facts[-1]
    after = FactRef(used.stream, used.seq + 1)
    assert lookup.status("MP05-000001", at, DAY, used).state is CouponState.LIVE
    assert lookup.status("MP05-000001", at, DAY, after).state is CouponState.REDEEMED


# --- doubts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [events.CouponsIssued, events.CouponsDistributed, events.CouponsReturned]
)
def test_after_a_gap_nothing_is_broken_that_the_lost_fact_may_explain(kind):
    facts = facts_of("day-in-order")
    lost = next(one for one in facts if isinstance(one, kind))
    after = next(
        one.event_time
        for one in facts
        if one.stream == lost.stream and one.event_time > lost.event_time
    )
    rest = dropped(facts, kind)
    assert any(certainty == "broken" for _, certainty in codes(book_of(rest)))
    doubted = book_of(rest, ("coupons", lost.event_time - 1, after))
    told = [f for f in conclude(doubted, DAY) if f.certainty is Certainty.BROKEN]
    assert told == []


def test_a_lost_redemption_makes_the_box_unknown():
    facts = dropped(facts_of("day-in-order"), events.CouponRedeemed)
    assert ("dropped_not_redeemed", "broken") in codes(book_of(facts))
    said = codes(book_of(facts, ("SB-01", BEGINS + 7_200 * SECOND, BEGINS + 14_460 * SECOND)))
    assert ("dropped_not_redeemed", "unknown") in said
    assert ("dropped_not_redeemed", "broken") not in said


def test_a_later_count_takes_the_place_of_the_earlier():
    facts = facts_of("redeemed-not-in-the-box")
    count = next(one for one in facts if isinstance(one, events.CouponsCounted))
    whole = (
        events.CouponRange(
            denomination_cents=500, first="MP05-000001", last="MP05-000003", quantity=3
        ),
    )
    again = replace(count, seq=99, event_time=count.event_time + SECOND, ranges=whole)
    assert "redeemed_not_dropped" in dict(codes(book_of(facts)))
    assert codes(book_of(sorted([*facts, again], key=lambda one: one.event_time))) == []


# --- bad input ------------------------------------------------------------------------------------

TEXTS = st.sampled_from(
    [None, "", "MP05-000001", "MP05-000050", "MP05-999999", "MP25-000007", "mp05 12", "MP", "1" * 80,
     "MPX-000001", "=1+1", "MP05-0000001"]
)  # fmt: skip
RANGES = st.builds(
    events.CouponRange,
    denomination_cents=st.none() | numbers("CouponRange", "denomination_cents", (0, 500, 2500)),
    first=TEXTS,
    last=TEXTS,
    quantity=st.none() | numbers("CouponRange", "quantity", (0, 1, 10**18)),
)
KINDS = st.sampled_from(
    [
        events.CouponsIssued,
        events.CouponsDistributed,
        events.CouponsReturned,
        events.CouponsVoided,
        events.CouponsCounted,
    ]
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.tuples(KINDS, st.lists(RANGES, max_size=3)), max_size=6))
def test_no_range_is_ever_a_crash_and_no_serial_number_is_lost(said):
    facts = facts_of("day-in-order")
    patterns = {kind: next(one for one in facts if isinstance(one, kind)) for kind, _ in said}
    extra = [
        replace(patterns[kind], seq=1000 + n, ranges=tuple(ranges),
                event_time=BEGINS + (50_000 + n) * SECOND)
        for n, (kind, ranges) in enumerate(said)
    ]  # fmt: skip
    book = book_of(sorted([*facts, *extra], key=lambda one: one.event_time))
    reconcile(book, DAY)
    for prefix, count in (("MP05-", 200), ("MP25-", 100)):
        inside = [
            run.range.quantity
            for run in book.custody.all_runs(lambda place: place is not Place.NOWHERE)
            if run.range.prefix == prefix and run.range.first <= count
        ]
        assert sum(inside) >= count


def test_backwards_of_another_denomination_and_beyond_are_told():
    facts = facts_of("day-in-order")
    pattern = next(one for one in facts if isinstance(one, events.CouponsVoided))
    wrong = (
        events.CouponRange(
            denomination_cents=500, first="MP05-000040", last="MP05-000032", quantity=9
        ),
        events.CouponRange(
            denomination_cents=500, first="MP25-000013", last="MP25-000013", quantity=1
        ),
        events.CouponRange(
            denomination_cents=500, first="MP05-000999", last="MP05-900000", quantity=1
        ),
    )
    extra = replace(pattern, seq=99, ranges=wrong, event_time=BEGINS + 50_000 * SECOND,
                    holder=events.CouponHolder.MARKETING)  # fmt: skip
    told = dict(codes(book_of(sorted([*facts, extra], key=lambda one: one.event_time))))
    assert {
        "coupon_serial_not_of_a_series", "coupon_wrong_denomination", "reconciliation_out_of_balance",
    } <= told.keys()  # fmt: skip


def test_the_light_list_of_followed_events_is_what_the_book_follows() -> None:
    assert followed_events.WANTED == FOLLOWED | followed_events.OWN
