"""Which gaming day is meant where none is named."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from ledger.audit import last_gaming_day
from ledger.cli.errors import NothingToJudge
from ledger.replay import Replay


def last_day(replay: Replay, folder: Path) -> date:
    """The last of a ledger's gaming days on which a table has a fact; never one dated years off.

    Raises:
        NothingToJudge: there is none.
    """
    day = last_gaming_day(replay)
    if day is None:
        raise NothingToJudge(folder)
    return day
