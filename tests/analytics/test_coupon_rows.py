"""Custody as stays: a wide range is one row until a part of it moves on."""

from __future__ import annotations

from datetime import date

from ledger.analytics.facts import coupon_rows
from ledger.analytics.staging_columns import COLUMNS
from ledger.coupons import CustodyRegister, Place, SerialRange
from ledger.coupons.custody import Move
from ledger.kernel import FactRef, PropertyClock

CLOCK = PropertyClock("America/New_York", 6 * 60)
MORNING = CLOCK.start_of(date(2021, 6, 12))
DAY = 86_400_000_000
COLUMNS_TOLD = ("first_number", "last_number", "step", "place", "moved", "since", "until")


def moved(
    book: CustodyRegister, first: int, last: int, to: Place, at: int, *, moves: bool = True
) -> None:
    """Send a range somewhere, as the handlers of facts do."""
    move = Move(at, "Event", to, "who", FactRef("coupons/finance", 1))
    number = book.custody.new(move)
    for run in list(book.custody.runs(SerialRange("M25-", 8, first, last))):
        book.custody.move(run, number, moves=moves)


def told(book: CustodyRegister) -> set[tuple[object, ...]]:
    names = COLUMNS["coupons"].names
    rows = [dict(zip(names, row, strict=True)) for row in coupon_rows(book)]
    assert all(row["quantity"] == row["last_number"] - row["first_number"] + 1 for row in rows)
    found = [tuple(row[name] for name in COLUMNS_TOLD) for row in rows]
    assert len(found) == len(set(found))
    return set(found)


def test_ten_million_serials_are_few_rows() -> None:
    book = CustodyRegister(CLOCK)
    moved(book, 1, 10_000_000, Place.STOCK, MORNING)
    assert told(book) == {(1, 10_000_000, 1, "finance stock", True, MORNING, None)}
    moved(book, 1, 100, Place.PATRON, MORNING + 1)
    moved(book, 7, 7, Place.REDEEMED, MORNING + DAY)
    moved(book, 7, 7, Place.REDEEMED, MORNING + 2 * DAY, moves=False)  # said a second time
    assert told(book) == {
        (1, 100, 1, "finance stock", True, MORNING, MORNING + 1),
        (101, 10_000_000, 1, "finance stock", True, MORNING, None),
        (1, 6, 2, "with a patron", True, MORNING + 1, None),
        (7, 7, 2, "with a patron", True, MORNING + 1, MORNING + DAY),
        (8, 100, 2, "with a patron", True, MORNING + 1, None),
        (7, 7, 3, "redeemed", True, MORNING + DAY, None),
        (7, 7, 4, "redeemed", False, MORNING + 2 * DAY, None),
    }


def test_what_was_only_said_ends_no_stay() -> None:
    book = CustodyRegister(CLOCK)
    moved(book, 1, 3, Place.STOCK, MORNING)
    moved(book, 2, 2, Place.REDEEMED, MORNING + 5, moves=False)
    moved(book, 1, 3, Place.PATRON, MORNING + 9)
    assert told(book) == {
        (1, 1, 1, "finance stock", True, MORNING, MORNING + 9),
        (2, 2, 1, "finance stock", True, MORNING, MORNING + 9),
        (3, 3, 1, "finance stock", True, MORNING, MORNING + 9),
        (2, 2, 2, "redeemed", False, MORNING + 5, None),
        (1, 1, 2, "with a patron", True, MORNING + 9, None),
        (2, 2, 3, "with a patron", True, MORNING + 9, None),
        (3, 3, 2, "with a patron", True, MORNING + 9, None),
    }
