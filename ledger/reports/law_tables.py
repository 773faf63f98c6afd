"""Tables that only one room has, in English: what the printed law shows beside the usual rows.

Law: §§ 575.6(b), 575.12(b), 577.1, 577.6(f), 668a.2(f), 689.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ledger.games import Room
from ledger.games.asia_poker import ROOM as ASIA_POKER
from ledger.games.asia_poker.terms import RANKINGS
from ledger.games.asia_poker.wagers import PAYTABLES
from ledger.games.dreamcatcher import ROOM as DREAMCATCHER
from ledger.games.dreamcatcher.equipment import WHEEL_CHECKS
from ledger.games.dreamcatcher.terms import ORDER
from ledger.games.dreamcatcher.wagers import MULTIPLIERS
from ledger.games.field import GOAL_YARD, START, Kind, plays
from ledger.games.props_and_hops import ROOM as PROPS_AND_HOPS
from ledger.games.props_and_hops.wagers import GROUPS
from ledger.games.room import Duty, Taint
from ledger.games.three_dice_football import ROOM as FOOTBALL
from ledger.games.three_dice_football.wagers import NO_SCORE_ORDER, SCORED_ORDER
from ledger.kernel import Citation

TABLE: Final = "table"
"""What a row is called that stands in a table of one room alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRow:
    """One row in English: which table it stands in, what it says, where, and by which reading."""

    table: str
    says: str
    cite: Citation
    code: str | None = None
    severity: str | None = None
    reading: str | None = None


def doubt_row(row: Taint) -> ShownRow:
    """What an irregular act leaves in doubt, in English."""
    names = f" {', '.join(sorted(row.wagers))}" if row.wagers else ""
    says = f"{row.act[:1].upper()}{row.act[1:]}. {row.scope}{names}."
    return ShownRow(table="doubt", says=says, cite=row.cite, reading=row.reading)


def own_tables(room: Room) -> Iterator[ShownRow]:
    """What only this room has, and what an irregular act leaves in doubt there."""
    yield from map(doubt_row, room.taints)
    if room is DREAMCATCHER:
        yield from _wheel()
    elif room is FOOTBALL:
        yield from _field()
    elif room is PROPS_AND_HOPS:
        yield from _groups()
    elif room is ASIA_POKER:
        yield from _hands()


def shown_otherwise(room: Room) -> frozenset[Duty]:
    """Duties in whose place a row of the room's own table is shown."""
    if room is not DREAMCATCHER:
        return frozenset()
    return frozenset(room.duty_by_name[check.duty] for check in WHEEL_CHECKS)


def _wheel() -> Iterator[ShownRow]:
    """The multipliers, and what the wheel must be; a check stands in place of its duty."""
    for row in MULTIPLIERS:
        says = f"{row.symbol} decides no wager; it multiplies the odds by {row.factor}."
        yield ShownRow(table="multiplier", says=says, cite=row.cite, reading=row.reading)
    for check in WHEEL_CHECKS:
        duty = DREAMCATCHER.duty_by_name[check.duty]
        says = f"Required: {check.what}."
        yield ShownRow(
            table="check", says=says, cite=duty.cite, code=duty.code, severity=duty.severity
        )
    says = f"The {len(ORDER)} sections, clockwise: {', '.join(ORDER)}."
    yield ShownRow(table=TABLE, says=says, cite=DREAMCATCHER.law[".1(b)"])


def _field() -> Iterator[ShownRow]:
    """What a throw comes to, in order of precedence, and the order of settlement."""
    law = FOOTBALL.law
    kinds = {
        kind: sum(chance for play, chance in plays().items() if play.kind is kind) for kind in Kind
    }
    told = ", ".join(f"{kind.value} ({kinds[kind]} of throws)" for kind in Kind)
    yield ShownRow(
        table=TABLE,
        says=f"A throw is decided in this order: {told}. The marker starts at yard {START.yard};"
        f" 1st & Goal is earned at yard {GOAL_YARD} or nearer.",
        cite=law[".1"],
        reading="trips-over-everything",
    )
    for cite, when, order in (
        (law[".6(f)(1)"], "After a score", SCORED_ORDER),
        (law[".6(f)(2)"], "Without a score", NO_SCORE_ORDER),
    ):
        steps = "; then ".join(", ".join(sorted(names)) for names in order)
        yield ShownRow(table=TABLE, says=f"{when} wagers are settled so: {steps}.", cite=cite)


def _groups() -> Iterator[ShownRow]:
    """How many of the 36 ways a filed group may hold."""
    for group in GROUPS:
        odds = next(row.pays for row in PROPS_AND_HOPS.payouts if row.wager == group.wager)
        says = (
            f"{group.wager}: which combinations win is filed; at most {group.most} of the 36 ways"
            f" leave the house an edge at {odds}."
        )
        yield ShownRow(table=TABLE, says=says, cite=group.cite, reading=group.reading)


def _hands() -> Iterator[ShownRow]:
    """How high hands rank, and where paytables B and C differ from A."""
    law = ASIA_POKER.law
    for row, lower in zip(RANKINGS, [*(one.name for one in RANKINGS[1:]), "no hand"], strict=True):
        says = f"{row.name[0].upper()}{row.name[1:]}: ranks above {lower}."
        yield ShownRow(table="ranking", says=says, cite=row.cite, reading=row.reading)
    for name, changes in PAYTABLES.items():
        differs = ", ".join(f"{hand.value} {odds}" for hand, odds in changes.items())
        says = f"Paytable {name}: {differs or 'the odds of the rows'}."
        yield ShownRow(table=TABLE, says=says, cite=law[".12(b)"])
