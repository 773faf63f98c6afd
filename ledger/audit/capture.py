"""What each table claimed to record, day by day, without judging a round.

Law: the Ledger contract, L.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from ledger.audit.captured import Captured
from ledger.audit.joined_day import tables_on
from ledger.audit.ledger_contract import day_of
from ledger.events import TableOpened
from ledger.kernel import PropertyClock
from ledger.replay import FactStep, Replay


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
                    level=last.capture.value.lower() if last and last.capture else None,
                )
