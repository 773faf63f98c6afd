"""What the printed law shows of the field: what a throw comes to, the order of settlement.

Law: §§ 577.1, 577.6(f).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.games.football_field import GOAL_YARD, START, Kind, plays
from ledger.games.law_page_tables import TABLE, PrintedRow
from ledger.games.room import Printed, Room
from ledger.games.three_dice_football.house_advantage_by_reading import ANSWERS
from ledger.games.three_dice_football.terms import LAW
from ledger.games.three_dice_football.wagers import NO_SCORE_ORDER, SCORED_ORDER


def field(_room: Room) -> Iterator[PrintedRow]:
    """Yield what a throw comes to, in order of precedence, and the order of settlement."""
    kinds = {
        kind: sum(chance for play, chance in plays().items() if play.kind is kind) for kind in Kind
    }
    order = ", ".join(f"{kind.value} ({kinds[kind]} of throws)" for kind in Kind)
    yield PrintedRow(
        table=TABLE,
        says=f"A throw is decided in this order: {order}. The marker starts at yard {START.yard};"
        f" 1st & Goal is earned at yard {GOAL_YARD} or nearer.",
        cite=LAW[".1"],
        reading="trips-over-everything",
    )
    for cite, when, groups in (
        (LAW[".6(f)(1)"], "After a score", SCORED_ORDER),
        (LAW[".6(f)(2)"], "Without a score", NO_SCORE_ORDER),
    ):
        steps = "; then ".join(", ".join(sorted(names)) for names in groups)
        yield PrintedRow(table=TABLE, says=f"{when} wagers are settled so: {steps}.", cite=cite)


PRINTED: Final = Printed(tables=field, answers=ANSWERS)
