"""Changes steps as planned, and writes down what a perfect auditor must find."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ledger import events
from ledger.floor.draft import Draft, ExpectedFinding
from ledger.floor.plant_house import LastingPlant
from ledger.floor.plant_kinds import RECORD
from ledger.floor.plant_play import last_of
from ledger.floor.plant_requests import TruthRow
from ledger.floor.plant_schedule import DayPlan, PlannedPlant
from ledger.floor.stream_pens import Pen
from ledger.floor.table_state import Kind, Step, Table, is_accounted, rack_effect
from ledger.kernel import ref_of, round_id


class PlantApplication:
    """Applies a day's plan to the steps as they come; ``truth`` grows with them."""

    def __init__(self, lasting: Sequence[LastingPlant]) -> None:
        self.truth: list[TruthRow] = []
        self.plan = DayPlan()
        self._lasting = lasting

    def leaves(self, table: Table, ordinal: int, step: Step) -> bool:
        """Whether nothing is planted in a step.

        Args:
            table: the table.
            ordinal: the round's number at the table.
            step: the step of the round.
        """
        where = (step.table, ordinal)
        plan = self.plan
        if where in plan.hidden or where in plan.changes or where in plan.notices:
            return False
        mine = (plant for plant in self._lasting if plant.spec == table.spec)
        return not any(plant.change_step(Draft(step, list(step.facts))) for plant in mine)

    def change(self, table: Table, ordinal: int, step: Step) -> list[events.Fact]:
        """The facts of a step as they arrive.

        Args:
            table: the table.
            ordinal: the round's number at the table.
            step: the step of the round.
        """
        where = (step.table, ordinal)
        for unit in self.plan.hidden.get(where, ()):
            self.truth.append(_hidden_row(unit, step))
        units = self.plan.changes.get(where, ())
        notice = self.plan.notices.get(where)
        lasting = [plant for plant in self._lasting if plant.spec == table.spec]
        if not units and notice is None and not lasting:
            return self._counted(table, step, step.facts)
        draft = Draft(step, list(step.facts))
        for unit in units:
            draft.kind = unit.kind.name
            if unit.kind.edit is not None:
                unit.kind.edit(draft, table.spec, unit.rng)
            else:
                draft.find(unit.kind.code, unit.kind.cite, last_of(draft, events.DiceShaken))
        if notice is not None and notice.kind.notice is not None:
            notice.kind.notice(draft)
        kind, touched = draft.kind, False
        for plant in lasting:
            draft.kind = plant.kind
            touched |= plant.change_step(draft)
        if not units and notice is None and not touched:
            return self._counted(table, step, step.facts)
        return self._counted(table, step, self._numbered(draft, table.pens, table, kind))

    def change_house(self, step: Step, pens: dict[str, Pen]) -> list[events.Fact]:
        """The standing facts, without or with other ones."""
        draft = Draft(step, list(step.facts))
        for plant in self._lasting:
            draft.kind = plant.kind
            plant.change_standing(draft)
        return self._numbered(draft, pens, None)

    def _numbered(
        self, draft: Draft, pens: dict[str, Pen], table: Table | None, kind: str = ""
    ) -> list[events.Fact]:
        numbered = draft.number(pens)
        if table is not None:
            table.slip_count -= sum(
                isinstance(fact, events.FillDelivered) for fact in draft.unrecorded
            )
            there = [*numbered.happened, *draft.unrecorded]
            table.skew += rack_effect(there) - rack_effect(draft.step.facts)
            unseen = [fact for fact in (*draft.lost, *draft.unrecorded) if is_accounted(fact)]
            table.apart += draft.apart + rack_effect(unseen)
            if draft.apart or unseen:
                table.apart_by.append(kind)
        self.truth += [_row(row, draft.step.day) for row in numbered.rows]
        return numbered.facts

    def _counted(self, table: Table, step: Step, facts: list[events.Fact]) -> list[events.Fact]:
        """Once the box is counted, the day's win by count and by rounds can be compared."""
        box = next((fact for fact in facts if isinstance(fact, events.DropBoxCounted)), None)
        if box is None or step.kind is not Kind.COUNT:
            return facts
        for number, kind in enumerate(sorted(table.apart_by, key=lambda k: k in IN_PLAY)):
            seen = table.spec.sees_wagers and bool(table.apart)
            row = _apart_row(kind, box, seen=seen, first=not number)
            if row is not None:
                self.truth.append(row)
        table.apart, table.apart_by = 0, []
        return facts


IN_PLAY: Final = ("lost_event",)
"""Kinds that have a finding of their own, beside the win that differs."""


def _apart_row(
    kind: str, box: events.DropBoxCounted, *, seen: bool, first: bool
) -> TruthRow | None:
    """What must be found of a day's win; None where the plant has its own finding."""
    if kind in IN_PLAY and not (seen and first):
        return None
    why = None
    if not seen:
        why = "no wagers are recorded at the table, so nothing says what it should have won"
    elif not first:
        why = "it is told in one finding with what else was wrong with the day's counts"
    return {
        "kind": kind,
        "gaming_day": box.for_gaming_day,
        "round": None,
        "stream": box.stream,
        "seq": [box.seq],
        "code": "win_differs",
        "cite": "L.8",
        "detectable": why is None,
        "why": why,
    }


def _round(opened: events.Fact | None) -> str | None:
    return None if opened is None else round_id(ref_of(opened))


def _row(row: ExpectedFinding, day: str) -> TruthRow:
    round_ref = _round(row.opened)
    truth: TruthRow = {
        "kind": row.kind,
        "gaming_day": row.day or day,
        "round": round_ref,
        "stream": row.facts[0].stream,
        "seq": [fact.seq for fact in row.facts],
        "code": row.code,
        "cite": row.cite,
        "detectable": True,
        "why": None,
    }
    if row.code in RECORD and round_ref is not None:
        truth["unknown_rounds"] = [round_ref]
    return truth


def _hidden_row(unit: PlannedPlant, step: Step) -> TruthRow:
    opened: Iterable[events.Fact] = (
        fact for fact in step.facts if isinstance(fact, events.BettingOpened)
    )
    return {
        "kind": unit.kind.name,
        "gaming_day": step.day,
        "round": _round(next(iter(opened), None)),
        "stream": step.table,
        "seq": [],
        "code": unit.kind.code,
        "cite": unit.kind.cite,
        "detectable": False,
        "why": f"{step.table} records outcomes only: neither wagers nor settlements",
    }
