"""Coupons named by thousands are read and moved at once: the same book as one after the other."""

import itertools
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from unittest import mock

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ledger import events
from ledger.coupons import (
    CustodyRegister,
    IntervalMap,
    SerialForms,
    SerialRange,
    balances,
    custody_register,
    follow,
    intervals,
    outstanding,
    reconcile,
)
from ledger.coupons import custody as custody_module
from ledger.coupons import serial as serial_module
from ledger.coupons.custody import WITH_MARKETING, Place
from ledger.coupons.records import Flow
from ledger.coupons.serial import are_apart, joined, overlaps
from ledger.events import CancelReason, CouponRange
from ledger.kernel import UsageError
from tests.coupons.scene import CLOCK, DAY
from tests.coupons.test_serial import series

TOP = 60
"""Serial numbers of one form that the facts name; the first half are of one series."""
NUMBERS = st.lists(st.integers(0, TOP), max_size=30)
SECOND = 1_000_000
BEGINS = CLOCK.start_of(DAY)
TABLES = ("SB-01", "SB-02")


@given(
    st.lists(st.tuples(st.integers(0, TOP), st.integers(0, 25)), max_size=20),
    st.lists(NUMBERS, max_size=4),
)
def test_many_numbers_get_what_each_by_itself_gets(spans, batches):
    with mock.patch.object(intervals, "BLOCK", 2):
        together, singly = IntervalMap(), IntervalMap()
        for place, (first, more) in enumerate(spans):
            together.put(first, first + more, place)
            singly.put(first, first + more, place)
        for batch, numbers in enumerate(batches):
            contents = [(batch, place) for place in range(len(numbers))]
            together.put_each(zip(numbers, contents, strict=True))
            for number, content in zip(numbers, contents, strict=True):
                singly.put(number, number, content)
            assert list(together) == list(singly)
            asked = [*numbers, -1, TOP + 40, 3]
            assert together.get_each(asked) == [singly.get(number) for number in asked]


SHIFTS = st.sampled_from(["", "", "", "low", "short", "bare", "long", "other", "none"])


def written(number: int, way: str) -> str | None:
    """A serial number as a hand may write it."""
    texts = {
        "low": f"m25-{number:04d}", "short": f"M25 {number}", "bare": str(number),
        "long": f"M25-{number:04d}0", "other": f"P{number:03d}", "none": None,
    }  # fmt: skip
    return texts.get(way, f"M25-{number:04d}")


STATED = st.builds(
    lambda number, more, way, last_way, cents: CouponRange(
        denomination_cents=cents, first=written(number, way),
        last=written(number + more, last_way or way), quantity=None,
    ),
    st.integers(0, TOP),
    st.sampled_from([0, 0, 0, 0, 1, 7]),
    SHIFTS,
    st.sampled_from(["", "", "", "", "none", "low"]),
    st.sampled_from([2500, 2500, 1000, None]),
)  # fmt: skip


def forms_of(shape: int) -> list[events.CouponSeriesDescribed]:
    """One series; two of one form; two of two forms; two forms of one length."""
    first = series("25", "M25-", 2500, 4)
    halves = (
        replace(first, last=f"M25-{TOP // 2:04d}"),
        series("10", "M25-", 1000, 4, "M25-0031", "M25-0050"),
    )
    return [[first], [*halves], [first, series("P", "P", 2500, 3)], [first, series("Q", "M25", 2500, 5)]][shape]  # fmt: skip


@given(st.integers(0, 3), st.lists(STATED, max_size=12))
def test_what_is_read_at_once_is_what_each_reads_as(shape, stated):
    forms = SerialForms(forms_of(shape))
    read = forms.read_each(stated)
    assert len(read) == len(stated)
    for range_, coupon in zip(stated, read, strict=True):
        if coupon is not None:
            assert coupon == forms.read_range(range_.first, range_.last, range_.denomination_cents)
    plain = [CouponRange(denomination_cents=2500, first=f"M25-{n:04d}", last=f"M25-{n:04d}", quantity=1)
             for n in range(9)]  # fmt: skip
    assert all(forms.read_each(plain)) or shape in (1, 3), "they are not read one after the other"


@given(st.integers(0, 3), st.lists(STATED, max_size=12))
def test_quantities_by_series_are_those_of_each_range(shape, stated):
    forms, ranges = SerialForms(forms_of(shape)), []
    for one in stated:
        try:
            ranges.append(forms.read_range(one.first or "", one.last or ""))
        except UsageError:
            continue
    for named in (ranges, list(joined(ranges))):
        counted: dict[str | None, int] = {}
        for of, quantity in forms.quantities(named):
            name = of.series if of else None
            counted[name] = counted.get(name, 0) + quantity
        plain: dict[str | None, int] = {}
        for range_ in named:
            for serial in range_.serials():
                of = forms.series_of(serial)
                plain[of.series if of else None] = plain.get(of.series if of else None, 0) + 1
        assert counted == plain
        pairs = itertools.combinations(named, 2)
        shared = [both for one, other in pairs if (both := one.shared_with(other)) is not None]
        assert overlaps(named) == joined(shared)


OFFICE = {
    "issued": (events.CouponsIssued, {"requisition": None, "issued_by": "F", "received_by": "M"}),
    "distributed": (
        events.CouponsDistributed, {"distributed_by": "M", "patron": None, "promotion": None},
    ),
    "voided": (
        events.CouponsVoided,
        {"holder": events.CouponHolder.MARKETING, "voided_by": "M", "reason": "torn"},
    ),
    "kept": (
        events.CouponsKept, {"area": "A", "locked": True, "kept_by": "M", "for_gaming_day": None},
    ),
    "returned": (
        events.CouponsReturned,
        {
            "return_id": "R", "kind": events.CouponReturnKind.UNUSED, "returned_by": "M",
            "received_by": "F",
        },
    ),
    "counted": (
        events.CouponsCounted,
        {
            "box": None, "for_gaming_day": None, "part": 1, "parts": 1, "unreadable": 0,
            "counted_by": ("F",),
        },
    ),
    "cancelled": (
        events.CouponsCancelled, {"for_gaming_day": None, "how": None, "cancelled_by": "F"},
    ),
}  # fmt: skip
"""What the offices record, with what of it is the same in every fact."""
BARE = ("all distributed", "all counted", "all cancelled", "hung", "removed", "next day")
MOVES = st.one_of(
    st.tuples(st.sampled_from([*OFFICE]), st.lists(STATED, min_size=1, max_size=20)),
    st.tuples(st.just("redeemed"), st.lists(STATED, min_size=1, max_size=12)),
    st.tuples(st.sampled_from(BARE), st.just([])),
)


class Record:
    """Facts with their numbers, and the book that follows them."""

    def __init__(self, shape):
        self.book, self.at, self.seq, self.box = CustodyRegister(CLOCK), BEGINS, 0, 0
        for described in forms_of(shape):
            follow(self.book, described, self.at)
        self.everything = (
            CouponRange(
                denomination_cents=None, first="M25-0000", last=f"M25-{TOP:04d}", quantity=None
            ),
        )
        self.book.come_to(self.at, self.book.ref, "CouponReceiptEntered")
        stock = self.book.ranges(self.everything)
        self.book.go(stock, Place.STOCK, frozenset({Place.NOWHERE}), None)
        self.office("issued", self.everything, 0)

    def take(self, event, stream, fields):
        self.seq, self.at = self.seq + 1, self.at + SECOND
        head = {"stream": stream, "seq": self.seq, "event_time": self.at, "source": "T"}
        follow(self.book, event(**head, recorded_by=None, **fields), self.at)

    def office(self, name, stated, place):
        """A fact of an office; one that names no coupons names all that it may."""
        event, fields = OFFICE[name.removeprefix("all ")]
        fields = {**fields, "ranges": tuple(stated)}
        if not stated:
            dropped = sorted({serial for box in self.book.boxes for serial in box.dropped})
            texts = map(str, dropped)
            known = (
                CouponRange(denomination_cents=None, first=t, last=t, quantity=1) for t in texts
            )
            fields["ranges"] = self.everything if name == "all distributed" else tuple(known)
        if event is events.CouponsCounted:
            fields["box_table"] = TABLES[place % 2]
        elif event is events.CouponsCancelled:
            reasons = [*CancelReason] if stated else [CancelReason.REDEEMED]
            fields["because"] = reasons[place % len(reasons)]
        self.take(event, "coupons/finance", fields)

    def table(self, name, stated, place):
        """Facts of a table."""
        table = TABLES[place % 2]
        for coupon in stated:
            fields = {
                "serial": coupon.first or "", "denomination_cents": coupon.denomination_cents,
                "box_table": table, "box": None, "redeemed_by": "D", "role": None,
                "wager_id": None, "decided": None, "paid_cents": None,
            }  # fmt: skip
            self.take(events.CouponRedeemed, table, fields)
        if name in ("hung", "removed"):
            self.box += name == "hung"
            event = events.DropBoxHung if name == "hung" else events.DropBoxRemoved
            self.take(event, table, {"box": f"B-{self.box}"})

    def step(self, name, stated, place):
        if name == "next day":
            self.at += 86_400 * SECOND
        elif name.removeprefix("all ") in OFFICE:
            self.office(name, stated, place)
        else:
            self.table(name, stated, place)


def followed(shape, steps):
    """What a book says that followed these steps, and the book."""
    record = Record(shape)
    for place, (name, stated) in enumerate(steps):
        record.step(name, stated, place)
    record.step("next day", (), 0)
    record.step("hung", (), 0)
    book = record.book
    book.finish()
    custody, days = book.custody, sorted(book.days)
    return book, (
        custody.moves,
        {form: list(line) for form, line in custody.lines.items()},
        [(place, list(known.items())) for place, known in book.holdings.by_place.items()],
        book.holdings.with_marketing,
        dict(book.days),
        book.boxes,
        book.findings,
        [(reconcile(book, day), balances(book, day)) for day in days],
        list(outstanding(book, days[-1] + timedelta(days=9))),
    )


def one_by_one(self, serial, to, allowed, who, detail):
    moved, odd = self.go([SerialRange.between(serial, serial)], to, allowed, who, detail)
    (run,) = moved or odd
    return run


def span(number, more=0):
    """A range of coupons as printed."""
    first, last = f"M25-{number:04d}", f"M25-{number + more:04d}"
    return CouponRange(denomination_cents=None, first=first, last=last, quantity=more + 1)


OF_NO_SERIES = [span(55), span(57)]


@settings(max_examples=60)
@given(st.integers(0, 3), st.lists(MOVES, max_size=14))
@example(1, [("redeemed", OF_NO_SERIES), ("counted", OF_NO_SERIES), ("cancelled", OF_NO_SERIES)])
@example(
    0,
    [
        ("all distributed", []),
        ("redeemed", [span(3), span(5)]),
        ("all counted", []),
        ("all cancelled", []),
    ],
)
def test_moved_at_once_or_one_after_the_other_the_book_is_the_same(shape, steps):
    book, at_once = followed(shape, steps)
    with ExitStack() as patches:
        for module in (custody_module, custody_register, serial_module):
            patches.enter_context(mock.patch.object(module, "are_apart", return_value=False))
        patches.enter_context(mock.patch.object(CustodyRegister, "go_one", one_by_one))
        patches.enter_context(
            mock.patch.object(SerialForms, "read_each", lambda self, stated: [None] * len(stated))
        )
        _, singly = followed(shape, steps)
    for ours, readable in zip(at_once, singly, strict=True):
        assert ours == readable
    with_marketing = [
        run for run in book.custody.all_runs(WITH_MARKETING.__contains__) if run.series
    ]
    assert book.holdings.marketing() == bool(with_marketing)
    left = [run.range for run in book.days[book.today].left]
    assert joined(left) == joined(run.range for run in with_marketing)
    assert book.days[DAY].quantity(Flow.RECEIVED, 2500) >= TOP // 2


@given(st.lists(st.tuples(st.sampled_from(["M25-", "P"]), st.integers(0, TOP), st.integers(0, 3)), min_size=1))  # fmt: skip
def test_ranges_are_apart_if_none_touches_the_one_before(spans):
    ranges = [SerialRange(prefix, 4, first, first + more) for prefix, first, more in spans]
    one_form = len({prefix for prefix, _, _ in spans}) == 1
    rising = all(one.last < other.first for one, other in itertools.pairwise(ranges))
    assert are_apart(ranges) == (one_form and rising)


def test_an_acceptance_is_forgotten_once_its_coupon_is_redeemed():
    """Though the coupon never expires, so that nobody asks when it was accepted."""
    record = Record(0)
    blank = dict.fromkeys((
        "wager_id", "denomination_cents", "accepted_by", "role", "place", "area", "value_visible",
        "expiry_checked", "chips_on_cents", "chips_beside_cents",
    ))  # fmt: skip
    record.take(events.CouponAccepted, TABLES[0], {"serial": "M25-0007", **blank})
    assert [str(serial) for serial in record.book.accepted] == ["M25-0007"]
    record.step("redeemed", [span(7)], 0)
    assert not record.book.accepted
