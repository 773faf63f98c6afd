"""One table as it stands: the round under way, what lies on it, what holds, the last rounds."""

from __future__ import annotations

from collections import deque
from dataclasses import field
from pathlib import Path
from typing import Final

from ledger.analytics import JudgedTables
from ledger.audit import Day, day_of
from ledger.audit.in_force import WANTED as SPAN_EVENTS
from ledger.audit.in_force import Span, in_force
from ledger.house import Office
from ledger.kernel import PropertyClock
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import Replay
from ledger.rounds import RoundResult
from ledger.watch.growth import LedgerGrowth
from ledger.watch.table_watch import PausedWalk, TableWatch, known_until

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


@dataclass(slots=True)
class TablePage:
    """One table as its ledger grows: what comes in order is judged once, and read once.

    Attributes:
        folder: the ledger.
        table: one of its tables.
    """

    folder: Path
    table: str
    _growth: LedgerGrowth = field(init=False)
    _watch: TableWatch | None = None
    _holds: tuple[Span, ...] = ()
    _office: Office | None = None
    _soundness: list[tuple[str, int, int]] = field(default_factory=list)
    plays: int = 0
    """How often a play was begun, from the day's beginning or from a state within the day."""

    def __post_init__(self) -> None:
        self._growth = LedgerGrowth(self.folder)

    def grown(self) -> TableNow | None:
        """Return the table as it stands now; None if nothing came since the last time.

        Raises:
            PropertyUnknown: no fact describes the property.
        """
        growth = self._growth
        read = growth.grow()
        if read is None:
            return None
        replay, judged = read
        streams = replay.tables()[self.table]
        came = [growth.arrived[name][0] for name in streams if name in growth.arrived]
        until = known_until(replay, self.table)
        clock = judged.record.clock
        day = day_of(clock, clock.day_of(max(until - 1, 0)))
        watch = self._watch
        if watch is None or watch.day != day:
            watch = self._watch = TableWatch(self.table, day, kept_rounds=SHOWN)
            self._office = None
        before = watch.paused
        growth.judge(watch, until, min(came, default=None))
        paused = watch.paused
        assert paused is not None
        self.plays += paused is not before
        self._read_holds(replay, judged, day)
        growth.done()
        return self._shown(paused, clock, until)

    def _read_holds(self, replay: Replay, judged: JudgedTables, day: Day) -> None:
        """Read what holds, where something came that begins, ends or doubts it."""
        extents = [self._growth.extents[name] for name in replay.tables()[self.table]]
        soundness = [(one.stream, one.missing, one.conflicts) for one in extents]
        came = replay.kinds_since(self._growth.size)
        office = judged.record.office
        if self._office is office and self._soundness == soundness and came.isdisjoint(SPAN_EVENTS):
            return
        self._office, self._soundness = office, soundness
        spans = in_force(replay, day.date, table=self.table).tables
        self._holds = tuple(
            span for of_table in spans for span in of_table.spans if span.ends is None
        )

    def _shown(self, paused: PausedWalk, clock: PropertyClock, until: int) -> TableNow:
        play = paused.walk.play
        over, under_way = deque(paused.over, SHOWN), None
        for result in play.fork().finish():
            if play.state.round is not None and result.round == str(play.state.round.ref):
                under_way = result
            else:
                over.append(result)
        return TableNow(
            table=self.table,
            clock=clock,
            until=until,
            game=play.state.game if play.state.room is not None else None,
            under_way=under_way,
            holds=self._holds,
            over=tuple(reversed(over)),
        )


def table_now(folder: Path, table: str) -> TableNow:
    """Return one table of a ledger as it stands.

    Args:
        folder: the ledger.
        table: one of its tables.

    Raises:
        PropertyUnknown: no fact describes the property.
    """
    standing = TablePage(folder, table).grown()
    assert standing is not None, "a ledger with a table has an entry"
    return standing
