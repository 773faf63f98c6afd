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
    mine = {key: one for key, one in office.submissions.items() if one.filed.game == room.game}
    if name not in mine:
        raise PaytableUnknown(name, sorted(mine))
    return as_filed(mine[name])
