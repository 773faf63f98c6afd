"""Where every serial number is: exactly one place at a time, with the way it took.

A way is a tuple of numbers of moves; serial numbers that went the same way share it, so a range
stays one run until a part of it is touched. A movement that cannot be (a coupon given out that was
not held) is written into the way but moves nothing: the books say where the coupon should be. What a
table took in is where it is all the same: a coupon redeemed from wherever it was is redeemed.
Law: 58 Pa. Code § 525.21(m)(3), (m)(4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

from ledger.coupons.intervals import IntervalMap
from ledger.coupons.serial import Serial, SerialForms, SerialRange
from ledger.events import CouponSeriesDescribed
from ledger.kernel import FactRef


class Place(StrEnum):
    """Where coupons are."""

    NOWHERE = "never received"
    DELIVERED = "delivered, not examined"
    EXAMINED = "examined, not entered"
    ABSENT = "invoiced, not in the delivery"
    STOCK = "finance stock"
    MARKETING = "marketing"
    KEPT = "kept by marketing"
    LISTED = "listed to be mailed"
    PATRON = "with a patron"
    MAILED = "with a patron, by mail"
    REDEEMED = "redeemed"
    COUNTED = "counted from a drop box"
    VOIDED = "voided"
    EXPIRED_BACK = "returned, expired"
    UNDELIVERED = "returned, not deliverable"
    CANCELLED = "cancelled"


WITH_MARKETING: Final = frozenset({Place.MARKETING, Place.KEPT})
WITH_PATRONS: Final = frozenset({Place.PATRON, Place.MAILED})
USED: Final = frozenset({Place.REDEEMED, Place.COUNTED})
REDEEMED_ONCE: Final = USED | {Place.CANCELLED}
"""Where a coupon is whose number was used up: a further redemption is of another coupon."""

Way = tuple[int, ...]
"""Numbers of moves in order; one that moved nothing stands as its complement (``~number``)."""


class Move(NamedTuple):
    """One movement: when, by which fact, where to, who, and where exactly."""

    at: int
    event: str
    to: Place
    who: str | None
    ref: FactRef
    detail: str | None = None


class Step(NamedTuple):
    """One line of a history."""

    move: Move
    came_from: Place
    moved: bool


class Run(NamedTuple):
    """Serial numbers that are in one place and went one way."""

    range: SerialRange
    series: CouponSeriesDescribed | None
    place: Place
    way: Way


@dataclass(slots=True)
class Custody:
    """All serial numbers that any fact has named."""

    forms: SerialForms = field(default_factory=SerialForms)
    moves: list[Move] = field(default_factory=list)
    lines: dict[tuple[str, int], IntervalMap[Way]] = field(default_factory=dict)

    def new(self, move: Move) -> int:
        """Add a move; its number."""
        self.moves.append(move)
        return len(self.moves) - 1

    def runs(self, wanted: SerialRange) -> Iterator[Run]:
        """The serial numbers of a range by series, place and way."""
        for series, part in self.forms.parts_of(wanted):
            line = self.lines.get(part[:2])
            if line is None:
                yield Run(part, series, Place.NOWHERE, ())
                continue
            for first, last, way in line.within(part.first, part.last):
                cut = SerialRange(part.prefix, part.digits, first, last)
                yield Run(cut, series, self.place(way or ()), way or ())

    def all_runs(self, wanted: Callable[[Place], bool]) -> Iterator[Run]:
        """Every run in a place that is asked for, in order of serial numbers."""
        for prefix, digits in sorted(self.lines):
            for first, last, way in self.lines[prefix, digits]:
                place = self.place(way)
                if wanted(place):
                    for series, part in self.forms.parts_of(
                        SerialRange(prefix, digits, first, last)
                    ):
                        yield Run(part, series, place, way)

    def move(self, run: Run, number: int, *, moves: bool = True) -> None:
        """Send a run on its way; ``moves`` False only notes that it was said."""
        line = self.lines.get(run.range[:2])
        if line is None:
            line = self.lines[run.range.prefix, run.range.digits] = IntervalMap()
        line.put(run.range.first, run.range.last, (*run.way, number if moves else ~number))

    def way(self, serial: Serial) -> Way:
        """The way of one serial number."""
        line = self.lines.get((serial.prefix, serial.digits))
        return (line.get(serial.number) if line is not None else None) or ()

    def place(self, way: Way) -> Place:
        """Where a way ends."""
        for number in reversed(way):
            if number >= 0:
                return self.moves[number].to
        return Place.NOWHERE

    def last(self, way: Way) -> Move | None:
        """The move that brought it to its place."""
        return next((self.moves[number] for number in reversed(way) if number >= 0), None)

    def went(self, way: Way, place: Place) -> Move | None:
        """The last move to a place, real or only said, None if there was none."""
        for number in reversed(way):
            move = self.moves[number if number >= 0 else ~number]
            if move.to is place:
                return move
        return None

    def times(self, way: Way, place: Place) -> int:
        """How often it went to a place, in fact or as a fact only claims."""
        return sum(self.moves[number if number >= 0 else ~number].to is place for number in way)

    def was_received(self, way: Way) -> bool:
        """Whether it ever came to the certificate holder."""
        return any(
            number >= 0 and self.moves[number].to in (Place.DELIVERED, Place.EXAMINED, Place.STOCK)
            for number in way
        )

    def history(self, way: Way) -> Iterator[Step]:
        """The steps of a way, each with the place before it."""
        place = Place.NOWHERE
        for number in way:
            move = self.moves[number if number >= 0 else ~number]
            yield Step(move, place, number >= 0)
            if number >= 0:
                place = move.to
