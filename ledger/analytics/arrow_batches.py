"""Rows into DuckDB by Arrow batches, so that memory stays flat and nothing goes row by row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import duckdb
import pyarrow as pa

from ledger.analytics.audit_rows import Row
from ledger.analytics.errors import ProjectionBroken
from ledger.analytics.staging_columns import COLUMNS

BATCH_ROWS: Final = 8_192
"""Rows held before they become a batch."""
HANDED_ROWS: Final = 65_536
"""Rows of batches that are handed over at once; a small insert costs more than it moves."""


class ArrowRows:
    """Collects rows for the tables of staging, as Arrow batches in memory."""

    def __init__(self, rows: int = BATCH_ROWS) -> None:
        self._rows = rows
        self._pending: dict[str, list[Row]] = {table: [] for table in COLUMNS}
        self.batches: dict[str, list[pa.RecordBatch]] = {}

    def add(self, table: str, row: Row) -> None:
        """Add one row, and close the batch when it is full.

        Args:
            table: of staging.
            row: its values, in the order of the table's columns.

        Raises:
            ProjectionBroken: a value of the batch does not fit its column.
        """
        pending = self._pending[table]
        pending.append(row)
        if len(pending) >= self._rows:
            self._close(table)

    def extend(self, table: str, rows: Iterable[Row]) -> None:
        """Add several rows, as ``add`` does."""
        for row in rows:
            self.add(table, row)

    def finish(self) -> None:
        """Close the batches that are not full; no row is added afterwards."""
        for table, pending in self._pending.items():
            if pending:
                self._close(table)

    def _close(self, table: str) -> None:
        schema, pending = COLUMNS[table], self._pending[table]
        try:
            arrays = [
                pa.array(values, type=column.type)
                for values, column in zip(zip(*pending, strict=True), schema, strict=True)
            ]
        except pa.ArrowInvalid as error:
            raise ProjectionBroken(table, f"a value does not fit its column: {error}") from error
        pending.clear()
        self._take(table, pa.RecordBatch.from_arrays(arrays, schema=schema))

    def _take(self, table: str, batch: pa.RecordBatch) -> None:
        self.batches.setdefault(table, []).append(batch)


class StagingBatches(ArrowRows):
    """Hands the rows over to the tables of staging, many batches at a time."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, rows: int = BATCH_ROWS) -> None:
        super().__init__(rows)
        self._connection = connection
        self._waiting: dict[str, list[pa.RecordBatch]] = {}
        self.handed_over = 0

    def load(self, table: str, batches: Iterable[pa.RecordBatch]) -> None:
        """Load rows that were gathered elsewhere, in another process perhaps."""
        for batch in batches:
            self._take(table, batch)

    def finish(self) -> None:
        """Hand over what is left; no row is added afterwards."""
        super().finish()
        for table in [*self._waiting]:
            self._hand_over(table)

    def _take(self, table: str, batch: pa.RecordBatch) -> None:
        waiting = self._waiting.setdefault(table, [])
        waiting.append(batch)
        if sum(one.num_rows for one in waiting) >= HANDED_ROWS:
            self._hand_over(table)

    def _hand_over(self, table: str) -> None:
        batches = self._waiting.pop(table)
        self._connection.register("batch", pa.Table.from_batches(batches))
        self._connection.execute(f"INSERT INTO staging.{table} BY NAME SELECT * FROM batch")
        self._connection.unregister("batch")
        self.handed_over += sum(one.num_rows for one in batches)
