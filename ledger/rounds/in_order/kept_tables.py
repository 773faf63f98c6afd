"""Which games have tables, and the tables that a process has made so far."""

from __future__ import annotations

from typing import Final

from ledger.games.room import Room, Rules
from ledger.house import TableHouse
from ledger.rounds.in_order.fact_bodies import BODIES, Bodies
from ledger.rounds.in_order.house_table import HouseTable
from ledger.rounds.in_order.room_table import RoomTable
from ledger.rounds.in_order.row_numbers import HouseNumbers, RowNumbers
from ledger.rounds.in_order.stretch import Tables
from ledger.rounds.in_order.wager_table import WagerTable

KEPT: Final = 8
"""How many rooms under a filing a process keeps tables of; the oldest goes first."""
ROOM_LEFT: Final = BODIES // 10
"""Tables that can take in fewer further bodies than these are made anew, before a day begins."""
_KEPT: Final[list[tuple[RoomTable, WagerTable, Bodies, RowNumbers]]] = []


def has_tables(room: Room) -> bool:
    """Whether the rounds of a game can be told from tables.

    Not where wagers close apart from one another or outlive their round, where a wager may be
    lifted until it is decided, or where the property files options of its own.
    """
    apart = room.closed_to is not None or room.adapt is not None or bool(room.supposed)
    return not (apart or room.outlive or room.removable)


def tables_for(rules: Rules, house: TableHouse, first: int, last: int) -> Tables:
    """Return the tables of one table of the floor, with what was made for its game before.

    Args:
        rules: law and filing joined, in force from the first moment to the last.
        house: what is known at the table.
        first, last: the moments between which all facts lie, microseconds UTC.
    """
    for kept in _KEPT:
        if kept[0].fits(rules):
            if len(kept[2]) + ROOM_LEFT > BODIES:
                _KEPT.remove(kept)
                return tables_for(rules, house, first, last)
            break
    else:
        room = RoomTable(rules)
        kept = (room, WagerTable(room.undated), Bodies(), RowNumbers(room))
        _KEPT.append(kept)
        del _KEPT[:-KEPT]
    room, wagers, bodies, rows = kept
    of_house = HouseTable(house, rules, first, last, rows.mattered)
    houses = HouseNumbers(rows, wagers.usual)
    return Tables(rules, room, of_house, wagers, bodies, rows, houses)
