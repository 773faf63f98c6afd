"""A simulated floor: facts in the order in which they arrive, and the truth about the plants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from ledger.events import (
    DiceSetPlaced,
    DiceSetRemoved,
    Fact,
    Role,
    StaffAssigned,
    StaffRelieved,
)
from ledger.floor import people
from ledger.floor.coupon_kinds import COUPON_KINDS
from ledger.floor.coupon_program import on_the_roster
from ledger.floor.coupon_terms import STREAMS
from ledger.floor.coupons import CouponProgram
from ledger.floor.day import Day
from ledger.floor.delivery import Delivery
from ledger.floor.office import CLOCK, OFFICE, Office
from ledger.floor.opening_and_closing import die_identities, first_set
from ledger.floor.plant_application import PlantApplication
from ledger.floor.plant_requests import Plant, TruthRow
from ledger.floor.plant_schedule import PlantSchedule
from ledger.floor.stream_pens import HOUR, MINUTE, SECOND
from ledger.floor.table_state import Kind, Step, Table, new_table
from ledger.floor.tables import tables_of
from ledger.kernel import UsageError
from ledger.kernel.quick_dataclass import dataclass

FIRST_DAY: Final = date(2021, 6, 12)
MOST_DAYS: Final = 3_660
MOST_FLOORS: Final = 50
LEAST_EVENTS: Final = 10_000
"""Below, tables would not be open for their shortest day."""
_FLOOR_EVENTS: Final = 125_000
"""What one floor is asked for at most; its whole day has more with any seed."""
MOST_EVENTS: Final = MOST_FLOORS * _FLOOR_EVENTS
_FULL_DAY: Final = 140_000
"""About what one floor's whole day has: where the trials begin."""
_LEAST_SCALE: Final = 0.03
_TRIALS: Final = 6
_NEAR: Final = 0.015
"""So near to the wish, as a share of it, no further trial is made."""
_SLICE: Final = 10 * MINUTE
_BEFORE_END: Final = 30 * SECOND


class Simulation:
    """Facts to be drawn once; ``truth`` is complete when the last one was drawn."""

    def __init__(
        self,
        seed: int,
        first_day: date,
        days: int,
        plants: Sequence[Plant],
        scale: float,
        *,
        coupons: bool = False,
        floors: int = 1,
    ) -> None:
        specs = tables_of(floors)
        self._seed = seed
        self._days = [first_day + timedelta(days=number) for number in range(days)]
        self._scale = scale
        self._tables = [new_table(spec) for spec in specs]
        of_coupons = [plant for plant in plants if plant.kind in COUPON_KINDS]
        plants = [plant for plant in plants if plant not in of_coupons]
        self._coupons: CouponProgram | None = None
        if coupons or of_coupons:
            wishes = [(plant.kind, plant.count, plant.table) for plant in of_coupons]
            self._coupons = CouponProgram(seed, self._days, wishes, scale, floors)
        self._planner = PlantSchedule(seed, self._days, plants, self._schedule)
        self._planter = PlantApplication(self._planner.lasting)
        self._office = Office(specs, SECOND // floors)
        streams = [OFFICE, *(name for spec in specs for name, _ in spec.streams)]
        if self._coupons is not None:
            streams += [name for name, _ in STREAMS]
        self._delivery = Delivery(streams)
        self._done = False
        self.facts: Iterator[Fact] = self._draw()

    @property
    def truth(self) -> tuple[TruthRow, ...]:
        """What a perfect auditor must find, in the order of the days."""
        if not self._done:
            raise RuntimeError("the truth is known when all facts have been drawn")
        of_coupons = self._coupons.truth if self._coupons is not None else []
        return (*self._planter.truth, *of_coupons)

    def _schedule(self, table: Table, day: date) -> Day:
        return Day(table, day, CLOCK, self._seed, self._scale)

    def _draw(self) -> Iterator[Fact]:
        for day in self._days:
            self._planter.plan = self._planner.plan(day, self._tables)
            if day == self._days[0]:
                yield from self._begin(day)
            yield from self._play(day)
        if self._coupons is not None:
            self._coupons.finish()
        self._done = True

    def _begin(self, day: date) -> Iterator[Fact]:
        """The standing facts; on the eve, when dice must be older than the first day."""
        eves = self._planter.plan.eves
        used = day.isoformat()  # what is wrong with a filing is found on the first day of its use
        day = day - timedelta(days=1) if eves else day
        before = {OFFICE: self._office.pen.seq}
        facts = self._office.standing_facts(CLOCK.start_of(day))
        if self._coupons is not None:
            facts += on_the_roster(self._office, CLOCK.start_of(day))
        step = Step(kind=Kind.HOUSE, table=OFFICE, day=used, facts=facts, before=before)
        self._delivery.send(self._planter.change_house(step, {OFFICE: self._office.pen}))
        if not eves:
            return
        for table in self._tables:
            for name, opened in eves:
                if name == table.spec.name:
                    self._delivery.send(_eve(table, opened - 24 * HOUR))
        yield from self._delivery.receive_all()
        names = {name for name, _ in eves}
        ends = [(t.main.stream, t.main.seq) for t in self._tables if t.spec.name in names]
        yield self._close(day, ends)

    def _close(self, day: date, ends: Sequence[tuple[str, int]]) -> Fact:
        at = CLOCK.start_of(day + timedelta(days=1)) - _BEFORE_END
        return self._office.close_day(day.isoformat(), at, ends)

    def _play(self, day: date) -> Iterator[Fact]:
        """One gaming day of all tables, slice by slice."""
        start = CLOCK.start_of(day)
        self._delivery.send(self._office.check_clocks(start))
        coupons = self._coupons
        if coupons is not None:
            self._delivery.send(coupons.begin(day, start, self._tables))
        playing = {table.spec.name: self._schedule(table, day).play() for table in self._tables}
        ordinals = dict.fromkeys(playing, 0)
        until = start
        while playing:
            until += _SLICE
            for table in self._tables:
                name = table.spec.name
                while name in playing and table.time < until:
                    step = next(playing[name], None)
                    if step is None:
                        del playing[name]
                        break
                    if coupons is not None:
                        free = self._planter.leaves(table, ordinals[name], step)
                        step = coupons.attend(table, step, free=free)
                    self._delivery.send(self._planter.change(table, ordinals[name], step))
                    ordinals[name] += 1
            yield from self._delivery.receive(until)
        if coupons is not None:
            self._delivery.send(coupons.end(self._tables))
        yield from self._delivery.receive_all()
        ends = [(p.stream, p.seq) for t in self._tables for p in t.pens.values()]
        yield self._close(day, [*ends, *(coupons.ends if coupons is not None else [])])


def _eve(table: Table, placed: int) -> list[Fact]:
    """Dice are put into their shaker a day before they are used, and put away again."""
    dealer = people.dealers_of(table.spec)[0]
    serials = first_set(table.spec)
    pen = table.main
    return [
        StaffAssigned(**pen.stamp(placed - MINUTE, dealer), role=Role.DEALER, person=dealer),
        DiceSetPlaced(
            **pen.stamp(placed, dealer),
            shaker=table.spec.shaker,
            dice=die_identities(table.spec, serials),
        ),
        DiceSetRemoved(**pen.stamp(placed + 5 * MINUTE, dealer), dice=serials),
        StaffRelieved(
            **pen.stamp(placed + 6 * MINUTE, dealer),
            role=Role.DEALER,
            person=dealer,
            relieved_by=None,
        ),
    ]


def simulate(
    seed: int,
    first_day: date = FIRST_DAY,
    days: int = 1,
    plants: Sequence[Plant] = (),
    *,
    scale: float = 1.0,
    coupons: bool = False,
    floors: int = 1,
) -> Simulation:
    """Simulate the floor: the same arguments give the same facts.

    Args:
        seed: chooses everything that is left to chance.
        first_day: the first gaming day.
        days: how many.
        plants: irregularities to be put into honest play.
        scale: share of the usual opening hours, above 0 and up to 1.
        coupons: whether Match Play Coupons are in use; a plant of coupons says so, too.
        floors: how many times over the tables stand; plants go to those of the first.

    Raises:
        UsageError: an argument makes no sense, or a plant finds no place (when facts are drawn).
    """
    if not 1 <= days <= MOST_DAYS:
        raise UsageError(f"days must be from 1 to {MOST_DAYS}, not {days}")
    if not 0 < scale <= 1:
        raise UsageError(f"scale must be above 0 and at most 1, not {scale}")
    if not 1 <= floors <= MOST_FLOORS:
        raise UsageError(f"floors must be from 1 to {MOST_FLOORS}, not {floors}")
    return Simulation(seed, first_day, days, plants, scale, coupons=coupons, floors=floors)


@dataclass(frozen=True, slots=True)
class Size:
    """How much is played: the share of the usual opening hours, and how often the floor stands."""

    scale: float = 1.0
    floors: int = 1


def size_for(events: int, seed: int, first_day: date = FIRST_DAY, *, coupons: bool = False) -> Size:
    """The size of a floor whose gaming day has about so many events.

    The opening hours of one floor are tried out in private until a day comes near; each further
    floor plays another day of as many hours.

    Args:
        events: how many are wanted of a day.
        seed: of the simulation that is meant.
        first_day: its first day.
        coupons: whether coupons are in use there.

    Raises:
        UsageError: no floor has so few or so many.
    """
    if not LEAST_EVENTS <= events <= MOST_EVENTS:
        raise UsageError(
            f"a day can have from {LEAST_EVENTS:,} to {MOST_EVENTS:,} events, not {events:,}"
        )
    floors = -(-events // _FLOOR_EVENTS)
    wanted = events / floors
    scale = wanted / _FULL_DAY
    trials: list[tuple[float, float]] = []  # longer hours are not always more events: keep the best
    while len(trials) < _TRIALS and (not trials or min(trials)[0] > _NEAR):
        drawn = sum(1 for _ in simulate(seed, first_day, scale=scale, coupons=coupons).facts)
        trials.append((abs(drawn / wanted - 1), scale))
        scale = min(1.0, max(_LEAST_SCALE, scale * wanted / drawn))
    return Size(min(trials)[1], floors)
