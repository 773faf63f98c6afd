"""Where plants go: a day is played once in private, and each plant picks its place by seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import field
from datetime import date
from random import Random

from ledger.events import BettingOpened
from ledger.floor.day import Day
from ledger.floor.draft import Draft
from ledger.floor.plant_house import LastingPlant
from ledger.floor.plant_kinds import KINDS, RECORD, PlantKind
from ledger.floor.plant_play import last_of
from ledger.floor.plant_requests import Plant
from ledger.floor.table_state import Kind, Step, Table, new_table
from ledger.floor.tables import TABLES, TableSpec
from ledger.kernel import UsageError
from ledger.kernel.quick_dataclass import dataclass

Schedule = Callable[[Table, date], Day]
StepId = tuple[str, int]
"""A table and the ordinal of one of its steps on the day."""


@dataclass(frozen=True, slots=True)
class PlannedPlant:
    """One irregularity to be planted: its kind, its day, the tables where it may stand."""

    kind: PlantKind
    day: date
    tables: tuple[TableSpec, ...]
    rng: Random


@dataclass(frozen=True, slots=True)
class PlantPlace:
    """A step that offers what a kind needs; ``moment`` is when its round began, for dice."""

    ordinal: int
    notice: int | None
    moment: int = 0


@dataclass(slots=True)
class DayPlan:
    """The places of a day's plants.

    ``changes`` are made to a step, ``notices`` to the step that prepared one, ``hidden`` cannot
    be seen at the table's capture level; ``eves`` are the tables where dice are placed a day
    too early, and when.
    """

    changes: dict[StepId, list[PlannedPlant]] = field(default_factory=dict)
    notices: dict[StepId, PlannedPlant] = field(default_factory=dict)
    hidden: dict[StepId, list[PlannedPlant]] = field(default_factory=dict)
    eves: list[tuple[str, int]] = field(default_factory=list)


class PlantSchedule:
    """Spreads the plants over days, and a day's plants over its steps."""

    def __init__(
        self, seed: int, days: Sequence[date], plants: Sequence[Plant], schedule: Schedule
    ) -> None:
        self.lasting: list[LastingPlant] = []
        self._units: list[PlannedPlant] = []
        self._schedule = schedule
        for number, plant in enumerate(plants):
            kind = KINDS[plant.kind]
            tables = _tables_for(kind, plant.table)
            once = kind.lasting is not None or kind.eve
            taken = {u.tables[0].name for u in self._units if u.kind is kind and kind.eve}
            taken |= {lasting.spec.name for lasting in self.lasting if lasting.kind == kind.name}
            left = [spec for spec in tables if spec.name not in taken]
            for copy in range(plant.count):
                rng = Random(f"{seed}/plant/{number}/{kind.name}/{copy}")
                if not once:
                    self._units.append(PlannedPlant(kind, rng.choice(days), tables, rng))
                    continue
                if not left:
                    raise UsageError(
                        f"{kind.name} can be planted once at each table, not more often"
                    )
                spec = left.pop(int(rng.random() * len(left)))
                if kind.lasting is not None:
                    first = schedule(new_table(spec), days[0])
                    self.lasting.append(kind.lasting(spec, rng, first))
                else:
                    self._units.append(PlannedPlant(kind, days[0], (spec,), rng))

    def plan(self, day: date, tables: Iterable[Table]) -> DayPlan:
        """Find the places of a day's plants.

        Raises:
            UsageError: the day offers no place to one of them.
        """
        plan = DayPlan()
        units = [unit for unit in self._units if unit.day == day]
        places: dict[tuple[str, str], list[PlantPlace]] = {}
        for table in tables:
            kinds = {u.kind.name: u.kind for u in units if table.spec in u.tables}
            if kinds:
                self._scout(deepcopy(table), day, list(kinds.values()), places)
        for unit in sorted(units, key=lambda u: (u.kind.code in RECORD, len(_choice(u, places)))):
            _put(plan, unit, _choice(unit, places))
        return plan

    def _scout(
        self,
        table: Table,
        day: date,
        kinds: Sequence[PlantKind],
        places: dict[tuple[str, str], list[PlantPlace]],
    ) -> None:
        """Play a table's day in private and note which steps offer a place to which kind."""
        spec = table.spec
        lasting = [plant for plant in self.lasting if plant.spec == spec]
        before: PlantPlace | None = None
        for ordinal, step in enumerate(self._schedule(table, day).play()):
            draft = Draft(step, list(step.facts))
            busy = step.kind is Kind.ROUND and any(
                plant.change_step(Draft(step, list(step.facts))) for plant in lasting
            )
            for kind in kinds:
                spots = places.setdefault((kind.name, spec.name), [])
                if kind.eve and kind.step is step.kind and before is not None:
                    spots.append(before)
                elif kind.step is step.kind and not kind.eve:
                    if kind.last_round:
                        spots.clear()
                    if not busy and _offers(kind, step, draft, spec):
                        spots.append(PlantPlace(ordinal, step.earlier))
            if step.kind is Kind.ROUND:
                before = PlantPlace(ordinal, None, last_of(draft, BettingOpened).event_time)


def _offers(kind: PlantKind, step: Step, draft: Draft, spec: TableSpec) -> bool:
    if kind.wagers and not spec.sees_wagers:
        return step.unseen_wagers > 0
    return kind.fits(draft)


def _choice(
    unit: PlannedPlant, places: dict[tuple[str, str], list[PlantPlace]]
) -> list[tuple[TableSpec, PlantPlace]]:
    """Every place that a unit may take; those with the least choice go first."""
    return [
        (spec, place)
        for spec in unit.tables
        for place in places.get((unit.kind.name, spec.name), [])
    ]


def _last_leaning(plan: DayPlan, spec: TableSpec) -> int:
    """The last step of a table whose plant can be shown only while nothing is in doubt."""
    return max(
        (
            ordinal
            for (table, ordinal), units in plan.changes.items()
            if table == spec.name and any(unit.kind.leans for unit in units)
        ),
        default=0,
    )


def _put(plan: DayPlan, unit: PlannedPlant, places: Sequence[tuple[TableSpec, PlantPlace]]) -> None:
    """Choose one of the free places."""
    kind = unit.kind
    occupied = plan.changes.keys() | plan.notices.keys() | plan.hidden.keys()
    free = [(spec, place) for spec, place in places if (spec.name, place.ordinal) not in occupied]
    if kind.code in RECORD:  # what a doubt would cover up must lie before it
        free = [(spec, place) for spec, place in free if place.ordinal > _last_leaning(plan, spec)]
    if not free:
        names = ", ".join(spec.name for spec in unit.tables)
        raise UsageError(
            f"{unit.day} offers no place to {kind.name} at {names}",
            cause="too many plants of a kind for one day, or too short a day",
        )
    spec, place = unit.rng.choice(free)
    where = (spec.name, place.ordinal)
    if kind.wagers and not spec.sees_wagers:
        plan.hidden.setdefault(where, []).append(unit)
        return
    plan.changes.setdefault(where, []).append(unit)
    if kind.notice is not None and place.notice is not None:
        plan.notices[(spec.name, place.notice)] = unit
    if kind.eve:
        plan.eves.append((spec.name, place.moment))


def _tables_for(kind: PlantKind, name: str | None) -> tuple[TableSpec, ...]:
    """Where a kind may stand: the table that was asked for, else all that can show it."""
    if name is None:
        usual = kind.usual or (lambda spec: kind.game(spec) and spec.sees_wagers)
        return tuple(spec for spec in TABLES if usual(spec))
    spec = next(spec for spec in TABLES if spec.name == name)
    if not kind.game(spec):
        fitting = ", ".join(other.name for other in TABLES if kind.game(other))
        raise UsageError(f"{kind.name} makes no sense at {name}", next_step=f"one of {fitting}")
    return (spec,)
