"""Rows into DuckDB by Arrow batches, so that memory stays flat and nothing goes row by row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import duckdb
import pyarrow as pa

from ledger.analytics.columns import COLUMNS
from ledger.analytics.refusals import ProjectionBroken
from ledger.analytics.rows import Row

BATCH_ROWS: Final = 8_192
"""Rows held before they are handed over; below 5,000 an insert costs more than it moves."""


class Batches:
    """Collects rows for the tables of staging and hands them over a batch at a time."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, rows: int = BATCH_ROWS) -> None:
        self._connection = connection
        self._rows = rows
        self._held: dict[str, list[Row]] = {table: [] for table in COLUMNS}
        self.handed_over = 0

    def add(self, table: str, row: Row) -> None:
        """One row."""
        held = self._held[table]
        held.append(row)
        if len(held) >= self._rows:
            self._hand_over(table)

    def extend(self, table: str, rows: Iterable[Row]) -> None:
        """Several rows."""
        for row in rows:
            self.add(table, row)

    def finish(self) -> None:
        """Hand over what is still held."""
        for table, held in self._held.items():
            if held:
                self._hand_over(table)

    def _hand_over(self, table: str) -> None:
        schema, held = COLUMNS[table], self._held[table]
        try:
            arrays = [
                pa.array(values, type=column.type)
                for values, column in zip(zip(*held, strict=True), schema, strict=True)
            ]
        except pa.ArrowInvalid as error:
            raise ProjectionBroken(table, f"a value does not fit its column: {error}") from error
        self._connection.register("batch", pa.Table.from_arrays(arrays, schema=schema))
        self._connection.execute(f"INSERT INTO staging.{table} BY NAME SELECT * FROM batch")
        self._connection.unregister("batch")
        self.handed_over += len(held)
        held.clear()
