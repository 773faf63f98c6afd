"""The marts as Parquet are the marts, and the same bytes from two projections of one ledger."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq

from ledger.analytics import export_marts, marts, open_projection
from tests.analytics import given


def test_the_same_rows_and_the_same_bytes(tmp_path: Path) -> None:
    folder = given.ledger(tmp_path / "ledger", given.facts(scale=0.02))
    first = open_projection(folder)
    digests = export_marts(given.database(folder, tmp_path / "one.duckdb"), tmp_path / "one")
    digests_again = export_marts(given.database(folder, tmp_path / "two.duckdb"), tmp_path / "two")
    assert digests == digests_again
    assert set(digests) == {f"{mart.name}.parquet" for mart in marts()}
    with first.connect() as connection:
        for mart in marts():
            table = pq.read_table(tmp_path / "one" / f"{mart.name}.parquet")
            assert table.column_names == [column.name for column in mart.columns]
            counted = connection.execute(f"SELECT count(*) FROM {mart.name}").fetchone()
            assert counted == (table.num_rows,)
    wagers = pq.read_table(tmp_path / "one" / "wagers.parquet").to_pylist()
    with first.connect() as connection:
        stakes = connection.execute("SELECT stake_cents FROM wagers").fetchall()
    assert [int(row["stake_cents"]) for row in wagers] == [cents for (cents,) in stakes]
