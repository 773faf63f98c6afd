"""The custody of coupons as stays: a range of serial numbers, its place, since when, until when.

A range stays a range as long as its serial numbers went the same way: ten million of one delivery
are one row until a part of them moves on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from ledger.coupons import CustodyRegister
from ledger.coupons.custody import Custody, Way
from ledger.coupons.serial import Serial, SerialRange
from ledger.events import CouponSeriesDescribed

Row = tuple[object, ...]


class Stay(NamedTuple):
    """One step of a way over one range: its place in the way, and the way up to the next one."""

    series: CouponSeriesDescribed | None
    range: SerialRange
    number: int
    way: Way


def coupon_rows(book: CustodyRegister) -> Iterator[Row]:
    """Every stay of every range, by serial number."""
    custody, clock = book.custody, book.clock

    @lru_cache(maxsize=65_536)
    def moment(at: int) -> tuple[date, str]:
        return clock.day_of(at), clock.local(at).isoformat(sep=" ", timespec="microseconds")

    for prefix, digits in sorted(custody.lines):
        for stay in _stays(custody, prefix, digits):
            yield _row(custody, stay, moment)


def _stays(custody: Custody, prefix: str, digits: int) -> Iterator[Stay]:
    """Each step of each way, over the longest range that took it and the same next step."""
    open_ways: list[tuple[Way, int]] = []  # by step: the way up to its end, and its first number
    described: CouponSeriesDescribed | None = None
    reached: int | None = None

    def close(down_to: int, last: int) -> Iterator[Stay]:
        while len(open_ways) > down_to:
            way, first = open_ways.pop()
            yield Stay(described, SerialRange(prefix, digits, first, last), len(open_ways), way)

    for first, last, way in custody.lines[prefix, digits]:
        ends = _ends(way)
        for series, part in custody.forms.parts_of(SerialRange(prefix, digits, first, last)):
            shared = 0
            if reached is not None:
                if part.first == reached + 1 and series is described:
                    least = min(len(open_ways), len(way))
                    while shared < least and open_ways[shared][0] == way[: ends[shared]]:
                        shared += 1
                yield from close(shared, reached)
            described, reached = series, part.last
            open_ways.extend((way[: ends[at]], part.first) for at in range(shared, len(way)))
    if reached is not None:
        yield from close(0, reached)


def _ends(way: Way) -> list[int]:
    """For each step how many steps of the way lie up to the next real movement, it included."""
    ends, end = [], len(way)
    for at in range(len(way) - 1, -1, -1):
        ends.append(end)
        if way[at] >= 0:
            end = at + 1
    return ends[::-1]


def _row(custody: Custody, stay: Stay, moment: Callable[[int], tuple[date, str]]) -> Row:
    series, cut, number, way = stay
    moved = way[number] >= 0
    move = custody.moves[way[number] if moved else ~way[number]]
    day, local = moment(move.at)
    until = custody.moves[way[-1]].at if moved and len(way) > number + 1 and way[-1] >= 0 else None
    return (
        str(Serial(cut.prefix, cut.digits, cut.first)),
        str(Serial(cut.prefix, cut.digits, cut.last)),
        cut.prefix,
        cut.digits,
        cut.first,
        cut.last,
        cut.quantity,
        series.series if series is not None else None,
        series.denomination_cents if series is not None else None,
        number + 1,
        move.event,
        moved,
        custody.place(way[:number]).value,
        move.to.value,
        move.who,
        move.detail,
        move.at,
        local,
        day,
        until,
        moment(until)[0] if until is not None else None,
        str(move.ref),
    )
