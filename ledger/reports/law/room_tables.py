"""Rows of tables that only one room has, and what an irregular act leaves in doubt, in English."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.games import Room
from ledger.games.law_page_tables import PrintedRow
from ledger.games.room import Duty, Taint


def doubt_row(row: Taint) -> PrintedRow:
    """What an irregular act leaves in doubt, in English."""
    names = f" {', '.join(sorted(row.wagers))}" if row.wagers else ""
    says = f"{row.act[:1].upper()}{row.act[1:]}. {row.scope}{names}."
    return PrintedRow(table="doubt", says=says, cite=row.cite, reading=row.reading)


def own_tables(room: Room) -> Iterator[PrintedRow]:
    """What only this room has, and what an irregular act leaves in doubt there."""
    yield from map(doubt_row, room.taints)
    if room.printed.tables is not None:
        yield from room.printed.tables(room)


def duties_shown_otherwise(room: Room) -> frozenset[Duty]:
    """Duties in whose place a row of the room's own tables is shown."""
    return frozenset(room.duty_by_name[name] for name in room.printed.in_place_of)
