"""The figures of a gaming day by denomination: what the forms print and the balances say.

Four balances, each by itself: finance's stock; marketing's custody; coupons with patrons; and
redeemed, dropped, counted and cancelled by serial number and box. No difference is netted against
another: each is also followed by serial number.
Law: 58 Pa. Code § 525.21(j), (m)(3), (n), (o); readings redeemed-in-equation, kept-by-marketing.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from ledger.coupons.boxes import boxes_of, dropped_by_day
from ledger.coupons.custody import Place
from ledger.coupons.custody_register import CustodyRegister
from ledger.coupons.daily_form import remaining, variation_ranges
from ledger.coupons.day_conclusion import conclude
from ledger.coupons.movements import differing
from ledger.coupons.periods import redeemed_in
from ledger.coupons.records import DayRecord, Flow
from ledger.coupons.serial import SerialRange, joined
from ledger.kernel import Finding
from ledger.kernel.quick_dataclass import dataclass

Ranges = tuple[SerialRange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One denomination on one gaming day, in coupons.

    Args:
        denomination_cents: the denomination.
        carried_in: what marketing held when the day opened.
        received: issued to marketing.
        distributed: handed to patrons, rightly or not.
        voided: voided by marketing.
        returned: returned to finance for reissue.
        returned_expired: returned to finance as expired.
        kept: kept by marketing for the next day.
        mailed: mailed by a provider.
        redeemed: redeemed at tables.
        dropped: found in the boxes of the day.
        cancelled_redeemed: cancelled as redeemed.
        voided_finance: voided by finance.
        finance_stock_close: finance's stock when the day ended.
        with_patrons_close: with patrons when the day ended.
    """

    denomination_cents: int
    carried_in: int
    received: int
    distributed: int
    voided: int
    returned: int
    returned_expired: int
    kept: int
    mailed: int
    redeemed: int
    dropped: int
    cancelled_redeemed: int
    voided_finance: int
    finance_stock_close: int
    with_patrons_close: int

    @property
    def to_distribute(self) -> int:
        """On hand to distribute (§ 525.21(j)(3))."""
        return self.carried_in + self.received

    @property
    def remaining(self) -> int:
        """On hand less distributed less voided (§ 525.21(j)(5))."""
        return self.to_distribute - self.distributed - self.voided

    @property
    def variation(self) -> int:
        """On hand to distribute less all ways out; zero when marketing's custody balances."""
        out = self.distributed + self.voided + self.returned + self.returned_expired + self.kept
        return self.to_distribute - out


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One denomination of the daily form, with its serial numbers (§ 525.21(j)).

    Besides the ranges of each line, ``voided`` has each range with its reason (None: none
    recorded), ``unaccounted`` the serial numbers that vary, and ``explanations`` what marketing's
    form says of them.
    """

    figures: Figures
    carried_in: Ranges
    received: Ranges
    distributed: Ranges
    remaining: Ranges
    returned: Ranges
    returned_expired: Ranges
    kept: Ranges
    voided: tuple[tuple[SerialRange, str | None], ...]
    unaccounted: Ranges
    explanations: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxFigures:
    """One drop box, in coupons: ``counted`` is None while it awaits its count."""

    table: str
    box: str | None
    dropped: int
    counted: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciliation:
    """A gaming day reconciled.

    Args:
        gaming_day: the day.
        blocks: the form, by denomination.
        boxes: the boxes of the day.
        findings: the findings of the day.
        is_over: whether the day is over as far as the record goes.
        is_sure: whether no fact may be missing.
    """

    gaming_day: date
    blocks: tuple[Block, ...]
    boxes: tuple[BoxFigures, ...]
    findings: tuple[Finding, ...]
    is_over: bool
    is_sure: bool

    @property
    def is_balanced(self) -> bool:
        """Whether nothing varies and there is no finding."""
        return not self.findings and all(block.figures.variation == 0 for block in self.blocks)


def figures(book: CustodyRegister, day: date) -> tuple[Figures, ...]:
    """Return the figures of a day for each denomination that was ever described."""
    record = book.days.get(day) or DayRecord(day)
    begun = [known for known, one in book.days.items() if one.begun and known <= day]
    closing = book.days[max(begun)] if begun else record
    dropped = dropped_by_day(book, day)
    return tuple(
        Figures(
            denomination_cents=cents,
            carried_in=record.quantity(Flow.CARRIED_IN, cents),
            received=record.quantity(Flow.RECEIVED, cents),
            distributed=record.quantity(Flow.DISTRIBUTED, cents),
            voided=record.quantity(Flow.VOIDED, cents),
            returned=record.quantity(Flow.RETURNED, cents),
            returned_expired=record.quantity(Flow.RETURNED_EXPIRED, cents),
            kept=record.quantity(Flow.KEPT, cents),
            mailed=record.quantity(Flow.MAILED, cents),
            redeemed=record.quantity(Flow.REDEEMED, cents),
            dropped=dropped.get(cents, 0),
            cancelled_redeemed=record.quantity(Flow.CANCELLED_REDEEMED, cents),
            voided_finance=record.quantity(Flow.VOIDED_FINANCE, cents),
            finance_stock_close=closing.stock.get(cents, 0),
            with_patrons_close=closing.patrons.get(cents, 0),
        )
        for cents in denominations(book)
    )


def denominations(book: CustodyRegister) -> list[int]:
    """Return every denomination described, rising, in cents."""
    return sorted({one.denomination_cents for one in book.custody.forms.described()})


def reconcile(book: CustodyRegister, day: date) -> Reconciliation:
    """Return a gaming day as the forms print it; the record must have been followed to its end."""
    record = book.days.get(day) or DayRecord(day)
    begins, ends = book.clock.bounds(day)
    return Reconciliation(
        gaming_day=day,
        blocks=tuple(_block(book, record, one) for one in figures(book, day)),
        boxes=tuple(
            BoxFigures(
                table=box.table,
                box=box.box,
                dropped=len(box.dropped),
                counted=_quantity(box.counted()) if box.is_counted else None,
            )
            for box in boxes_of(book, day)
        ),
        findings=tuple(conclude(book, day)),
        is_over=book.is_over(day),
        is_sure=book.sure(begins - 1, ends - 1, *book.tables_in_doubt()) and book.sure(-1, ends),
    )


def _quantity(ranges: Iterable[SerialRange]) -> int:
    return sum(last - first + 1 for _, _, first, last in ranges)


def _block(book: CustodyRegister, record: DayRecord, own: Figures) -> Block:
    cents = own.denomination_cents

    def of(flow: Flow) -> Ranges:
        return joined(record.ranges(flow, cents))

    rest = joined(
        part
        for one in remaining(record)
        for series, part in book.custody.forms.parts_of(one)
        if series is not None and series.denomination_cents == cents
    )
    gone = [*of(Flow.RETURNED), *of(Flow.RETURNED_EXPIRED), *of(Flow.KEPT)]
    odd = [one for one, known in variation_ranges(record) if known == cents]
    loose = differing(set(rest), gone) if rest or gone else []
    form = record.forms[-1] if record.forms else None
    reasons = [
        (one, reason)
        for one, reason in record.void_reasons
        if any(one.shared_with(voided) for voided in of(Flow.VOIDED))
    ]
    return Block(
        figures=own,
        carried_in=of(Flow.CARRIED_IN),
        received=of(Flow.RECEIVED),
        distributed=joined([*of(Flow.DISTRIBUTED), *odd]),
        remaining=rest,
        returned=of(Flow.RETURNED),
        returned_expired=of(Flow.RETURNED_EXPIRED),
        kept=of(Flow.KEPT),
        voided=tuple(reasons),
        unaccounted=joined([*loose, *odd]),
        explanations=tuple(
            one.explanation
            for one in (form.variations if form else ())
            if one.explanation and one.denomination_cents in (None, cents)
        ),
    )


def inventory(book: CustodyRegister) -> dict[int, dict[Place, int]]:
    """Return what is undistributed, by denomination in cents and place (§ 525.21(n))."""
    places = (
        *(Place.DELIVERED, Place.EXAMINED, Place.STOCK, Place.MARKETING, Place.KEPT),
        *(Place.EXPIRED_BACK, Place.UNDELIVERED, Place.VOIDED),
    )
    return {
        cents: {place: book.holdings.by_place.get(place, {}).get(cents, 0) for place in places}
        for cents in denominations(book)
    }


def quarterly(book: CustodyRegister, quarter: str) -> dict[int, int]:
    """Return the value redeemed in a quarter ("2012-Q3"), in cents by denomination.

    A denomination without any has zero (§ 525.21(o)).
    """
    known = redeemed_in(book, quarter)
    return {cents: known.get(cents, 0) for cents in denominations(book)}
