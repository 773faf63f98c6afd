"""How fast a quarter of coupons is followed and a day reconciled, and what its custody weighs.

Ten million serial numbers are delivered; every day about 11,000 are issued and distributed, and of
the first 60 in each hundred of them one by one redeemed at ten tables, counted and cancelled.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from datetime import date, timedelta
from time import perf_counter, process_time
from typing import Any

from ledger import events
from ledger.coupons import CustodyRegister, follow, outstanding, reconcile
from ledger.events.coupon_words import CancelReason
from ledger.kernel import MICROSECONDS, PropertyClock
from ledger.kernel.cyclic_garbage import uncollected
from tests.conformance import coupon_program as program
from tests.conformance.timeline import Timeline

NOTE = """
A quarter of one-by-one redemptions as an audit follows it, by the wall clock where a row does not say processor time, in one
process. The facts are made before they are followed, day by day, and making them is in no other row than its own.
"""
WANTED: dict[tuple[str, str], str] = {
    ("a day followed and reconciled, the slowest", "s"): "under 2",
    ("the quarter, day by day", "s"): "under 60",
    ("the quarter, day by day, processor time", "s"): "at most 20",
    ("memory of the process at its most", "MB"): "under 1,000",
}
BASELINES: dict[str, str] = {}
DELIVERED = 10_000_000
DAYS = 92
A_DAY = 10_870
TABLES = 10
PART = 500
"""Coupons that one fact cancels."""
CLOCK = PropertyClock("America/New_York", 360)
FIRST = date(2012, 7, 14)
HOUR = 3_600 * MICROSECONDS


def span(first: int, last: int) -> events.CouponRange:
    """A range of the one series."""
    return events.CouponRange(
        denomination_cents=2500, first=f"M25-{first:08d}", last=f"M25-{last:08d}",
        quantity=last - first + 1,
    )  # fmt: skip


class Writer:
    """Numbers facts per stream."""

    def __init__(self) -> None:
        self.seqs: dict[str, int] = {}

    def __call__(
        self, kind: type[Any], stream: str, at: int, **fields: Any
    ) -> tuple[events.Fact, int]:
        seq = self.seqs[stream] = self.seqs.get(stream, 0) + 1
        head = {"stream": stream, "seq": seq, "event_time": at, "source": "T", "recorded_by": None}
        return kind(**head, **fields), at


def opening() -> list[events.Fact]:
    """Approvals, people, the series, the delivery of all."""
    timeline = Timeline(CLOCK)
    at = CLOCK.start_of(FIRST) - HOUR
    program.approve(timeline, at - 2 * HOUR)
    program.hire(timeline, at - HOUR)
    program.describe(timeline, at - HOUR, "M25-", 8, 2500)
    program.stock(timeline, at, "DV-1", (span(1, DELIVERED),))
    return timeline.finished().facts


def day_facts(write: Writer, number: int) -> Iterator[tuple[events.Fact, int]]:
    """One gaming day in order of time."""
    begins = CLOCK.start_of(FIRST + timedelta(days=number))
    day = (FIRST + timedelta(days=number)).isoformat()
    first = number * A_DAY + 1
    ranges = (span(first, first + A_DAY - 1),)
    yield write(
        events.CouponsIssued, "coupons/finance", begins, requisition=None, ranges=ranges,
        issued_by="C-FS1", received_by="C-MS1",
    )  # fmt: skip
    for table in range(TABLES):
        yield write(events.DropBoxHung, f"SB-{table:02d}", begins + 1, box=f"B-{table}-{number}")
    yield write(
        events.CouponsDistributed, "coupons/marketing", begins + HOUR, ranges=ranges,
        distributed_by="C-MM1", patron=None, promotion=None,
    )  # fmt: skip
    used = [first + n for n in range(A_DAY) if n * 61 % 100 < 60]
    for place, one in enumerate(used):
        table = f"SB-{place % TABLES:02d}"
        yield write(
            events.CouponRedeemed, table, begins + 2 * HOUR + place * MICROSECONDS, serial=f"M25-{one:08d}",
            wager_id=None, denomination_cents=2500, decided=None, paid_cents=None, box_table=table,
            box=None, redeemed_by="D1", role=None,
        )  # fmt: skip
    for table in range(TABLES):
        at = begins + 22 * HOUR
        yield write(events.DropBoxRemoved, f"SB-{table:02d}", at, box=f"B-{table}-{number}")
    for table in range(TABLES):
        found = tuple(span(one, one) for one in used[table::TABLES])
        yield write(
            events.CouponsCounted, "coupons/count", begins + 22 * HOUR + 1, box=f"B-{table}-{number}",
            box_table=f"SB-{table:02d}", for_gaming_day=day, part=1, parts=1, ranges=found,
            unreadable=0, counted_by=("C-FS2", "C-FM1"),
        )  # fmt: skip
    for start in range(0, len(used), PART):
        yield write(
            events.CouponsCancelled, "coupons/finance", begins + 23 * HOUR + start, for_gaming_day=day,
            ranges=tuple(span(one, one) for one in used[start : start + PART]), how=None,
            because=CancelReason.REDEEMED, cancelled_by="C-FM1",
        )  # fmt: skip


def run() -> list[tuple[str, float, str]]:
    """Name, value and unit of each measurement."""
    with uncollected():
        return measured()


def measured() -> list[tuple[str, float, str]]:
    """The quarter, as an audit follows it."""
    book = CustodyRegister(CLOCK)
    for fact in opening():
        follow(book, fact, fact.event_time)
    write, spent, slowest, facts = Writer(), 0.0, 0.0, 0
    making, worked = 0.0, 0.0
    for number in range(DAYS):
        before = process_time()
        today = list(day_facts(write, number))
        facts += len(today)
        start, begun = perf_counter(), process_time()
        for fact, at in today:
            follow(book, fact, at)
        book.finish()
        known = reconcile(book, FIRST + timedelta(days=number))
        took, worked = perf_counter() - start, worked + process_time() - begun
        making += begun - before
        spent, slowest = spent + took, max(slowest, took)
        assert known.blocks[0].figures.redeemed == known.blocks[0].figures.dropped
    start = perf_counter()
    ranges = sum(1 for _ in outstanding(book, FIRST + timedelta(days=DAYS)))
    listed = perf_counter() - start
    start = perf_counter()
    for number in range(DAYS):
        reconcile(book, FIRST + timedelta(days=number))
    again = perf_counter() - start
    figures = known.blocks[0].figures
    return [
        ("serial numbers delivered", float(DELIVERED), ""),
        ("of them distributed", float(DAYS * A_DAY), ""),
        ("redeemed one by one", float(DAYS * figures.redeemed), ""),
        ("facts followed", float(facts), ""),
        ("a day followed and reconciled, the slowest", slowest, "s"),
        ("the quarter, day by day", spent, "s"),
        ("the quarter, day by day, processor time", worked, "s"),
        ("making its facts, processor time", making, "s"),
        ("all days reconciled again, from the book", again, "s"),
        ("ranges outstanding at the end", float(ranges), ""),
        ("listing them", listed, "s"),
        ("memory of the process at its most",
         resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MB"),
    ]  # fmt: skip
