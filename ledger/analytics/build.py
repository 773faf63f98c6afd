"""Building a projection: audit every gaming day, stage what it says, make the marts, check them.

Each gaming day is made by itself, and only where the audit now says something else of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import duckdb

from ledger.analytics.affected_days import affected_days, is_of_notes, soundness
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
from ledger.analytics.mart_files import (
    DayMarts,
    EarlierDays,
    MartFile,
    Soundness,
    write_mart,
)
from ledger.analytics.marts import MARTS, STAGED, Mart, marts, staging_statements
from ledger.analytics.observed_rounds import observed_data
from ledger.analytics.round_line import RoundLine
from ledger.analytics.staged_table import StagedTable
from ledger.audit import Day, DayAudit, Theory, day_of, footage_of, gaming_days, mark_of
from ledger.audit.coupon_mentions import CouponMentions
from ledger.audit.ledger_contract import FOREVER
from ledger.coupons import CustodyRegister
from ledger.coupons.followed_events import WANTED
from ledger.kernel import PropertyClock
from ledger.kernel.quick_dataclass import dataclass
from ledger.log.bundle_states import stretches
from ledger.replay import Replay

MEMORY: Final = "512MB"
THREADS: Final = 2

Progress = Callable[[date, int, int], None]
"""Told before each gaming day: the day, how many are done, how many there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltDays:
    """What was built.

    Attributes:
        days: all gaming days, in order.
        undated: by mart, the file of each whose rows are of no day.
        clock: the property's time zone, and the minutes from midnight at which its day starts.
        sound: what of the ledger's streams is torn.
    """

    days: tuple[DayMarts, ...]
    undated: Mapping[str, MartFile]
    clock: tuple[str, int]
    sound: Soundness


def build_days(
    replay: Replay,
    folder: Path,
    *,
    cache: Path | None = None,
    earlier: EarlierDays | None = None,
    progress: Progress | None = None,
) -> BuiltDays:
    """Write the marts of each gaming day that says something else than is known of it.

    Args:
        replay: the ledger's replay.
        folder: where the files go.
        cache: where judged tables are kept: only those are judged on which a new fact bears.
        earlier: what stands; a day on which nothing bears that came since is not looked at.
        progress: told of each gaming day.

    Raises:
        ProjectionBroken: a mart does not keep its contract.
    """
    if not replay.tables():
        return BuiltDays(days=(), undated={}, clock=("UTC", 0), sound={})
    judged = JudgedTables(replay, cache)
    known = {} if earlier is None else earlier.days
    affected = None if earlier is None else affected_days(replay, judged.record, earlier)
    if affected == frozenset() and earlier and earlier.is_whole and is_of_notes(replay, earlier):
        return _built(judged, earlier.days.values(), earlier.undated)
    clock = judged.record.clock
    days = gaming_days(replay)
    day_marts = []
    for done, day in enumerate(days):
        if progress is not None:
            progress(day, done, len(days))
        if affected is not None and day in known and day not in affected:
            day_marts.append(known[day])
            continue
        span = day_of(clock, day)
        tables = judged.tables(span)
        audit = judged.joined(span, tables)
        of_day = day_rows(audit, judged.theory, clock)
        observed = _observed(replay, judged, span, audit, cache)
        digest = _digest(tables, of_day, observed)
        if day in known and known[day].digest == digest:
            files = known[day].files
        else:
            with staging() as connection:
                lay_down(connection, (table.rows for table in tables), of_day)
                files = _written(connection, folder, [one for one in marts() if one.has_day])
        day_marts.append(
            DayMarts(
                day=day,
                digest=digest,
                bundles=stretches(_bundles(replay, tables, span)),
                coupons=stretches(_bundles(replay, tables, span, only=WANTED)),
                reach={table.part.table: table.part.reach for table in tables},
                parts=judged.parts_of(span, tables, audit),
                observed=observed,
                files=files,
            )
        )
    judged.theory.keep()
    if earlier is not None and affected is not None:
        return _built(judged, day_marts, earlier.undated)
    with staging() as connection:
        lay_down(connection, (), _coupon_rows(judged.book))
        undated = _written(connection, folder, [one for one in marts() if not one.has_day])
    if judged.book is not None and judged.carried is not None:
        CouponMentions.of(replay, judged.carried)  # for `coupons where`
    return _built(judged, day_marts, undated)


def _built(
    judged: JudgedTables, days: Iterable[DayMarts], undated: Mapping[str, MartFile]
) -> BuiltDays:
    clock = judged.record.clock
    return BuiltDays(
        days=tuple(days),
        undated=undated,
        clock=(clock.time_zone, clock.starts_minutes),
        sound=soundness(judged.replay, judged.record),
    )


def _observed(
    replay: Replay, judged: JudgedTables, span: Day, audit: DayAudit, cache: Path | None
) -> list[dict[str, Any]]:
    """The observed rounds of a day, as a list of rounds shows them."""
    if not audit.footage:
        return []
    carried = None if cache is None else cache / "carried"
    return [
        observed_data(
            mark_of(accounts),
            None if accounts.basis is None else RoundLine.of(accounts.result),
        )
        for accounts in footage_of(replay, judged.house, span, carried)
    ]


def _bundles(
    replay: Replay, tables: Iterable[JudgedTable], span: Day, only: Iterable[str] | None = None
) -> set[int]:
    """The bundles that hold facts of a day's tables, as far as they were read; or some kinds."""
    return {
        number
        for table in tables
        for number in replay.bundles_of(
            replay.tables().get(table.part.table, ()),
            since=span.begins,
            until=None if table.part.reach >= FOREVER else table.part.reach + 1,
            only=only,
        )
    }


def _written(
    connection: duckdb.DuckDBPyConnection, folder: Path, wanted: Iterable[Mart]
) -> dict[str, MartFile]:
    """Make, check and write marts; by name, the file of each that has rows."""
    wanted = list(wanted)
    make_all(connection, wanted)
    files = {mart.name: write_mart(connection, mart, folder) for mart in wanted}
    return {name: file for name, file in files.items() if file is not None}


def build_day(
    path: Path,
    audit: DayAudit,
    staged: Iterable[StagedTable],
    *,
    theory: Theory,
    clock: PropertyClock,
    book: CustodyRegister | None = None,
) -> None:
    """Write the marts of one audited gaming day into a new file; nothing is judged again.

    The file is for whoever exports them: it says neither what they mean nor what they are of.

    Args:
        path: the file.
        audit: the day's audit.
        staged: what ``stage_table`` gathered of each of its tables.
        theory: house edges, as used for the tables' days.
        clock: the property's.
        book: the custody of coupons, if there are any.

    Raises:
        ProjectionBroken: a mart does not keep its contract.
    """
    with staging(path) as connection:
        of_day = day_rows(audit, theory, clock)
        lay_down(connection, staged, {**of_day, **_coupon_rows(book)})
        make_all(connection, marts())
        for name in set(STAGED) & set(MARTS):  # one table of a name: the mart
            connection.execute(f"DROP TABLE staging.{name}")
        connection.execute("CHECKPOINT")


@contextmanager
def staging(path: Path | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database with the empty tables of staging; None: in memory."""
    with duckdb.connect(":memory:" if path is None else path, config=_settings()) as connection:
        connection.execute("SET enable_progress_bar = false")
        connection.execute("CREATE SCHEMA staging")
        for statement in staging_statements():
            connection.execute(statement)
        yield connection


def make_all(connection: duckdb.DuckDBPyConnection, wanted: Sequence[Mart]) -> None:
    """Make marts from staging, and check each.

    Raises:
        ProjectionBroken: one does not keep its contract.
    """
    for mart in wanted:
        make(connection, mart)
    for mart in wanted:
        check(connection, mart)


def _settings() -> dict[str, str | bool | int | float | list[str]]:
    return {
        "memory_limit": MEMORY,
        "threads": THREADS,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "python_enable_replacements": False,
    }


def lay_down(
    connection: duckdb.DuckDBPyConnection,
    tables: Iterable[StagedTable],
    rows: Mapping[str, Iterable[Row]],
) -> None:
    """Fill the tables of staging.

    Args:
        connection: as ``staging`` gives it.
        tables: what was gathered of each table's day.
        rows: further rows, by table of staging.
    """
    batches = StagingBatches(connection)
    for table in tables:
        for name in table.rows:
            batches.load(name, table.batches(name))
    for name, more in rows.items():
        batches.extend(name, more)
    batches.finish()


def _coupon_rows(book: CustodyRegister | None) -> dict[str, Iterable[Row]]:
    return {} if book is None else {"coupons": coupon_rows(book)}


def day_rows(audit: DayAudit, theory: Theory, clock: PropertyClock) -> dict[str, list[Row]]:
    """What the audit says of the day as a whole, by table of staging."""
    return {
        "days": [day_row(audit)],
        "captures": [*capture_rows(audit)],
        "table_days": [*table_day_rows(audit, theory)],
        "findings": [*finding_rows(audit)],
        "marks": [*mark_rows(audit, clock)],
    }


def _digest(
    tables: Iterable[JudgedTable], of_day: Mapping[str, list[Row]], observed: object
) -> str:
    """SHA-256 in hexadecimal over all that the marts of a day hold.

    Its counts of events only check them.
    """
    kept_rows = {name: rows for name, rows in of_day.items() if name != "days"}
    hasher = sha256(repr((kept_rows, observed)).encode())
    for table in tables:
        for name, rows in sorted(table.rows.rows.items()):
            hasher.update(f"{table.rows.table}\0{name}\0{len(rows)}\0".encode())
            hasher.update(rows)
    return hasher.hexdigest()


def make(connection: duckdb.DuckDBPyConnection, mart: Mart) -> None:
    """Make a mart from staging."""
    connection.execute(f"CREATE TABLE {mart.name} AS {mart.select}")


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
