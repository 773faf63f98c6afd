"""Where every coupon was at the end of a gaming day, whatever happened to it afterwards.

The form of a day must not change unless a fact about that day arrives late. So the way of a coupon
is cut at the day's end; later steps that belong to the day are kept: the count of its drop boxes,
and the cancellation of what was used or voided on it.
Law: 58 Pa. Code § 525.21(m)(3), (m)(4).
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AnySet
from dataclasses import field
from datetime import date
from functools import cache, cached_property
from typing import Final, NamedTuple

from ledger.coupons.custody import USED, WITH_PATRONS, Move, Place, Way
from ledger.coupons.custody_register import CustodyRegister
from ledger.coupons.serial import SerialRange
from ledger.events import CouponSeriesDescribed
from ledger.kernel import FactRef, ref_of
from ledger.kernel.quick_dataclass import dataclass

ENDING: Final = USED | {Place.VOIDED}
"""The places from which a coupon is cancelled for the day on which it was used or voided."""
TO_PATRONS: Final = frozenset({Place.PATRON, Place.MAILED, Place.REDEEMED})
BEFORE_STOCK: Final = frozenset({Place.NOWHERE, Place.ABSENT, Place.DELIVERED, Place.EXAMINED})
UNSTOCKED: Final = frozenset(
    {*((place, Place.MARKETING) for place in BEFORE_STOCK), (Place.STOCK, Place.REDEEMED)}
)
"""Ways past finance's books: issued without having been entered, and used out of stock."""
Gone = dict[tuple[int, Place, Place, bool], int]
"""Number of coupons by denomination in cents, place before, place after, and whether they moved.

Where they did not move, a fact only states it.
"""


@dataclass(slots=True)
class Passages:
    """All steps that coupons took, and the serial numbers whose steps break a balance.

    Args:
        gone: how many coupons took each step.
        only_stated: by denomination in cents, coupons that a fact states to have been given out,
            mailed or redeemed from where they were not.
        unstocked: by denomination in cents, coupons that went to marketing without having been
            entered, or from stock to a table.
    """

    gone: Gone = field(default_factory=dict)
    only_stated: dict[int, list[SerialRange]] = field(default_factory=dict)
    unstocked: dict[int, list[SerialRange]] = field(default_factory=dict)


class HeldRange(NamedTuple):
    """Serial numbers that were in one place at a day's end, having gone one way."""

    range: SerialRange
    series: CouponSeriesDescribed
    place: Place
    way: Way
    last: Move | None

    @property
    def cents(self) -> int:
        """The denomination."""
        return self.series.denomination_cents


@dataclass
class DayEnd:
    """The custody as it stood when a gaming day ended."""

    book: CustodyRegister
    day: date
    until: int | None = None
    """The moment at which to look, microseconds UTC; None for the day's end."""
    _ends: int = 0

    def __post_init__(self) -> None:
        self._ends = self.book.clock.bounds(self.day)[1] if self.until is None else self.until

    @cached_property
    def _counts(self) -> dict[FactRef, date]:
        """The gaming day of each count of a box; asked where something came after the day."""
        counts: dict[FactRef, date] = {}
        for box in self.book.boxes:
            counts.update((ref, box.day) for ref, *_ in box.counts.values())
            if box.cash is not None:
                counts[ref_of(box.cash)] = box.day
        return counts

    def ranges(self, without: AnySet[Place] = frozenset()) -> Iterator[HeldRange]:
        """All serial numbers that had gone anywhere by then, in order; as few ranges as can be.

        Args:
            without: places of which no range is asked for.
        """
        custody = self.book.custody
        is_wanted = cache(lambda way: bool(way) and custody.place(way) not in without)
        for prefix, digits in sorted(custody.lines):
            reached: tuple[int, int, Way] | None = None
            for first, last, whole in custody.lines[prefix, digits]:
                way = self.cut(whole)
                if reached is not None and reached[2] == way and reached[1] + 1 == first:
                    reached = (reached[0], last, way)
                    continue
                if reached is not None and is_wanted(reached[2]):
                    yield from self._parts(prefix, digits, reached)
                reached = (first, last, way)
            if reached is not None and is_wanted(reached[2]):
                yield from self._parts(prefix, digits, reached)

    def _parts(self, prefix: str, digits: int, pieces: tuple[int, int, Way]) -> Iterator[HeldRange]:
        first, last, way = pieces
        custody = self.book.custody
        move = custody.last(way)
        place = move.to if move is not None else Place.NOWHERE
        for series, part in custody.forms.parts_of(SerialRange(prefix, digits, first, last)):
            if series is not None:
                yield HeldRange(part, series, place, way, move)

    def cut(self, way: Way) -> Way:
        """Return the steps of a way that belong to the time up to the day's end."""
        moves, ends = self.book.custody.moves, self._ends
        number = way[-1]
        if moves[number if number >= 0 else ~number].at < ends:
            return way
        kept: list[int] = []
        place = Place.NOWHERE
        for number in way:
            move = moves[number if number >= 0 else ~number]
            counted = self._counts.get(move.ref)
            belongs = move.at < ends or (counted is not None and counted <= self.day)
            if move.to is Place.CANCELLED and place in ENDING and kept and number >= 0:
                belongs = belongs or self._day_of_use(kept) <= self.day
            belongs = belongs and (self.until is None or move.at < ends)
            if not belongs:
                continue
            kept.append(number)
            if number >= 0:
                place = move.to
        return tuple(kept)

    def _day_of_use(self, way: list[int]) -> date:
        """Return the gaming day to whose drop or voids a coupon belongs."""
        last = self.book.custody.last(tuple(way))
        assert last is not None
        return self._counts.get(last.ref) or self.book.clock.day_of(last.at)

    def passages(self, parts: list[HeldRange]) -> Passages:
        """Count the coupons that ever went from one place to another, by denomination."""
        passages = Passages()
        moves, gone = self.book.custody.moves, passages.gone
        for part in parts:
            cents, place, count = part.cents, Place.NOWHERE, part.range.last - part.range.first + 1
            for number in part.way:
                moved = number >= 0
                to = moves[number if moved else ~number].to
                key = (cents, place, to, moved)
                gone[key] = gone.get(key, 0) + count
                out_of_custody = to is Place.REDEEMED and place not in WITH_PATRONS
                if to in TO_PATRONS and (not moved or out_of_custody):
                    passages.only_stated.setdefault(cents, []).append(part.range)
                if moved and (place, to) in UNSTOCKED:
                    passages.unstocked.setdefault(cents, []).append(part.range)
                if moved:
                    place = to
        return passages
