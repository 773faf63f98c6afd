"""One table's rows of one gaming day as bytes, as they go between processes and into a cache."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ledger.kernel.quick_dataclass import dataclass

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, kw_only=True)
class StagedTable:
    """Rows by table of staging, each as one Parquet file of bytes: they go between processes."""

    table: str
    rows: Mapping[str, bytes]

    def batches(self, name: str) -> list[pa.RecordBatch]:
        """The rows for one table of staging."""
        import pyarrow as pa  # who only passes rows on need not wait for it
        from pyarrow import parquet

        from ledger.analytics.staging_columns import COLUMNS

        rows = self.rows.get(name)
        if rows is None:
            return []
        return parquet.read_table(pa.BufferReader(rows)).cast(COLUMNS[name]).to_batches()
