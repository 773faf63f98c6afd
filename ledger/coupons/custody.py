"""Where every coupon is: in exactly one place at a time, with the way it took.

A way is a tuple of numbers of moves; coupons that went the same way share it, so a range stays one
run until a part of it is touched. A movement that cannot be (a coupon distributed by somebody who
did not have it) is written into the way and moves nothing: the books say where the coupon should
be. A redemption moves a coupon in any case: it is in the box, wherever it was before.
Law: 58 Pa. Code § 525.21(m)(3), (m)(4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Final, NamedTuple

from ledger.coupons.intervals import IntervalMap
from ledger.coupons.serial import Serial, SerialForms, SerialRange, are_apart
from ledger.events import CouponSeriesDescribed
from ledger.kernel import FactRef
from ledger.kernel.quick_dataclass import dataclass


class Place(StrEnum):
    """The place of a coupon."""

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
RECEIVED: Final = frozenset({Place.DELIVERED, Place.EXAMINED, Place.STOCK})
"""Where a coupon comes to when the certificate holder receives it."""
USED: Final = frozenset({Place.REDEEMED, Place.COUNTED})
REDEEMED_ONCE: Final = USED | {Place.CANCELLED}
"""The places of a used number: a further redemption must be of another coupon."""

Way = tuple[int, ...]
"""Numbers of moves in order; a move that moved nothing is its complement (``~number``)."""


class Move(NamedTuple):
    """One movement of coupons.

    Args:
        at: when it was merged, microseconds UTC.
        event: the kind of fact.
        to: the place to which it goes.
        who: the person, or the provider; None if not recorded.
        ref: the fact.
        detail: the table, the box, the document or the reason, depending on the kind of fact.
    """

    at: int
    event: str
    to: Place
    who: str | None
    ref: FactRef
    detail: str | None = None


class Step(NamedTuple):
    """One line of a history: a move, the place before it, and whether it moved the coupon."""

    move: Move
    came_from: Place
    moved: bool


class Run(NamedTuple):
    """Coupons of consecutive serial numbers in one place that went one way.

    ``series`` None: no series has these numbers. An empty ``way``: no fact has named them.
    """

    range: SerialRange
    series: CouponSeriesDescribed | None
    place: Place
    way: Way


@dataclass(slots=True)
class Custody:
    """All coupons that any fact has named.

    Args:
        forms: the series, and how serial numbers are written.
        moves: every move, by number.
        lines: the way of each number, by form (prefix and digits).
    """

    forms: SerialForms = field(default_factory=SerialForms)
    moves: list[Move] = field(default_factory=list)
    lines: dict[tuple[str, int], IntervalMap[Way]] = field(default_factory=dict)

    def new(self, move: Move) -> int:
        """Add a move, and return its number."""
        self.moves.append(move)
        return len(self.moves) - 1

    def runs(self, wanted: SerialRange) -> list[Run]:
        """Return the coupons of a range by series, place and way, in order."""
        prefix, digits, first, last = wanted
        if first == last:
            return [self.run_of(Serial(prefix, digits, first))]
        line = self.lines.get((prefix, digits))
        parts = self.forms.parts_of(wanted)
        if line is None:
            return [Run(part, series, Place.NOWHERE, ()) for series, part in parts]
        return [
            Run(SerialRange(prefix, digits, first, last), series, self.place(way or ()), way or ())
            for series, part in parts
            for first, last, way in line.within(part.first, part.last)
        ]

    def run_of(self, serial: Serial) -> Run:
        """Return one coupon with its series, place and way."""
        prefix, digits, number = serial
        new = tuple.__new__
        coupon, way = new(SerialRange, (prefix, digits, number, number)), self.way(serial)
        return new(Run, (coupon, self.forms.series_of(serial), self.place(way), way))

    def runs_of(self, ranges: Sequence[SerialRange]) -> list[Run]:
        """Return the coupons of ranges, each as ``runs`` does; of thousands apart all at once."""
        line = self.lines.get(ranges[0][:2]) if are_apart(ranges) else None
        hull = ranges[0]._replace(last=ranges[-1].last) if line is not None else None
        parts = self.forms.parts_of(hull) if hull is not None else ()
        if line is None or len(parts) != 1:
            return [run for wanted in ranges for run in self.runs(wanted)]
        series, place, moves, new = parts[0][0], self.place, self.moves, tuple.__new__
        ways = iter(line.get_each([first for _, _, first, last in ranges if first == last]))
        runs: list[Run] = []
        for wanted in ranges:
            if wanted[2] < wanted[3]:
                runs.extend(self.runs(wanted))
                continue
            way = next(ways) or ()
            if way and (number := way[-1]) >= 0:  # as nearly every one
                runs.append(new(Run, (wanted, series, moves[number].to, way)))
            else:
                runs.append(new(Run, (wanted, series, place(way), way)))
        return runs

    def all_runs(self, wanted: Callable[[Place], bool]) -> Iterator[Run]:
        """Yield every run in a place for which ``wanted`` is True, by serial number."""
        for prefix, digits in sorted(self.lines):
            for first, last, way in self.lines[prefix, digits]:
                place = self.place(way)
                if wanted(place):
                    for series, part in self.forms.parts_of(
                        SerialRange(prefix, digits, first, last)
                    ):
                        yield Run(part, series, place, way)

    def move(self, run: Run, number: int, *, moves: bool = True) -> None:
        """Add a move to the way of a run.

        Args:
            run: coupons of one series that came the same way.
            number: the move, as ``new`` returned it.
            moves: False where the coupons cannot have gone there: the move is then only noted as
            claimed, and the way ends where it ended.
        """
        prefix, digits, first, last = run.range
        line = self.lines.get((prefix, digits))
        if line is None:
            line = self.lines[prefix, digits] = IntervalMap()
        line.put(first, last, (*run.way, number if moves else ~number))

    def step(self, serial: Serial, number: int, allowed: frozenset[Place]) -> tuple[Run, bool]:
        """Add a move to the way of one coupon, as ``move`` does; every redemption is such a step.

        Args:
            serial: the coupon.
            number: the move, as ``new`` returned it.
            allowed: the places from which it may come; from any other the move is only noted.

        Returns:
            The coupon as it was, and whether it moved.
        """
        prefix, digits, place = serial
        line = self.lines.get((prefix, digits))
        if line is None:
            line = self.lines[prefix, digits] = IntervalMap()
        way = line.get(place) or ()
        series, came_from = self.forms.series_of(serial), self.place(way)
        moves = series is not None and came_from in allowed
        line.put(place, place, (*way, number if moves else ~number))
        new = tuple.__new__
        coupon = new(SerialRange, (prefix, digits, place, place))
        return new(Run, (coupon, series, came_from, way)), moves

    def move_each(self, runs: Sequence[Run], number: int, *, moves: bool = True) -> None:
        """Add a move to the ways of runs of one form that are apart, each as ``move`` does."""
        if not runs:
            return
        line = self.lines.setdefault(runs[0].range[:2], IntervalMap())
        step = (number if moves else ~number,)
        single = [(first, way + step) for (_, _, first, last), _, _, way in runs if first == last]
        line.put_each(single)
        for run in runs if len(single) < len(runs) else ():
            if run.range.first < run.range.last:
                self.move(run, number, moves=moves)

    def ways(self, serials: Sequence[Serial]) -> list[Way]:
        """Return the way of each coupon, as ``way`` does."""
        forms = {serial[:2] for serial in serials}
        line = self.lines.get(forms.pop()) if len(forms) == 1 else None
        if line is None:
            return [self.way(serial) for serial in serials]
        return [way or () for way in line.get_each([serial.number for serial in serials])]

    def way(self, serial: Serial) -> Way:
        """Return the way of one coupon; empty if no fact has named it."""
        prefix, digits, number = serial
        line = self.lines.get((prefix, digits))
        return (line.get(number) if line is not None else None) or ()

    def place(self, way: Way) -> Place:
        """Return where a way ends."""
        if way and (number := way[-1]) >= 0:  # as nearly every one does
            return self.moves[number].to
        for number in reversed(way):
            if number >= 0:
                return self.moves[number].to
        return Place.NOWHERE

    def last(self, way: Way) -> Move | None:
        """Return the move that brought it to its place; None if none did."""
        return next((self.moves[number] for number in reversed(way) if number >= 0), None)

    def went(self, way: Way, place: Place) -> Move | None:
        """Return the last move to a place, real or only claimed; None if there was none."""
        for number in reversed(way):
            move = self.moves[number if number >= 0 else ~number]
            if move.to is place:
                return move
        return None

    def times(self, way: Way, place: Place) -> int:
        """Return how often it went to a place, in fact or as a fact only claims."""
        return sum(self.moves[number if number >= 0 else ~number].to is place for number in way)

    def was_received(self, way: Way) -> bool:
        """Whether it ever came to the certificate holder."""
        moves = self.moves
        if way and way[0] >= 0 and moves[way[0]].to in RECEIVED:  # as nearly every one was
            return True
        return any(number >= 0 and moves[number].to in RECEIVED for number in way)

    def history(self, way: Way) -> Iterator[Step]:
        """Yield the steps of a way, each with the place before it."""
        place = Place.NOWHERE
        for number in way:
            move = self.moves[number if number >= 0 else ~number]
            yield Step(move, place, number >= 0)
            if number >= 0:
                place = move.to
