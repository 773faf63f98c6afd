"""The coupon program beside the games: one hook in the round of play, one day in the departments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from random import Random
from typing import Final

from ledger.events import CouponRedeemed, Fact
from ledger.floor.coupon_evening import evening
from ledger.floor.coupon_kinds import COUPON_KINDS, plan_of
from ledger.floor.coupon_office import morning
from ledger.floor.coupon_plants import CHANGES, Expected
from ledger.floor.coupon_play import (
    CouponRound,
    close_box,
    count_box,
    opened_of,
    pairs_of,
    use_lawfully,
)
from ledger.floor.coupon_program import standing_facts
from ledger.floor.coupon_stock import Stock, truth_row
from ledger.floor.draft import Draft
from ledger.floor.plant_requests import TruthRow
from ledger.floor.stream_pens import MINUTE, SECOND
from ledger.floor.table_state import Kind, Step, Table, rack_effect
from ledger.kernel import ref_of, round_id

_BEGINS: Final = 20 * MINUTE
"""After the start of the gaming day, when the house has said what stands."""
_SHARE: Final = 0.06
_MOST: Final = 0.5
"""In this share of the rounds a patron has a coupon: of a full day, and of a short one at most."""


class CouponProgram:
    """Coupons of a simulation; ``truth`` grows as days are drawn."""

    def __init__(
        self,
        seed: int,
        days: Sequence[date],
        wishes: Sequence[tuple[str, int, str | None]],
        scale: float,
        floors: int = 1,
    ) -> None:
        plan = plan_of(seed, wishes, len(days))
        self._stock = Stock(seed=seed, first_day=days[0], scale=scale * floors, plan=plan)
        self._days = len(days)
        self._share = min(_MOST, _SHARE / scale)
        self._chance: dict[str, Random] = {}
        self._boxes: list[tuple[str, str]] = []

    @property
    def truth(self) -> list[TruthRow]:
        """What must be found of coupons, so far."""
        return self._stock.truth

    @property
    def ends(self) -> list[tuple[str, int]]:
        """The last number of each stream of the program."""
        return [(pen.stream, pen.seq) for pen in self._stock.pens.values()]

    def begin(self, day: date, start: int, tables: Sequence[Table]) -> list[Fact]:
        """The morning: what stands, on the first day, then delivery to distribution.

        Args:
            day: the gaming day.
            start: when it begins, microseconds UTC.
            tables: those at which coupons are used.
        """
        stock = self._stock
        stock.begin(day, start + _BEGINS)
        self._chance = {
            table.spec.name: Random(f"{stock.seed}/coupons/{day}/{table.spec.name}")
            for table in tables
        }
        stock.open = set(self._chance)
        self._boxes = [
            (table.spec.name, f"BX-{table.spec.name}-{day.isoformat()}") for table in tables
        ]
        facts = standing_facts(stock) if stock.index == 0 else []
        return [*facts, *morning(stock)]

    def attend(self, table: Table, step: Step, *, free: bool) -> Step:
        """The hook: coupons in a finished round, and in the count of the box that they went into.

        Args:
            table: where it was played.
            step: the finished step.
            free: whether nothing else is planted in it.

        Returns:
            the same step, or one with other facts, numbered, and the table's pens set to its end.
        """
        if step.kind is Kind.CLOSING:
            close_box(self._stock, table)
            return step
        if step.kind is Kind.COUNT:
            draft = Draft(step, list(step.facts))
            count_box(self._stock, table, draft)
            return self._numbered(table, draft, []) if draft.facts != step.facts else step
        if step.kind is not Kind.ROUND:
            return step
        rng = self._chance[table.spec.name]
        chance, own = rng.random(), rng.getrandbits(32)
        carries = chance < self._share
        if not free or not table.spec.sees_wagers or not (carries or self._presses(table)):
            return step
        draft = Draft(step, list(step.facts))
        pairs = pairs_of(draft)
        if not pairs:
            return step
        coupon_round = CouponRound(self._stock, table, draft, pairs, Random(own))
        planted = self._plant(coupon_round)
        if planted is None and carries:
            use_lawfully(coupon_round)
        if draft.facts == step.facts:
            return step
        return self._numbered(table, draft, [planted] if planted else [])

    def _presses(self, table: Table) -> bool:
        """Whether something is to be planted here and this is the last day for it."""
        index = self._stock.index
        return any(
            index + 1 not in unit.kind.days(self._days)
            for unit in self._stock.plan.at(table.spec.name, index)
        )

    def _plant(self, coupon_round: CouponRound) -> tuple[str, Expected] | None:
        stock, name = self._stock, coupon_round.table.spec.name
        for unit in stock.plan.at(name, stock.index):
            if unit.wait:
                unit.wait -= 1
                continue
            expected = CHANGES[unit.kind.name](coupon_round, unit.kind)
            if expected is not None:
                stock.plan.done(unit, stock.index, name)
                return unit.kind.name, expected
        return None

    def _numbered(self, table: Table, draft: Draft, planted: list[tuple[str, Expected]]) -> Step:
        """Number the changed step; what finance and the truth remember are the numbered facts."""
        for name, expected in planted:
            if expected.facts:
                draft.kind = name
                kind = COUPON_KINDS[name]
                draft.find(expected.code or kind.code, expected.cite or kind.cite, *expected.facts)
        numbered = draft.number(table.pens)
        table.skew += rack_effect(numbered.happened) - rack_effect(draft.step.facts)
        opened = opened_of(Draft(draft.step, numbered.happened))
        ref = None if opened is None else round_id(ref_of(opened))
        for row, (name, expected) in zip(numbered.rows, planted, strict=False):
            self._stock.truth.append(
                truth_row(
                    COUPON_KINDS[name], draft.step.day, row.facts, expected.serials,
                    code=row.code, cite=row.cite, round_id=ref,
                )
            )  # fmt: skip
        uses = self._stock.today.uses
        new = {
            (f.serial, f.event_time): f for f in numbered.happened if isinstance(f, CouponRedeemed)
        }
        uses[:] = [
            replace(use, fact=new.get((use.serial, use.fact.event_time), use.fact)) for use in uses
        ]
        return replace(draft.step, facts=numbered.facts)

    def end(self, tables: Sequence[Table]) -> list[Fact]:
        """The night: boxes counted, forms completed, coupons examined and cancelled."""
        stock = self._stock
        stock.at = max(stock.at, *(table.time for table in tables)) + 60 * SECOND
        return evening(stock, self._boxes)

    def finish(self) -> None:
        """The simulation is over.

        Raises:
            UsageError: something asked for found no place.
        """
        self._stock.plan.check()
