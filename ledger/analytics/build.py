"""Building a projection: audit every gaming day, stage what it says, make the marts, check them.

One that stands is brought forward: the days from the first on of which the audit now says something
else are made in a file of their own, checked there, and put in the place of what was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Final

import duckdb

from ledger.analytics.arrow_batches import StagingBatches
from ledger.analytics.audit_rows import (
    Row,
    capture_rows,
    day_row,
    finding_rows,
    mark_rows,
    table_day_rows,
)
from ledger.analytics.errors import ProjectionBroken
from ledger.analytics.facts import coupon_rows
from ledger.analytics.judged_tables import JudgedTable, JudgedTables
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

DIGESTS: Final = "SELECT gaming_day, digest FROM staging.digests"
TABLES: Final = """
SELECT t.schema_name, t.table_name, bool_or(c.column_name = 'gaming_day')
FROM duckdb_tables() t
JOIN duckdb_columns() c USING (database_name, schema_name, table_name)
WHERE t.database_name = current_database()
GROUP BY ALL
"""
"""The tables of a projection, and whether each has its rows by gaming day."""

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
        _stage(replay, connection, cache, progress, {})


def bring_forward(
    replay: Replay,
    path: Path,
    fresh: Path,
    *,
    code_hash: str,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> None:
    """Bring a projection of an earlier state of the ledger to the present one.

    Args:
        replay: the ledger's replay.
        path: the projection, whole and of the same code; it is changed.
        fresh: a file that is not there: what is new is made and checked in it.
        code_hash, cache, progress: as for ``build``.

    Raises:
        ProjectionBroken: a mart of what is new does not keep its contract.
    """
    with duckdb.connect(path, config=_settings()) as connection:
        known: dict[date, str] = dict(connection.execute(DIGESTS).fetchall())
    with _building(fresh, replay, code_hash) as connection:
        first = _stage(replay, connection, cache, progress, known)
    with duckdb.connect(path, config=_settings()) as connection:
        connection.execute(f"ATTACH {_quoted(str(fresh))} AS fresh (READ_ONLY)")
        connection.execute("BEGIN")
        for schema, name, has_day in connection.execute(TABLES).fetchall():
            since = f"WHERE gaming_day >= DATE '{first}'" if has_day and first else ""
            if not has_day or first is not None:
                connection.execute(f"DELETE FROM {schema}.{name} {since}")
                connection.execute(f"INSERT INTO {schema}.{name} FROM fresh.{schema}.{name}")
        connection.execute("COMMIT")
        connection.execute("CHECKPOINT")


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
        for name, rows in _day_rows(audit, theory, clock).items():
            batches.extend(name, rows)
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
    known: Mapping[date, str],
) -> date | None:
    """Lay down what was judged of each day; nothing is held from one day to the next.

    Args:
        known: by day, the digest of what was laid down before: days before the first with another
            one are passed over.

    Returns:
        The first day that was laid down; None: there was none to lay down.
    """
    if not replay.tables():
        return min(known, default=None)
    judged, batches = JudgedTables(replay, cache), StagingBatches(connection)
    clock, theory = judged.record.clock, judged.theory
    days = gaming_days(replay)
    first = min((day for day in known if day not in days), default=None)
    for done, day in enumerate(days):
        if progress is not None:
            progress(day, done, len(days))
        span = day_of(clock, day)
        tables = judged.tables(span)
        of_day = _day_rows(judged.joined(span, tables), theory, clock)
        digest = _digest(tables, of_day)
        if first is None or day < first:
            if known.get(day) == digest:
                continue
            first = day
        for table in tables:
            _load(batches, table.rows)
        for name, rows in of_day.items():
            batches.extend(name, rows)
        batches.add("digests", (day, digest))
    if judged.book is not None:
        batches.extend("coupons", coupon_rows(judged.book))
    batches.finish()
    return first


def _load(batches: StagingBatches, staged: StagedTable) -> None:
    for name in staged.rows:
        batches.load(name, staged.batches(name))


def _day_rows(audit: DayAudit, theory: Theory, clock: PropertyClock) -> dict[str, list[Row]]:
    """What the audit says of the day as a whole, by table of staging."""
    return {
        "days": [day_row(audit)],
        "captures": [*capture_rows(audit)],
        "table_days": [*table_day_rows(audit, theory)],
        "findings": [*finding_rows(audit)],
        "marks": [*mark_rows(audit, clock)],
    }


def _digest(tables: Iterable[JudgedTable], of_day: Mapping[str, list[Row]]) -> str:
    """SHA-256 in hexadecimal over all that is laid down of a day."""
    hasher = sha256(repr(of_day).encode())
    for table in tables:
        for name, rows in sorted(table.rows.rows.items()):
            hasher.update(f"{table.rows.table}\0{name}\0{len(rows)}\0".encode())
            hasher.update(rows)
    return hasher.hexdigest()


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
