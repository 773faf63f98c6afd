"""Marts as Parquet files, for whoever reads them without DuckDB: the same rows, the same bytes."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from ledger.analytics.marts import marts
from ledger.analytics.query_sandbox import settings

GROUP_ROWS: Final = 65_536
LEVEL: Final = 3
MEMORY_MB: Final = 512


def export_marts(projection: Path, folder: Path) -> dict[str, str]:
    """Write each mart of a projection as ``<mart>.parquet``.

    The files depend on the rows alone; which state of the ledger they are of, the caller says.

    Returns:
        The SHA-256 of each file, by its name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    with duckdb.connect(projection, config=settings(MEMORY_MB, 1)) as connection:
        for mart in marts():
            path = folder / f"{mart.name}.parquet"
            reader = connection.sql(f"FROM {mart.name}").to_arrow_reader(GROUP_ROWS)
            with pq.ParquetWriter(
                path, reader.schema, compression="zstd", compression_level=LEVEL, store_schema=False
            ) as writer:
                for batch in reader:
                    writer.write_table(pa.Table.from_batches([batch]), row_group_size=GROUP_ROWS)
            files[path.name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return files
