"""A filed paytable, looked up in the ledger."""

from __future__ import annotations

from pathlib import Path

from ledger.audit import read_office
from ledger.cli.errors import PaytableUnknown
from ledger.games import Room
from ledger.games.room import Filed
from ledger.house.office import as_filed
from ledger.replay import Replay


def filed_paytable(folder: Path, room: Room, name: str) -> Filed:
    """The Rules Submission of that name.

    Raises:
        PaytableUnknown: none was filed for this game.
    """
    office = read_office(Replay.open(folder)).office
    mine = [one for one in office.submissions.values() if one.filed.game == room.game]
    named = [one for one in mine if one.filed.submission == name]
    if not named:
        raise PaytableUnknown(name, sorted({one.filed.submission for one in mine}))
    return as_filed(named[-1])
