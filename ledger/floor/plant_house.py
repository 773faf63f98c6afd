"""Plants in what the house filed and holds approvals for: they last as long as the simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final

from ledger import events
from ledger.floor import asia_poker_payouts, dreamcatcher_payouts, sic_bo_payouts
from ledger.floor.day import Day
from ledger.floor.draft import Draft, StandingWager
from ledger.floor.sic_bo_payouts import area_name
from ledger.floor.tables import TableSpec
from ledger.kernel.quick_dataclass import dataclass

_LAYOUT: Final = {
    sic_bo_payouts.NAME: "539.1(c)",
    dreamcatcher_payouts.NAME: "689.1(g)",
    asia_poker_payouts.NAME: "575.2(b)",
}

Row = tuple[str, str | None]
"""A row of the paytable: wager, and total or None."""


@dataclass(frozen=True, slots=True)
class LastingPlant:
    """What a plant of the house does to the standing facts, and to each step of its table."""

    kind: str
    spec: TableSpec
    change_standing: Callable[[Draft], None]
    change_step: Callable[[Draft], bool]


def without_facts(unwanted: Callable[[events.Fact], bool]) -> Callable[[Draft], None]:
    """The standing facts without those that are unwanted."""

    def change(draft: Draft) -> None:
        draft.facts = [fact for fact in draft.facts if not unwanted(fact)]

    return change


def each_noted(
    wanted: Callable[[events.Fact], bool], code: str, cite: str
) -> Callable[[Draft], bool]:
    """Each such fact of the table is a finding of this code."""

    def touch(draft: Draft) -> bool:
        hits = [fact for fact in draft.facts if wanted(fact)]
        for fact in hits:
            draft.find(code, cite, fact)
        return bool(hits)

    return touch


def unapproved_layout(spec: TableSpec, rng: Random, first: Day) -> LastingPlant:  # noqa: ARG001
    """Nobody approved the layout."""
    return LastingPlant(
        "unapproved_layout",
        spec,
        without_facts(lambda f: isinstance(f, events.LayoutApproved) and f.layout == spec.layout),
        each_noted(
            lambda f: isinstance(f, events.TableOpened),
            "layout_not_approved",
            _LAYOUT[spec.game],
        ),
    )


def unapproved_shaker(spec: TableSpec, rng: Random, first: Day) -> LastingPlant:  # noqa: ARG001
    """A manual shaker without its approval, an automated one without the laboratory's."""
    bureau = (
        events.Bureau.GAMING_LABORATORY_OPERATIONS
        if spec.automated
        else events.Bureau.GAMING_OPERATIONS
    )
    return LastingPlant(
        "unapproved_shaker",
        spec,
        without_facts(
            lambda f: (
                isinstance(f, events.EquipmentApproved)
                and f.equipment == spec.shaker
                and f.bureau is bureau
            )
        ),
        each_noted(
            lambda f: isinstance(f, events.ShakerPlaced),
            "equipment_not_approved",
            "539.1(d)(2)" if spec.automated else "539.1(d)",
        ),
    )


def unapproved_sign(spec: TableSpec, rng: Random, first: Day) -> LastingPlant:  # noqa: ARG001
    """The sign of the long wager's limits was never approved."""
    sign = f"LS-{spec.name}-L"
    return LastingPlant(
        "unapproved_sign",
        spec,
        without_facts(lambda f: isinstance(f, events.SignApproved) and f.sign == sign),
        each_noted(
            lambda f: isinstance(f, events.LimitsSignPosted) and f.sign == sign,
            "sign_not_approved",
            "521.8(d)",
        ),
    )


def _seldom_won(first: Day, rng: Random) -> Row:
    """The row that wins least often on the first day, but once if possible."""
    won = dict.fromkeys(sic_bo_payouts.BELOW, 0)
    for step in first.play():
        draft = Draft(step, list(step.facts))
        wagers = draft.standing()
        for fact in draft.settled(events.SettledAs.WON):
            row = _row_of(wagers[fact.wager_id])
            if row in won:
                won[row] += 1
    rows = [row for row, count in won.items() if count] or list(won)
    least = min(won[row] for row in rows)
    return rng.choice([row for row in rows if won[row] == least])


def _row_of(wager: StandingWager) -> Row:
    name, picks = wager.area
    return name, str(picks[0]) if name == sic_bo_payouts.TOTAL else None


def paytable_below_floor(spec: TableSpec, rng: Random, first: Day) -> LastingPlant:
    """One row of the filed paytable lies below the list, is printed so and paid so."""
    row = _seldom_won(first, rng)
    odds = sic_bo_payouts.BELOW[row]

    def file(draft: Draft) -> None:
        for fact in list(draft.facts):
            if isinstance(fact, events.RulesSubmissionFiled) and fact.submission == spec.submission:
                rows = tuple(
                    replace(filed, odds=f"{odds}:1") if (filed.wager, filed.on) == row else filed
                    for filed in fact.paytable
                )
                low = replace(fact, paytable=rows)
                draft.swap(fact, low)
                draft.find("paytable_below_floor", "539.6(b)", low)

    def touch(draft: Draft) -> bool:
        changed = _print_low(draft, row, odds)
        wagers = draft.standing()
        for fact in draft.settled(events.SettledAs.WON):
            wager = wagers[fact.wager_id]
            if _row_of(wager) == row:
                low: events.WagerSettled = replace(fact, winnings_cents=odds * wager.stake)
                draft.swap(fact, low)
                draft.find("wager_underpaid", "539.6(b)", low)
                changed = True
        return changed

    return LastingPlant("paytable_below_floor", spec, file, touch)


def _print_low(draft: Draft, row: Row, odds: int) -> bool:
    wager, on = row
    name = area_name((wager, () if on is None else (int(on),)))
    for fact in draft.facts:
        if isinstance(fact, events.ItemInspected) and fact.item == "printed_odds":
            seen = tuple(
                replace(item, value=f"{odds} to 1") if item.name == name else item
                for item in fact.seen
            )
            draft.swap(fact, replace(fact, seen=seen))
            return True
    return False
