"""Which games have tables, and the tables that a process has made so far."""

from __future__ import annotations

from typing import Any, Final

from ledger.games.room import Room, Rules
from ledger.house import TableHouse
from ledger.rounds.in_order.apart_rows import ApartMattered, ApartRows
from ledger.rounds.in_order.fact_bodies import BODIES, Bodies
from ledger.rounds.in_order.house_table import HouseTable
from ledger.rounds.in_order.room_parts import stakes_fields
from ledger.rounds.in_order.room_table import ROWS, RoomTable
from ledger.rounds.in_order.row_numbers import BITS, HouseNumbers, RowNumbers
from ledger.rounds.in_order.stakes_seen import asked_of
from ledger.rounds.in_order.stretch import Tables
from ledger.rounds.in_order.wager_table import WagerTable

KEPT: Final = 8
"""How many rooms under a filing a process keeps tables of; the oldest goes first."""
ROOM_LEFT: Final = BODIES // 10
"""Tables that can take in fewer bodies or rows more are made anew, before a day begins."""
_KEPT: Final[list[tuple[RoomTable, WagerTable, Bodies, RowNumbers, ApartMattered]]] = []


def has_tables(room: Room) -> bool:
    """Whether the rounds of a game can be told from tables.

    Where wagers close apart from one another, or some outlive their round, the room must ask of
    them no more than whoever reads a round can say (``stakes_seen``).
    """
    kind: Any = type(room.initial)
    if room.supposed or len(kind._fields) > BITS:
        return False
    if stakes_fields(kind):
        return len(asked_of(room)) == 1 and not (room.outlive and room.closed_to)
    return not (room.outlive or room.removable or room.adapt or room.closed_to)


def tables_for(rules: Rules, house: TableHouse, first: int, last: int) -> Tables:
    """Return the tables of one table of the floor, with what was made for its game before.

    Args:
        rules: law and filing joined, in force from the first moment to the last.
        house: what is known at the table.
        first, last: the moments between which all facts lie, microseconds UTC.
    """
    for kept in _KEPT:
        if kept[0].fits(rules):
            if len(kept[2]) + ROOM_LEFT > BODIES or kept[0].rows_kept + ROOM_LEFT > ROWS:
                _KEPT.remove(kept)
                return tables_for(rules, house, first, last)
            break
    else:
        room = RoomTable(rules)
        bodies = Bodies(with_positions=room.asks_of_layout)
        kept = (room, WagerTable(room.undated), bodies, RowNumbers(room), ApartMattered(room))
        _KEPT.append(kept)
        del _KEPT[:-KEPT]
    room, wagers, bodies, rows, mattered = kept
    of_house = HouseTable(house, rules, first, last, rows.mattered)
    houses = HouseNumbers(rows, wagers.usual)
    apart = ApartRows(mattered, first, last)
    return Tables(rules, room, of_house, wagers, bodies, rows, houses, apart)
