"""Building a projection: audit every gaming day, stage what it says, make the marts, check them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Final

import duckdb

from ledger.analytics.arrow_batches import StagingBatches
from ledger.analytics.audit_rows import (
    capture_rows,
    day_row,
    finding_rows,
    mark_rows,
    table_day_rows,
)
from ledger.analytics.errors import ProjectionBroken
from ledger.analytics.facts import coupon_rows
from ledger.analytics.judged_tables import JudgedTables
from ledger.analytics.marts import MARTS, STAGED, Mart, marts, staging_statements
from ledger.analytics.staged_table import StagedTable
from ledger.audit import DayAudit, Theory, day_of, gaming_days
from ledger.coupons import CustodyRegister
from ledger.kernel import PropertyClock
from ledger.replay import Replay

MEMORY: Final = "512MB"
THREADS: Final = 2
ABOUT: Final = """
CREATE TABLE projection AS SELECT
    CAST($tree_size AS BIGINT)      AS tree_size,
    CAST($root AS VARCHAR)          AS root,
    CAST($duckdb_version AS VARCHAR) AS duckdb_version,
    CAST($code_hash AS VARCHAR)     AS code_hash
"""

Progress = Callable[[date, int, int], None]
"""Told before each gaming day: the day, how many are done, how many there are."""


def build(
    replay: Replay,
    path: Path,
    *,
    code_hash: str,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> None:
    """Write the projection of a ledger into a new file.

    ``cache`` is where judged tables are kept: only those are judged on which a new fact bears.

    Raises:
        ProjectionBroken: a mart does not keep its contract.
    """
    with _building(path, replay, code_hash) as connection:
        _stage(replay, connection, cache, progress)


def build_day(
    replay: Replay,
    path: Path,
    audit: DayAudit,
    staged: Iterable[StagedTable],
    *,
    theory: Theory,
    clock: PropertyClock,
    book: CustodyRegister | None = None,
    code_hash: str,
) -> None:
    """Write the projection of one audited gaming day into a new file; nothing is judged again.

    Args:
        replay: the ledger's replay.
        path: the file.
        audit: the day's audit.
        staged: what ``stage_table`` gathered of each of its tables.
        theory: house edges, as used for the tables' days.
        clock: the property's.
        book: the custody of coupons, if there are any.
        code_hash: which code makes it.

    Raises:
        ProjectionBroken: a mart does not keep its contract.
    """
    with _building(path, replay, code_hash) as connection:
        batches = StagingBatches(connection)
        for table in staged:
            _load(batches, table)
        _stage_day(batches, audit, theory, clock)
        if book is not None:
            batches.extend("coupons", coupon_rows(book))
        batches.finish()


@contextmanager
def _building(path: Path, replay: Replay, code_hash: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """Empty staging before, every mart made and checked after."""
    with duckdb.connect(path, config=_settings()) as connection:
        connection.execute("SET enable_progress_bar = false")
        connection.execute("CREATE SCHEMA staging")
        for statement in staging_statements():
            connection.execute(statement)
        yield connection
        for mart in marts():
            make(connection, mart)
        for mart in marts():
            check(connection, mart)
        for name in set(STAGED) & set(MARTS):  # one table of a name: the mart, which is described
            connection.execute(f"DROP TABLE staging.{name}")
        connection.execute(
            ABOUT,
            {
                "tree_size": replay.size,
                "root": replay.root.hex(),
                "duckdb_version": duckdb.__version__,
                "code_hash": code_hash,
            },
        )
        connection.execute("CHECKPOINT")


def _settings() -> dict[str, str | bool | int | float | list[str]]:
    return {
        "memory_limit": MEMORY,
        "threads": THREADS,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "python_enable_replacements": False,
    }


def _stage(
    replay: Replay,
    connection: duckdb.DuckDBPyConnection,
    cache: Path | None,
    progress: Progress | None,
) -> None:
    """Lay down what was judged of each day; nothing is held from one day to the next."""
    if not replay.tables():
        return
    judged, batches = JudgedTables(replay, cache), StagingBatches(connection)
    clock, theory = judged.record.clock, judged.theory
    days = gaming_days(replay)
    for done, day in enumerate(days):
        if progress is not None:
            progress(day, done, len(days))
        span = day_of(clock, day)
        tables = judged.tables(span)
        for table in tables:
            _load(batches, table.rows)
        _stage_day(batches, judged.joined(span, tables), theory, clock)
    if judged.book is not None:
        batches.extend("coupons", coupon_rows(judged.book))
    batches.finish()


def _load(batches: StagingBatches, staged: StagedTable) -> None:
    for name in staged.rows:
        batches.load(name, staged.batches(name))


def _stage_day(
    batches: StagingBatches, audit: DayAudit, theory: Theory, clock: PropertyClock
) -> None:
    """What the audit says of the day as a whole."""
    batches.add("days", day_row(audit))
    batches.extend("captures", capture_rows(audit))
    batches.extend("table_days", table_day_rows(audit, theory))
    batches.extend("findings", finding_rows(audit))
    batches.extend("marks", mark_rows(audit, clock))


def make(connection: duckdb.DuckDBPyConnection, mart: Mart) -> None:
    """Make a mart from staging; its grain and its columns' meanings become comments in DuckDB."""
    connection.execute(f"CREATE TABLE {mart.name} AS {mart.select}")
    connection.execute(f"COMMENT ON TABLE {mart.name} IS {_quoted(mart.grain)}")
    for column in mart.columns:
        comment = f"{column.meaning} ({column.unit})" if column.unit else column.meaning
        connection.execute(f"COMMENT ON COLUMN {mart.name}.{column.name} IS {_quoted(comment)}")


def check(connection: duckdb.DuckDBPyConnection, mart: Mart) -> None:
    """Hold a mart against its ``.toml``: its columns, and every invariant.

    Raises:
        ProjectionBroken: with the first thing that does not hold.
    """
    described = connection.execute(f"DESCRIBE {mart.name}").fetchall()
    stands = [(name, kind) for name, kind, *_ in described]
    if stands != [(column.name, column.type) for column in mart.columns]:
        raise ProjectionBroken(mart.name, f"its columns are {stands}")
    for invariant in mart.invariants:
        row = connection.execute(invariant.sql).fetchone()
        if row is not None:
            raise ProjectionBroken(mart.name, f"{invariant.name}: {invariant.says} Not so: {row}")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
