"""What each table claimed to record, day by day, without judging a round.

Law: the Ledger contract, L.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from ledger.audit.day import tables_on
from ledger.audit.ledger_contract import day_of
from ledger.audit.table import NOT_COVERED
from ledger.events import Capture, TableOpened
from ledger.kernel import PropertyClock
from ledger.replay import FactStep, Replay


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """What one table claimed to record on one gaming day.

    Args:
        gaming_day: the day.
        table: the table.
        game: the game it last opened with; None if no opening says.
        level: "full", "outcome" or "counts"; None if no opening up to the day's end says.
    """

    gaming_day: date
    table: str
    game: str | None
    level: str | None

    @property
    def not_covered(self) -> tuple[str, ...]:
        """What is not recorded and therefore not judged, for people."""
        return not_covered_at(self.level)


def not_covered_at(level: str | None) -> tuple[str, ...]:
    """Return what a capture level does not cover, for people; nothing where the level is None."""
    return () if level is None else NOT_COVERED.get(Capture(level.upper()), ())


def captured(
    replay: Replay, clock: PropertyClock, days: Iterable[date], tables: Iterable[str]
) -> Iterator[Captured]:
    """Yield the tables that have a fact on these days, by day, then by table.

    Args:
        replay: the ledger's replay.
        clock: the property's clock.
        days: the gaming days.
        tables: the tables that are wanted, each one of ``replay.tables()``.

    Raises:
        DayUnknown: no fact at all lies in one of the days.
    """
    openings: dict[str, list[tuple[int, TableOpened]]] = {}
    for table in tables:
        walk = replay.walk(replay.tables()[table], only={TableOpened.__name__})
        openings[table] = [
            (step.at, step.fact)
            for step in walk
            if isinstance(step, FactStep) and isinstance(step.fact, TableOpened)
        ]
    for day in days:
        span = day_of(clock, day)
        for table in tables_on(replay, span):
            if table in openings:
                before = [fact for at, fact in openings[table] if at < span.ends]
                last = before[-1] if before else None
                yield Captured(
                    gaming_day=day,
                    table=table,
                    game=last.game if last else None,
                    level=last.capture.value.lower() if last and last.capture else None,
                )
