"""Processes that share the tables of a day: what all tables need is sent once to each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from ledger.audit.ledger_contract import Day
from ledger.audit.office import HouseRecord
from ledger.audit.table_day_inputs import TableDayInputs
from ledger.kernel.cyclic_garbage import collect_seldom
from ledger.kernel.quick_dataclass import dataclass
from ledger.replay import Replay

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class DayGround:
    """What the work on each table of a day needs.

    Attributes:
        replay: the ledger's replay.
        house: what is known of the office.
        span: the day.
        carried: folder for carried states (a cache); None replays from the beginning.
        inputs: what a table's day was made from.
    """

    replay: Replay
    house: HouseRecord
    span: Day
    carried: Path | None
    inputs: TableDayInputs


_GROUND: list[DayGround] = []
"""In a process that shares tables: what they need. In any other it is empty."""


def over_tables(
    work: Callable[[DayGround, str], _Result],
    replay: Replay,
    house: HouseRecord,
    span: Day,
    carried: Path | None,
    tables: Sequence[str],
    processes: int,
) -> Iterator[_Result]:
    """Yield what a work makes of each table, in their order, from several processes.

    Args:
        work: a function of a module; gets the ground and a table's name.
        replay, house, span, carried: as in ``DayGround``.
        tables: their names.
        processes: how many share them.
    """
    with ProcessPoolExecutor(
        min(processes, len(tables)),
        mp_context=get_context("spawn"),
        initializer=_begin,
        initargs=(replay, house, span, carried),
    ) as pool:
        yield from pool.map(_of_table, ((work, table) for table in tables))


def _begin(replay: Replay, house: HouseRecord, span: Day, carried: Path | None) -> None:
    collect_seldom()
    _GROUND[:] = [
        DayGround(
            replay=replay, house=house, span=span, carried=carried,
            inputs=TableDayInputs(replay, house),
        )
    ]  # fmt: skip


def _of_table(job: tuple[Callable[[DayGround, str], _Result], str]) -> _Result:
    work, table = job
    return work(_GROUND[0], table)
