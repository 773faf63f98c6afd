"""The serial numbers behind a figure of a gaming day's equation.

Law: 58 Pa. Code § 525.21(j), (m)(3): a figure is shown by the serial numbers that make it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import Final

from ledger.coupons.boxes import boxes_of
from ledger.coupons.custody import WITH_PATRONS, Place
from ledger.coupons.custody_register import CustodyRegister
from ledger.coupons.figures import reconcile
from ledger.coupons.forms.at_day import DayEnd
from ledger.coupons.records import DayRecord, Flow
from ledger.coupons.serial import Serial, SerialRange
from ledger.events import CancelReason
from ledger.kernel import FactRef, table_of
from ledger.kernel.quick_dataclass import dataclass

_FLOWS: Final = frozenset(
    {
        *(Flow.CARRIED_IN, Flow.RECEIVED, Flow.DISTRIBUTED, Flow.VOIDED, Flow.RETURNED),
        *(Flow.RETURNED_EXPIRED, Flow.KEPT, Flow.MAILED),
    }
)
_CLOSES: Final = {
    "finance_stock_close": frozenset({Place.STOCK}),
    "with_patrons_close": WITH_PATRONS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRange:
    """Serial numbers that a figure counts, and where or how: a table, a drop box, a place."""

    range: SerialRange
    where: str


def ranges_behind(
    book: CustodyRegister,
    day: date,
    figure: str,
    cents: int,
    is_of_day: Callable[[FactRef], bool],
) -> list[FigureRange]:
    """Return the serial numbers that a figure counts, in order.

    Args:
        book: the custody, followed to the end of the record.
        day: the gaming day.
        figure: its name among ``Figures``.
        cents: the denomination.
        is_of_day: tells whether a cancellation names the day, by its fact.
    """
    record = book.days.get(day) or DayRecord(day)
    match figure:
        case "redeemed":
            redeemed = (
                (_single(serial), f"at {table_of(ref.stream)}")
                for serial, ref in zip(record.redeemed, record.redemptions, strict=True)
            )
            counted = _of_denomination(book, redeemed, cents)
        case "dropped":
            counted = _of_denomination(book, _dropped(book, day), cents)
        case "cancelled_redeemed":
            counted = _cancelled(book, cents, is_of_day)
        case "variation":
            blocks = reconcile(book, day).blocks
            counted = (
                FigureRange(range=part, where="unaccounted for")
                for block in blocks
                if block.figures.denomination_cents == cents
                for part in block.unaccounted
            )
        case _ if figure in _CLOSES:
            counted = (
                FigureRange(range=part.range, where=part.place.value)
                for part in DayEnd(book, day).ranges()
                if part.cents == cents and part.place in _CLOSES[figure]
            )
        case _ if figure in _FLOWS:
            counted = _flowed(record, Flow(figure), cents)
        case _:
            counted = iter(())
    return sorted(counted, key=lambda each: each.range)


def _single(serial: Serial) -> SerialRange:
    return SerialRange(serial.prefix, serial.digits, serial.number, serial.number)


def _flowed(record: DayRecord, flow: Flow, cents: int) -> Iterator[FigureRange]:
    for part in record.ranges(flow, cents):
        yield FigureRange(range=part, where="")
    if flow is Flow.DISTRIBUTED:
        for part, denomination in record.odd.get(flow, ()):
            if denomination == cents:
                yield FigureRange(range=part, where="not from what marketing had")


def _dropped(book: CustodyRegister, day: date) -> Iterator[tuple[SerialRange, str]]:
    for box in boxes_of(book, day):
        if box.is_counted:
            for part in box.counted():
                yield part, f"in the drop box of {box.table}"


def _cancelled(
    book: CustodyRegister, cents: int, is_of_day: Callable[[FactRef], bool]
) -> Iterator[FigureRange]:
    """Coupons whose last step is a cancellation as redeemed that names the day."""
    because = CancelReason.REDEEMED.value.lower()
    for part in DayEnd(book, max(book.days)).ranges():
        move = part.last
        if move is None or move.to is not Place.CANCELLED or move.detail != because:
            continue
        if part.cents == cents and is_of_day(move.ref):
            yield FigureRange(range=part.range, where=f"by {move.who or 'nobody recorded'}")


def _of_denomination(
    book: CustodyRegister, parts: Iterable[tuple[SerialRange, str]], cents: int
) -> Iterator[FigureRange]:
    for whole, where in parts:
        for series, part in book.custody.forms.parts_of(whole):
            if series is not None and series.denomination_cents == cents:
                yield FigureRange(range=part, where=where)
