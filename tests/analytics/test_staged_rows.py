"""A day put together from what each table's audit gathered is the day of the whole projection."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import duckdb
import pytest

from ledger.analytics import Projection, build_day, marts, stage_table
from ledger.audit import (
    Theory,
    audit_day,
    day_of,
    gaming_days,
    read_coupons,
    read_office,
    with_coupons,
)
from ledger.replay import Replay

BY_DAY = [mart.name for mart in marts() if mart.name != "coupons"]


@pytest.fixture(scope="module")
def replay(two_days: Path) -> Replay:
    return Replay.open(two_days)


@pytest.mark.parametrize("number", [0, 1])
def test_one_day_of_two(
    replay: Replay, projection: Projection, tmp_path: Path, number: int
) -> None:
    day: date = gaming_days(replay)[number]
    book = read_coupons(replay, read_office(replay))
    house = with_coupons(replay, read_office(replay), book)
    span = day_of(house.clock, day)
    staged = [stage_table(replay, house, table, span)[1] for table in replay.tables()]
    build_day(
        tmp_path / "day.duckdb",
        audit_day(replay, day),
        staged,
        theory=Theory(house.office),
        book=book,
        clock=house.clock,
    )
    with duckdb.connect(tmp_path / "day.duckdb") as mine, projection.connect() as whole:
        for name in BY_DAY:
            rows = mine.execute(f"FROM {name}").fetchall()
            expected = whole.execute(f"FROM {name} WHERE gaming_day = ?", [day]).fetchall()
            assert rows == expected, name
            assert rows or name == "marks"  # nothing in these days came late
        tables = mine.execute("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main'")
        assert {name for (name,) in tables.fetchall()} == {mart.name for mart in marts()}
        comments = mine.execute("SELECT count(comment) FROM duckdb_columns()").fetchone()
        assert comments == (0,)  # they would go with the file, of which the rows alone are exported
        assert mine.execute("FROM coupons").fetchall() == whole.execute("FROM coupons").fetchall()
