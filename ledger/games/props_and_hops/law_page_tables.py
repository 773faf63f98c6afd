"""What the printed law shows of the hop groups: how many of the 36 ways each may hold.

Law: § 668a.2(f)(2)-(5).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.games.law_page_tables import TABLE, PrintedRow
from ledger.games.props_and_hops.house_advantage_by_reading import ANSWERS
from ledger.games.props_and_hops.wagers import GROUPS
from ledger.games.room import Printed, Room


def groups(room: Room) -> Iterator[PrintedRow]:
    """Yield how many of the 36 ways each filed group may hold."""
    for group in GROUPS:
        odds = next(row.pays for row in room.payouts if row.wager == group.wager)
        says = (
            f"{group.wager}: which combinations win is filed; at most {group.most} of the 36 ways"
            f" leave the house an edge at {odds}."
        )
        yield PrintedRow(table=TABLE, says=says, cite=group.cite, reading=group.reading)


PRINTED: Final = Printed(tables=groups, answers=ANSWERS)
