"""Plants in what is filed and approved for a Props & Hops table: they last as long as the simulation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final

from ledger import events
from ledger.floor.day import Day
from ledger.floor.draft import Draft
from ledger.floor.plant_house import LastingPlant, each_noted, without_facts
from ledger.floor.plant_props import faces_of, in_order
from ledger.floor.props_and_hops_payouts import HOPS, RIGHT, box, due
from ledger.floor.tables import TableSpec


def unapproved_shaker(spec: TableSpec, rng: Random, first: Day) -> LastingPlant:  # noqa: ARG001
    """Nobody approved the shaker."""
    return LastingPlant(
        "props_unapproved_shaker",
        spec,
        without_facts(
            lambda f: isinstance(f, events.EquipmentApproved) and f.equipment == spec.shaker
        ),
        each_noted(
            lambda f: isinstance(f, events.ShakerPlaced), "equipment_not_approved", "668a.3(b)"
        ),
    )


def _groups(
    spec: TableSpec,
    change: Callable[[tuple[events.HopGroup, ...]], tuple[events.HopGroup, ...]],
    code: str | None,
    cite: str,
) -> Callable[[Draft], None]:
    """Other hop groups are filed for a table."""

    def file(draft: Draft) -> None:
        for fact in list(draft.facts):
            if isinstance(fact, events.HopGroupsFiled) and fact.submission == spec.submission:
                other = replace(fact, groups=change(fact.groups))
                draft.swap(fact, other)
        for fact in draft.facts:
            filed = (
                isinstance(fact, events.RulesSubmissionFiled) and fact.submission == spec.submission
            )
            if filed and code is not None:
                draft.find(code, cite, fact)

    return file


_PLACES: Final = dict(
    zip(HOPS, ("668a.2(f)(2)", "668a.2(f)(3)", "668a.2(f)(4)", "668a.2(f)(5)"), strict=True)
)


def hop_group_missing(spec: TableSpec, rng: Random, first: Day) -> LastingPlant:  # noqa: ARG001
    """Nothing filed says which combinations the hop wager covers that is least liked."""
    liked = dict.fromkeys((wager for wager in HOPS if wager != RIGHT), 0)
    for step in first.play():
        for fact in step.facts:
            if isinstance(fact, events.WagerPlaced) and fact.wager in liked:
                liked[fact.wager] += 1
    some = [name for name, count in liked.items() if count] or list(liked)
    wager = min(some, key=lambda name: liked[name])

    def touch(draft: Draft) -> bool:
        hits = [f for f in draft.facts if isinstance(f, events.WagerPlaced) and f.wager == wager]
        for fact in hits:
            draft.find("hop_groups_not_filed", _PLACES[wager], fact)
        return bool(hits)

    without = _groups(spec, lambda old: tuple(g for g in old if g.wager != wager), None, "")
    return LastingPlant("props_hop_group_missing", spec, without, touch)


ADDED: Final = ("1-6", "5-6")
"""With these Hop the Right covers 13 of the 36 ways."""


def hop_group_generous(spec: TableSpec, rng: Random, first: Day) -> LastingPlant:  # noqa: ARG001
    """Hop the Right is filed, and paid, with more combinations than leave the house an edge."""

    def more(old: tuple[events.HopGroup, ...]) -> tuple[events.HopGroup, ...]:
        wide = events.HopGroup(wager=RIGHT, combinations=(*HOPS[RIGHT], *ADDED))
        return tuple(wide if group.wager == RIGHT else group for group in old)

    def touch(draft: Draft) -> bool:
        wagers = draft.standing()
        if not wagers or box(faces_of(draft)) not in ADDED:
            return False
        order: list[events.WagerSettled] = []
        for fact in draft.facts:
            if not isinstance(fact, events.WagerSettled):
                continue
            wager = wagers.get(fact.wager_id)
            if (
                wager is not None
                and wager.area[0] == RIGHT
                and fact.outcome is events.SettledAs.LOST
            ):
                won = due((RIGHT, None), wager.stake)
                order.append(
                    replace(
                        fact, outcome=events.SettledAs.WON, winnings_cents=won, stake_taken_cents=0
                    )
                )
            else:
                order.append(fact)
        in_order(draft, sorted(order, key=lambda fact: fact.outcome is events.SettledAs.WON))
        return True

    wide = _groups(spec, more, "hop_group_too_generous", "668a.2(f)(4)")
    return LastingPlant("props_hop_group_generous", spec, wide, touch)
