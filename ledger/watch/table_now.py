"""One table as it stands: the round under way, what lies on it, what holds, the last rounds."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ledger.audit import day_of, read_office, with_coupons
from ledger.audit.carried import CarriedStates
from ledger.audit.in_force import Span, in_force
from ledger.audit.table import TableWalk
from ledger.kernel import PropertyClock
from ledger.log.ledger_at_checkpoint import CACHE
from ledger.replay import Replay
from ledger.rounds import RoundResult
from ledger.watch.table_watch import known_until

SHOWN: Final = 6
"""How many rounds that are over are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNow:
    """A table at the last moment up to which its record is complete.

    Attributes:
        table: the table.
        clock: the property's.
        until: that moment, microseconds UTC.
        game: the game by name; None while none is open.
        under_way: the round under way; None between rounds. What it comes to is not known yet.
        holds: what holds there: limits, staff, dice, cameras.
        over: the last rounds, the latest first.
    """

    table: str
    clock: PropertyClock
    until: int
    game: str | None
    under_way: RoundResult | None
    holds: tuple[Span, ...]
    over: tuple[RoundResult, ...]


def table_now(folder: Path, table: str) -> TableNow:
    """Return one table of a ledger as it stands.

    Args:
        folder: the ledger.
        table: one of its tables.

    Raises:
        PropertyUnknown: no fact describes the property.
    """
    replay = Replay.open(folder)
    house = with_coupons(replay, read_office(replay))
    until = known_until(replay, table)
    day = day_of(house.clock, house.clock.day_of(max(until - 1, 0)))
    carried = CarriedStates(folder / CACHE / "carried", replay, house.office)
    walk = TableWalk(replay, house, table, day, carried=carried, until=until)
    over = deque(walk.rounds(), SHOWN)
    state = walk.play.state
    under_way = None
    for result in walk.play.fork().finish():
        if state.round is not None and result.round == str(state.round.ref):
            under_way = result
        else:
            over.append(result)
    spans = in_force(replay, day.date, table=table).tables
    holds = tuple(span for of_table in spans for span in of_table.spans if span.ends is None)
    return TableNow(
        table=table,
        clock=house.clock,
        until=until,
        game=state.game if state.room is not None else None,
        under_way=under_way,
        holds=holds,
        over=tuple(reversed(over)),
    )
