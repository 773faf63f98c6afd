"""One table's rows of one gaming day, gathered while its audit runs, in whatever process that is.

The night audits each table once; what the marts need of it is gathered on the way and put together
in ``build_day``, so that nothing is judged twice.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pyarrow as pa
from pyarrow import parquet

from ledger.analytics.arrow_batches import ArrowRows
from ledger.analytics.audit_rows import Row, SettlementRows, round_row, wager_rows
from ledger.analytics.facts import TableFollower
from ledger.analytics.staged_table import StagedTable
from ledger.analytics.staging_columns import COLUMNS
from ledger.audit import HouseRecord
from ledger.audit.carried import CarriedStates, StatesWithin
from ledger.audit.ledger_contract import Day, stated_ends
from ledger.audit.table import audit_table
from ledger.audit.table_day import TableDay
from ledger.replay import Replay
from ledger.rounds import RoundResult

LEVEL: Final = 9
"""How hard Zstandard tries."""


def stage_table(
    replay: Replay,
    house: HouseRecord,
    table: str,
    day: Day,
    carried: Path | CarriedStates | None = None,
    on_round: Callable[[RoundResult], None] | None = None,
    within: StatesWithin | None = None,
    *,
    in_bulk: bool = False,
) -> tuple[TableDay, StagedTable]:
    """Audit one table's gaming day, and gather its rows for the marts.

    Args:
        replay: the ledger's replay.
        house: the house record, with the custody of coupons where there are any.
        table: the table.
        day: the gaming day.
        carried: the carried states, or their folder, as for ``audit_day``.
        on_round: told each round of the day, as it closes.
        within: puts states of the day aside; None: nobody wants them.
        in_bulk: tell rounds in order from tables, with the same results, as for ``TableWalk``.
    """
    gathered, settled, clock = ArrowRows(), SettlementRows(), house.clock

    def lay_down(result: RoundResult) -> None:
        gathered.add("rounds", round_row(result, clock))
        gathered.extend("wagers", wager_rows(result))
        gathered.extend("settlements", settled.rows(result))
        if on_round is not None:
            on_round(result)

    states = CarriedStates.of(carried, replay, house.office)
    audited = audit_table(replay, house, table, day, states, lay_down, within, in_bulk=in_bulk)
    places = {name: schema.get_field_index("gaming_day") for name, schema in COLUMNS.items()}

    def add_if_of_day(name: str, row: Row) -> None:
        if row[places[name]] == day.date:
            gathered.add(name, row)

    follower = TableFollower(replay, house, table, add_if_of_day)
    follower.run_day(stated_ends(house.office), day)
    audited.reach = max(audited.reach, follower.reach)
    gathered.finish()
    rows = {name: _as_bytes(batches) for name, batches in sorted(gathered.batches.items())}
    return audited, StagedTable(table=table, rows=rows)


def _as_bytes(batches: list[pa.RecordBatch]) -> bytes:
    """As Parquet: columns of a day repeat themselves, and take a third of what Arrow takes."""
    sink = pa.BufferOutputStream()
    rows = pa.Table.from_batches(batches)
    parquet.write_table(
        rows, sink, compression="zstd", compression_level=LEVEL,
        write_statistics=False, store_schema=False,
    )  # fmt: skip
    return sink.getvalue().to_pybytes()
