"""Plants in what is staked, paid and taken, for games whose sections are named where they are used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from ledger import events
from ledger.floor.day import Day
from ledger.floor.draft import Draft
from ledger.floor.patron_habits import CHIP
from ledger.floor.plant_house import LastingPlant, each_noted, without_facts
from ledger.floor.tables import TableSpec

Edit = Callable[[Draft, TableSpec, Random], None]
Cite = str | Callable[[str], str]
"""A section, or which one a wager is paid or collected by."""
Lasts = Callable[[TableSpec, Random, Day], LastingPlant]


def winners(draft: Draft) -> list[events.WagerSettled]:
    """Winners of this step that are paid enough to be paid wrongly."""
    wagers = draft.standing()
    return [
        fact
        for fact in draft.settled(events.SettledAs.WON)
        if fact.wager_id in wagers and fact.winnings_cents >= 2 * CHIP
    ]


def losers(draft: Draft) -> list[events.WagerSettled]:
    """Losing wagers that were placed in this step."""
    wagers = draft.standing()
    return [fact for fact in draft.settled(events.SettledAs.LOST) if fact.wager_id in wagers]


def _section(draft: Draft, cite: Cite, fact: events.WagerSettled) -> str:
    return cite if isinstance(cite, str) else cite(draft.standing()[fact.wager_id].area[0])


def overpaid(cite: Cite) -> Edit:
    """A winner gets a chip too much."""

    def edit(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
        fact = rng.choice(winners(draft))
        new = replace(fact, winnings_cents=fact.winnings_cents + CHIP)
        draft.swap(fact, new)
        draft.find("wager_overpaid", _section(draft, cite, new), new)

    return edit


def underpaid(cite: Cite) -> Edit:
    """A winner gets a chip too little."""

    def edit(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
        fact = rng.choice(winners(draft))
        new = replace(fact, winnings_cents=fact.winnings_cents - CHIP)
        draft.swap(fact, new)
        draft.find("wager_underpaid", _section(draft, cite, new), new)

    return edit


def not_taken(cite: Cite) -> Edit:
    """A loser keeps the stake, though the wager is settled as lost."""

    def edit(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
        fact = rng.choice(losers(draft))
        new = replace(fact, stake_taken_cents=0)
        draft.swap(fact, new)
        draft.find("stake_taken_wrong", _section(draft, cite, new), new)

    return edit


def winner_taken(cite: str) -> Edit:
    """A winner is collected as if it had lost."""

    def edit(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
        fact = rng.choice(winners(draft))
        stake = draft.standing()[fact.wager_id].stake
        new = replace(
            fact, outcome=events.SettledAs.LOST, winnings_cents=0, stake_taken_cents=stake
        )
        draft.swap(fact, new)
        draft.find("wrong_outcome", cite, new)

    return edit


def unsettled(cite: Cite) -> Edit:
    """A losing wager is neither collected nor paid."""

    def edit(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
        fact = rng.choice(losers(draft))
        section, placed = _section(draft, cite, fact), draft.standing()[fact.wager_id].placed
        draft.remove(fact)
        draft.find("wager_unsettled", section, placed)

    return edit


def cash(cite: str) -> Edit:
    """A wager spoken, with cash, is accepted."""

    def edit(draft: Draft, spec: TableSpec, rng: Random) -> None:  # noqa: ARG001
        placed = draft.standing()[rng.choice(losers(draft)).wager_id].placed
        spoken = replace(placed, instrument=events.Instrument.SPOKEN_WITH_CASH)
        draft.swap(placed, spoken)
        draft.find("wager_not_in_chips", cite, spoken)

    return edit


def unapproved_layout(kind: str, cite: str) -> Lasts:
    """Nobody approved the layout."""

    def make(spec: TableSpec, rng: Random, first: Day) -> LastingPlant:  # noqa: ARG001
        return LastingPlant(
            kind,
            spec,
            without_facts(
                lambda f: isinstance(f, events.LayoutApproved) and f.layout == spec.layout
            ),
            each_noted(lambda f: isinstance(f, events.TableOpened), "layout_not_approved", cite),
        )

    return make


def other_odds(kind: str, wager: str, odds: tuple[int, int], cite: str) -> Lasts:
    """A row of fixed odds is filed and printed otherwise; it is paid as the chapter says.

    Args:
        kind: the name of the irregularity.
        wager: the wager.
        odds: as they are printed, such as (8, 1).
        cite: the section that fixes them.
    """
    pays, on = odds

    def make(spec: TableSpec, rng: Random, first: Day) -> LastingPlant:  # noqa: ARG001
        def file(draft: Draft) -> None:
            for fact in list(draft.facts):
                if (
                    isinstance(fact, events.RulesSubmissionFiled)
                    and fact.submission == spec.submission
                ):
                    rows = tuple(
                        replace(row, odds=f"{pays}:{on}") if row.wager == wager else row
                        for row in fact.paytable
                    )
                    other = replace(fact, paytable=rows)
                    draft.swap(fact, other)
                    draft.find("paytable_not_as_fixed", cite, other)

        def touch(draft: Draft) -> bool:
            for fact in draft.facts:
                if isinstance(fact, events.ItemInspected) and fact.item == "printed_odds":
                    seen = tuple(
                        replace(item, value=f"{pays} to {on}") if item.name == wager else item
                        for item in fact.seen
                    )
                    draft.swap(fact, replace(fact, seen=seen))
                    return True
            return False

        return LastingPlant(kind, spec, file, touch)

    return make
